package release

import (
	"path/filepath"
	"strings"
)

// sameFileSystem reports whether a file can be renamed from one folder into the
// other.
func sameFileSystem(a, b string) (bool, error) {
	x, err := filepath.Abs(a)
	if err != nil {
		return false, err
	}
	y, err := filepath.Abs(b)
	return strings.EqualFold(filepath.VolumeName(x), filepath.VolumeName(y)), err
}
