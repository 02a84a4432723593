package corpus

import (
	"souk/build/catalog"
	"souk/build/index/naming"
)

// Listed are the names of the Products or of the Services of a segment.
type Listed struct {
	*naming.List
	segment *Segment
	Kind    catalog.Kind
}

// EachList calls yield for all names.
func (c *Corpus) EachList(yield func(*Listed)) {
	for i := range c.Segments {
		s := &c.Segments[i]
		yield(&Listed{s.Names(catalog.KindProduct), s, catalog.KindProduct})
		yield(&Listed{s.Names(catalog.KindService), s, catalog.KindService})
	}
}

// Listing returns the number of the listing whose name has a rank, or -1 if it is not living.
func (l *Listed) Listing(rank int) int32 {
	if rank < len(l.Documents) && int(l.Documents[rank]) < len(l.segment.Listings) {
		return l.segment.Listings[l.Documents[rank]]
	}
	return -1
}

// Living returns how many uses belong to living listings.
func (l *Listed) Living(uses []naming.Use) int {
	if l.segment.Whole() {
		return len(uses)
	}
	n := 0
	for _, u := range uses {
		if l.Listing(u.Rank()) >= 0 {
			n++
		}
	}
	return n
}

// NameLengths returns the number of words of each name.
func (c *Corpus) NameLengths() []uint8 {
	lengths := make([]uint8, len(c.Places))
	c.EachList(func(l *Listed) {
		for rank, words := range l.Counts {
			if at := l.Listing(rank); at >= 0 {
				lengths[at] = max(1, words)
			}
		}
	})
	return lengths
}
