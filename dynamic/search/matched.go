package search

import (
	"souk/build/catalog"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

// queryForms are the words of a query in the forms that are compared with variants.
type queryForms struct {
	language *text.Language
	compact  string
	words    map[string]bool
}

func newQueryForms(r *match.ParsedQuery, l *text.Language) *queryForms {
	f := &queryForms{language: l, compact: text.Compact(r.Text), words: map[string]bool{}}
	for _, w := range r.Words {
		if w.Stop {
			continue
		}
		f.words[l.Stem(w.Text)] = true
		for _, other := range w.Others {
			f.words[other] = true
		}
	}
	return f
}

// in returns the words of the query that a name contains, and how many of the name's words are
// not in the query.
func (f *queryForms) in(name string) (typed map[string]bool, rest int) {
	typed = map[string]bool{}
	for _, t := range text.Tokens(nil, name) {
		stem := f.language.Stem(t.Text)
		switch {
		case f.words[stem]:
			typed[stem] = true
		case t.Digraphs != "" && f.words[f.language.Stem(t.Digraphs)]:
			typed[stem] = true
		default:
			rest++
		}
	}
	if c := text.Compact(name); f.words[c] {
		typed[c] = true
		rest = 0
	}
	return typed, rest
}

// has returns the length of the longest article number that the query is or contains.
func (f *queryForms) has(codes ...string) (longest int) {
	for _, code := range codes {
		if c := text.Compact(code); c != "" && (c == f.compact || f.words[c]) {
			longest = max(longest, len(c))
		}
	}
	return longest
}

// matched returns the variant or SKU that led to a listing, or nil: the variant with the
// longest SKU or GTIN in the query, else the variant whose name was typed, else the product if
// its own SKU was typed.
func (f *queryForms) matched(l *corpus.Listing) *Matched {
	o := l.Offer
	if f.compact == "" || o.SKU == "" && len(o.Variants) == 0 {
		return nil
	}
	longest, bySKU := f.has(o.SKU), -1
	own := longest > 0
	for i, v := range o.Variants {
		if length := f.has(v.SKU, v.GTIN); length > longest {
			bySKU, longest = i, length
		}
	}
	if bySKU >= 0 {
		return variant(o, bySKU)
	}
	if at := f.named(o); at >= 0 && (!own || f.compact != text.Compact(o.SKU)) {
		return variant(o, at)
	}
	if own {
		return &Matched{SKU: o.SKU}
	}
	return nil
}

func variant(o *catalog.Offer, at int) *Matched {
	return &Matched{Variant: o.Variants[at].Name, SKU: o.Variants[at].SKU}
}

// named returns the variant whose name has the most words of the query that are not in the
// offer's own name, and the fewest others, or -1 if none has any.
func (f *queryForms) named(o *catalog.Offer) int {
	if text.Compact(o.Name) == f.compact {
		return -1
	}
	own, _ := f.in(o.Name)
	best, most, fewest := -1, 0, 0
	for i, v := range o.Variants {
		typed, rest := f.in(v.Name)
		n := len(typed)
		for w := range typed {
			if own[w] {
				n--
			}
		}
		if n > most || n == most && n > 0 && rest < fewest {
			best, most, fewest = i, n, rest
		}
	}
	return best
}
