package search

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
)

// An answer is the results of a text, and its interpretation.
type answer struct {
	// literal means that the text was not interpreted.
	literal bool
	parsed  *match.ParsedQuery
	// named is the text that articles are searched for.
	named    *match.ParsedQuery
	found    engine.Found
	words    match.Understanding
	reported []Interpretation
	// selection is the query's filters, including those of the text.
	selection *facet.Selection
}

// answer finds the results of a text. An interpretation applies only if it leaves some
// results; otherwise the text is only words. This depends on the text, the index and which
// sellers are withheld, so that the set is a function of these alone.
func (x *Index) answer(ctx context.Context, q *Query, c *facet.Selection, v *corpus.Visibility) (*answer, error) {
	if !q.Literal {
		in, err := x.interpret(ctx, q.Text, v)
		if err != nil {
			return nil, err
		}
		if in != nil {
			a, err := x.findInterpreted(ctx, q, c, in, v)
			if a != nil || err != nil {
				return a, err
			}
			if in.withholds {
				return x.denying(ctx, q, c, in, v)
			}
		}
	}
	a := &answer{literal: true, parsed: match.Parse(q.Text, x.Language), selection: c}
	a.named = a.parsed
	found, told, err := x.find(ctx, a.parsed, nil, v)
	if err != nil {
		return nil, err
	}
	a.found, a.words = found, told
	switch {
	case q.Literal:
		told = match.Understanding{Corrected: told.Corrected}
	case len(told.Categories) > 0 && x.Exact.Category(a.parsed.Compacts) < 0:
		// A part of a name is not a category.
		if named, err := x.NamesOffer(ctx, a.parsed.Compacts, v); err != nil {
			return nil, err
		} else if named {
			told.Categories = nil
		}
	}
	if wanted := (engine.Preferences{Categories: told.Wanted(a.parsed)}); !wanted.Empty() {
		a.found.Prefer(&wanted)
	}
	a.reported = x.tellWords(ctx, q.Text, a.parsed, told, v)
	return a, nil
}

// find returns the listings that match or are compared by a text, before filters, and how it
// was understood.
func (x *Index) find(ctx context.Context, r *match.ParsedQuery, compared []uint32, v *corpus.Visibility) (engine.Found, match.Understanding, error) {
	g := x.engine.Begin(ctx, v)
	told, err := x.Match(ctx, g, r, compared, v)
	return g.End(), told, err
}

// denying applies only the denials of a text if its other meanings leave no results: a text
// never asks for what it denies.
func (x *Index) denying(ctx context.Context, q *Query, c *facet.Selection, in *interpretation, v *corpus.Visibility) (*answer, error) {
	a := &answer{named: match.Parse(in.named, x.Language), selection: c}
	if err := x.widen(ctx, a, in, nil, v); err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(in.reported, func(one Interpretation) bool { return one.As != document.AsExcluded && one.As != document.AsLeftOut })
	a.reported = inOrder(append(x.tellWords(ctx, q.Text, a.parsed, a.words, v), kept...))
	return a, nil
}

