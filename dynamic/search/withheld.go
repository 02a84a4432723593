package search

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
)

// Withheld is the set of sellers that must not be found, by companySlug. It is
// shared by every Index that it is given to, and what it holds is filtered
// from the next query on, without a new index. The zero value holds nobody.
type Withheld struct {
	set atomic.Pointer[withheldSet]
}

type withheldSet struct {
	slugs map[string]bool
	// version names the set, for ETags; "" for the empty one.
	version string
}

// Set replaces the set.
func (w *Withheld) Set(companySlugs ...string) {
	s := &withheldSet{slugs: map[string]bool{}}
	for _, slug := range companySlugs {
		s.slugs[slug] = true
	}
	s.version = strings.Join(slices.Sorted(maps.Keys(s.slugs)), ",")
	w.set.Store(s)
}

// Add withholds one more seller.
func (w *Withheld) Add(companySlug string) {
	for {
		old := w.set.Load()
		s := &withheldSet{slugs: map[string]bool{companySlug: true}}
		if old != nil {
			maps.Copy(s.slugs, old.slugs)
		}
		s.version = strings.Join(slices.Sorted(maps.Keys(s.slugs)), ",")
		if w.set.CompareAndSwap(old, s) {
			return
		}
	}
}

// Has tells whether a seller is withheld.
func (w *Withheld) Has(companySlug string) bool {
	s := w.load()
	return s != nil && s.slugs[companySlug]
}

func (w *Withheld) load() *withheldSet {
	if w == nil {
		return nil
	}
	return w.set.Load()
}

// A screen is a Withheld set as one index sees it. Nil withholds nobody.
type screen struct {
	set     *withheldSet
	sellers []bool
	version string
}

// screenNow gives the screen of this moment, for one query.
func (x *Index) screenNow() *screen {
	set := x.withheld.load()
	if set == nil || len(set.slugs) == 0 {
		return nil
	}
	if s := x.screen.Load(); s != nil && s.set == set {
		return s
	}
	s := &screen{set: set, sellers: make([]bool, len(x.corpus.sellers)), version: set.version}
	for i := range x.corpus.sellers {
		s.sellers[i] = set.slugs[x.corpus.sellers[i].link.Slug]
	}
	x.screen.Store(s)
	return s
}

func (s *screen) hides(seller int32) bool { return s != nil && s.sellers[seller] }

// shows tells whether any of the postings is of a seller that may be shown.
func (s *screen) shows(x *Index, p *postings) bool {
	if s == nil {
		return len(p.docs) > 0
	}
	for _, doc := range p.docs {
		if !s.sellers[x.columns.seller[doc]] {
			return true
		}
	}
	return false
}
