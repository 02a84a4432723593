package facet

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/fold"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/hit"
)

// Limits of the filters in a response.
const (
	// MostValues is the maximum number of values of a filter, besides selected ones.
	MostValues = 100
	// mostAttributes is the maximum number of attributes, besides selected ones.
	mostAttributes = 50
	// leastHave is the minimum share of the results, as 1 in so many, that must have an
	// attribute.
	leastHave = 20
	// mostDistinct is the maximum number of distinct values among 100 of an attribute: above
	// it, each value of the filter would lead to about one listing. As in a Category, a
	// product with several values counts with each.
	mostDistinct = 80
)

// Filters returns the counts in the form of the response.
func (x *Facets) Filters(t *Tally, c *Selection, v *corpus.Visibility) []document.SearchFilter {
	x = x.ShownTo(v)
	all, attributes := make([]document.SearchFilter, 0, 16), []document.SearchFilter(nil)
	met := t.Met
	for i := range x.List {
		one := &x.List[i]
		n, _ := slices.BinarySearch(met, one.Next())
		ids := met[:n]
		met = met[n:]
		switch filter, told := x.filter(t, c, one, ids, v); {
		case !told, x.corpus.OfCompanies && (one.Filter == document.FilterKind || one.Filter == document.FilterSeller):
		case one.Filter == document.FilterAttribute:
			attributes = append(attributes, filter)
		default:
			all = append(all, filter)
		}
	}
	for i := range c.Narrowings {
		switch filter := x.missingChoices(t, &c.Narrowings[i]); {
		case filter == nil:
		case filter.Name == document.FilterAttribute:
			attributes = append(attributes, *filter)
		default:
			all = append(all, *filter)
		}
	}
	return append(all, mostFrequent(attributes)...)
}

// missingChoices returns the choices of an attribute or currency that no listing has, or nil for
// another narrowing.
func (x *Facets) missingChoices(t *Tally, n *Narrowing) *document.SearchFilter {
	if len(n.choices) == 0 || n.choices[0].facet != nowhere {
		return nil
	}
	sent := n.choices[0].sent
	if n.Filter == document.FilterPrice {
		return &document.SearchFilter{Name: n.Filter, Type: valueKindNames[NumberValues], Unit: n.folded, Values: []document.SearchFilterValue{}, Selected: []string{sent}}
	}
	name, _, _ := strings.Cut(sent, ":")
	filter := &document.SearchFilter{Name: n.Filter, Attribute: strings.TrimSpace(name), Type: valueKindNames[textValues]}
	x.fill(filter, t, &Facet{Filter: n.Filter, Name: filter.Attribute}, nil, n.choices)
	return filter
}

// filter returns the filter of a facet, given its ids that occur, and whether it belongs in
// the response.
func (x *Facets) filter(t *Tally, c *Selection, one *Facet, ids []uint32, v *corpus.Visibility) (filter document.SearchFilter, told bool) {
	choices, results := slices.DeleteFunc(c.choices(one), func(c choice) bool { return c.elsewhere && (!c.exists || t.Counts[c.id] == 0) }), t.Total
	if at := c.of(one); at >= 0 {
		results += t.Alone[at]
	}
	filter = document.SearchFilter{Name: one.Filter, Type: valueKindNames[one.Kind], Unit: one.symbol, Values: []document.SearchFilterValue{}}
	if last := len(ids) - 1; last >= 0 && one.Surplus != 0 && ids[last] == one.Surplus {
		ids = ids[:last]
	}
	switch one.Filter {
	case document.FilterAttribute:
		var values int
		values, filter.Count = t.having(one, ids)
		filter.Attribute = one.Name
		told = filter.Count > 0 && filter.Count*leastHave >= results && len(ids)*100 <= values*mostDistinct
	case document.FilterPrice:
		_, filter.Count = t.having(one, ids)
		told = filter.Count > 0
	default:
		told = len(ids) > 0 || alwaysListed(one.Filter)
	}
	switch {
	case !told && len(choices) == 0:
		return filter, false
	case one.Kind == NumberValues:
		x.span(&filter, one, ids, choices, v)
	default:
		x.fill(&filter, t, one, ids, choices)
	}
	return filter, true
}

// having counts the distinct values of a facet among results, given its ids that occur, and
// the results that have any.
func (t *Tally) having(one *Facet, ids []uint32) (values, results int) {
	for _, id := range ids {
		values += int(t.Counts[id])
	}
	results = values
	if one.Surplus != 0 {
		results -= int(t.Counts[one.Surplus])
	}
	return values, results
}

// span sets the smallest and the largest number. If no result has one, it uses all visible
// listings, so that a range that is too narrow can be corrected.
func (x *Facets) span(filter *document.SearchFilter, one *Facet, ids []uint32, choices []choice, v *corpus.Visibility) {
	for _, chosen := range choices {
		filter.Selected = append(filter.Selected, chosen.sent)
	}
	first, last := one.First, one.End-1
	switch {
	case len(ids) > 0:
		first, last = ids[0], ids[len(ids)-1]
	default:
		for !x.Shown(first, first+1, v) {
			first++
		}
		for !x.Shown(last, last+1, v) {
			last--
		}
	}
	f := x
	filter.Min = json.Number(unit.DecimalBelow(one.Unit.FromBase(f.amount(one, first))))
	filter.Max = json.Number(unit.DecimalAbove(one.Unit.FromBase(f.amount(one, last))))
}

