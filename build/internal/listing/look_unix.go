//go:build unix

package listing

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// looking returns what looks at files in an open folder: by their name alone, since
// walking down the whole path for each costs more than all else.
func looking(folder *os.File) func(fs.DirEntry, *File) error {
	in := int(folder.Fd())
	var st unix.Stat_t
	return func(e fs.DirEntry, one *File) error { return look(in, one.Name, &st, one) }
}

// lookAt looks at the file at a path.
func lookAt(path string, one *File) error {
	return look(unix.AT_FDCWD, path, new(unix.Stat_t), one)
}

// look looks at a file by its path from an open folder on.
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
