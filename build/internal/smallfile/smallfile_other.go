//go:build !unix

package smallfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

type folder struct{}

func (folder) write(path string, data []byte, modTime time.Time) error {
	err := os.WriteFile(path, data, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
			return err
		}
		err = os.WriteFile(path, data, fileMode)
	}
	if err != nil {
		return err
	}
	return os.Chtimes(path, modTime, modTime)
}

func (folder) close() {}

func read(path string, _ int64) ([]byte, error) { return os.ReadFile(path) }
