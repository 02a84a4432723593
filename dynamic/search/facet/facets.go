package facet

import (
	"math/big"
	"slices"
	"strings"
	"sync/atomic"

	"souk/build/document"
	"souk/build/kit/fold"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
)

// Facets are what listings are narrowed and counted by. Every value of every facet
// has a number, its id; those of a facet are a run, in the order in which values are
// shown: text by its label, numbers by size. So a range of numbers is a run of ids,
// and one array counts everything.
type Facets struct {
	corpus *corpus.Corpus
	// tallies lends memory to count in.
	tallies *countPool
	// Countries lead from names, compact, to codes of ISO 3166-1.
	Countries map[string]string

	List []Facet
	// ids of listing i are ids[from[i]:from[i+1]], ascending, each once but for
	// those of surplus.
	ids  []uint32
	from []uint32
	// Newest is the place of each listing when the last published is first; those
	// published at the same moment share one.
	Newest []uint32
	// Value is each id's, as it is sent, but for attributes without their name.
	Value []string
	// CategoryID is the id of each category of the corpus, and categoryAt leads
	// back, from the place among the ids of categories.
	CategoryID []uint32
	categoryAt []int32
	// SellerAt leads to the sellers of the corpus likewise.
	SellerAt []int32
	// alike leads from a value of an attribute to the ids, from the first to before the
	// second, that its text chooses of another type, which some write as text and others
	// not. No listing has a text together with any of these.
	alike map[uint32][2]uint32
	// respelled is what they were shown as last while sellers were withheld.
	respelled *atomic.Pointer[respelled]
}

// A Facet is a way to narrow results: one of the parameters, a price in one currency,
// or an attribute of one type and one dimension.
type Facet struct {
	Filter string
	// Name is an attribute's as it is shown, or a price's currency; folded is the
	// name as it is compared.
	Name, Folded string
	Kind         valueKind
	// Unit is that of numbers as they are shown, as symbol; units are those of the
	// values, by place in the facet, nil where all are in unit. The symbol of a
	// price is its currency.
	Unit   unit.Unit
	symbol string
	units  []unit.Unit
	// label has the values in words, by place in the facet; nil where values are what is
	// shown. at leads from values that are codes to their ids, nil where they are texts, as
	// regions are, though some of these are codes of countries.
	label []string
	At    map[string]uint32
	// First is the first id, and end comes after the last.
	First, End uint32
	// surplus is the id that a listing has once for each value after its first, so
	// that listings can be counted; 0 where none has several. It is end.
	Surplus uint32
}

// A valueKind is the type of a facet's values.
type valueKind uint8

// The types, in the order of the answer.
const (
	textValues valueKind = iota
	NumberValues
	booleanValues
)

var valueKindNames = [...]string{"text", "number", "boolean"}

// Next returns the id after all of a facet.
func (one *Facet) Next() uint32 {
	if one.Surplus != 0 {
		return one.Surplus + 1
	}
	return one.End
}

func (f *Facets) Of(doc uint32) []uint32 { return f.ids[f.from[doc]:f.from[doc+1]] }

// Named returns the facets of a parameter, of an attribute those of its folded name.
func (f *Facets) Named(filter, folded string) []Facet {
	from := slices.IndexFunc(f.List, func(one Facet) bool { return one.Filter == filter && (folded == "" || one.Folded == folded) })
	if from < 0 {
		return nil
	}
	to := from + 1
	for to < len(f.List) && f.List[to].Filter == filter && (folded == "" || f.List[to].Folded == folded) {
		to++
	}
	return f.List[from:to]
}

// labelOf returns a value of a facet in words.
func (f *Facets) labelOf(one *Facet, id uint32) string {
	if one.label == nil {
		return f.Value[id]
	}
	return one.label[id-one.First]
}

// Find returns the id of a value: a code in every character, a text without regard to
// case and accents.
func (f *Facets) Find(one *Facet, value string) (id uint32, found bool) {
	if one.At != nil {
		id, found = one.At[value]
		return id, found
	}
	folded := fold.Text(value)
	at, found := slices.BinarySearchFunc(f.Value[one.First:one.End], folded, func(v, want string) int {
		return strings.Compare(fold.Text(v), want)
	})
	return one.First + uint32(at), found
}

// findAlike finds the texts of attributes that are numbers or truths of the same attribute.
func (f *Facets) findAlike() {
	f.alike = map[uint32][2]uint32{}
	for i := range f.List {
		texts := &f.List[i]
		if texts.Filter != document.FilterAttribute || texts.Kind != textValues {
			continue
		}
		for at := i + 1; at < len(f.List) && f.List[at].Filter == texts.Filter && f.List[at].Folded == texts.Folded; at++ {
			for id := texts.First; id < texts.End; id++ {
				f.compareTypes(id, &f.List[at])
			}
		}
	}
}

// compareTypes finds what the text of an id is among values of another type.
func (f *Facets) compareTypes(id uint32, one *Facet) {
	value := f.Value[id]
	if one.Kind == NumberValues {
		if numberEnd(value) == 0 {
			return
		}
		if first, end, fault := f.numbers(one, value); fault == "" && first < end {
			f.alike[id] = [2]uint32{first, end}
		}
		return
	}
	if truth, is := truthOf(value); is {
		if other, held := f.Find(one, truth); held {
			f.alike[id], f.alike[other] = [2]uint32{other, other + 1}, [2]uint32{id, id + 1}
		}
	}
}

// amount returns the number of an id in the base unit of its dimension.
func (f *Facets) amount(one *Facet, id uint32) *big.Rat {
	u := one.Unit
	if one.units != nil {
		u = one.units[id-one.First]
	}
	return based(f.Value[id], u)
}

// based returns a number of the content in the base unit of its dimension.
func based(number string, u unit.Unit) *big.Rat {
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return new(big.Rat) // the content is checked: it has numbers alone
	}
	return u.Base(n)
}

// within returns the ids of a facet of numbers in an interval, in its base unit.
func (f *Facets) within(one *Facet, in interval) (first, end uint32) {
	below := func(bound *big.Rat, with bool) uint32 {
		at := 0
		if with {
			at = 1
		}
		n := int(one.End - one.First)
		low, high := 0, n
		for low < high {
			mid := (low + high) / 2
			if f.amount(one, one.First+uint32(mid)).Cmp(bound) < at {
				low = mid + 1
			} else {
				high = mid
			}
		}
		return one.First + uint32(low)
	}
	first, end = one.First, one.End
	if in.least != nil {
		first = below(in.least, in.above)
	}
	if in.most != nil {
		end = max(first, below(in.most, !in.below))
	}
	return first, end
}

// Run returns the part of an ascending list from first to before end.
func Run(list []uint32, first, end uint32) []uint32 {
	from, _ := slices.BinarySearch(list, first)
	to := from
	for to < len(list) && list[to] < end {
		to++
	}
	return list[from:to]
}

// values returns those of a facet, by its place.
func (f *Facets) values(at int) []string { return f.Value[f.List[at].First:f.List[at].End] }

// The places of the facets that always stand.
const (
	atKind = iota
	AtCategory
	AtSeller
	AtCountry
)

// standing returns whether a facet is told where it has no values too.
func standing(filter string) bool {
	return slices.Contains([]string{document.FilterKind, document.FilterCategory, document.FilterSeller, document.FilterCountry}, filter)
}

// Spill moves what is kept for each listing out of the heap.
func (f *Facets) Spill(s *corpus.Spill) {
	corpus.SpillList(s, &f.ids)
	corpus.SpillList(s, &f.from)
	corpus.SpillList(s, &f.Newest)
}
