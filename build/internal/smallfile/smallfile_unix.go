//go:build unix

package smallfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A folder is the open folder of the last written file; path is empty if there is none.
type folder struct {
	path string
	fd   int
}

func (f *folder) write(path string, data []byte, modTime time.Time) error {
	dir, name := filepath.Split(path)
	if dir = filepath.Clean(dir); dir != f.path {
		if err := f.enter(dir); err != nil {
			return err
		}
	}
	fd, err := openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, fileMode)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	err = writeAll(fd, data)
	if closed := unix.Close(fd); err == nil && closed != unix.EINTR { // EINTR means that it has been closed
		err = closed
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	t, err := unix.TimeToTimespec(modTime)
	if err == nil {
		err = unix.UtimesNanoAt(f.fd, name, []unix.Timespec{t, t}, 0)
	}
	if err != nil {
		return &fs.PathError{Op: "chtimes", Path: path, Err: err}
	}
	return nil
}

// enter opens a folder, and creates it if necessary.
func (f *folder) enter(dir string) error {
	f.close()
	const folder = unix.O_RDONLY | unix.O_DIRECTORY
	fd, err := openat(unix.AT_FDCWD, dir, folder, 0)
	if err == unix.ENOENT {
		err = os.Mkdir(dir, folderMode)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.MkdirAll(dir, folderMode)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) { // another Writer may have created it
			return err
		}
		fd, err = openat(unix.AT_FDCWD, dir, folder, 0)
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	f.path, f.fd = dir, fd
	return nil
}

// close closes the folder. Errors do not matter, since nothing is written to it.
func (f *folder) close() {
	if f.path != "" {
		_ = unix.Close(f.fd)
		f.path = ""
	}
}

func read(path string, size int64) ([]byte, error) {
	fd, err := openat(unix.AT_FDCWD, path, unix.O_RDONLY, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	data := make([]byte, 0, size+1) // one byte more, to detect the end
	for {
		n, err := unix.Read(fd, data[len(data):cap(data)])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		case n == 0:
			return data, nil
		}
		if data = data[:len(data)+n]; len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// openat calls the system's openat, and retries if a signal interrupts it, as can happen on
// network file systems.
func openat(folder int, name string, how int, mode uint32) (fd int, err error) {
	for {
		fd, err = unix.Openat(folder, name, how|unix.O_CLOEXEC, mode)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func writeAll(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := unix.Write(fd, data)
		if err != nil && err != unix.EINTR {
			return err
		}
		data = data[max(n, 0):]
	}
	return nil
}
