package search

import (
	"slices"
)

// A selection is the selected values of every dimension, as sets over its values;
// nil selects everything.
type selection [dimensions][]bool

func (c *selection) selects(d int, value int32) bool { return c[d] == nil || value >= 0 && c[d][value] }

// A tally is the result of counting a query's matches.
type tally struct {
	total int
	// top are the keys of the best listings that pass all filters, in order, as
	// many as were asked for.
	top []uint64
	// counts has those of each dimension's values, ignoring its own selection.
	counts [dimensions][]int32
	// chosen are the counts of the categories with all filters applied.
	chosen []int32
}

// tally counts everything in one pass over the matches. A listing that passes
// all filters counts in every dimension; one that a single filter excludes
// counts in that filter's dimension only.
func (x *Index) tally(found matches, c *selection, most int) *tally {
	t := &tally{}
	col := x.columns
	for d := range t.counts {
		t.counts[d] = make([]int32, len(col.values[d].value))
	}
	t.chosen = t.counts[byCategory]
	if c[byCategory] != nil {
		t.chosen = make([]int32, len(t.chosen))
	}
	free := c[byKind] == nil && c[byCategory] == nil && c[bySeller] == nil && c[byCountry] == nil
	h := heap{most: most}
	for _, key := range found {
		doc := docOf(key)
		fails, failed := 0, 0
		if !free {
			fails, failed = x.fails(doc, c)
			if fails > 1 {
				continue
			}
		}
		if fails == 1 {
			t.countOne(col, doc, failed)
			continue
		}
		t.total++
		t.count(col, doc)
		if c[byCategory] != nil {
			for _, at := range col.categoriesOf(doc) {
				t.chosen[at]++
			}
		}
		h.offer(key)
	}
	t.top = h.sorted()
	return t
}

// fails returns how many dimensions exclude a listing, and one of them.
func (x *Index) fails(doc uint32, c *selection) (n, dimension int) {
	col := x.columns
	if !c.selects(byKind, col.kind[doc]) {
		n, dimension = n+1, byKind
	}
	if !c.selects(bySeller, col.seller[doc]) {
		n, dimension = n+1, bySeller
	}
	if !c.selects(byCountry, col.country[doc]) {
		n, dimension = n+1, byCountry
	}
	if c[byCategory] != nil && !slices.ContainsFunc(col.categoriesOf(doc), func(at int32) bool { return c[byCategory][at] }) {
		n, dimension = n+1, byCategory
	}
	return n, dimension
}

func (t *tally) count(col *columns, doc uint32) {
	t.counts[byKind][col.kind[doc]]++
	t.counts[bySeller][col.seller[doc]]++
	if country := col.country[doc]; country >= 0 {
		t.counts[byCountry][country]++
	}
	for _, at := range col.categoriesOf(doc) {
		t.counts[byCategory][at]++
	}
}

func (t *tally) countOne(col *columns, doc uint32, dimension int) {
	switch dimension {
	case byKind:
		t.counts[byKind][col.kind[doc]]++
	case bySeller:
		t.counts[bySeller][col.seller[doc]]++
	case byCountry:
		if country := col.country[doc]; country >= 0 {
			t.counts[byCountry][country]++
		}
	case byCategory:
		for _, at := range col.categoriesOf(doc) {
			t.counts[byCategory][at]++
		}
	}
}

// filters returns the counts in the form of the answer.
func (x *Index) filters(t *tally, c *selection) []Filter {
	all := make([]Filter, dimensions)
	for d := range all {
		v := &x.columns.values[d]
		var order []uint64
		for at, n := range t.counts[d] {
			if n > 0 || c[d] != nil && c[d][at] {
				// Highest count first, then by label; the rank leads back to
				// the value.
				order = append(order, uint64(^uint32(n))<<32|uint64(v.rank[at]))
			}
		}
		slices.Sort(order)
		all[d] = Filter{Name: dimensionNames[d], Values: make([]FilterValue, 0, len(order))}
		for _, o := range order {
			at := v.ranked[uint32(o)]
			all[d].Values = append(all[d].Values, FilterValue{
				Value: v.value[at], Label: v.label[at], Count: int(t.counts[d][at]), Selected: c[d] != nil && c[d][at],
			})
		}
	}
	return all
}

// maxDirections is the greatest number of categoryDirections.
const maxDirections = 10

// directions returns the categories that contain the results. One whose results
// are all in one of its children says less than that child and is left out.
func (x *Index) directions(t *tally) []Direction {
	c := x.corpus
	full := make([]bool, len(c.categories))
	for at, n := range t.chosen {
		if line := c.categories[at].lineage; n > 0 && len(line) > 1 && t.chosen[line[1]] == n {
			full[line[1]] = true
		}
	}
	v := &x.columns.values[byCategory]
	var order []uint64
	for at, n := range t.chosen {
		if n > 0 && !full[at] {
			order = append(order, uint64(^uint32(n))<<32|uint64(v.rank[at]))
		}
	}
	slices.Sort(order)
	all := make([]Direction, 0, maxDirections)
	for _, o := range order[:min(len(order), maxDirections)] {
		at := v.ranked[uint32(o)]
		all = append(all, Direction{Link: c.categories[at].link, Count: int(t.chosen[at])})
	}
	return all
}

// A heap keeps the least keys that it is offered, with the greatest of them on
// top.
type heap struct {
	keys []uint64
	most int
}

func (h *heap) offer(key uint64) {
	if len(h.keys) < h.most {
		h.keys = append(h.keys, key)
		for i := len(h.keys) - 1; i > 0; {
			up := (i - 1) / 2
			if h.keys[up] >= h.keys[i] {
				break
			}
			h.keys[up], h.keys[i] = h.keys[i], h.keys[up]
			i = up
		}
		return
	}
	if h.most == 0 || key >= h.keys[0] {
		return
	}
	h.keys[0] = key
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h.keys) {
			break
		}
		if down+1 < len(h.keys) && h.keys[down+1] > h.keys[down] {
			down++
		}
		if h.keys[i] >= h.keys[down] {
			break
		}
		h.keys[i], h.keys[down] = h.keys[down], h.keys[i]
		i = down
	}
}

func (h *heap) sorted() []uint64 {
	slices.Sort(h.keys)
	return h.keys
}
