package search

import (
	"math/bits"
	"slices"
	"sync"

	"souk/build/document"
)

// A tally is the result of counting a query's matches.
type tally struct {
	total int
	// top are the keys of the best listings that pass all narrowings, in order, as
	// many as were asked for.
	top []uint64
	// counts has how many results have each id, by all narrowings but that of its
	// own parameter or attribute; met are the ids that any has, ascending.
	counts []int32
	met    []uint32
	// alone has how many more results there are without each narrowing.
	alone []int
	// within are the counts of the categories with all narrowings applied, by the
	// place among the ids of categories.
	within []int32
}

// A countPool lends memory to count in.
type countPool struct{ pool sync.Pool }

// A counter has a zero for each id, and room for those that are met.
type counter struct {
	counts []int32
	met    []uint32
}

func newCountPool(ids int) *countPool {
	return &countPool{sync.Pool{New: func() any { return &counter{counts: make([]int32, ids)} }}}
}

// tally counts everything in one pass over the matches. A listing that passes all
// narrowings counts for all its ids; one that a single narrowing excludes counts for
// the ids of that narrowing alone. Whoever is done with the tally calls done.
func (x *Index) tally(found matches, c *selection, most int) (t *tally, done func()) {
	t, done = x.emptyTally(c)
	f := x.facets
	categories := f.list[atCategory]
	split := slices.ContainsFunc(c.narrowings, func(n narrowing) bool { return n.filter == document.FilterCategory })
	if split {
		t.within = make([]int32, categories.end-categories.first)
	}
	h := heap{most: most}
	for _, key := range found {
		doc := docOf(key)
		ids := f.of(doc)
		if len(c.narrowings) > 0 {
			lacking := c.lacks(ids)
			if lacking != 0 {
				if lacking&(lacking-1) == 0 {
					at := bits.TrailingZeros64(lacking)
					t.alone[at]++
					t.count(run(ids, c.narrowings[at].first, c.narrowings[at].end))
				}
				continue
			}
		}
		t.total++
		t.count(ids)
		if split {
			for _, id := range run(ids, categories.first, categories.end) {
				t.within[id-categories.first]++
			}
		}
		h.offer(x.sortKey(c, key))
	}
	t.top = h.sorted()
	t.order()
	if !split {
		t.within = t.counts[categories.first:categories.end]
	}
	return t, done
}

// emptyTally returns a tally to be filled in. Whoever is done with it calls done.
func (x *Index) emptyTally(c *selection) (t *tally, done func()) {
	lent := x.tallies.pool.Get().(*counter)
	t = &tally{counts: lent.counts, met: lent.met[:0], alone: make([]int, len(c.narrowings))}
	return t, func() {
		for _, id := range t.met {
			t.counts[id] = 0
		}
		lent.met = t.met
		x.tallies.pool.Put(lent)
	}
}

func (t *tally) count(ids []uint32) {
	for _, id := range ids {
		if t.counts[id] == 0 {
			t.met = append(t.met, id)
		}
		t.counts[id]++
	}
}

// order sorts the ids that were met; where they are many, looking at all is quicker.
func (t *tally) order() {
	if len(t.met)*16 < len(t.counts) {
		slices.Sort(t.met)
		return
	}
	t.met = t.met[:0]
	for id, n := range t.counts {
		if n > 0 {
			t.met = append(t.met, uint32(id))
		}
	}
}

// sortKey returns the key of a match in the order that was asked for: what it is
// sorted by in the upper half, the place by name in the lower.
func (x *Index) sortKey(c *selection, key uint64) uint64 {
	doc := docOf(key)
	switch c.sort {
	case document.SortName:
		return uint64(doc)
	case document.SortNewest:
		return uint64(x.facets.newest[doc])<<32 | uint64(doc)
	case document.SortPrice:
		if c.currency != nil {
			if prices := run(x.facets.of(doc), c.currency.first, c.currency.end); len(prices) > 0 {
				return uint64(prices[0])<<32 | uint64(doc)
			}
		}
		return uint64(1)<<63 | uint64(doc)
	}
	if at := slices.Index(c.pinned, doc); at >= 0 {
		return uint64(at)<<32 | uint64(doc)
	}
	return key
}

// maxDirections is the greatest number of categoryDirections.
const maxDirections = 10

// directions returns the categories that contain the results. One whose results
// are all in one of its children says less than that child and is left out.
func (x *Index) directions(t *tally) []Direction {
	c, f := x.corpus, x.facets
	full := make([]bool, len(c.categories))
	first := f.list[atCategory].first
	for at, n := range t.within {
		category := f.categoryAt[at]
		if line := c.categories[category].lineage; n > 0 && len(line) > 1 && t.within[f.categoryID[line[1]]-first] == n {
			full[line[1]] = true
		}
	}
	h := heap{most: maxDirections}
	for at, n := range t.within {
		if n > 0 && !full[f.categoryAt[at]] {
			h.offer(uint64(^uint32(n))<<32 | uint64(at))
		}
	}
	all := make([]Direction, 0, maxDirections)
	for _, key := range h.sorted() {
		at := uint32(key)
		all = append(all, Direction{Link: c.categories[f.categoryAt[at]].link, Count: int(t.within[at])})
	}
	return all
}
