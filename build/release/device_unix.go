//go:build unix

package release

import (
	"os"
	"syscall"
)

// sameFileSystem reports whether a file can be renamed from one folder into the
// other.
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
	return known && also && s.Dev == u.Dev, nil
}
