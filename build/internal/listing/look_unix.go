//go:build unix

package listing

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// looking returns a function that reads the status of files in an open folder by name,
// since resolving the whole path of each file costs more than everything else.
func looking(folder *os.File) func(fs.DirEntry, *File) error {
	in := int(folder.Fd())
	var st unix.Stat_t
	return func(e fs.DirEntry, one *File) error { return look(in, one.Name, &st, one) }
}

// lookAt reads the status of the file at a path.
func lookAt(path string, one *File) error {
	return look(unix.AT_FDCWD, path, new(unix.Stat_t), one)
}

// look reads the status of a file at a path relative to an open folder.
func look(in int, path string, st *unix.Stat_t, one *File) error {
	for {
		err := unix.Fstatat(in, path, st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return &fs.PathError{Op: "stat", Path: path, Err: err}
		}
	}
	one.Size, one.ModTime = st.Size, st.Mtim.Nano()
	one.Changed, one.Inode = st.Ctim.Nano(), st.Ino
	return nil
}
