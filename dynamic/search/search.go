package search

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"souk/build/document"
	"souk/dynamic/search/hit"
)

// The limits of a Query. The limit of its text is in characters, and bounds the number of
// words and so the cost.
const (
	MaxQuery     = document.MaxQuery
	MaxLimit     = document.MaxLimit
	DefaultLimit = document.DefaultLimit
	MaxOffset    = document.MaxOffset
)

// A Query asks for listings. Values of one filter are alternatives; so are values of
// attributes with the same name. All filters must match. An empty filter excludes nothing.
type Query struct {
	// Text is the text to search for. Only spaces ask for everything.
	Text string
	// Limit is at most MaxLimit; 0 asks for the counts only.
	Limit int
	// Offset is at most MaxOffset.
	Offset int
	// Filters are the values of each parameter of document.SearchFilters.
	Filters map[string][]string
	// Currency is the currency of a price to filter or sort by, ISO 4217.
	Currency string
	// Sort is one of the orders of package document, or "" for relevance.
	Sort string
	// Literal means that the text is not interpreted beyond its words.
	Literal bool
}

// Search answers a query. It returns an *InvalidError if a value is invalid, ErrClosed, the
// error of the context, or the error of reading the index.
func (x *Index) Search(ctx context.Context, q Query) (*Result, error) {
	if !x.Corpus.Acquire() {
		return nil, ErrClosed
	}
	defer x.Corpus.Release()
	visible := x.visibleNow()
	c, err := x.checked(ctx, &q, visible)
	if err != nil {
		return nil, err
	}
	a, err := x.answer(ctx, &q, c, visible)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, c := a.parsed, a.selection
	t, done, err := a.found.Tally(ctx, c, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	defer done()
	result := &Result{
		Query: q.Text, Total: t.Total, Offset: q.Offset, Limit: q.Limit,
		Listings: []Hit{}, Filters: x.facets.Filters(t, c, visible), CategoryDirections: x.facets.Directions(t),
		Articles: x.Articles.Find(a.named, x.Language), Interpreted: a.reported, Next: nextPage(q, t.Total, document.SearchFilters(), x.Corpus.Addresses.Search),
	}
	if result.Companies, err = x.foundCompanies(ctx, q); err != nil {
		return nil, err
	}
	if q.Limit > 0 && len(t.Top) > 0 {
		forms, marks := newQueryForms(r, x.Language), newHighlighter(ctx, x.Lexicon, r, a.words, visible)
		for _, key := range t.Top {
			l := x.Corpus.Described(hit.DocOf(key))
			result.Listings = append(result.Listings, Hit{
				Listing: x.Corpus.Card(l), Matched: forms.matched(&l), Pinned: slices.Contains(c.Pinned, hit.DocOf(key)), Highlight: marks.of(l.Offer),
			})
		}
	}
	if a.literal {
		if at := x.Exact.Category(r.Compacts); at >= 0 {
			result.CategoryMatch = &x.Corpus.Categories[at].Link
		}
		if at := x.Exact.Seller(r.Compacts, visible); at >= 0 {
			link := x.Corpus.SellerLink(at)
			result.SellerMatch = &link
		}
	}
	return result, nil
}

// nextPage returns the address of the next page of a response with total results, or "".
func nextPage(q Query, total int, filters []string, address func(url.Values) string) string {
	to := q.Offset + q.Limit
	if q.Limit == 0 || to >= total || to > MaxOffset {
		return ""
	}
	q.Offset = to
	return address(parameters(q, filters))
}

// parameters returns the request parameters of a query with these filters.
func parameters(q Query, filters []string) url.Values {
	v := url.Values{}
	if q.Offset > 0 {
		v.Set("offset", strconv.Itoa(q.Offset))
	}
	if q.Text != "" {
		v.Set("q", q.Text)
	}
	if q.Limit != DefaultLimit {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	for _, filter := range filters {
		if list := q.Filters[filter]; len(list) > 0 {
			v[filter] = list
		}
	}
	if q.Currency != "" {
		v.Set("currency", q.Currency)
	}
	if q.Sort != "" && q.Sort != document.SortRelevance {
		v.Set("sort", q.Sort)
	}
	if q.Literal {
		v.Set("interpret", "off")
	}
	return v
}
