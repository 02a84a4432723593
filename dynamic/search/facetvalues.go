package search

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"souk/build/fold"
	"souk/build/unit"
)

// facetValues are the values of one facet while they are collected.
type facetValues struct {
	filter, folded string
	kind           valueKind
	dimension      string
	// exact: the values are codes, which differ in any character.
	exact bool
	// names are the spellings of an attribute's name, units those of its unit, each
	// with how many values have it.
	names, units map[string]int
	at           map[writtenAs]uint32
	// places are those of its values among all that are written.
	places []uint32
}

type writtenAs struct{ value, unit string }

// A written is a value as some listing spells it.
type written struct {
	writtenAs
	label string
	// listings is how many write it so.
	listings int
	// id is its number, once there is one.
	id uint32
}

// numbered is a value with what it is sorted by.
type numbered struct {
	place  uint32
	folded string
	near   float64
	amount *big.Rat
}

// sorted returns the values in the order of their ids. Those that are equal are
// neighbours, the one that is shown first.
func (v *facetValues) sorted(all []written) []numbered {
	list := make([]numbered, len(v.places))
	for i, place := range v.places {
		w := &all[place]
		list[i] = numbered{place: place}
		if v.kind == numberValues {
			u, _ := unit.Parse(w.unit)
			list[i].amount = based(w.value, u)
			list[i].near, _ = list[i].amount.Float64()
			continue
		}
		list[i].folded = fold.Text(cmp.Or(w.label, w.value))
	}
	slices.SortFunc(list, func(a, b numbered) int {
		x, y := &all[a.place], &all[b.place]
		if c := v.compare(a, b, x, y); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(y.listings, x.listings), strings.Compare(x.value, y.value), strings.Compare(x.unit, y.unit))
	})
	return list
}

// compare orders two values, and returns 0 where they are one.
func (v *facetValues) compare(a, b numbered, x, y *written) int {
	switch {
	case v.kind == numberValues:
		// Rounding keeps the order, so that only what rounds alike needs more.
		if c := cmp.Compare(a.near, b.near); c != 0 {
			return c
		}
		return a.amount.Cmp(b.amount)
	case v.exact:
		return cmp.Or(strings.Compare(a.folded, b.folded), strings.Compare(x.value, y.value))
	default:
		return strings.Compare(a.folded, b.folded)
	}
}

// most returns what occurs most often; of several, the first in the order of text.
func most(counts map[string]int) string {
	best := ""
	for i, one := range slices.Sorted(maps.Keys(counts)) {
		if i == 0 || counts[one] > counts[best] {
			best = one
		}
	}
	return strings.Clone(best) // not where a listing has it
}

// newestOf returns the place of each listing when the last published is first.
func newestOf(published []time.Time) []uint32 {
	order := make([]uint32, len(published))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		return published[b].Compare(published[a])
	})
	places := make([]uint32, len(order))
	for i, doc := range order {
		places[doc] = uint32(i)
		if i > 0 && published[order[i-1]].Equal(published[doc]) {
			places[doc] = places[order[i-1]]
		}
	}
	return places
}
