package corpus

import (
	"souk/build/index"
	"souk/build/kit/processors"
)

// A keyed is a listing with the first bytes of its sort key. These distinguish most listings
// without reading the whole key, which is elsewhere in memory.
type keyed struct {
	first index.KeyBeginning
	Place
}

// order numbers the listings in the order of lists. Each run is the sorted listings of one
// segment.
func (c *Corpus) order(runs [][]keyed) {
	all := processors.Merge(runs, func(a, b keyed) int {
		if order := a.first.Compare(b.first); order != 0 {
			return order
		}
		return c.Segments[a.Segment].Compare(int(a.Document), c.Segments[b.Segment].Part, int(b.Document))
	})
	c.Places = make([]Place, len(all))
	for i, k := range all {
		c.Places[i] = k.Place
		c.Segments[k.Segment].Listings[k.Document] = int32(i)
	}
}
