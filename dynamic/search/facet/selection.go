package facet

import (
	"context"
	"slices"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/kit/codes"
	"souk/build/kit/problem"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/fault"
)

// A Narrowing is a query's selection of one parameter, or of the attributes with one name. A
// listing passes it with any of the chosen ids.
type Narrowing struct {
	Filter, folded string
	// The ids from First to before End are those of its facets, which it does not narrow when
	// they are counted.
	First, End uint32
	choices    []choice
}

// A choice is one value of a narrowing, or a range.
type choice struct {
	// facet is the first id of the facet that reports it, or nowhere if no listing has the
	// attribute, or a price in the currency.
	facet uint32
	// id is the value's id, if any listing has it.
	id     uint32
	exists bool
	// sent is the value as it was sent.
	sent string
	// elsewhere means that a facet of another type reports it if this one has no result with
	// it.
	elsewhere bool
	// otherType is the range of ids of another type that it also chooses.
	otherType [2]uint32
}

// nowhere is the facet of choices that no facet has.
const nowhere = ^uint32(0)

// A Selection is everything that narrows a query's results.
type Selection struct {
	Narrowings []Narrowing
	// Chosen has a bit for each id; nil if nothing is narrowed.
	Chosen []uint64
	// Currency is the facet of the prices to sort by, or nil.
	Currency *Facet
	Sort     string
	// Pinned are the listings that come first, in order.
	Pinned []uint32
}

// maxNarrowings is the maximum number of parameters and attribute names in a query, since each
// is a bit.
const maxNarrowings = 64

// of returns the narrowing of a facet, or -1.
func (c *Selection) of(one *Facet) int {
	return slices.IndexFunc(c.Narrowings, func(n Narrowing) bool { return n.First <= one.First && one.End <= n.End && n.Filter == one.Filter })
}

// choices returns the choices in a facet.
func (c *Selection) choices(one *Facet) (list []choice) {
	if at := c.of(one); at >= 0 {
		for _, chosen := range c.Narrowings[at].choices {
			if chosen.facet == one.First {
				list = append(list, chosen)
			}
		}
	}
	return list
}

// Lacks returns a bit for each narrowing that a listing with these ids does not pass.
func (c *Selection) Lacks(ids []uint32) uint64 {
	lacking := uint64(1)<<len(c.Narrowings) - 1
	for _, id := range ids {
		if c.Chosen[id>>6]&(1<<(id&63)) == 0 {
			continue
		}
		for i := range c.Narrowings {
			if n := &c.Narrowings[i]; id >= n.First && id < n.End {
				lacking &^= 1 << i
				break
			}
		}
	}
	return lacking
}

// A Request is the part of a query that filters and sorts.
type Request struct {
	// Filters are the values of each parameter of document.SearchFilters.
	Filters map[string][]string
	// Currency is the currency of a price to filter or sort by, ISO 4217.
	Currency string
	// Sort is one of the orders of package document, or "" for relevance.
	Sort string
}

// A reader builds the Selection of a query and collects faults.
type reader struct {
	facets  *Facets
	visible *corpus.Visibility
	asked   Request
	add     fault.Add
	*Selection
}

