package search

import (
	"slices"

	"souk/build/catalog"
)

// A visibility says which sellers are withheld, as one Index sees it: a filter
// over its sellers. Nil withholds none.
type visibility struct {
	removals *catalog.Removals
	// hidden is nil if none of the sellers is withheld.
	hidden []bool
}

// visibleNow returns the current visibility, for one query.
func (x *Index) visibleNow() *visibility {
	removals := x.removals.Now()
	if removals.Empty() {
		return nil
	}
	if v := x.visibility.Load(); v != nil && v.removals == removals {
		return v
	}
	hidden := make([]bool, len(x.corpus.sellers))
	for i := range x.corpus.sellers {
		_, hidden[i] = removals.Holds(x.corpus.sellers[i].company)
	}
	v := &visibility{removals: removals}
	if slices.Contains(hidden, true) {
		v.hidden = hidden
	}
	x.visibility.Store(v)
	return v
}

// hides reports whether a seller is withheld.
func (v *visibility) hides(seller int32) bool { return v != nil && v.hidden != nil && v.hidden[seller] }

// showsAll reports whether no seller is withheld.
func (v *visibility) showsAll() bool { return v == nil || v.hidden == nil }

// count returns how many of the postings belong to sellers that are not withheld.
func (v *visibility) count(x *Index, p *postings) int {
	if v.showsAll() {
		return len(p.docs)
	}
	n := 0
	for _, doc := range p.docs {
		if !v.hidden[x.corpus.sellerOf[doc]] {
			n++
		}
	}
	return n
}

// shows reports whether any of the postings belongs to a seller that is not
// withheld.
func (v *visibility) shows(x *Index, p *postings) bool {
	if v.showsAll() {
		return len(p.docs) > 0
	}
	for _, doc := range p.docs {
		if !v.hidden[x.corpus.sellerOf[doc]] {
			return true
		}
	}
	return false
}
