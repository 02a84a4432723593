package search

import (
	"context"
	"slices"

	"souk/build/codes"
	"souk/build/document"
	"souk/build/problem"
)

// A narrowing is what a query selects of one parameter, or of the attributes of one
// name. A listing passes it with any of the chosen ids.
type narrowing struct {
	filter, folded string
	// ids from first to before end are those of its facets: what it ignores of its
	// own when these are counted.
	first, end uint32
	choices    []choice
}

// A choice is one value of a narrowing, or a range.
type choice struct {
	// facet is the first id of the facet that tells of it; nowhere if no listing has the
	// attribute, or a price in the currency.
	facet uint32
	// id is the value's, if any listing has it.
	id   uint32
	held bool
	// sent is what was sent.
	sent string
	// elsewhere: a facet of another type tells of it where this one has no result with it.
	elsewhere bool
	// alike are the ids from the first to before the second that it chooses of another type.
	alike [2]uint32
}

// nowhere is the facet of choices that no facet has.
const nowhere = ^uint32(0)

// A selection is what a query narrows its results by.
type selection struct {
	narrowings []narrowing
	// chosen has a bit for each id; nil where nothing is narrowed.
	chosen []uint64
	// currency is the facet of the prices that are sorted by; nil for none.
	currency *facet
	sort     string
	// pinned are the listings that stand first, in order.
	pinned []uint32
}

// maxNarrowings is how many parameters and attributes' names may narrow a query: each
// is a bit.
const maxNarrowings = 64

// of returns the narrowing of a facet, or -1.
func (c *selection) of(one *facet) int {
	return slices.IndexFunc(c.narrowings, func(n narrowing) bool { return n.first <= one.first && one.end <= n.end && n.filter == one.filter })
}

// choices returns what is chosen of a facet.
func (c *selection) choices(one *facet) (list []choice) {
	if at := c.of(one); at >= 0 {
		for _, chosen := range c.narrowings[at].choices {
			if chosen.facet == one.first {
				list = append(list, chosen)
			}
		}
	}
	return list
}

// lacks returns a bit for each narrowing that a listing with these ids does not pass.
func (c *selection) lacks(ids []uint32) uint64 {
	lacking := uint64(1)<<len(c.narrowings) - 1
	for _, id := range ids {
		if c.chosen[id>>6]&(1<<(id&63)) == 0 {
			continue
		}
		for i := range c.narrowings {
			if n := &c.narrowings[i]; id >= n.first && id < n.end {
				lacking &^= 1 << i
				break
			}
		}
	}
	return lacking
}

// A reader makes the selection of a query, and collects what is wrong with it.
type reader struct {
	index   *Index
	visible *visibility
	query   *Query
	add     addFault
	*selection
}

// selection returns what a query narrows by; what is wrong with it goes to add. It looks
// at no more once ctx ends.
func (x *Index) selection(ctx context.Context, q *Query, v *visibility, add addFault) *selection {
	r := &reader{index: x, visible: v, query: q, add: add, selection: &selection{sort: q.Sort}}
	for _, filter := range document.SearchFilters() {
		list := q.Filters[filter]
		switch {
		case len(list) > maxValues:
			add(filter, codeTooMany, "at most %d values can be chosen", maxValues)
		case len(list) == 0:
		case filter == document.FilterAttribute:
			for _, value := range list {
				if ctx.Err() == nil {
					r.attribute(value)
				}
			}
		case filter == document.FilterPrice:
			r.price(list)
		default:
			r.values(filter, list)
		}
	}
	r.order()
	r.pins()
	return r.selection
}

// narrowing returns that of a parameter, or of an attribute, making it if need be.
func (r *reader) narrowing(filter, folded string, of []facet) *narrowing {
	for i := range r.narrowings {
		if n := &r.narrowings[i]; n.filter == filter && n.folded == folded {
			return n
		}
	}
	n := narrowing{filter: filter, folded: folded}
	if len(of) > 0 {
		n.first, n.end = of[0].first, of[len(of)-1].next()
	}
	r.narrowings = append(r.narrowings, n)
	if r.chosen == nil {
		r.chosen = make([]uint64, (len(r.index.facets.value)+63)/64)
	}
	return &r.narrowings[len(r.narrowings)-1]
}

func (c *selection) choose(first, end uint32) {
	for id := first; id < end; id++ {
		c.chosen[id>>6] |= 1 << (id & 63)
	}
}

