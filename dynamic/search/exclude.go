package search

import (
	"context"
	"slices"
	"souk/build/catalog"
	"souk/build/index/text"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/grammar"
	"souk/dynamic/search/match"
	"strings"
)

// An excluder knows which names have the words of what is excluded. It remembers what
// it read, since most listings share their categories and attributes.
type excluder struct {
	language *text.Language
	stems    []string
	known    map[string]uint8
}

// in returns which of the words a name has, as bits.
func (e *excluder) in(name string) (bits uint8) {
	bits, read := e.known[name]
	if read {
		return bits
	}
	list := text.Tokens(nil, name)
	for at, t := range list {
		// What is one word to one may be two to another: Wi-Fi, wifi.
		both := text.Join(list[max(0, at-1) : at+1])
		for i, stem := range e.stems {
			if e.language.Stem(t.Text) == stem || t.Digraphs != "" && e.language.Stem(t.Digraphs) == stem || e.language.Stem(both) == stem {
				bits |= 1 << i
			}
		}
	}
	e.known[name] = bits
	return bits
}

// hold reports whether names have all words together.
func (e *excluder) hold(names ...string) bool {
	bits := uint8(0)
	for _, name := range names {
		bits |= e.in(name)
	}
	return bits == 1<<len(e.stems)-1
}

// maxLooked is how many listings are looked at for what is excluded. A word that more
// of those found have says too little to leave them out.
const maxLooked = 10_000

// holding adds those of the listings found that have all the words as what they are: in
// the name, the keywords, a category, an attribute or how it is delivered, or that are of a seller of
// such a name if sellers are meant. Prose does not count, which often
// says what something does without. It reports whether so many could be looked at.
func (x *Index) holding(ctx context.Context, f engine.Found, one exclusion, out map[uint32]bool) (bool, error) {
	words := one.words
	if len(words) == 2 {
		if safe, err := x.holding(ctx, f, exclusion{[]string{words[0] + words[1]}, one.seller}, out); err != nil || !safe {
			return false, err
		}
	}
	e := &excluder{language: x.Language, known: map[string]uint8{}}
	var rarest *match.Postings
	for _, w := range words {
		p, err := x.Inflected(ctx, w, match.AskedForms)
		if err != nil {
			return false, err
		}
		if rarest == nil || len(p.Docs) < len(rarest.Docs) {
			rarest = p
		}
		e.stems = append(e.stems, x.Language.Stem(w))
	}
	categories := make([]bool, len(x.Corpus.Categories))
	for i := range categories {
		c := x.Corpus.Categories[i].Item
		categories[i] = e.hold(append([]string{c.Name}, c.Synonyms...)...)
	}
	docs, safe, err := f.Among(ctx, rarest, maxLooked)
	if err != nil || !safe {
		return false, err
	}
	at := 0
	for _, doc := range docs {
		at = rarest.Find(doc, at)
		l := x.Corpus.Listing(doc)
		named := rarest.Impacts[at]&match.NamedBit != 0
		if named && e.hold(l.Offer.Name) || one.seller != anyMaker && e.hold(x.Corpus.Sellers[l.Seller].Name) || len(l.Offer.Keywords) > 0 && e.hold(l.Offer.Keywords...) || e.hold(l.Offer.Delivery) || e.attributes(l.Offer) ||
			slices.ContainsFunc(l.Categories, func(at int32) bool {
				return slices.ContainsFunc(x.Corpus.Categories[at].Lineage, func(up int32) bool { return categories[up] })
			}) {
			out[doc] = true
		}
	}
	return true, nil
}

// attributes reports whether an offer has an attribute of the words. One that says no
// has none.
func (e *excluder) attributes(o *catalog.Offer) bool {
	says := func(a catalog.Attribute) bool {
		switch {
		case a.Kind == catalog.BooleanValue:
			return a.Value == "true" && e.hold(a.Name)
		case a.Kind == catalog.NumberValue:
			return a.Value != "0" && e.hold(a.Name)
		case denials[strings.ToLower(a.Value)]:
			return false
		}
		return e.hold(a.Name) || !strings.Contains(a.Value, "://") && e.hold(a.Name, a.Value)
	}
	if slices.ContainsFunc(o.Attributes, says) {
		return true
	}
	// Where all variants have it, the product has.
	return len(o.Variants) > 0 && !slices.ContainsFunc(o.Variants, func(v catalog.Variant) bool { return !slices.ContainsFunc(v.Attributes, says) })
}

// denials are values that say no.
var denials = grammar.Set("no none false without nein keine keiner kein ohne - n/a")
