package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/release"
	"souk/build/source"
)

// Unread reports whether nothing read depends on a path relative to the content folder.
func Unread(file string) bool { return source.Unread(file) }

// ownFile writes one of the operator's own files as the content promised it. If the file has
// changed since, while the present content is held back, the release is made without waiting
// for it.
func (r *staging) ownFile(w *release.Writer, o document.Output) error {
	if w.KeepAs(o.File, o.Own.Digest) {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(r.config.Content, filepath.FromSlash(o.Own.File)))
	if err == nil && release.DigestOf(data) != o.Own.Digest {
		err = errors.New(o.Own.File + " changed during the build: build again")
	}
	switch {
	case err == nil:
		return w.Put(o.File, data)
	case !r.heldBack:
		return fmt.Errorf("publish a file: %w", err)
	}
	r.unreadable.addOwn(o.Own.File)
	if was, there := r.tree.Lookup(o.File); there {
		w.KeepAs(o.File, was.Digest)
	}
	return nil
}

// notRendered warns about each of the operator's own pages if pages are off.
func (c *content) notRendered() (list problem.List) {
	if c.pages {
		return nil
	}
	for _, file := range c.folder.Pages() {
		list = append(list, problem.Problem{File: file, Text: "the page is not rendered, because --pages is off", Warning: true})
	}
	return list
}
