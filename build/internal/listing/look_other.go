//go:build !unix

package listing

import (
	"io/fs"
	"os"
)

// looking returns a function that reads the status of files in an open folder.
func looking(*os.File) func(fs.DirEntry, *File) error {
	return func(e fs.DirEntry, one *File) error {
		info, err := e.Info()
		if err == nil {
			*one = of(info)
		}
		return err
	}
}

// lookAt reads the status of the file at a path.
func lookAt(path string, one *File) error {
	info, err := os.Lstat(path)
	if err == nil {
		*one = of(info)
	}
	return err
}

func of(info fs.FileInfo) File {
	return File{Name: info.Name(), Type: info.Mode().Type(), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}
