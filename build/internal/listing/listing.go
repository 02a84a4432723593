// Package listing reads a folder and, without reading any file, what shows whether a file
// may have changed: its type, size, times and inode. It does not know what the files are
// for, and does not descend into subfolders.
package listing

import (
	"errors"
	"io/fs"
	"os"
)

// A File is a file or folder in a folder.
type File struct {
	Name string
	// Type contains the bits of fs.ModeType.
	Type fs.FileMode
	// Size is in bytes, ModTime in nanoseconds since 1970; both are 0 for a folder.
	Size, ModTime int64
	// Changed is when the system last changed the file or its metadata, in nanoseconds
	// since 1970; programs cannot set it. Inode is the file's number on the disk. Both are
	// 0 if the system does not report them.
	Changed int64
	Inode   uint64
	// Err is why the file's status could not be read; only Name is set then.
	Err error
}

// Folder returns the files and folders in a folder, unordered and without following links.
// It omits files that vanish meanwhile.
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

// In returns the path of the file in a folder; "." is the folder at which paths start.
func (f *File) In(folder string) string {
	if folder == "." {
		return f.Name
	}
	return folder + "/" + f.Name
}

// At returns the file or folder at a path, without following a link.
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
