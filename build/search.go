package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/release"
)

// SearchFolder returns where the search parts of the release in a public folder are.
func SearchFolder(public string) string { return filepath.Join(release.Folder(public), "search") }

// SearchState identifies what search reads of the last release: the content as well as
// the release, since keywords, pins and synonyms are in no document.
func (b *Builder) SearchState() index.State {
	return index.State{Release: b.tree.ID(), Content: b.content.fingerprint}
}

// Corpus copies what search needs of the catalog as the last build left it.
func (b *Builder) Corpus() *index.Corpus {
	return index.Extract(b.content.catalog, document.NewRenderer(b.content.catalog, b.config.SiteURL))
}

// WriteSearch brings the search parts up to the last release, for a process that does
// not search: by the Delta of this Turn where they are those of the release before it.
// removals reads who is removed.
func (t *Turn) WriteSearch(ctx context.Context, removals func(context.Context) (*catalog.Removals, error)) error {
	state := index.State{Release: t.tree.ID(), Content: t.content.folder.Fingerprint()}
	if index.Holds(SearchFolder(t.config.Public), state) {
		return nil
	}
	if err := t.load(); err != nil {
		return err
	}
	// Each item is read once or twice, one after the other, and then not again.
	defer t.content.folder.Leaving()()
	o := index.Options{Folder: SearchFolder(t.config.Public), State: state, Removals: removals}
	parts, err := t.updateSearch(ctx, o)
	if errors.Is(err, index.ErrOther) {
		parts, err = index.Write(ctx, t.Corpus(), o)
	}
	if err != nil {
		return err
	}
	return parts.Close()
}

// updateSearch writes what the Delta of this Turn touches of the search parts. It fails
// with index.ErrOther where that is everything, or they are of another release than
// the one before.
func (t *Turn) updateSearch(ctx context.Context, o index.Options) (*index.Set, error) {
	if t.shown.delta == nil || t.shown.delta.All {
		return nil, index.ErrOther
	}
	ch := index.Change{From: t.shown.from, Documents: make(map[catalog.Ref]bool, len(t.shown.delta.Changed))}
	for n := range t.shown.delta.Changed {
		ch.Documents[n.Ref()] = true
	}
	return index.Update(ctx, t.content.catalog, document.NewRenderer(t.content.catalog, t.config.SiteURL), ch, o)
}

// DropSearch deletes the search parts, which nobody brings up to date.
func (t *Turn) DropSearch() error {
	if err := os.RemoveAll(SearchFolder(t.config.Public)); err != nil {
		return fmt.Errorf("delete the search parts of earlier releases: %w", err)
	}
	return nil
}

// forget deletes the search parts that hold a seller who is removed: before anything
// of a release, since nothing of it is left to be found from then on.
func (t *Turn) forget(record *catalog.Removals) error {
	if t.made.record != nil && t.made.record.Key() == record.Key() {
		return nil
	}
	if err := index.Forget(SearchFolder(t.config.Public), record); err != nil {
		return fmt.Errorf("take a removed seller out of what search reads: %w", err)
	}
	return nil
}
