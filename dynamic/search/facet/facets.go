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

// Facets are the properties by which listings are narrowed and counted. Every value of every
// facet has a number, its id. The ids of a facet are contiguous, in display order: texts by
// label, numbers by size. So a range of numbers is a range of ids, and one array counts
// everything.
type Facets struct {
	corpus *corpus.Corpus
	// tallies provides memory for counting.
	tallies *countPool
	// Countries maps compact names to ISO 3166-1 codes.
	Countries map[string]string

	List []Facet
	// The ids of listing i are ids[from[i]:from[i+1]], ascending and distinct, except those of
	// surplus.
	ids  []uint32
	from []uint32
	// Newest is the position of each listing by publication date, latest first. Listings
	// published at the same time share one.
	Newest []uint32
	// Value is the value of each id in the form of parameters. For attributes it lacks the
	// name.
	Value []string
	// CategoryID is the id of each category of the corpus. categoryAt is the inverse, indexed
	// from the first id of a category.
	CategoryID []uint32
	categoryAt []int32
	// SellerAt does the same for the sellers of the corpus.
	SellerAt []int32
	// otherTypes maps a value of an attribute to the range of ids of another type that its text
	// also selects, because some authors write it as text and others do not. No listing has
	// both a text and one of these.
	otherTypes map[uint32][2]uint32
	// respelled is the last spelling that was used while sellers were withheld.
	respelled *atomic.Pointer[respelled]
}

// A Facet is a way to narrow results: a parameter, a price in one currency, or an attribute of
// one type and one dimension.
type Facet struct {
	Filter string
	// Name is the displayed name of an attribute, or the currency of a price. folded is the
	// form for comparison.
	Name, Folded string
	Kind         valueKind
	// Unit is the displayed unit of numbers, symbol its symbol. units are the units of the
	// values, by index in the facet, or nil if all are in unit. The symbol of a price is its
	// currency.
	Unit   unit.Unit
	symbol string
	units  []unit.Unit
	// label contains the values in words, by index in the facet, or is nil if the values
	// themselves are displayed. at maps codes to ids; it is nil if the values are texts.
	// Regions are texts, although some are codes of countries.
	label []string
	At    map[string]uint32
	// First is the first id, and end follows the last.
	First, End uint32
	// Surplus is the id that a listing has once for each value after its first, so that
	// listings can be counted; 0 if no listing has several. It equals end.
	Surplus uint32
}

// A valueKind is the type of a facet's values.
type valueKind uint8

// The types, in the order of the response.
const (
	textValues valueKind = iota
	NumberValues
	booleanValues
)

var valueKindNames = [...]string{"text", "number", "boolean"}

// Next returns the id that follows a facet.
func (one *Facet) Next() uint32 {
	if one.Surplus != 0 {
		return one.Surplus + 1
	}
	return one.End
}

func (f *Facets) Of(doc uint32) []uint32 { return f.ids[f.from[doc]:f.from[doc+1]] }

// Named returns the facets of a parameter, or of an attribute by its folded name.
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

// Find returns the id of a value. Codes must match exactly; texts match without case and
// accents.
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

// findOtherTypes finds the texts of attributes that are numbers or truth values of the same
// attribute.
func (f *Facets) findOtherTypes() {
	f.otherTypes = map[uint32][2]uint32{}
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

// compareTypes finds the values of another type that the text of an id stands for.
func (f *Facets) compareTypes(id uint32, one *Facet) {
	value := f.Value[id]
	if one.Kind == NumberValues {
		if numberEnd(value) == 0 {
			return
		}
		if first, end, fault := f.numbers(one, value); fault == "" && first < end {
			f.otherTypes[id] = [2]uint32{first, end}
		}
		return
	}
	if truth, is := truthOf(value); is {
		if other, held := f.Find(one, truth); held {
			f.otherTypes[id], f.otherTypes[other] = [2]uint32{other, other + 1}, [2]uint32{id, id + 1}
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

// based returns a number from the content in the base unit of its dimension.
func based(number string, u unit.Unit) *big.Rat {
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return new(big.Rat) // the content has been checked
	}
	return u.Base(n)
}

// within returns the ids of a facet's numbers in an interval, in its base unit.
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

// values returns the values of a facet, by its index.
func (f *Facets) values(at int) []string { return f.Value[f.List[at].First:f.List[at].End] }

// The indexes of the facets that always exist.
const (
	atKind = iota
	AtCategory
	AtSeller
	AtCountry
)

// alwaysListed reports whether a facet appears in responses even without values.
func alwaysListed(filter string) bool {
	return slices.Contains([]string{document.FilterKind, document.FilterCategory, document.FilterSeller, document.FilterCountry}, filter)
}

// Spill moves the data stored for each listing out of the heap.
func (f *Facets) Spill(s *corpus.Spill) {
	corpus.SpillList(s, &f.ids)
	corpus.SpillList(s, &f.from)
	corpus.SpillList(s, &f.Newest)
}
