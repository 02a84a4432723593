package search

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/fold"
	"souk/build/unit"
)

// What of the filters is told.
const (
	// mostValues is how many values of a filter are told, besides those selected.
	mostValues = 100
	// mostAttributes is how many attributes are told, besides those selected.
	mostAttributes = 50
	// leastHave is the least share of the results, as 1 in so many, that has an
	// attribute which is told.
	leastHave = 20
	// mostDistinct is the greatest number of distinct values among 100 of an attribute
	// which is told: above it, a filter would lead to one listing each. As in a Category,
	// a product that has several values counts with each.
	mostDistinct = 80
)

// filters returns the counts in the form of the answer.
func (x *Index) filters(t *tally, c *selection, v *visibility) []Filter {
	all, attributes := make([]Filter, 0, 16), []Filter(nil)
	met := t.met
	for i := range x.facets.list {
		one := &x.facets.list[i]
		n, _ := slices.BinarySearch(met, one.next())
		ids := met[:n]
		met = met[n:]
		switch filter, told := x.filter(t, c, one, ids, v); {
		case !told:
		case one.filter == document.FilterAttribute:
			attributes = append(attributes, filter)
		default:
			all = append(all, filter)
		}
	}
	for i := range c.narrowings {
		switch filter := x.unheld(t, &c.narrowings[i]); {
		case filter == nil:
		case filter.Name == document.FilterAttribute:
			attributes = append(attributes, *filter)
		default:
			all = append(all, *filter)
		}
	}
	return append(all, mostFrequent(attributes)...)
}

// unheld returns what was chosen of an attribute or a currency that no listing has; nil for
// a narrowing by what some have.
func (x *Index) unheld(t *tally, n *narrowing) *Filter {
	if len(n.choices) == 0 || n.choices[0].facet != nowhere {
		return nil
	}
	sent := n.choices[0].sent
	if n.filter == document.FilterPrice {
		return &Filter{Name: n.filter, Type: valueKindNames[numberValues], Unit: n.folded, Values: []FilterValue{}, Selected: []string{sent}}
	}
	name, _, _ := strings.Cut(sent, ":")
	filter := &Filter{Name: n.filter, Attribute: strings.TrimSpace(name), Type: valueKindNames[textValues]}
	x.values(filter, t, &facet{filter: n.filter, name: filter.Attribute}, nil, n.choices)
	return filter
}

// filter returns that of a facet, of whose ids these were met, and whether it is told.
func (x *Index) filter(t *tally, c *selection, one *facet, ids []uint32, v *visibility) (filter Filter, told bool) {
	choices, results := slices.DeleteFunc(c.choices(one), func(c choice) bool { return c.elsewhere && (!c.held || t.counts[c.id] == 0) }), t.total
	if at := c.of(one); at >= 0 {
		results += t.alone[at]
	}
	filter = Filter{Name: one.filter, Type: valueKindNames[one.kind], Unit: one.symbol, Values: []FilterValue{}}
	if last := len(ids) - 1; last >= 0 && one.surplus != 0 && ids[last] == one.surplus {
		ids = ids[:last]
	}
	switch one.filter {
	case document.FilterAttribute:
		var values int
		values, filter.Count = t.having(one, ids)
		filter.Attribute = one.name
		told = filter.Count > 0 && filter.Count*leastHave >= results && len(ids)*100 <= values*mostDistinct
	case document.FilterPrice:
		_, filter.Count = t.having(one, ids)
		told = filter.Count > 0
	default:
		told = len(ids) > 0 || standing(one.filter)
	}
	switch {
	case !told && len(choices) == 0:
		return filter, false
	case one.kind == numberValues:
		x.span(&filter, one, ids, choices, v)
	default:
		x.values(&filter, t, one, ids, choices)
	}
	return filter, true
}

// having counts the values that results have of a facet, of whose ids these were met,
// and the results that have any.
func (t *tally) having(one *facet, ids []uint32) (values, results int) {
	for _, id := range ids {
		values += int(t.counts[id])
	}
	results = values
	if one.surplus != 0 {
		results -= int(t.counts[one.surplus])
	}
	return values, results
}

// span fills in the least and the greatest number: where no result has one, of all listings that may be
// shown, so that whoever chose too narrow a range sees what there is.
func (x *Index) span(filter *Filter, one *facet, ids []uint32, choices []choice, v *visibility) {
	for _, chosen := range choices {
		filter.Selected = append(filter.Selected, chosen.sent)
	}
	first, last := one.first, one.end-1
	switch {
	case len(ids) > 0:
		first, last = ids[0], ids[len(ids)-1]
	default:
		for !x.shown(first, first+1, v) {
			first++
		}
		for !x.shown(last, last+1, v) {
			last--
		}
	}
	f := x.facets
	filter.Min = json.Number(unit.DecimalBelow(one.unit.FromBase(f.amount(one, first))))
	filter.Max = json.Number(unit.DecimalAbove(one.unit.FromBase(f.amount(one, last))))
}

