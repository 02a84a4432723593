package facet

import (
	"hash/maphash"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
	"souk/build/kit/processors"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
)

// Ordinals map the numbers of the values of a segment: number n stands for
// all[ends[n-1]:ends[n]], which are places and later ids. A category also stands for its
// ancestors, and a seller for the values that all its listings have. A value that only dead
// listings have stands for nothing.
type ordinals struct{ all, ends []uint32 }

func (o *ordinals) of(n uint32) []uint32 {
	from, to := text.Bounds(o.ends, int(n))
	return o.all[from:to]
}

// valueShares is how many shares the values of attributes and prices are joined in, because
// there may be as many values as listings.
const valueShares = 64

// A segmentValues is a segment while its values are joined with those of the others. Only
// values of living listings count.
type segmentValues struct {
	*corpus.CountedValues
	// spelled are the attributes and prices of the values, and spelledAs is the index of each
	// value's, by number. shares are the numbers by share.
	spelled   []facetSpelling
	spelledAs []uint32
	shares    [valueShares][]uint32
	// few are the numbers of all other values.
	few []uint32
	// place is the place of each value, except for sellers and categories, which have several.
	// first is the place within its share.
	place []uint32
}

// A facetSpelling is one spelling of an attribute, or a price in one currency, with its number
// of occurrences.
type facetSpelling struct {
	spelledAttribute
	price bool
	times int
	facet *facetValues
}

type spelledAttribute struct {
	name, unit string
	kind       catalog.ValueKind
}

// split divides the values of a segment.
func split(c *corpus.CountedValues, seed maphash.Seed) *segmentValues {
	s := &segmentValues{CountedValues: c, spelledAs: make([]uint32, len(c.Values)), place: make([]uint32, len(c.Values))}
	type key struct {
		spelledAttribute
		price bool
	}
	known := map[key]uint32{}
	for n := range c.Values {
		v := &c.Values[n]
		switch {
		case c.Times[n] == 0:
			continue
		case v.Of != index.OfPrice && v.Of != index.OfAttribute:
			s.few = append(s.few, uint32(n))
			continue
		}
		k := key{spelledAttribute{v.Name, v.Unit, v.Kind}, v.Of == index.OfPrice}
		at, met := known[k]
		if !met {
			at = uint32(len(s.spelled))
			known[k] = at
			s.spelled = append(s.spelled, facetSpelling{spelledAttribute: k.spelledAttribute, price: k.price})
		}
		s.spelled[at].times += int(c.Times[n])
		s.spelledAs[n] = at
		share := maphash.String(seed, v.Text) % valueShares
		s.shares[share] = append(s.shares[share], uint32(n))
	}
	return s
}

// A valueShare is the values of attributes and prices with certain hashes, in the order of the
// segments.
type valueShare struct {
	all []written
	of  []*facetValues
}

// join joins one share of the values of all segments, and copies its texts.
func join(segments []*segmentValues, share int) (joined valueShare) {
	type key struct {
		of *facetValues
		writtenAs
	}
	known := map[key]uint32{}
	for _, s := range segments {
		for _, n := range s.shares[share] {
			v, of := &s.Values[n], s.spelled[s.spelledAs[n]].facet
			k := key{of, writtenAs{v.Text, v.Unit}}
			at, met := known[k]
			if !met {
				k.writtenAs = writtenAs{strings.Clone(v.Text), strings.Clone(v.Unit)}
				at = uint32(len(joined.all))
				known[k] = at
				joined.all, joined.of = append(joined.all, written{writtenAs: k.writtenAs}), append(joined.of, of)
			}
			joined.all[at].listings += int(s.Times[n])
			s.place[n] = at
		}
	}
	return joined
}

// join joins the values of all segments.
func (b *facetBuilder) join() {
	seed := maphash.MakeSeed()
	segments := make([]*segmentValues, len(b.counted))
	processors.Each(len(segments), func(i int) { segments[i] = split(&b.counted[i], seed) })
	for _, s := range segments {
		for i := range s.spelled {
			s.spelled[i].facet = b.spelledFacet(&s.spelled[i])
		}
		for _, n := range s.few {
			s.place[n] = b.few(&s.Values[n], s.Named[n], int(s.Times[n]))
		}
	}
	var shares [valueShares]valueShare
	processors.Each(valueShares, func(share int) { shares[share] = join(segments, share) })
	var first [valueShares]uint32
	n := 0
	for share := range shares {
		n += len(shares[share].all)
	}
	b.all = slices.Grow(b.all, n)
	for share := range shares {
		first[share] = uint32(len(b.all))
		for i, of := range shares[share].of {
			if of.kind == booleanValues {
				shares[share].all[i].label = b.corpus.Truth(shares[share].all[i].value)
			}
			of.places = append(of.places, first[share]+uint32(i))
		}
		b.all = append(b.all, shares[share].all...)
	}
	b.segments = make([]ordinals, len(segments))
	processors.Each(len(segments), func(i int) {
		for share, numbers := range segments[i].shares {
			for _, n := range numbers {
				segments[i].place[n] += first[share]
			}
		}
		b.segments[i] = b.ordinals(segments[i])
	})
}

// spelledFacet returns the facet of an attribute or a price.
func (b *facetBuilder) spelledFacet(s *facetSpelling) *facetValues {
	if s.price {
		return b.price(s.name)
	}
	v := b.attribute(s.spelledAttribute)
	v.names[s.name] += s.times
	v.units[s.unit] += s.times
	return v
}

// ordinals returns the Ordinals of a segment.
func (b *facetBuilder) ordinals(s *segmentValues) ordinals {
	o := ordinals{all: make([]uint32, 0, len(s.Values)*3/2), ends: make([]uint32, len(s.Values))}
	for n := range s.Values {
		if s.Times[n] > 0 {
			switch s.Values[n].Of {
			case index.OfSeller:
				if at := s.Named[n]; at >= 0 {
					o.all = append(o.all, b.ofSeller[at]...)
				}
			case index.OfCategory:
				if at := s.Named[n]; at >= 0 {
					for _, up := range b.corpus.Categories[at].Lineage {
						o.all = append(o.all, b.categories[up])
					}
				}
			default:
				o.all = append(o.all, s.place[n])
			}
		}
		o.ends[n] = uint32(len(o.all))
	}
	return o
}

// price returns the values of prices in a currency.
func (b *facetBuilder) price(currency string) *facetValues {
	v := b.prices[currency]
	if v == nil {
		v = b.facet(document.FilterPrice, NumberValues)
		v.folded = strings.Clone(currency)
		b.prices[v.folded] = v
	}
	return v
}

// attribute returns the values of an attribute's facet.
func (b *facetBuilder) attribute(a spelledAttribute) *facetValues {
	if v := b.attributes[a]; v != nil {
		return v
	}
	a.name, a.unit = strings.Clone(a.name), strings.Clone(a.unit)
	folded := foldedOf(a)
	v := b.folded[folded]
	if v == nil {
		v = b.facet(document.FilterAttribute, folded.kind)
		v.folded, v.dimension, v.exact = folded.name, folded.dimension, folded.kind == booleanValues
		b.folded[folded] = v
	}
	b.attributes[a] = v
	return v
}

// foldedOf returns the form in which an attribute is compared.
func foldedOf(a spelledAttribute) foldedAttribute {
	folded := foldedAttribute{name: FoldedName(a.name)}
	switch a.kind {
	case catalog.NumberValue:
		u, _ := unit.Parse(a.unit)
		folded.kind, folded.dimension = NumberValues, u.Dimension()
	case catalog.BooleanValue:
		folded.kind = booleanValues
	}
	return folded
}
