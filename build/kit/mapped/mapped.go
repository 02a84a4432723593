// Package mapped makes the bytes of a file readable as memory, in pages that the system can
// reclaim and that the garbage collector does not scan. It does not know what is in a file.
// The file must not be truncated while it is mapped, which would crash the process: mapped
// files are replaced, never changed.
package mapped

import "os"

// File returns the first size bytes of a file, for reading only. They stay unchanged if
// another file replaces this one and after f is closed. size must not be 0.
func File(f *os.File, size int) ([]byte, error) { return mapFile(f, size) }

// Leave tells the system that the bytes of a mapping will not be read for a while. They
// stay readable; reading them loads them into memory again.
func Leave(b []byte) { leave(b) }

// Close unmaps the bytes returned by File. They must not be read from then on.
func Close(b []byte) error { return unmapFile(b) }
