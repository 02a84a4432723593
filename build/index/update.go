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

// A Change is how a release differs from the one before it.
type Change struct {
	// From is the State of the one before.
	From State
	// Documents are those that may have come, gone or changed; all others are as they
	// were.
	Documents map[catalog.Ref]bool
}

// ErrOther means that the Parts of a folder are not what a Change is from: Write brings
// them up to any Corpus.
var ErrOther = errors.New("the search parts are not those of the release before")

// Update does what Write does with all of a Catalog, for a folder that has the Parts of
// the release before: it reads and writes the documents that changed, and what is to be
// merged with them. It fails with ErrOther where the folder has others, or not all of
// them; its head is then as it was. Only the goroutine that owns the Catalog may call it.
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
		return nil, ErrOther // what was to stay is not as it was
	}
	if err := w.add(ctx, places); err != nil {
		return nil, err
	}
	return w.set, w.end(ctx, before)
}

// withSellers returns some documents with the Sellers of the listings among them: a company is
// found by what it offers.
func withSellers(documents map[catalog.Ref]bool) map[catalog.Ref]bool {
	all := maps.Clone(documents)
	for ref := range documents {
		if ref.Kind.Offer() {
			all[catalog.SellerRef(ref.Company)] = true
		}
	}
	return all
}

// follow takes over the Parts of the release before, and what in them is living now. It
// returns the documents that are in none of them.
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

// hasOf reports whether a document of one of some companies may be here; "" is the
// operator's own, which may be anywhere.
func (p *Part) hasOf(companies map[string]bool) bool {
	for line := range bytes.Lines(p.companies) {
		if slug, _, _ := bytes.Cut(line, []byte(" ")); companies[string(slug)] {
			return true
		}
	}
	return companies[""]
}

// follow finds which of some documents are living: those whose digest has a place, each
// in the first Part that has it. It takes these out of the places.
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
		v.dead = nil // as heads tell it
	}
}

// identity returns the Reference of a document, which is there only as long as the Part
// is.
func (p *Part) identity(document int) catalog.Ref {
	d := p.inPlace(document)
	h := d.head()
	if h.Ref.Kind == catalog.KindCategory {
		h.Ref.Root = d.kind()
	}
	return h.Ref
}
