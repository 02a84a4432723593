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

// SearchFolder returns the folder of the search parts that belong to the release in a public
// folder.
func SearchFolder(public string) string { return filepath.Join(release.Folder(public), "search") }

// unsearched is the difference between a Builder's last release and the search parts.
type unsearched struct {
	// from identifies the search parts, if this Builder or the process before it wrote them.
	from index.State
	// documents may have come, gone or changed since. It is nil if any document may have.
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

// SearchState identifies what search reads of the last release. It covers the content too,
// since keywords, pins and synonyms are in no document.
func (b *Builder) SearchState() index.State {
	b.loading.Lock()
	defer b.loading.Unlock()
	return index.State{Release: b.tree.ID(), Content: b.content.folder.GoodFingerprint()}
}

// Searched reports whether the search parts exist and belong to the last release.
func (b *Builder) Searched() bool {
	return index.Holds(SearchFolder(b.config.Public), b.SearchState())
}

// Corpus copies what search needs from the catalog of the last build.
func (b *Builder) Corpus() *index.Corpus {
	return index.Extract(b.content.catalog, document.NewRenderer(b.content.catalog, b.config.SiteURL))
}

// WriteSearch brings the search parts up to the last release. It writes only what changed
// since, if the existing parts are known. It sets Folder and State of the options.
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

// updateSearch writes the search parts that differ from the last release. It returns
// index.ErrOther if all may differ, or if the parts belong to a release that this Builder does
// not know.
func (b *Builder) updateSearch(ctx context.Context, o index.Options) (*index.Set, error) {
	if b.unsearched.documents == nil {
		return nil, index.ErrOther
	}
	ch := index.Change{From: b.unsearched.from, Documents: b.unsearched.documents}
	return index.Update(ctx, b.content.catalog, document.NewRenderer(b.content.catalog, b.config.SiteURL), ch, o)
}

// DropSearch deletes the search parts, which would no longer be kept up to date.
func (t *Turn) DropSearch() error {
	if err := os.RemoveAll(SearchFolder(t.config.Public)); err != nil {
		return fmt.Errorf("delete the search parts of earlier releases: %w", err)
	}
	return nil
}

// forget deletes the search parts that contain a removed seller. It runs before the release is
// written, so that nothing of the seller can be found from then on.
func (t *Turn) forget(record *catalog.Removals) error {
	if t.settled(record) {
		return nil
	}
	if err := index.Forget(SearchFolder(t.config.Public), record); err != nil {
		return fmt.Errorf("remove a seller from the search data: %w", err)
	}
	return nil
}
