package search

import (
	"souk/build/index"
	"souk/build/processors"
)

// A keyed listing is one with the first bytes of what it is sorted by: these tell most apart
// before what they are sorted by is read itself, elsewhere in memory.
type keyed struct {
	first index.KeyBeginning
	place
}

// order numbers the listings in the order of lists. Each run is of one segment and in that
// order.
func (c *Corpus) order(runs [][]keyed) {
	all := processors.Merge(runs, func(a, b keyed) int {
		if order := a.first.Compare(b.first); order != 0 {
			return order
		}
		return c.segments[a.segment].Compare(int(a.document), c.segments[b.segment].Part, int(b.document))
	})
	c.places = make([]place, len(all))
	for i, k := range all {
		c.places[i] = k.place
		c.segments[k.segment].listings[k.document] = int32(i)
	}
}