// values fills in the values with the most results, and those that are selected.
func (x *Index) values(filter *Filter, t *tally, one *facet, ids []uint32, choices []choice) {
	h := heap{most: mostValues}
	found := func(id uint32) int32 { return t.counts[id] + t.of(x.facets.alike[id]) }
	key := func(id uint32) uint64 { return uint64(^uint32(found(id)))<<32 | uint64(id) }
	for _, id := range ids {
		h.offer(key(id))
	}
	var unheld []choice
	for _, chosen := range choices {
		switch {
		case !chosen.held || t.counts[chosen.id] == 0 && one.at == nil:
			if slices.ContainsFunc(unheld, func(c choice) bool { return c.same(chosen) }) {
				continue
			}
			unheld = append(unheld, chosen)
		case !slices.Contains(h.keys, key(chosen.id)):
			h.keys = append(h.keys, key(chosen.id))
		}
	}
	filter.More = len(ids) > mostValues
	filter.Values = make([]FilterValue, 0, len(h.keys)+len(unheld))
	for _, k := range h.sorted() {
		id := uint32(k)
		filter.Values = append(filter.Values, FilterValue{
			Value: one.sent(x.facets.value[id]), Label: x.facets.labelOf(one, id), Count: int(found(id)),
			Selected: slices.ContainsFunc(choices, func(c choice) bool { return c.held && c.id == id }),
		})
	}
	// What no result has is told as it was asked for: how a withheld seller spells
	// it is no one's business.
	listed := len(filter.Values)
	for _, chosen := range unheld {
		filter.Values = append(filter.Values, FilterValue{Value: chosen.sent, Label: x.corpus.labelled(one, chosen.sent), Count: int(t.of(chosen.alike)), Selected: true})
	}
	slices.SortFunc(filter.Values[listed:], func(a, b FilterValue) int {
		return cmp.Or(strings.Compare(fold.Text(a.Label), fold.Text(b.Label)), strings.Compare(a.Value, b.Value))
	})
	slices.SortStableFunc(filter.Values, func(a, b FilterValue) int {
		if one.filter == document.FilterRegion { // ids are in the order of what is sent
			return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(fold.Text(a.Label), fold.Text(b.Label)))
		}
		return cmp.Compare(b.Count, a.Count)
	})
}

// same reports whether two choices are of one value.
func (c choice) same(other choice) bool {
	if c.held && other.held {
		return c.id == other.id
	}
	return c.compared() == other.compared()
}

// compared returns what was sent as it is compared.
func (c choice) compared() string {
	name, value, _ := strings.Cut(c.sent, ":")
	return fold.Text(strings.TrimSpace(name) + ":" + strings.TrimSpace(value))
}

// of returns how often the ids from the first to before the second were met.
func (t *tally) of(ids [2]uint32) (n int32) {
	for id := ids[0]; id < ids[1]; id++ {
		n += t.counts[id]
	}
	return n
}

// sent returns a value as it is sent.
func (one *facet) sent(value string) string {
	if one.filter == document.FilterAttribute {
		return one.name + ":" + value
	}
	return value
}

// labelled returns a value that no listing has, as it was sent, in words.
func (c *Corpus) labelled(one *facet, sent string) string {
	switch one.filter {
	case document.FilterCountry, document.FilterRegion:
		return c.country(sent)
	case document.FilterLanguage:
		return c.spoken(sent)
	case document.FilterDelivery:
		return c.delivery(sent)
	case document.FilterProof:
		return c.proof(sent)
	case document.FilterAttribute:
		_, value, _ := strings.Cut(sent, ":")
		if value = strings.TrimSpace(value); one.kind == booleanValues {
			return c.truth(strings.ToLower(value))
		}
		return value
	default:
		return sent
	}
}

// mostFrequent returns the attributes that are told: those that most results have
// first, and those selected in any case.
func mostFrequent(list []Filter) []Filter {
	slices.SortStableFunc(list, func(a, b Filter) int { return cmp.Compare(b.Count, a.Count) })
	told := list[:0]
	for i, one := range list {
		if i < mostAttributes || selects(one) {
			told = append(told, one)
		}
	}
	return told
}

func selects(f Filter) bool {
	return len(f.Selected) > 0 || slices.ContainsFunc(f.Values, func(v FilterValue) bool { return v.Selected })
}
