// Package smallfile reads and writes large numbers of small files, each as a whole, with
// few system calls. Package os makes five calls to register each file for waiting, which
// regular files do not need, and opening a file relative to an open folder is cheaper than
// resolving a path of ten folders. The package does not know what is in a file, and makes
// nothing durable: use package durable to replace files that others read.
package smallfile

import "time"

// Read returns the content of a file, like os.ReadFile. size is the expected number of
// bytes; if it is wrong, one more call is needed.
func Read(path string, size int64) ([]byte, error) { return read(path, size) }

// A Writer writes files, fastest if consecutive files are in the same folder. Its zero
// value is ready to use. Each goroutine needs its own.
type Writer struct{ folder folder }

// Write writes a file with the given bytes and modification time, and creates its parent
// folders. An existing file is overwritten in place.
func (w *Writer) Write(path string, data []byte, modTime time.Time) error {
	return w.folder.write(path, data, modTime)
}

// Close closes the folder of the last file. The Writer may be used again.
func (w *Writer) Close() { w.folder.close() }

const (
	fileMode   = 0o644
	folderMode = 0o755
)
