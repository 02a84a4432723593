package search

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"

	"souk/build/document"
)

// The limits of a Query.
const (
	MaxLimit     = document.MaxLimit
	DefaultLimit = document.DefaultLimit
	MaxOffset    = document.MaxOffset
)

// A Query asks for listings. Values of one filter are alternatives; all filters
// must match. An empty filter excludes nothing.
type Query struct {
	// Text is what to search for; nothing but spaces asks for everything.
	Text string
	// Limit is at most MaxLimit; 0 asks for the counts only.
	Limit int
	// Offset is at most MaxOffset.
	Offset int
	// Kinds are product and service.
	Kinds []string
	// Categories include their root, as in product/robots.
	Categories []string
	// Sellers are companySlugs.
	Sellers []string
	// Countries are codes of ISO 3166-1 alpha-2.
	Countries []string
}

// Search answers a query. It fails with an *InvalidError if a value names
// nothing, with ErrClosed, with the error of the context, or if the index
// cannot be read.
func (x *Index) Search(ctx context.Context, q Query) (*Result, error) {
	if !x.terms.Acquire() {
		return nil, ErrClosed
	}
	defer x.terms.Release()
	visible := x.visibleNow()
	if err := x.Check(q); err != nil {
		return nil, err
	}
	r := parse(q.Text, x.language)
	found, _, err := x.match(ctx, r, visible)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := x.selection(q)
	t := x.tally(found, c, q.Offset+q.Limit)
	result := &Result{
		Query: q.Text, Total: t.total, Offset: q.Offset, Limit: q.Limit,
		Listings: []Hit{}, Filters: x.filters(t, c), CategoryDirections: x.directions(t),
		Next: x.next(q, t.total),
	}
	if q.Limit > 0 && q.Offset < len(t.top) {
		forms := x.queryForms(r)
		for _, key := range t.top[q.Offset:] {
			l := &x.corpus.listings[docOf(key)]
			result.Listings = append(result.Listings, Hit{Listing: x.corpus.card(l), Matched: forms.matched(l)})
		}
	}
	if at := x.exact.category(r); at >= 0 {
		result.CategoryMatch = &x.corpus.categories[at].link
	}
	if at := x.exact.seller(r, visible); at >= 0 {
		result.SellerMatch = &x.corpus.sellers[at].link
	}
	return result, nil
}

func (x *Index) selection(q Query) *selection {
	c := &selection{}
	for d, list := range q.filters() {
		if len(list) == 0 {
			continue
		}
		v := &x.columns.values[d]
		c[d] = make([]bool, len(v.value))
		for _, value := range list {
			if at, known := v.at[value]; known {
				c[d][at] = true
			}
		}
	}
	return c
}

func (q *Query) filters() [dimensions][]string {
	return [dimensions][]string{byKind: q.Kinds, byCategory: q.Categories, bySeller: q.Sellers, byCountry: q.Countries}
}

// next returns the address of the next page, or "".
func (x *Index) next(q Query, total int) string {
	to := q.Offset + q.Limit
	if q.Limit == 0 || to >= total || to > MaxOffset {
		return ""
	}
	v := url.Values{"offset": {strconv.Itoa(to)}}
	if q.Text != "" {
		v.Set("q", q.Text)
	}
	if q.Limit != DefaultLimit {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	for d, list := range q.filters() {
		if len(list) > 0 {
			v[dimensionNames[d]] = list
		}
	}
	return x.corpus.addresses.Search(v)
}

// An InvalidError says which values of a request are invalid.
type InvalidError struct{ Errors []document.FieldError }

func (e *InvalidError) Error() string { return e.Errors[0].Field + ": " + e.Errors[0].Message }

// sortedValues returns the permitted values, for messages.
func sortedValues(v *values, hidden func(at int32) bool) []string {
	list := make([]string, 0, len(v.value))
	for at, value := range v.value {
		if hidden == nil || !hidden(int32(at)) {
			list = append(list, value)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(a, b) })
	return list
}
