//go:build unix

package release

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// sameFileSystem reports whether a file can be renamed from one folder into the
// other. Two volumes of a container may be folders of one file system, and no file is
// renamed from the one into the other: that the kernel says before it looks whether
// there is such a file.
func sameFileSystem(a, b string) (bool, error) {
	x, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Stat(b)
	if err != nil {
		return false, err
	}
	s, known := x.Sys().(*syscall.Stat_t)
	u, also := y.Sys().(*syscall.Stat_t)
	if !known || !also || s.Dev != u.Dev {
		return false, nil
	}
	err = os.Rename(filepath.Join(a, noFile), filepath.Join(b, noFile))
	return !errors.Is(err, syscall.EXDEV), nil
}

// noFile is the name of a file that there is none of.
const noFile = ".souk-nothing"
