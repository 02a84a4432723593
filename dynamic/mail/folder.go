package mail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// Folder stores mails if no server is given: one .eml file each, named by time
// and record, written whole or not at all. Only the owner can read them,
// because their links work.
type Folder struct {
	// Path is {state}/mail; it is created if missing.
	Path string
}

const fileSuffix = ".eml"

// Send writes a Letter. A mail that an earlier attempt wrote is not written
// again.
func (f Folder) Send(_ context.Context, l Letter) error {
	if err := f.write(l); err != nil {
		return &Failure{Step: "writing the mail into the folder", Detail: err.Error()}
	}
	return nil
}

func (f Folder) write(l Letter) (err error) {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	if there, err := f.holds(l.Name); there || err != nil {
		return err
	}
	// Unencoded, so that a link can be copied out of the file.
	message, err := format(l, gomail.NoEncoding)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(f.Path, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(file.Name())))
		}
	}()
	_, err = message.WriteTo(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	name := l.Date.UTC().Format("20060102T150405Z") + "-" + l.Name + fileSuffix
	if err := os.Rename(file.Name(), filepath.Join(f.Path, name)); err != nil {
		return err
	}
	return syncFolder(f.Path)
}

// holds reports whether a mail is there, whenever it was written.
func (f Folder) holds(name string) (bool, error) {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return false, err
	}
	for _, entry := range entries {
		_, rest, _ := strings.Cut(entry.Name(), "-")
		if rest == name+fileSuffix {
			return true, nil
		}
	}
	return false, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder makes a rename durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}
