// Package smallfile reads and writes very many small files, each whole, in few system
// calls. What package os does for files that a goroutine may wait for, five calls to
// register each of them, no regular file has a use for; and a file that is named from
// an open folder costs less than by a path of ten folders. It refuses to know what is
// in a file, and it makes nothing durable: who replaces what others read takes package
// durable.
package smallfile

import "time"

// Read returns all of a file, as os.ReadFile does. size is how many bytes are expected;
// with another size it takes a call more.
func Read(path string, size int64) ([]byte, error) { return read(path, size) }

// A Writer writes files, quickest where one follows another of the same folder. It is
// of use as it is; each goroutine needs its own.
type Writer struct{ folder folder }

// Write gives a file these bytes and this modification time, and makes the folders that
// lead to it. A file that is there already is replaced in place.
func (w *Writer) Write(path string, data []byte, modTime time.Time) error {
	return w.folder.write(path, data, modTime)
}

// Close gives up the folder of the last file. The Writer may be used again.
func (w *Writer) Close() { w.folder.close() }

const (
	fileMode   = 0o644
	folderMode = 0o755
)
