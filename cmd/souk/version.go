package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"
)

// released is the version set by the linker for a released program.
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

// fingerprint tells this very program from any other, so that a cache that
// another one wrote is not trusted.
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
