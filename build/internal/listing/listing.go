// Package listing reads a folder with what shows, without reading a file, whether it
// may have changed: its type, size, times and number. It refuses to know what files are for,
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
	// Changed is when the system last changed anything of the file, in nanoseconds since
	// 1970, which nobody can set, and Inode its number on the disk. Both are 0 where the
	// system does not tell them.
	Changed int64
	Inode   uint64
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

// At returns the file or folder at a path, a link not followed.
func At(path string) (File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return File{}, err
	}
	one := File{Name: info.Name(), Type: info.Mode().Type()}
	if !info.IsDir() {
		err = lookAt(path, &one)
	}
	return one, err
}
