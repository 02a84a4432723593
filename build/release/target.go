package release

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// targetName is the file beside a release that identifies its folder, whatever path leads to
// it. It is not part of a release.
const targetName = ".target"

// Target returns an identifier of a public folder that is the same on every machine, and
// creates it if the folder has none yet.
func Target(public string) (string, error) {
	own := Folder(public)
	path := filepath.Join(own, targetName)
	for range 2 {
		text, err := os.ReadFile(path)
		if id := strings.TrimSpace(string(text)); err == nil && id != "" {
			return id, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := begin(own, path); err != nil {
			return "", fmt.Errorf("name the output folder: %w", err)
		}
	}
	return "", fmt.Errorf("%s is empty: delete it", path)
}

// begin writes a new identifier, unless another process does so meanwhile.
func begin(own, path string) error {
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(own, targetName+"-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(rand.Text() + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	err = os.Link(f.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(f.Name(), path) // for file systems without hard links
	}
	return os.Remove(f.Name())
}