// values chooses values of a parameter that names them.
func (r *reader) values(filter string, list []string) {
	f := r.index.facets
	of := f.named(filter, "")
	n := r.narrowing(filter, "", of)
	for _, value := range list {
		if message := r.index.malformed(filter, value, r.visible); message != "" {
			r.add(filter, codeUnknown, "%s", message)
			return // what is meant is looked for among all there are, once is enough
		}
		if filter == document.FilterLanguage {
			value = languageTag(value)
		}
		n.choices = append(n.choices, r.value(&of[0], value, value))
	}
}

// value chooses a value of a facet, which was sent as such. A withheld seller is none.
func (r *reader) value(one *facet, value, sent string) choice {
	id, held := r.index.facets.find(one, value)
	if held && one.filter == document.FilterSeller {
		held = !r.visible.hides(r.index.facets.sellerAt[id-one.first])
	}
	if held {
		r.choose(id, id+1)
	}
	return choice{facet: one.first, id: id, held: held, sent: sent}
}

// order reads what the results are sorted by.
func (r *reader) order() {
	q := r.query
	switch q.Sort {
	case "", document.SortRelevance, document.SortName, document.SortNewest, document.SortPrice:
	default:
		r.add("sort", codeUnknown, "%s", meant(problem.Quoted(q.Sort)+" is no order: choose relevance, name, newest or price", q.Sort, []string{
			document.SortRelevance, document.SortName, document.SortNewest, document.SortPrice,
		}))
	}
	prices := len(q.Filters[document.FilterPrice]) > 0
	switch {
	case q.Currency == "" && prices:
		r.add("currency", codeRequired, "say in which currency the price is, as a code of ISO 4217, as in EUR")
	case q.Currency == "" && q.Sort == document.SortPrice:
		r.add("currency", codeRequired, "say in which currency prices are sorted, as a code of ISO 4217, as in EUR")
	case q.Currency != "" && !codes.Currency(q.Currency) && len(r.index.facets.named(document.FilterPrice, q.Currency)) == 0:
		r.add("currency", codeUnknown, "%s", meant(problem.Quoted(q.Currency)+" is no currency: write a code of ISO 4217, as in EUR", q.Currency, r.currencies(q.Currency)))
	case q.Currency != "" && !prices && q.Sort != document.SortPrice:
		r.add("currency", CodeInvalid, "this says what price and sort=price are in: give one of them too")
	case q.Sort == document.SortPrice:
		if of := r.index.facets.named(document.FilterPrice, q.Currency); len(of) > 0 {
			r.currency = &of[0]
		}
	}
}

// currencies returns what may have been meant by a code.
func (r *reader) currencies(code string) (list []string) {
	if upper := codes.CurrencyMeant(code); upper != "" {
		return []string{upper}
	}
	for _, one := range r.index.shownOf(document.FilterPrice, "", r.visible) {
		list = append(list, one.folded)
	}
	return list
}

// pins finds the listings that the chosen categories pin, if the best come first.
func (r *reader) pins() {
	if r.sort != "" && r.sort != document.SortRelevance {
		return
	}
	for _, value := range r.query.Filters[document.FilterCategory] {
		categories := &r.index.facets.list[atCategory]
		if id, known := categories.at[value]; known {
			for _, doc := range r.index.corpus.categories[r.index.facets.categoryAt[id-categories.first]].pins {
				if !slices.Contains(r.pinned, uint32(doc)) {
					r.pinned = append(r.pinned, uint32(doc))
				}
			}
		}
	}
}

// shownOf returns the facets of a parameter, or of an attribute by its folded name, that a
// listing has whose seller is not withheld.
func (x *Index) shownOf(filter, folded string, v *visibility) []facet {
	of := x.facets.named(filter, folded)
	if v.showsAll() {
		return of
	}
	return slices.DeleteFunc(slices.Clone(of), func(one facet) bool { return !x.shown(one.first, one.end, v) })
}

// shown reports whether a listing of a seller that is not withheld has any of the ids
// from first to before end.
func (x *Index) shown(first, end uint32, v *visibility) bool {
	if v == nil || v.hidden == nil {
		return first < end
	}
	for doc, seller := range x.corpus.sellerOf {
		if !v.hides(seller) && len(run(x.facets.of(uint32(doc)), first, end)) > 0 {
			return true
		}
	}
	return false
}
