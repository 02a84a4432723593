package source

import (
	"errors"
	"io/fs"
	"os"

	"souk/build/catalog"
)

// Remember keeps the cache that was saved last as the cache of good content, for
// Recall. Later calls of Save leave it alone.
func (f *Folder) Remember() error {
	good := f.cache.file + goodSuffix
	if err := os.Remove(good + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(f.cache.file, good+".new"); err != nil {
		return err
	}
	return os.Rename(good+".new", good)
}

const goodSuffix = ".good"

// Recall returns the remembered content as a first Change; ok is false if this
// version of the program has remembered none, or it is incomplete.
func (f *Folder) Recall() (ch catalog.Change, ok bool) {
	before := Open(f.root, f.cache.file+goodSuffix, f.cache.version, f.shelf, f.now)
	known := before.cache.open()
	if known == nil {
		return catalog.Change{}, false
	}
	before.know(known)
	readings := before.cache.readings()
	for path, r := range before.files {
		if r.reading = readings[path]; r.reading == nil {
			return catalog.Change{}, false
		}
	}
	before.loaded = true
	ch, err := before.Change()
	return ch, err == nil && len(before.files) > 0
}
