package search

import (
	"context"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/text"
	"souk/build/kit/fold"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/match"
	"souk/dynamic/search/question"
)

// What a text denies is evaluated here. An evaluation holds to this, however it reads listings:
//
//   - A denial excludes the listings that have one of the values of its filter, if it has one,
//     and all of its words, if it has any; a text has at most question.MaxDenials.
//   - A listing has words by its own name, keywords, way of delivery, attributes, those that all of
//     its variants have, summary and description, and never by a category or a seller. Of its name,
//     each keyword, and each attribute with its value, one has to have all words; of summary and
//     description, one side by side.
//   - It does not have a word where it says itself that the word is absent: an attribute that is
//     false, zero or no, or a denial in the same part of a sentence (question.Table.Absent).
//   - Forms of a word count as the word, and two words as one: Wi-Fi, wifi.
type excluder struct {
	table    *question.Table
	language *text.Language
	stems    []string
}

// withoutDenied returns the listings without those that the text denies. A denial that would have
// too many listings read is left out.
func (x *Index) withoutDenied(ctx context.Context, f engine.Found, in *interpretation, v *corpus.Visibility) (engine.Found, error) {
	out := map[uint32]bool{}
	for _, doc := range in.similar {
		out[doc] = true
	}
	left := maxRead
	for _, one := range in.denials {
		docs, safe, err := x.denied(ctx, f, one.Meaning, &left, v)
		if err != nil {
			return nil, err
		}
		if !safe {
			told := &in.told[one.told]
			*told = Interpretation{Text: told.Text, Start: told.Start, End: told.End, As: document.AsLeftOut}
		}
		for _, doc := range docs {
			out[doc] = true
		}
	}
	if len(out) == 0 {
		return f, nil
	}
	return f.Without(out), nil
}

// maxLooked is how many listings may have a value that is denied, and maxRead how many are read
// for the words that a text denies: reading costs more than all else that a text asks for.
const maxLooked, maxRead = 10_000, 500

// denied returns the listings found that one denial excludes, and whether so many could be looked
// at. It takes from left what it reads.
func (x *Index) denied(ctx context.Context, f engine.Found, one question.Meaning, left *int, v *corpus.Visibility) (docs []uint32, safe bool, err error) {
	var having []uint32
	if one.Filter != "" {
		having, safe, err = x.having(ctx, f, one, v)
		if err != nil || !safe || len(one.Words) == 0 {
			return having, safe, err
		}
	}
	words := [][]string{one.Words}
	if len(one.Words) == 2 {
		words = append(words, []string{one.Words[0] + one.Words[1]})
	}
	for _, some := range words {
		says, safe, err := x.saying(ctx, f, some, left)
		if err != nil || !safe {
			return nil, false, err
		}
		docs = append(docs, says...)
	}
	if one.Filter != "" {
		docs = slices.DeleteFunc(docs, func(doc uint32) bool { return !slices.Contains(having, doc) })
	}
	return docs, true, nil
}

// having returns the listings found that have one of the values of a denial's filter.
func (x *Index) having(ctx context.Context, f engine.Found, one question.Meaning, v *corpus.Visibility) (docs []uint32, safe bool, err error) {
	filter, values := one.Filter, one.Values
	if filter == question.City {
		filter, values = document.FilterSeller, nil
		for _, name := range one.Values {
			for _, at := range x.vocabulary.cities[text.Compact(name)] {
				if !v.Hides(at) {
					values = append(values, x.Corpus.Sellers[at].Company.Slug)
				}
			}
		}
	}
	q := Query{Filters: map[string][]string{filter: values}, Currency: one.Currency}
	chosen, err := x.checked(ctx, &q, v)
	if err != nil {
		return nil, false, nil //nolint:nilerr // a filter that cannot be is none
	}
	return f.Within(ctx, chosen, maxLooked)
}

// saying returns the listings found that have words.
func (x *Index) saying(ctx context.Context, f engine.Found, words []string, left *int) (docs []uint32, safe bool, err error) {
	e := &excluder{table: x.vocabulary.Table, language: x.Language}
	var rarest *match.Postings
	for _, w := range words {
		p, err := x.Inflected(ctx, w, match.AskedForms)
		if err != nil {
			return nil, false, err
		}
		if rarest == nil || len(p.Docs) < len(rarest.Docs) {
			rarest = p
		}
		e.stems = append(e.stems, x.Language.Stem(w))
	}
	docs, safe, err = f.Among(ctx, rarest, *left)
	if err != nil || !safe {
		return nil, false, err
	}
	*left -= len(docs)
	return slices.DeleteFunc(docs, func(doc uint32) bool { return !e.has(x.Corpus.Described(doc).Offer) }), true, nil
}

// has reports whether an offer has the words.
func (e *excluder) has(o *catalog.Offer) bool {
	if slices.ContainsFunc(append([]string{o.Name, o.Delivery}, o.Keywords...), e.holds) || slices.ContainsFunc(o.Attributes, e.attribute) {
		return true
	}
	if len(o.Variants) > 0 && !slices.ContainsFunc(o.Variants, func(v catalog.Variant) bool { return !slices.ContainsFunc(v.Attributes, e.attribute) }) {
		return true
	}
	return e.says(o.Summary) || e.says(o.Description.Source)
}

// attribute reports whether an attribute has the words, and does not say no.
func (e *excluder) attribute(a catalog.Attribute) bool {
	switch {
	case a.Kind == catalog.BooleanValue:
		return a.Value == "true" && e.holds(a.Name)
	case a.Kind == catalog.NumberValue:
		return a.Value != "0" && e.holds(a.Name)
	case absent[strings.ToLower(a.Value)] || strings.Contains(a.Value, "://"):
		return false
	}
	return e.holds(a.Name + " " + a.Value)
}

// absent are values that say no.
var absent = map[string]bool{"no": true, "none": true, "false": true, "without": true, "nein": true, "keine": true, "keiner": true, "kein": true, "ohne": true, "-": true, "n/a": true, "non": true, "sans": true, "sin": true, "geen": true, "nee": true, "aucun": true, "nessuno": true, "ninguno": true, "zonder": true, "senza": true}

// holds reports whether a name has each of the words, in any order.
func (e *excluder) holds(name string) bool {
	bits := 0
	folded := fold.Text(name)
	list := text.Tokens(nil, name)
	for at := range list {
		for i, stem := range e.stems {
			if e.is(list, at, stem) && !e.table.Absent(folded, list[at].From, list[at].To) {
				bits |= 1 << i
			}
		}
	}
	return bits == 1<<len(e.stems)-1
}

// says reports whether a text has the words side by side.
func (e *excluder) says(prose string) bool {
	folded := fold.Text(prose)
	list := text.Tokens(nil, prose)
	for at := range len(list) - len(e.stems) + 1 {
		run := true
		for i, stem := range e.stems {
			run = run && e.is(list, at+i, stem)
		}
		if run && !e.table.Absent(folded, list[at].From, list[at+len(e.stems)-1].To) {
			return true
		}
	}
	return false
}

// is reports whether a token, or two that some write as one, has a stem.
func (e *excluder) is(list []text.Token, at int, stem string) bool {
	t := &list[at]
	if e.language.Stem(t.Text) == stem || t.Digraphs != "" && e.language.Stem(t.Digraphs) == stem {
		return true
	}
	return at > 0 && e.language.Stem(list[at-1].Text+t.Text) == stem
}
