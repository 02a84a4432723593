package trace

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/suggest"
)

// ask queries search and suggestions for everything that the subject is known by.
func ask(ctx context.Context, x *search.Index, s Subject, n *needles) (Findings, error) {
	a := &asker{ctx: ctx, index: x, slugs: n.slugs}
	for _, slug := range s.Slugs {
		q := search.Query{Filters: map[string][]string{document.FilterSeller: {slug}}, Limit: search.MaxLimit}
		if err := a.search(q, "seller="+url.QueryEscape(slug)); err != nil {
			return nil, err
		}
	}
	asked := map[string]bool{}
	for _, text := range slices.Concat(s.Slugs, s.Names, s.Domains, s.Offers) {
		if text = cut(text); text == "" || asked[text] {
			continue
		}
		asked[text] = true
		if err := a.search(search.Query{Text: text, Limit: search.MaxLimit}, "q="+url.QueryEscape(text)); err != nil {
			return nil, err
		}
		if err := a.companies(text); err != nil {
			return nil, err
		}
		if err := a.suggest(text); err != nil {
			return nil, err
		}
	}
	return a.found, nil
}

// cut shortens a text to the maximum length of a query.
func cut(text string) string {
	r := []rune(text)
	return string(r[:min(len(r), search.MaxQuery)])
}

type asker struct {
	ctx   context.Context
	index *search.Index
	slugs map[string]bool
	found Findings
}

func (a *asker) add(file, what, where, excerpt string) {
	a.found = append(a.found, Finding{File: file, What: what, Where: where, Excerpt: excerpt})
}

// search reads the first page of a result. If the query filters by seller, it reads all
// other pages too, so that they include everything that a text query finds further down.
func (a *asker) search(q search.Query, asked string) error {
	file := "marketplace/listings/search?" + asked
	for ; q.Offset <= search.MaxOffset; q.Offset += q.Limit {
		result, err := a.index.Search(a.ctx, q)
		if err != nil {
			return err
		}
		for i, hit := range result.Listings {
			if a.slugs[hit.CompanySlug] {
				a.add(file, WhatAddress, fmt.Sprintf("listings[%d]", q.Offset+i), hit.URL)
			}
		}
		if q.Offset == 0 {
			a.around(result, file)
		}
		if len(q.Filters) == 0 || q.Offset+q.Limit >= result.Total {
			return nil
		}
	}
	return nil
}

// around examines everything in a result except its listings.
func (a *asker) around(result *search.Result, file string) {
	for i, hit := range result.Companies.Items {
		if a.slugs[hit.Slug] {
			a.add(file, WhatAddress, fmt.Sprintf("companies.items[%d]", i), hit.URL)
		}
	}
	if m := result.SellerMatch; m != nil && a.slugs[m.Slug] {
		a.add(file, WhatAddress, "sellerMatch", m.URL)
	}
	for _, filter := range result.Filters {
		for i, value := range filter.Values {
			// A selected value without listings only repeats the query.
			if filter.Name == "seller" && a.slugs[value.Value] && value.Count > 0 {
				a.add(file, WhatSlug, fmt.Sprintf("filters.seller.values[%d]", i), value.Value)
			}
		}
	}
}

// companies reads the first page of the companies that a text finds.
func (a *asker) companies(text string) error {
	result, err := a.index.Companies(a.ctx, search.Query{Text: text, Limit: search.MaxLimit})
	if err != nil {
		return err
	}
	for i, hit := range result.Companies {
		if a.slugs[hit.Slug] {
			a.add("marketplace/companies/search?q="+url.QueryEscape(text), WhatAddress, fmt.Sprintf("companies[%d]", i), hit.URL)
		}
	}
	return nil
}

func (a *asker) suggest(text string) error {
	answer, err := a.index.Suggest(a.ctx, suggest.Query{Text: text, Limit: suggest.MaxSuggestions})
	if err != nil {
		return err
	}
	file := "marketplace/search/suggestions?q=" + url.QueryEscape(text)
	for i, one := range answer.Suggestions {
		if a.slugs[one.CompanySlug] || one.Kind == "seller" && a.slugs[one.Slug] {
			a.add(file, WhatAddress, fmt.Sprintf("suggestions[%d]", i), one.URL)
		}
	}
	return nil
}