// fill adds the values with the most results, and the selected ones.
func (x *Facets) fill(filter *document.SearchFilter, t *Tally, one *Facet, ids []uint32, choices []choice) {
	h := hit.Least{Most: MostValues}
	found := func(id uint32) int32 { return t.Counts[id] + t.of(x.otherTypes[id]) }
	key := func(id uint32) uint64 { return uint64(^uint32(found(id)))<<32 | uint64(id) }
	for _, id := range ids {
		h.Offer(key(id))
	}
	keys, unheld := h.Sorted(), []choice(nil)
	for _, chosen := range choices {
		switch {
		case !chosen.exists || t.Counts[chosen.id] == 0 && one.At == nil:
			if slices.ContainsFunc(unheld, func(c choice) bool { return c.same(chosen) }) {
				continue
			}
			unheld = append(unheld, chosen)
		case !slices.Contains(keys, key(chosen.id)):
			keys = append(keys, key(chosen.id))
		}
	}
	filter.More = len(ids) > MostValues
	filter.Values = make([]document.SearchFilterValue, 0, len(keys)+len(unheld))
	slices.Sort(keys)
	for _, k := range keys {
		id := uint32(k)
		filter.Values = append(filter.Values, document.SearchFilterValue{
			Value: one.sent(x.Value[id]), Label: x.labelOf(one, id), Count: int(found(id)),
			Selected: slices.ContainsFunc(choices, func(c choice) bool { return c.exists && c.id == id }),
		})
	}
	// A value that no result has is returned as it was requested: the spelling of a withheld
	// seller must not appear.
	listed := len(filter.Values)
	for _, chosen := range unheld {
		filter.Values = append(filter.Values, document.SearchFilterValue{Value: chosen.sent, Label: x.labelled(one, chosen.sent), Count: int(t.of(chosen.otherType)), Selected: true})
	}
	slices.SortFunc(filter.Values[listed:], func(a, b document.SearchFilterValue) int {
		return cmp.Or(strings.Compare(fold.Text(a.Label), fold.Text(b.Label)), strings.Compare(a.Value, b.Value))
	})
	slices.SortStableFunc(filter.Values, func(a, b document.SearchFilterValue) int {
		if one.Filter == document.FilterRegion { // ids are in the order of the sent values
			return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(fold.Text(a.Label), fold.Text(b.Label)))
		}
		return cmp.Compare(b.Count, a.Count)
	})
}

// same reports whether two choices select the same value.
func (c choice) same(other choice) bool {
	if c.exists && other.exists {
		return c.id == other.id
	}
	return c.compared() == other.compared()
}

// compared returns a sent value in the form for comparison.
func (c choice) compared() string {
	name, value, _ := strings.Cut(c.sent, ":")
	return fold.Text(strings.TrimSpace(name) + ":" + strings.TrimSpace(value))
}

// of returns the count of the ids from first to before end.
func (t *Tally) of(ids [2]uint32) (n int32) {
	for id := ids[0]; id < ids[1]; id++ {
		n += t.Counts[id]
	}
	return n
}

// sent returns a value in the form for sending.
func (one *Facet) sent(value string) string {
	if one.Filter == document.FilterAttribute {
		return one.Name + ":" + value
	}
	return value
}

// labelled returns a sent value that no listing has, in words.
func (f *Facets) labelled(one *Facet, sent string) string {
	switch one.Filter {
	case document.FilterCountry, document.FilterRegion:
		return f.corpus.Country(sent)
	case document.FilterLanguage:
		return f.corpus.Spoken(sent)
	case document.FilterAvailability:
		return f.corpus.Availability(sent)
	case document.FilterDelivery:
		return f.corpus.Delivery(sent)
	case document.FilterProof:
		return f.corpus.Proof(sent)
	case document.FilterAttribute:
		_, value, _ := strings.Cut(sent, ":")
		if value = strings.TrimSpace(value); one.Kind == booleanValues {
			return f.corpus.Truth(strings.ToLower(value))
		}
		return value
	default:
		return sent
	}
}

// mostFrequent returns the attributes for the response: those that most results have, and the
// selected ones in any case.
func mostFrequent(list []document.SearchFilter) []document.SearchFilter {
	slices.SortStableFunc(list, func(a, b document.SearchFilter) int { return cmp.Compare(b.Count, a.Count) })
	told := list[:0]
	for i, one := range list {
		if i < mostAttributes || selects(one) {
			told = append(told, one)
		}
	}
	return told
}

func selects(f document.SearchFilter) bool {
	return len(f.Selected) > 0 || slices.ContainsFunc(f.Values, func(v document.SearchFilterValue) bool { return v.Selected })
}
