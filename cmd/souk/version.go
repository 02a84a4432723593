package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"
)

// released is the version of a released program, set by the linker.
var released string

// version returns the version of the program.
func version() string {
	v, revision := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) > 12 {
				revision = "+" + s.Value[:12]
			}
		}
	}
	return cmp.Or(released, v+revision)
}

// fingerprint identifies this build of the program, so that a cache written by
// another build is not trusted.
func fingerprint() string {
	exe, err := os.Executable()
	if err != nil {
		return version()
	}
	info, err := os.Stat(exe)
	if err != nil {
		return version()
	}
	return fmt.Sprintf("%s %d %d", version(), info.Size(), info.ModTime().UnixNano())
}
