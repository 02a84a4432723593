// Package rendition stores the smaller versions of pictures, so that each is created once.
// It knows the public names of pictures, which contain the digest of their bytes. It does
// not know who shows a picture or where it came from.
//
// A folder has a file for each picture, named after it: a digest (SHA-256) of everything
// after it, a line of JSON, and the bytes of its renditions. Files that are missing,
// damaged, or created by another version are created again.
package rendition

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"souk/build/kit/durable"
	"souk/build/kit/picture"
)

// Name returns the public name of a picture: the first half of the digest of its bytes, and
// an extension.
func Name(data []byte, extension string) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16]) + "." + extension
}

// A Cache is a folder of renditions. It is safe for concurrent use, also by several
// processes.
type Cache struct{ folder string }

// Open returns the Cache at a folder, which need not exist; with "" it stores nothing.
func Open(folder string) *Cache { return &Cache{folder} }

// A label is the content of the JSON line.
type label struct {
	Version    string
	Renditions []entry
}

type entry struct {
	picture.Info
	Bytes int
}

// version identifies everything that determines the bytes; the encoders are part of the
// standard library.
var version = strconv.Itoa(picture.RenditionsMade) + " " + runtime.Version()

// Of returns the renditions of a clean picture and the reasons why some are missing, like
// picture.Renditions.
func (c *Cache) Of(name string, public []byte) ([]picture.Rendition, []picture.Fault) {
	if !picture.Scalable(public) {
		return nil, nil
	}
	if all, ok := c.Lookup(name); ok {
		return all, nil
	}
	all, faults := picture.Renditions(public)
	if len(faults) == 0 {
		_ = c.keep(name, all) // if it cannot be stored, it is created again next time
	}
	return all, faults
}

// Lookup returns the stored renditions of the picture with a public name; ok is false if
// there are none.
func (c *Cache) Lookup(name string) (all []picture.Rendition, ok bool) {
	if c.folder == "" {
		return nil, false
	}
	data, err := os.ReadFile(c.file(name))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum, rest := data[:sha256.Size], data[sha256.Size:]
	if whole := sha256.Sum256(rest); !bytes.Equal(sum, whole[:]) {
		return nil, false
	}
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	var l label
	if json.Unmarshal(line, &l) != nil || l.Version != version {
		return nil, false
	}
	for _, e := range l.Renditions {
		if e.Bytes < 0 || e.Bytes > len(rest) {
			return nil, false
		}
		all = append(all, picture.Rendition{Info: e.Info, Data: rest[:e.Bytes:e.Bytes]})
		rest = rest[e.Bytes:]
	}
	return all, true
}

func (c *Cache) keep(name string, all []picture.Rendition) error {
	if c.folder == "" {
		return nil
	}
	l := label{Version: version}
	for _, r := range all {
		l.Renditions = append(l.Renditions, entry{r.Info, len(r.Data)})
	}
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	parts := [][]byte{append(line, '\n')}
	for _, r := range all {
		parts = append(parts, r.Data)
	}
	body := bytes.Join(parts, nil)
	sum := sha256.Sum256(body)
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return err
	}
	return durable.Swap(c.file(name), "", 0o600, func(f *os.File) error {
		_, err := io.Copy(f, io.MultiReader(bytes.NewReader(sum[:]), bytes.NewReader(body)))
		return err
	})
}

// file returns the path that stores the renditions of a picture.
func (c *Cache) file(name string) string {
	stem, _, _ := strings.Cut(name, ".")
	return filepath.Join(c.folder, stem)
}

// Purge deletes the renditions of all other pictures.
func (c *Cache) Purge(used []string) error {
	entries, err := os.ReadDir(c.folder)
	if errors.Is(err, fs.ErrNotExist) || c.folder == "" {
		return nil
	}
	known := make(map[string]bool, len(used))
	for _, name := range used {
		stem, _, _ := strings.Cut(name, ".")
		known[stem] = true
	}
	for _, e := range entries {
		if !known[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(c.folder, e.Name())))
		}
	}
	return err
}
