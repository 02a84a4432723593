//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmapFile(b []byte) error { return unix.Munmap(b) }

// leave is only a hint: if the system ignores it, the pages stay until memory is needed.
func leave(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }
