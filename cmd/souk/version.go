package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// released is the version of a released program; the linker sets it.
var released string

// A versionJSON identifies the program, as --json prints it.
type versionJSON struct {
	Version string `json:"version"`
	// Revision and Time are Git's revision and the time of its commit, or "" if the program
	// was built outside a repository. Modified reports whether files differed from the commit.
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// programVersion returns the build information of the program.
func programVersion() versionJSON {
	v := versionJSON{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value
			case "vcs.time":
				v.Time = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if len(v.Revision) > 12 {
		v.Version += "+" + v.Revision[:12]
	}
	v.Version = cmp.Or(released, v.Version)
	return v
}

// version returns the version of the program.
func version() string { return programVersion().Version }

// fingerprint identifies this build of the program. A cache written by another build is not
// trusted.
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

func newVersion(w environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Version prints the version of the program, the revision of its source where that is known,
the version of Go that built it, and the platform that it was built for.`,
		Example: "  souk version\n  souk version --json",
		Args:    exactArgs(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			v := programVersion()
			if asJSON {
				return printJSON(w.stdout, v)
			}
			text := "souk " + v.Version + "\n"
			if v.Revision != "" {
				text += "revision " + v.Revision + " of " + v.Time
				if v.Modified {
					text += ", with changes"
				}
				text += "\n"
			}
			_, err := fmt.Fprintf(w.stdout, "%s%s %s\n", text, v.Go, v.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
