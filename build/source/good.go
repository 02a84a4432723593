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
	// Whatever supplements the file says of which one that is.
	err := link(f.cache.file+supplementSuffix, good+supplementSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		err = remove(good + supplementSuffix)
	}
	if err != nil {
		return err
	}
	return link(f.cache.file, good)
}

// link has a second name lead to a file, whatever it led to before.
func link(file, name string) error {
	is, err := os.Stat(file)
	if err != nil {
		return err
	}
	if was, err := os.Stat(name); err == nil && os.SameFile(is, was) {
		return nil // rename(2) would leave both names
	}
	if err := remove(name + ".new"); err != nil {
		return err
	}
	if err := os.Link(file, name+".new"); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

const goodSuffix = ".good"

// Recall returns the remembered content as a first Change; ok is false if this
// version of the program has remembered none with this Fingerprint, or it is incomplete.
func (f *Folder) Recall(fingerprint uint64) (ch catalog.Change, ok bool) {
	before := Open(f.root, f.cache.file+goodSuffix, f.cache.version, f.shelf, f.now)
	known, base := before.cache.open()
	if known == nil {
		return catalog.Change{}, false
	}
	before.know(known, base)
	if before.Fingerprint() != fingerprint {
		return catalog.Change{}, false
	}
	if len(before.take()) > 0 {
		return catalog.Change{}, false
	}
	ch, err := before.Change()
	return ch, err == nil && len(before.files) > 0
}
