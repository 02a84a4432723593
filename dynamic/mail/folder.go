package mail

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"souk/build/kit/durable"
)

// Folder stores mails if no mail server is configured: one .eml file each, named by time
// and record, written completely or not at all. Only the owner can read the files, because
// the links in them work.
type Folder struct {
	// Path is {state}/mail; it is created if missing.
	Path string
}

const fileSuffix = ".eml"

// Send writes a Letter. It skips a mail that an earlier attempt has written.
func (f Folder) Send(_ context.Context, l Letter) error {
	if err := f.write(l); err != nil {
		return &Failure{Step: "writing the mail into the folder", Detail: err.Error()}
	}
	return nil
}

func (f Folder) write(l Letter) error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	if there, err := f.holds(l.Name); there || err != nil {
		return err
	}
	// The text is not encoded, so that a link can be copied out of the file.
	message, err := format(l, gomail.NoEncoding)
	if err != nil {
		return err
	}
	var whole bytes.Buffer
	if _, err := message.WriteTo(&whole); err != nil {
		return err
	}
	name := l.Date.UTC().Format("20060102T150405Z") + "-" + l.Name + fileSuffix
	return durable.Replace(filepath.Join(f.Path, name), 0o600, whole.Bytes())
}

// holds reports whether the mail has been written, at any time.
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
