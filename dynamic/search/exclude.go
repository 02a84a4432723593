package search

import (
	"context"

	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/match"
	"souk/dynamic/search/question"
)

// excluded returns the listings that an interpretation excludes: those that others should be
// similar to, and for each denial those that have one of the values of its filter, if it has
// one, and all of its words as their own words, if it has any; see the own words of package
// index.
func (x *Index) excluded(ctx context.Context, in *interpretation, v *corpus.Visibility) (out []engine.Exclusion, err error) {
	if len(in.similar) > 0 {
		out = append(out, engine.Exclusion{Postings: &match.Postings{Docs: in.similar, Terms: &match.Terms{Numbers: in.similar}}})
	}
	for _, one := range in.denials {
		var e engine.Exclusion
		if len(one.Words) > 0 {
			if e.Postings, err = x.Own(ctx, one.Words); err != nil {
				return nil, err
			}
		}
		filter, values := one.Filter, one.Values
		if filter == question.City {
			filter, values = document.FilterSeller, x.slugsIn(values, v)
		}
		if len(values) > 0 {
			q := Query{Filters: map[string][]string{filter: values}, Currency: one.Currency}
			if e.Selection, err = x.checked(ctx, &q, v); err != nil {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				continue // no listing has an impossible value
			}
		}
		if e != (engine.Exclusion{}) {
			out = append(out, e)
		}
	}
	return out, nil
}

// slugsIn returns the visible sellers in some cities.
func (x *Index) slugsIn(cities []string, v *corpus.Visibility) (slugs []string) {
	for _, name := range cities {
		for _, at := range x.vocabulary.cities[text.Compact(name)] {
			if !v.Hides(at) {
				slugs = append(slugs, x.Corpus.Sellers[at].Company.Slug)
			}
		}
	}
	return slugs
}
