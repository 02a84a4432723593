package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"souk/build/catalog"
	"souk/build/document"
)

// A Change is the difference between a release and the previous one.
type Change struct {
	// From is the State of the previous release.
	From State
	// Documents are those that may have come, gone or changed. All others are unchanged.
	Documents map[catalog.Ref]bool
}

// ErrOther means that the Parts of a folder do not belong to a Change's From. Write brings
// them up to any Corpus.
var ErrOther = errors.New("the search parts do not belong to the previous release")

// Update does the same as Write with the whole Catalog, for a folder with the Parts of the
// previous release. It reads and writes only the documents that changed and those that are
// merged with them. It returns ErrOther if the folder has other Parts, or not all of them; the
// head is then unchanged. Only the goroutine that owns the Catalog may call it.
func Update(ctx context.Context, c *catalog.Catalog, r *document.Renderer, ch Change, o Options) (_ *Set, err error) {
	ch.Documents = withSellers(ch.Documents)
	w := newWriter(extractOnly(c, r, ch.Documents), o)
	var given []View
	defer func() {
		for _, v := range given {
			err = errors.Join(err, v.release())
		}
		if err != nil {
			err = errors.Join(fmt.Errorf("update the search parts: %w", err), w.set.Close())
		}
	}()
	removed, err := w.removed(ctx)
	if err != nil {
		return nil, err
	}
	before, refs, err := w.follow(ctx, ch)
	if err != nil {
		return nil, err
	}
	if err := w.forget(ctx, removed); err != nil {
		return nil, err
	}
	given = w.giveUp(len(refs))
	were := map[Digest]bool{}
	for i := range given {
		for at := range given[i].live {
			refs[given[i].identity(at)], were[given[i].Digest(at)] = true, true
		}
	}
	w.of(extractOnly(c, r, refs))
	places := make([]int32, len(w.digests))
	for i, d := range w.digests {
		places[i] = int32(i)
		delete(were, d)
	}
	if len(were) > 0 || len(places) != len(refs) {
		return nil, ErrOther // a document that should be unchanged is missing
	}
	if err := w.add(ctx, places); err != nil {
		return nil, err
	}
	return w.set, w.end(ctx, before)
}

// withSellers returns documents with the Sellers of the listings among them, since a company
// is found by its offers.
func withSellers(documents map[catalog.Ref]bool) map[catalog.Ref]bool {
	all := maps.Clone(documents)
	for ref := range documents {
		if ref.Kind.Offer() {
			all[catalog.SellerRef(ref.Company)] = true
		}
	}
	return all
}

// follow takes over the Parts of the previous release with their living documents. It returns
// the documents that are in none of them.
func (w *writer) follow(ctx context.Context, ch Change) (before Head, missing map[catalog.Ref]bool, err error) {
	before, err = ReadHead(w.Folder)
	if err != nil || before.State != ch.From || before.Language != w.corpus.Language {
		return before, nil, ErrOther
	}
	if w.set.Views, err = w.Previous.views(ctx, w.Folder, before.Parts); err != nil {
		return before, nil, errors.Join(ctx.Err(), ErrOther)
	}
	places := make(map[Digest]int, len(w.digests))
	for i, d := range w.digests {
		places[d] = i
	}
	companies := map[string]bool{}
	for ref := range ch.Documents {
		companies[company(ref)] = true
	}
	for i := range w.set.Views {
		if v := &w.set.Views[i]; v.hasOf(companies) {
			v.follow(ch.Documents, places)
		}
	}
	missing = map[catalog.Ref]bool{}
	for _, i := range places {
		missing[w.corpus.documents[i].ref] = true
	}
	return before, missing, nil
}

// hasOf reports whether documents of one of the companies may be here. "" stands for the
// operator's own, which may be in any Part.
func (p *Part) hasOf(companies map[string]bool) bool {
	for line := range bytes.Lines(p.companies) {
		if slug, _, _ := bytes.Cut(line, []byte(" ")); companies[string(slug)] {
			return true
		}
	}
	return companies[""]
}

// follow finds which of some documents are living, each in the first Part that contains its
// digest, and removes them from places.
func (v *View) follow(documents map[catalog.Ref]bool, places map[Digest]int) {
	dead := slices.Clone(v.dead)
	for at := range v.count {
		if !documents[v.identity(at)] {
			continue
		}
		_, lives := places[v.Digest(at)]
		delete(places, v.Digest(at))
		i, was := slices.BinarySearch(dead, uint32(at))
		switch {
		case lives && was:
			dead = slices.Delete(dead, i, i+1)
		case !lives && !was:
			dead = slices.Insert(dead, i, uint32(at))
		}
	}
	if v.dead = dead; len(dead) == 0 {
		v.dead = nil // as heads encode it
	}
}

// identity returns the Reference of a document, valid only as long as the Part is open.
func (p *Part) identity(document int) catalog.Ref {
	d := p.inPlace(document)
	h := d.head()
	if h.Ref.Kind == catalog.KindCategory {
		h.Ref.Root = d.kind()
	}
	return h.Ref
}