// Selection returns the Selection of a query and passes its faults to add. It stops when ctx
// ends.
func (x *Facets) Selection(ctx context.Context, q Request, v *corpus.Visibility, add fault.Add) *Selection {
	r := &reader{facets: x.ShownTo(v), visible: v, asked: q, add: add, Selection: &Selection{Sort: q.Sort}}
	for _, filter := range Parameters(x.corpus) {
		list := q.Filters[filter]
		switch {
		case len(list) > fault.MaxValues:
			add(filter, fault.TooMany, "at most %d values can be chosen", fault.MaxValues)
		case slices.ContainsFunc(list, func(value string) bool { return utf8.RuneCountInString(value) > document.MaxFilterText }):
			add(filter, fault.TooLong, "a value can have at most %d characters", document.MaxFilterText)
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
	return r.Selection
}

// narrowing returns the narrowing of a parameter or attribute, creating it if needed.
func (r *reader) narrowing(filter, folded string, of []Facet) *Narrowing {
	for i := range r.Narrowings {
		if n := &r.Narrowings[i]; n.Filter == filter && n.folded == folded {
			return n
		}
	}
	n := Narrowing{Filter: filter, folded: folded}
	if len(of) > 0 {
		n.First, n.End = of[0].First, of[len(of)-1].Next()
	}
	r.Narrowings = append(r.Narrowings, n)
	if r.Chosen == nil {
		r.Chosen = make([]uint64, (len(r.facets.Value)+63)/64)
	}
	return &r.Narrowings[len(r.Narrowings)-1]
}

func (c *Selection) choose(first, end uint32) {
	for id := first; id < end; id++ {
		c.Chosen[id>>6] |= 1 << (id & 63)
	}
}

// values chooses the values of a parameter.
func (r *reader) values(filter string, list []string) {
	f := r.facets
	of := f.Named(filter, "")
	n := r.narrowing(filter, "", of)
	for _, value := range list {
		if message := r.facets.malformed(filter, value, r.visible); message != "" {
			r.add(filter, fault.Unknown, "%s", message)
			return // searching all values for suggestions once is enough
		}
		if filter == document.FilterLanguage {
			value = corpus.LanguageTag(value)
		}
		n.choices = append(n.choices, r.value(&of[0], value, value))
	}
}

// value chooses a value of a facet. A withheld seller counts as unknown.
func (r *reader) value(one *Facet, value, sent string) choice {
	id, held := r.facets.Find(one, value)
	if held && one.Filter == document.FilterSeller {
		held = !r.visible.Hides(r.facets.SellerAt[id-one.First])
	}
	if held {
		r.choose(id, id+1)
	}
	return choice{facet: one.First, id: id, exists: held, sent: sent}
}

// order reads the sort order.
func (r *reader) order() {
	q := r.asked
	switch q.Sort {
	case "", document.SortRelevance, document.SortName, document.SortNewest, document.SortPrice:
	default:
		r.add("sort", fault.Unknown, "%s", fault.Meant(problem.Quoted(q.Sort)+" is not an order: choose relevance, name, newest or price", q.Sort, []string{
			document.SortRelevance, document.SortName, document.SortNewest, document.SortPrice,
		}))
	}
	prices := len(q.Filters[document.FilterPrice]) > 0
	switch {
	case q.Currency == "" && prices:
		r.add("currency", fault.Required, "give the currency of the price as an ISO 4217 code, as in EUR")
	case q.Currency == "" && q.Sort == document.SortPrice:
		r.add("currency", fault.Required, "give the currency of the prices to sort by as an ISO 4217 code, as in EUR")
	case q.Currency != "" && !codes.Currency(q.Currency) && len(r.facets.Named(document.FilterPrice, q.Currency)) == 0:
		r.add("currency", fault.Unknown, "%s", fault.Meant(problem.Quoted(q.Currency)+" is not a currency: write an ISO 4217 code, as in EUR", q.Currency, r.currencies(q.Currency)))
	case q.Currency != "" && !prices && q.Sort != document.SortPrice:
		r.add("currency", fault.Invalid, "this is the currency of price and sort=price: give one of them too")
	case q.Sort == document.SortPrice:
		if of := r.facets.Named(document.FilterPrice, q.Currency); len(of) > 0 {
			r.Currency = &of[0]
		}
	}
}

// currencies returns the currencies that a code may have been meant for.
func (r *reader) currencies(code string) (list []string) {
	if upper := codes.CurrencyMeant(code); upper != "" {
		return []string{upper}
	}
	for _, one := range r.facets.shownOf(document.FilterPrice, "", r.visible) {
		list = append(list, one.Folded)
	}
	return list
}

// pins finds the listings that the chosen categories pin, if the results are sorted by
// relevance.
func (r *reader) pins() {
	if r.Sort != "" && r.Sort != document.SortRelevance {
		return
	}
	for _, value := range r.asked.Filters[document.FilterCategory] {
		categories := &r.facets.List[AtCategory]
		if id, known := categories.At[value]; known {
			for _, doc := range r.facets.corpus.Categories[r.facets.categoryAt[id-categories.First]].Pins {
				if !slices.Contains(r.Pinned, uint32(doc)) {
					r.Pinned = append(r.Pinned, uint32(doc))
				}
			}
		}
	}
}

// shownOf returns the facets of a parameter, or of an attribute by its folded name, that a
// visible listing has.
func (x *Facets) shownOf(filter, folded string, v *corpus.Visibility) []Facet {
	of := x.Named(filter, folded)
	if v.ShowsAll() {
		return of
	}
	return slices.DeleteFunc(slices.Clone(of), func(one Facet) bool { return !x.Shown(one.First, one.End, v) })
}

// Shown reports whether a visible listing has any of the ids from first to before end.
func (x *Facets) Shown(first, end uint32, v *corpus.Visibility) bool {
	if v == nil || v.Hidden == nil {
		return first < end
	}
	for doc, seller := range x.corpus.SellerOf {
		if !v.Hides(seller) && len(Run(x.Of(uint32(doc)), first, end)) > 0 {
			return true
		}
	}
	return false
}