// inOrder sorts interpretations by their position in the text.
func inOrder(told []Interpretation) []Interpretation {
	slices.SortStableFunc(told, func(a, b Interpretation) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return told
}

// findInterpreted finds the results of an interpretation, or nil if there are none.
func (x *Index) findInterpreted(ctx context.Context, q *Query, c *facet.Selection, in *interpretation, v *corpus.Visibility) (*answer, error) {
	a := &answer{named: match.Parse(in.named, x.Language), selection: c}
	if err := x.widen(ctx, a, in, in.filters, v); err != nil {
		return nil, err
	}
	if keeps, err := in.keepLeaving(ctx, x, a.found, v); err != nil || !keeps {
		return nil, err
	}
	if len(in.filters) > 0 {
		both := in.with(q)
		var err error
		if a.selection, err = x.checked(ctx, &both, v); err != nil {
			a.selection, both = c, *q // parameters win
		}
		in.reported = slices.DeleteFunc(in.reported, func(one Interpretation) bool {
			return one.As == document.AsFilter && !slices.Contains(both.Filters[one.Filter], one.Value)
		})
	}
	if some, err := x.leaves(ctx, a.found, nil, "", v); err != nil || !some {
		return nil, err
	}
	for _, wanted := range [...]engine.Preferences{{Categories: a.words.Wanted(a.parsed)}, in.Preferences} {
		if !wanted.Empty() {
			a.found.Prefer(&wanted) // doubly preferred listings come first
		}
	}
	a.reported = inOrder(append(x.tellWords(ctx, q.Text, a.parsed, a.words, v), in.reported...))
	return a, nil
}

// widen finds the results of an interpretation's text, without what it denies. It loosens the
// match until the filters leave enough results.
func (x *Index) widen(ctx context.Context, a *answer, in *interpretation, filters map[string][]string, v *corpus.Visibility) error {
	out, err := x.excluded(ctx, in, v)
	if err != nil {
		return err
	}
	for _, width := range match.Widths {
		a.parsed = match.Parse(in.text, x.Language)
		a.parsed.Standing, a.parsed.Wider = len(in.similar) > 0, width
		f, told, err := x.find(ctx, a.parsed, in.compares, v)
		if err != nil {
			return err
		}
		a.found, a.words = f.Without(out), told
		if n, err := x.countFiltered(ctx, a.found, filters, in.currency, v); err != nil || n >= match.FewAnswers || a.parsed.Telling < 2 {
			return err
		}
	}
	return nil
}

// keepLeaving keeps those filters of a text that leave some results. It drops bounds of
// amounts and countries that leave none, because their words say less than no words: 100 and
// 300 of 100-300 USD are in many texts. It reports whether the interpretation still applies:
// it does not if other filters leave no results, or if nothing remains after dropping.
func (in *interpretation) keepLeaving(ctx context.Context, x *Index, f engine.Found, v *corpus.Visibility) (keeps bool, err error) {
	leaves := func(filters map[string][]string) (bool, error) { return x.leaves(ctx, f, filters, in.currency, v) }
	if all, err := leaves(in.filters); err != nil || all {
		return all, err
	}
	kept := maps.Clone(in.filters)
	maps.DeleteFunc(kept, func(filter string, _ []string) bool { return mayGo(filter) })
	if others, err := leaves(kept); err != nil || !others {
		return false, err
	}
	for i := range in.reported {
		one := &in.reported[i]
		if one.As != document.AsFilter || !mayGo(one.Filter) || slices.Contains(kept[one.Filter], one.Value) {
			continue
		}
		more := maps.Clone(kept)
		more[one.Filter] = append(slices.Clone(kept[one.Filter]), one.Value)
		left, err := leaves(more)
		if err != nil {
			return false, err
		}
		if left {
			kept = more
		} else if served := x.servedIn([]string{one.Value}, v); one.Filter == document.FilterCountry && len(served) > 0 {
			// No seller is there, but services may be offered there.
			in.Served = append(in.Served, served...)
			*one = Interpretation{Text: one.Text, Start: one.Start, End: one.End, As: document.AsPreferred, To: []string{one.Value}}
		} else {
			one.As = document.AsLeftOut
		}
	}
	in.filters = kept
	return in.asks(), nil
}

// leaves reports whether filters leave some results.
func (x *Index) leaves(ctx context.Context, f engine.Found, filters map[string][]string, currency string, v *corpus.Visibility) (bool, error) {
	n, err := x.countFiltered(ctx, f, filters, currency, v)
	return n > 0, err
}

// countFiltered returns how many results filters leave.
func (x *Index) countFiltered(ctx context.Context, f engine.Found, filters map[string][]string, currency string, v *corpus.Visibility) (int, error) {
	alone := Query{Filters: filters}
	if len(filters[document.FilterPrice]) > 0 {
		alone.Currency = currency
	}
	only, err := x.checked(ctx, &alone, v)
	if err != nil {
		return 0, nil //nolint:nilerr // an impossible filter counts as none
	}
	return f.Passing(ctx, only)
}

// mayGo reports whether a filter is dropped if it leaves no results.
func mayGo(filter string) bool {
	return slices.Contains([]string{document.FilterPrice, document.FilterPriceUnit, document.FilterAttribute, document.FilterCountry, document.FilterCity}, filter)
}

// with returns a query with the filters of the text, except those set by parameters.
func (in *interpretation) with(q *Query) Query {
	both := *q
	both.Filters = maps.Clone(q.Filters)
	if both.Filters == nil {
		both.Filters = map[string][]string{}
	}
	for filter, values := range in.filters {
		switch {
		case filter == document.FilterPrice && (len(q.Filters[filter]) > 0 || q.Currency != "" && q.Currency != in.currency):
		case filter == document.FilterPrice:
			both.Filters[filter], both.Currency = values, in.currency
		case filter == document.FilterAttribute:
			both.Filters[filter] = slices.Clone(q.Filters[filter])
			for _, value := range values {
				name, _, _ := strings.Cut(value, ":")
				if !slices.ContainsFunc(q.Filters[filter], func(sent string) bool {
					other, _, _ := strings.Cut(sent, ":")
					return facet.FoldedName(other) == facet.FoldedName(name)
				}) {
					both.Filters[filter] = append(both.Filters[filter], value)
				}
			}
		case len(q.Filters[filter]) == 0:
			both.Filters[filter] = values
		}
	}
	return both
}

// tellWords reports which words of a text were corrected, ignored, or taken for a category. It
// ignores appended words that stand for a listing.
func (x *Index) tellWords(ctx context.Context, typed string, r *match.ParsedQuery, u match.Understanding, v *corpus.Visibility) (told []Interpretation) {
	tell := func(from, to int, as Interpretation) {
		from, to = r.Words[from].From, r.Words[to].To
		if to > len(typed) || from > to {
			return
		}
		as.Text = typed[from:to]
		as.Start = utf8.RuneCountInString(typed[:from])
		as.End = as.Start + utf8.RuneCountInString(as.Text)
		told = append(told, as)
	}
	// Neighbouring ignored words are reported together. Words from one sign, such as ¼, share
	// its position.
	neighbours := func(one, next int) bool {
		from, to := r.Words[next].From, r.Words[one].To
		return next == one+1 && from > r.Words[one].From && from <= len(typed) && (from <= to || strings.TrimSpace(typed[to:from]) == "")
	}
	for i := 0; i < len(u.LeftOut); {
		last := i
		for last+1 < len(u.LeftOut) && neighbours(u.LeftOut[last], u.LeftOut[last+1]) {
			last++
		}
		tell(u.LeftOut[i], u.LeftOut[last], Interpretation{As: document.AsLeftOut})
		i = last + 1
	}
	const most = 5
	for _, c := range u.Corrected {
		to := slices.Clone(c.To[:min(len(c.To), most)])
		for i := range to {
			to[i] = x.written(ctx, to[i], v)
		}
		tell(c.Word, c.Word, Interpretation{As: document.AsCorrected, To: to})
	}
	for _, c := range u.Categories {
		tell(c.FromWord, c.ToWord-1, Interpretation{As: document.AsCategory, Link: &x.Corpus.Categories[c.Category].Link})
	}
	slices.SortStableFunc(told, func(a, b Interpretation) int { return cmp.Compare(a.Start, b.Start) })
	return told
}

// written returns folded words in the spelling of a visible listing, in lower case: säge for
// sage. It knows only words in names, summaries and categories.
func (x *Index) written(ctx context.Context, folded string, v *corpus.Visibility) string {
	said := strings.Fields(folded)
	for i, word := range said {
		p, err := x.Word(ctx, word)
		if err != nil {
			return folded
		}
		at := slices.IndexFunc(p.Docs, func(doc uint32) bool { return !v.Hides(x.Corpus.SellerOf[doc]) })
		if at < 0 {
			continue
		}
		l := x.Corpus.Listing(p.Docs[at])
		texts := []string{l.Offer.Name, l.Offer.Summary}
		for _, at := range l.Categories {
			for _, up := range x.Corpus.Categories[at].Lineage {
				texts = append(append(texts, x.Corpus.Categories[up].Item.Name), x.Corpus.Categories[up].Item.Synonyms...)
			}
		}
		said[i] = writtenIn(texts, word)
	}
	return strings.Join(said, " ")
}

func writtenIn(texts []string, folded string) string {
	for _, one := range texts {
		for _, t := range text.Tokens(nil, one) {
			if t.Text == folded {
				from, to := t.Place(text.Offsets(one))
				return strings.ToLower(one[from:to])
			}
		}
	}
	return folded
}
