package facet

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/big"
	"slices"
	"strings"

	"souk/build/kit/fold"
	"souk/build/kit/processors"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
)

// facetValues collects the values of one facet.
type facetValues struct {
	filter, folded string
	kind           valueKind
	dimension      string
	// exact means that the values are codes, which must match exactly.
	exact bool
	// names are the spellings of an attribute's name, units those of its unit, each with its
	// number of values.
	names, units map[string]int
	at           map[writtenAs]uint32
	// places are the places of its values.
	places []uint32
}

type writtenAs struct{ value, unit string }

// A written is a value in one spelling.
type written struct {
	writtenAs
	label string
	// listings is how many listings use the spelling.
	listings int
	// id is its number, once assigned.
	id uint32
}

// A numbered is a value with its sort key.
type numbered struct {
	place uint32
	// A text is folded, and first is its beginning; a number is an amount, and near its
	// rounded form.
	first  uint64
	folded string
	near   float64
	amount *big.Rat
}

// sorted returns the values in the order of their ids. Equal values are adjacent, the
// displayed one first.
func (v *facetValues) sorted(all []written) []numbered {
	list := make([]numbered, len(v.places))
	processors.EachShare(len(list), func(from, to int) {
		for i := from; i < to; i++ {
			list[i] = v.numbered(v.places[i], &all[v.places[i]])
		}
	})
	processors.Sort(list, func(a, b numbered) int {
		x, y := &all[a.place], &all[b.place]
		if c := v.compare(a, b, x, y); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(y.listings, x.listings), strings.Compare(x.value, y.value), strings.Compare(x.unit, y.unit))
	})
	return list
}

// numbered returns a value with its sort key.
func (v *facetValues) numbered(place uint32, w *written) numbered {
	n := numbered{place: place}
	if v.kind == NumberValues {
		u, _ := unit.Parse(w.unit)
		n.amount = based(w.value, u)
		n.near, _ = n.amount.Float64()
		return n
	}
	n.folded = fold.Text(w.value)
	if v.exact && w.label != "" {
		n.folded = fold.Text(w.label)
	}
	n.first = beginningOf(n.folded)
	return n
}

// beginningOf returns the first eight bytes of a text as a number, which compares like the
// text.
func beginningOf(text string) uint64 {
	var first [8]byte
	copy(first[:], text)
	return binary.BigEndian.Uint64(first[:])
}

// compare orders two values. It returns 0 if they are equal.
func (v *facetValues) compare(a, b numbered, x, y *written) int {
	switch {
	case v.kind == NumberValues:
		// Rounding preserves the order, so only numbers that round alike need an exact
		// comparison.
		if c := cmp.Compare(a.near, b.near); c != 0 {
			return c
		}
		return a.amount.Cmp(b.amount)
	case a.first != b.first:
		return cmp.Compare(a.first, b.first)
	case v.exact:
		return cmp.Or(strings.Compare(a.folded, b.folded), strings.Compare(x.value, y.value))
	default:
		return strings.Compare(a.folded, b.folded)
	}
}

// most returns the most frequent text, or the first of several in alphabetical order.
func most(counts map[string]int) string {
	best := ""
	for i, one := range slices.Sorted(maps.Keys(counts)) {
		if i == 0 || counts[one] > counts[best] {
			best = one
		}
	}
	return strings.Clone(best) // a copy, independent of the listing's memory
}

// A moment is the publication time of a listing.
type moment struct {
	seconds int64
	nanos   uint32
	listing uint32
}

// newestOf returns the position of each listing by publication date, latest first.
func newestOf(c *corpus.Corpus) []uint32 {
	order := make([]moment, len(c.Places))
	for i := range c.Segments {
		s := &c.Segments[i]
		for document, at := range s.Listings {
			if at >= 0 {
				when := s.Published(document)
				order[at] = moment{when.Unix(), uint32(when.Nanosecond()), uint32(at)}
			}
		}
	}
	processors.Sort(order, func(a, b moment) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(b.nanos, a.nanos), cmp.Compare(a.listing, b.listing))
	})
	places := make([]uint32, len(order))
	for i, m := range order {
		places[m.listing] = uint32(i)
		if i > 0 && order[i-1].seconds == m.seconds && order[i-1].nanos == m.nanos {
			places[m.listing] = places[order[i-1].listing]
		}
	}
	return places
}
