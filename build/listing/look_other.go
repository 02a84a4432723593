//go:build !unix

package listing

import (
	"io/fs"
	"os"
)

// looking returns what looks at files in an open folder.
func looking(*os.File) func(fs.DirEntry, *File) error {
	return func(e fs.DirEntry, one *File) error {
		info, err := e.Info()
		if err == nil {
			*one = Of(info)
		}
		return err
	}
}
