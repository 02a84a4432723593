package facet

import (
	"math/bits"
	"slices"
	"sync"

	"souk/build/document"
	"souk/dynamic/search/hit"
)

// A Tally is the result of counting a query's matches.
type Tally struct {
	Total int
	// Top are the keys of the best listings that pass all narrowings, in order, as many as
	// requested.
	Top []uint64
	// Counts is how many results have each id, under all narrowings except the one of its own
	// parameter or attribute. met are the ids that occur, ascending.
	Counts []int32
	Met    []uint32
	// Alone is how many more results there are without each narrowing.
	Alone []int
	// Within are the counts of the categories under all narrowings, indexed like the ids of
	// categories.
	Within []int32
}

// A countPool provides memory for counting.
type countPool struct{ pool sync.Pool }

// A counter has a zero for each id, and room for the ids that occur.
type counter struct {
	counts []int32
	met    []uint32
}

func newCountPool(ids int) *countPool {
	return &countPool{sync.Pool{New: func() any { return &counter{counts: make([]int32, ids)} }}}
}

// Tally counts everything in one pass over the matches. A listing that passes all narrowings
// counts for all its ids. One that a single narrowing excludes counts only for the ids of that
// narrowing. The caller must call done after using the tally.
func (x *Facets) Tally(found hit.Matches, c *Selection, most int) (t *Tally, done func()) {
	t, done = x.EmptyTally(c)
	f := x
	categories := f.List[AtCategory]
	split := slices.ContainsFunc(c.Narrowings, func(n Narrowing) bool { return n.Filter == document.FilterCategory })
	if split {
		t.Within = make([]int32, categories.End-categories.First)
	}
	h := hit.Least{Most: most}
	for _, key := range found {
		doc := hit.DocOf(key)
		ids := f.Of(doc)
		if len(c.Narrowings) > 0 {
			lacking := c.Lacks(ids)
			if lacking != 0 {
				if lacking&(lacking-1) == 0 {
					at := bits.TrailingZeros64(lacking)
					t.Alone[at]++
					t.Count(Run(ids, c.Narrowings[at].First, c.Narrowings[at].End))
				}
				continue
			}
		}
		t.Total++
		t.Count(ids)
		if split {
			for _, id := range Run(ids, categories.First, categories.End) {
				t.Within[id-categories.First]++
			}
		}
		h.Offer(x.sortKey(c, key))
	}
	t.Top = h.Sorted()
	t.Order()
	if !split {
		t.Within = t.Counts[categories.First:categories.End]
	}
	return t, done
}

// EmptyTally returns a tally to fill. The caller must call done after using it.
func (x *Facets) EmptyTally(c *Selection) (t *Tally, done func()) {
	lent := x.tallies.pool.Get().(*counter)
	t = &Tally{Counts: lent.counts, Met: lent.met[:0], Alone: make([]int, len(c.Narrowings))}
	return t, func() {
		for _, id := range t.Met {
			t.Counts[id] = 0
		}
		lent.met = t.Met
		x.tallies.pool.Put(lent)
	}
}

func (t *Tally) Count(ids []uint32) {
	for _, id := range ids {
		if t.Counts[id] == 0 {
			t.Met = append(t.Met, id)
		}
		t.Counts[id]++
	}
}

// Order sorts the ids that occur. If there are many, scanning all ids is faster.
func (t *Tally) Order() {
	if len(t.Met)*16 < len(t.Counts) {
		slices.Sort(t.Met)
		return
	}
	t.Met = t.Met[:0]
	for id, n := range t.Counts {
		if n > 0 {
			t.Met = append(t.Met, uint32(id))
		}
	}
}

// sortKey returns the key of a match in the requested order: the sort value in the upper half,
// the number by name in the lower.
func (x *Facets) sortKey(c *Selection, key uint64) uint64 {
	doc := hit.DocOf(key)
	switch c.Sort {
	case document.SortName:
		return uint64(doc)
	case document.SortNewest:
		return uint64(x.Newest[doc])<<32 | uint64(doc)
	case document.SortPrice:
		if c.Currency != nil {
			if prices := Run(x.Of(doc), c.Currency.First, c.Currency.End); len(prices) > 0 {
				return uint64(prices[0])<<32 | uint64(doc)
			}
		}
		return uint64(1)<<63 | uint64(doc)
	}
	if at := slices.Index(c.Pinned, doc); at >= 0 {
		return uint64(at)<<32 | uint64(doc)
	}
	return key
}

// maxDirections is the maximum number of categoryDirections.
const maxDirections = 10

// Directions returns the categories that contain the results. It leaves out a category whose
// results are all in one of its children.
func (x *Facets) Directions(t *Tally) []document.CategoryDirection {
	c, f := x.corpus, x
	full := make([]bool, len(c.Categories))
	first := f.List[AtCategory].First
	for at, n := range t.Within {
		category := f.categoryAt[at]
		if line := c.Categories[category].Lineage; n > 0 && len(line) > 1 && t.Within[f.CategoryID[line[1]]-first] == n {
			full[line[1]] = true
		}
	}
	h := hit.Least{Most: maxDirections}
	for at, n := range t.Within {
		if n > 0 && !full[f.categoryAt[at]] {
			h.Offer(uint64(^uint32(n))<<32 | uint64(at))
		}
	}
	all := make([]document.CategoryDirection, 0, maxDirections)
	for _, key := range h.Sorted() {
		at := uint32(key)
		all = append(all, document.CategoryDirection{Link: c.Categories[f.categoryAt[at]].Link, Count: int(t.Within[at])})
	}
	return all
}
