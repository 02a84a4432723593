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

// unsearched is what releases of a Builder show beyond the search parts.
type unsearched struct {
	// from is what the parts are of, if they are those that this Builder, or the process
	// before it, left.
	from index.State
	// documents may have come, gone or changed since; nil where all may have.
	documents map[catalog.Ref]bool
}

func unsearchedSince(from index.State) unsearched {
	return unsearched{from, map[catalog.Ref]bool{}}
}

func (u *unsearched) add(delta *catalog.Delta) {
	if delta.All || u.documents == nil {
		u.documents = nil
		return
	}
	for n := range delta.Changed {
		u.documents[n.Ref()] = true
	}
}

// SearchState identifies what search reads of the last release: the content as well as
// the release, since keywords, pins and synonyms are in no document.
func (b *Builder) SearchState() index.State {
	b.loading.Lock()
	defer b.loading.Unlock()
	return index.State{Release: b.tree.ID(), Content: b.content.folder.GoodFingerprint()}
}

// Searched reports whether the search parts are there and those of the last release.
func (b *Builder) Searched() bool {
	return index.Holds(SearchFolder(b.config.Public), b.SearchState())
}

// Corpus copies what search needs of the catalog as the last build left it.
func (b *Builder) Corpus() *index.Corpus {
	return index.Extract(b.content.catalog, document.NewRenderer(b.content.catalog, b.config.SiteURL))
}

// WriteSearch brings the search parts up to the last release: by what changed since they
// were written, where they are those that were. It sets Folder and State of the options.
func (b *Builder) WriteSearch(ctx context.Context, o index.Options) error {
	o.Folder, o.State = SearchFolder(b.config.Public), b.SearchState()
	if index.Holds(o.Folder, o.State) {
		b.unsearched = unsearchedSince(o.State)
		return nil
	}
	if err := b.load(); err != nil {
		return err
	}
	parts, err := b.updateSearch(ctx, o)
	if errors.Is(err, index.ErrOther) {
		parts, err = index.Write(ctx, b.Corpus(), o)
	}
	if err != nil {
		return err
	}
	b.unsearched = unsearchedSince(o.State)
	return parts.Close()
}

// updateSearch writes what of the search parts is not as the last release has it. It
// fails with index.ErrOther where that may be everything, or they are of another release
// than those that this Builder knows.
func (b *Builder) updateSearch(ctx context.Context, o index.Options) (*index.Set, error) {
	if b.unsearched.documents == nil {
		return nil, index.ErrOther
	}
	ch := index.Change{From: b.unsearched.from, Documents: b.unsearched.documents}
	return index.Update(ctx, b.content.catalog, document.NewRenderer(b.content.catalog, b.config.SiteURL), ch, o)
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
	if t.settled(record) {
		return nil
	}
	if err := index.Forget(SearchFolder(t.config.Public), record); err != nil {
		return fmt.Errorf("take a removed seller out of what search reads: %w", err)
	}
	return nil
}
