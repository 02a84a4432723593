package search

import (
	"math/big"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/fold"
	"souk/build/unit"
)

// facets are what listings are narrowed and counted by. Every value of every facet
// has a number, its id; those of a facet are a run, in the order in which values are
// shown: text by its label, numbers by size. So a range of numbers is a run of ids,
// and one array counts everything.
type facets struct {
	list []facet
	// ids of listing i are ids[from[i]:from[i+1]], ascending, each once but for
	// those of surplus.
	ids  []uint32
	from []uint32
	// newest is the place of each listing when the last published is first; those
	// published at the same moment share one.
	newest []uint32
	// value is each id's, as it is sent, but for attributes without their name.
	value []string
	// categoryID is the id of each category of the corpus, and categoryAt leads
	// back, from the place among the ids of categories.
	categoryID []uint32
	categoryAt []int32
	// sellerAt leads to the sellers of the corpus likewise.
	sellerAt []int32
	// alike leads from a value of an attribute to the ids, from the first to before the
	// second, that its text chooses of another type, which some write as text and others
	// not. No listing has a text together with any of these.
	alike map[uint32][2]uint32
}

// A facet is a way to narrow results: one of the parameters, a price in one currency,
// or an attribute of one type and one dimension.
type facet struct {
	filter string
	// name is an attribute's as it is shown, or a price's currency; folded is the
	// name as it is compared.
	name, folded string
	kind         valueKind
	// unit is that of numbers as they are shown, as symbol; units are those of the
	// values, by place in the facet, nil where all are in unit. The symbol of a
	// price is its currency.
	unit   unit.Unit
	symbol string
	units  []unit.Unit
	// label has the values in words, by place in the facet; nil where values are what is
	// shown. at leads from values that are codes to their ids, nil where they are texts, as
	// regions are, though some of these are codes of countries.
	label []string
	at    map[string]uint32
	// first is the first id, and end comes after the last.
	first, end uint32
	// surplus is the id that a listing has once for each value after its first, so
	// that listings can be counted; 0 where none has several. It is end.
	surplus uint32
}

// A valueKind is the type of a facet's values.
type valueKind uint8

// The types, in the order of the answer.
const (
	textValues valueKind = iota
	numberValues
	booleanValues
)

var valueKindNames = [...]string{"text", "number", "boolean"}

// next returns the id after all of a facet.
func (one *facet) next() uint32 {
	if one.surplus != 0 {
		return one.surplus + 1
	}
	return one.end
}

func (f *facets) of(doc uint32) []uint32 { return f.ids[f.from[doc]:f.from[doc+1]] }

// named returns the facets of a parameter, of an attribute those of its folded name.
func (f *facets) named(filter, folded string) []facet {
	from := slices.IndexFunc(f.list, func(one facet) bool { return one.filter == filter && (folded == "" || one.folded == folded) })
	if from < 0 {
		return nil
	}
	to := from + 1
	for to < len(f.list) && f.list[to].filter == filter && (folded == "" || f.list[to].folded == folded) {
		to++
	}
	return f.list[from:to]
}

// labelOf returns a value of a facet in words.
func (f *facets) labelOf(one *facet, id uint32) string {
	if one.label == nil {
		return f.value[id]
	}
	return one.label[id-one.first]
}

// find returns the id of a value: a code in every character, a text without regard to
// case and accents.
func (f *facets) find(one *facet, value string) (id uint32, found bool) {
	if one.at != nil {
		id, found = one.at[value]
		return id, found
	}
	folded := fold.Text(value)
	at, found := slices.BinarySearchFunc(f.value[one.first:one.end], folded, func(v, want string) int {
		return strings.Compare(fold.Text(v), want)
	})
	return one.first + uint32(at), found
}

// findAlike finds the texts of attributes that are numbers or truths of the same attribute.
func (f *facets) findAlike() {
	f.alike = map[uint32][2]uint32{}
	for i := range f.list {
		texts := &f.list[i]
		if texts.filter != document.FilterAttribute || texts.kind != textValues {
			continue
		}
		for at := i + 1; at < len(f.list) && f.list[at].filter == texts.filter && f.list[at].folded == texts.folded; at++ {
			for id := texts.first; id < texts.end; id++ {
				f.compareTypes(id, &f.list[at])
			}
		}
	}
}

// compareTypes finds what the text of an id is among values of another type.
func (f *facets) compareTypes(id uint32, one *facet) {
	value := f.value[id]
	if one.kind == numberValues {
		if numberEnd(value) == 0 {
			return
		}
		if first, end, fault := f.numbers(one, value); fault == "" && first < end {
			f.alike[id] = [2]uint32{first, end}
		}
		return
	}
	if truth, is := truthOf(value); is {
		if other, held := f.find(one, truth); held {
			f.alike[id], f.alike[other] = [2]uint32{other, other + 1}, [2]uint32{id, id + 1}
		}
	}
}

// amount returns the number of an id in the base unit of its dimension.
func (f *facets) amount(one *facet, id uint32) *big.Rat {
	u := one.unit
	if one.units != nil {
		u = one.units[id-one.first]
	}
	return based(f.value[id], u)
}

// based returns a number of the content in the base unit of its dimension.
func based(number string, u unit.Unit) *big.Rat {
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return new(big.Rat) // the content is checked: it has numbers alone
	}
	return u.Base(n)
}

// within returns the ids of a facet of numbers from one amount to another, in its base
// unit and both included; nil is open.
func (f *facets) within(one *facet, least, most *big.Rat) (first, end uint32) {
	below := func(bound *big.Rat, at int) uint32 {
		n := int(one.end - one.first)
		low, high := 0, n
		for low < high {
			mid := (low + high) / 2
			if f.amount(one, one.first+uint32(mid)).Cmp(bound) < at {
				low = mid + 1
			} else {
				high = mid
			}
		}
		return one.first + uint32(low)
	}
	first, end = one.first, one.end
	if least != nil {
		first = below(least, 0)
	}
	if most != nil {
		end = max(first, below(most, 1))
	}
	return first, end
}

// run returns the part of an ascending list from first to before end.
func run(list []uint32, first, end uint32) []uint32 {
	from, _ := slices.BinarySearch(list, first)
	to := from
	for to < len(list) && list[to] < end {
		to++
	}
	return list[from:to]
}

// values returns those of a facet, by its place.
func (f *facets) values(at int) []string { return f.value[f.list[at].first:f.list[at].end] }

// The places of the facets that always stand.
const (
	atKind = iota
	atCategory
	atSeller
	atCountry
)

// standing returns whether a facet is told where it has no values too.
func standing(filter string) bool {
	return slices.Contains([]string{document.FilterKind, document.FilterCategory, document.FilterSeller, document.FilterCountry}, filter)
}
