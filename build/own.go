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

// Unread reports whether nothing that is read depends on what is at a path, relative to the
// content folder.
func Unread(file string) bool { return source.Unread(file) }

// ownFile writes one of the operator's own files, which the content promised when
// it was read. What the present content has instead, while that is held back, holds up
// nothing.
func (r *staging) ownFile(w *release.Writer, o document.Output) error {
	if w.KeepAs(o.File, o.Own.Digest) {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(r.config.Content, filepath.FromSlash(o.Own.File)))
	if err == nil && release.DigestOf(data) != o.Own.Digest {
		err = errors.New(o.Own.File + " changed while it was being built: build again")
	}
	switch {
	case err == nil:
		return w.Put(o.File, data)
	case !r.heldBack:
		return fmt.Errorf("publish a file: %w", err)
	}
	r.lacking.addOwn(o.Own.File)
	if was, there := r.tree.Lookup(o.File); there {
		w.KeepAs(o.File, was.Digest)
	}
	return nil
}

// notRendered warns of each of the operator's own pages where there are no pages.
func (c *content) notRendered() (list problem.List) {
	if c.pages {
		return nil
	}
	for _, file := range c.folder.Pages() {
		list = append(list, problem.Problem{File: file, Text: "the page is not rendered: the site belongs to somebody else (--pages off)", Warning: true})
	}
	return list
}
