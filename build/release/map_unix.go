//go:build unix

package release

import (
	"os"
	"syscall"
)

// mapFile maps the first bytes of a file, for reading. The mapping stays as it is
// where another file takes the place of this one.
func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(b []byte) error { return syscall.Munmap(b) }
