// Package listing reads a folder with what shows, without reading a file, whether it
// may have changed: its type, size and time. It refuses to know what files are for,
// and goes into no folder below.
package listing

import (
	"errors"
	"io/fs"
	"os"
)

// A File is one in a folder, or a folder.
type File struct {
	Name string
	// Type has the bits of fs.ModeType.
	Type fs.FileMode
	// Size in bytes and ModTime in nanoseconds since 1970; of a folder neither is set.
	Size, ModTime int64
	// Err is why the file could not be looked at; then only Name is set.
	Err error
}

// Folder returns the files and folders of a folder, links not followed, in no order. A
// file that vanishes meanwhile is left out.
func Folder(path string) (files []File, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	files = make([]File, 0, len(entries))
	look := looking(f)
	for _, e := range entries {
		one := File{Name: e.Name(), Type: e.Type()}
		if !e.IsDir() {
			if err := look(e, &one); errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				one = File{Name: e.Name(), Err: err}
			}
		}
		files = append(files, one)
	}
	return files, nil
}

// In returns the path of the file in a folder, "." for the one that paths begin at.
func (f *File) In(folder string) string {
	if folder == "." {
		return f.Name
	}
	return folder + "/" + f.Name
}

// Of returns the File of what the os package tells of one.
func Of(info fs.FileInfo) File {
	return File{Name: info.Name(), Type: info.Mode().Type(), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}
