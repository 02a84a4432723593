package search

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
)

// Withheld is the set of sellers that must not be found, by companySlug. It is
// shared by every Index that it is given to, and what it holds is filtered
// from the next query on, without a new index. The zero value holds no one.
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

// Has reports whether a seller is withheld.
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
