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
	return func(e fs.DirEntry, one *File) error {
		for {
			err := unix.Fstatat(in, one.Name, &st, unix.AT_SYMLINK_NOFOLLOW)
			if err == nil {
				break
			}
			if err != unix.EINTR {
				return &fs.PathError{Op: "stat", Path: one.Name, Err: err}
			}
		}
		one.Size, one.ModTime = st.Size, st.Mtim.Nano()
		return nil
	}
}
