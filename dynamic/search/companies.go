package search

import (
	"context"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/search/fault"
	"souk/dynamic/search/hit"
)

// mostCompanies is the maximum number of companies in a response about listings.
const mostCompanies = 5

// Companies answers a query for companies, whose Filters are those of document.CompanyFilters.
// It fails like Search.
func (x *Index) Companies(ctx context.Context, q Query) (*CompanyResult, error) {
	if !x.Corpus.Acquire() {
		return nil, ErrClosed
	}
	defer x.Corpus.Release()
	return x.findCompanies(ctx, q)
}

// findCompanies does the same while the parts are open.
func (x *Index) findCompanies(ctx context.Context, q Query) (*CompanyResult, error) {
	of := x.companies
	if q.Sort != "" && q.Sort != document.SortRelevance && q.Sort != document.SortName {
		return nil, &fault.Error{Errors: []document.FieldError{{
			Field: "sort", Code: fault.Unknown,
			Message: fault.Meant(strconv.Quote(q.Sort)+" is not an order: choose relevance or name", q.Sort, []string{document.SortRelevance, document.SortName}),
		}}}
	}
	visible := of.visibleNow()
	c, err := of.checked(ctx, &q, visible)
	if err != nil {
		return nil, err
	}
	a, err := of.answer(ctx, &q, c, visible)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, done, err := a.found.Tally(ctx, a.selection, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	defer done()
	result := &CompanyResult{
		Query: q.Text, Total: t.Total, Offset: q.Offset, Limit: q.Limit, Companies: []CompanyHit{},
		Filters: of.facets.Filters(t, a.selection, visible), Interpreted: a.reported, Next: nextPage(q, t.Total, document.CompanyFilters(), of.Corpus.Addresses.SearchCompanies),
	}
	if q.Limit > 0 && len(t.Top) > 0 {
		marks := newHighlighter(ctx, of.Lexicon, a.parsed, a.words, visible)
		for _, key := range t.Top {
			l := of.Corpus.Described(hit.DocOf(key))
			result.Companies = append(result.Companies, CompanyHit{
				CompanyCard: of.Corpus.CompanyCard(l.Seller), ListingCount: x.Corpus.Sellers[l.Seller].Offers, Highlight: marks.of(l.Offer),
			})
		}
	}
	return result, nil
}

// foundCompanies returns the companies in a response about listings: those that match its
// text, categories and countries.
func (x *Index) foundCompanies(ctx context.Context, q Query) (FoundCompanies, error) {
	found := FoundCompanies{Items: []CompanyHit{}}
	if strings.TrimSpace(q.Text) == "" {
		return found, nil
	}
	asked := Query{Text: q.Text, Limit: min(q.Limit, mostCompanies), Literal: q.Literal, Filters: map[string][]string{}}
	for _, filter := range [...]string{document.FilterCategory, document.FilterCountry} {
		if list := q.Filters[filter]; len(list) > 0 {
			asked.Filters[filter] = list
		}
	}
	r, err := x.findCompanies(ctx, asked)
	if err != nil || r.Total == 0 {
		return found, err
	}
	found.Total, found.Items = r.Total, r.Companies
	asked.Limit = DefaultLimit
	found.Next = x.Corpus.Addresses.SearchCompanies(parameters(asked, document.CompanyFilters()))
	return found, nil
}
