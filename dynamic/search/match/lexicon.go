package match

import (
	"context"
	"slices"
	"strings"

	"souk/build/index"
	"souk/build/index/terms"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// A Lexicon maps the words of a release to listings: their forms, compounds, misspellings and
// beginnings.
type Lexicon struct {
	Corpus      *corpus.Corpus
	Language    *text.Language
	Stems       *stems
	counts      memory[int]
	formsOf     memory[[]string]
	compoundsOf memory[[]string]
	Scratch     *scratchPool
	cache       *postingsCache
}

// NewLexicon returns the lexicon of a corpus, which caches decoded postings up to a number of
// bytes.
func NewLexicon(c *corpus.Corpus, cacheBytes int) *Lexicon {
	language := index.Language(c.Language)
	return &Lexicon{Corpus: c, Language: language, Stems: newStems(language), Scratch: newScratchPool(len(c.Places)), cache: newPostingsCache(cacheBytes)}
}

// Word returns the listings of a word exactly as spelled.
func (x *Lexicon) Word(ctx context.Context, word string) (*Postings, error) {
	return x.cached("w"+word, func() (*Postings, error) { return x.read(ctx, Words, word) })
}

// exactly returns the listings of an exact term.
func (x *Lexicon) exactly(ctx context.Context, term string) (*Postings, error) {
	return x.cached("e"+term, func() (*Postings, error) { return x.read(ctx, Exact, term) })
}

// read decodes the postings of a term from every part.
func (x *Lexicon) read(ctx context.Context, field Field, term string) (*Postings, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of := terms.Words
	if field == Exact {
		of = terms.Exact
	}
	var lists []weighted
	for i := range x.Corpus.Segments {
		s := &x.Corpus.Segments[i]
		n, err := s.Terms().Count(of, term, nil)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		one := &Postings{Docs: make([]uint32, 0, n), Impacts: make([]uint16, 0, n)}
		err = s.Terms().Each(of, term, func(p terms.Posting) {
			if listing := s.Listings[p.Document]; listing >= 0 && (field != Own || p.Own) {
				one.add(uint32(listing), impactOf(p))
			}
		})
		if err != nil {
			return nil, err
		}
		if len(one.Docs) > 0 {
			lists = append(lists, weighted{one, 1})
		}
	}
	// The postings of a single part are new and belong to this caller only.
	return x.Scratch.union(lists).saidBy(&Terms{Field: field, Text: term}), nil
}

// Own returns the listings with all of some words as own words, each in any form, or two of
// them joined: Wi-Fi, wifi.
func (x *Lexicon) Own(ctx context.Context, words []string) (*Postings, error) {
	all, err := x.own(ctx, words[0])
	for _, word := range words[1:] {
		var p *Postings
		if p, err = x.own(ctx, word); err != nil {
			break
		}
		all = both(all, p)
	}
	if err != nil || len(words) != 2 {
		return all, err
	}
	joined, err := x.own(ctx, words[0]+words[1])
	return x.Scratch.union([]weighted{{all, 1}, {joined, 1}}), err
}

func (x *Lexicon) own(ctx context.Context, word string) (*Postings, error) {
	return x.cached("o"+word, func() (*Postings, error) {
		var lists []weighted
		for _, form := range x.forms(word) {
			p, err := x.read(ctx, Own, form)
			if err != nil {
				return nil, err
			}
			lists = append(lists, weighted{p, 1})
		}
		return x.Scratch.union(lists), nil
	})
}

// Inflected returns the listings of every form of a word. Other words with the same stem count
// as the inflection says; compounds that end with the word count less.
func (x *Lexicon) Inflected(ctx context.Context, word string, forms inflection) (*Postings, error) {
	all := x.forms(word)
	compounds, err := x.Compounds(ctx, word)
	if err != nil {
		return nil, err
	}
	if len(all)+len(compounds) == 1 {
		return x.Word(ctx, word)
	}
	return x.cached(forms.key+word, func() (*Postings, error) {
		var lists []weighted
		for i, form := range slices.Concat(all, compounds) {
			// The union is cached, not each form.
			p := x.cache.get("w" + form)
			if p == nil {
				var err error
				if p, err = x.read(ctx, Words, form); err != nil {
					return nil, err
				}
			}
			if len(p.Docs) > 0 {
				factor := forms.factor
				switch {
				case i == 0:
					factor = 1
				case i >= len(all):
					factor = compoundFactor
				}
				lists = append(lists, weighted{p, factor})
			}
		}
		return x.Scratch.union(lists), nil
	})
}

// An inflection is the weight of other words with the same stem. The key is the prefix of its
// postings in the cache.
type inflection struct {
	key    string
	factor float64
}

// With few words, other forms weigh less than the typed one, so that the stem finds and the
// spelling ranks. In a question they weigh the same, since grammar determines the form.
var (
	TypedForms = inflection{"c", 0.5}
	askedForms = inflection{"q", 1}
)

// forms returns the indexed words with the stem of a word: the word itself first, the others
// sorted. It searches the words that begin like the stem, whose last letter may differ, as in
// policy and policies.
func (x *Lexicon) forms(word string) []string {
	forms, _ := x.formsOf.of(word, func(word string) ([]string, error) { return x.findForms(word), nil })
	return forms
}

func (x *Lexicon) findForms(word string) []string {
	stem := x.Language.Stem(word)
	// For a word that is not indexed, a stemmer may remove only the s of a plural in es.
	bare := stem
	if short, plural := strings.CutSuffix(word, "es"); plural {
		bare = short
	}
	forms := []string{word}
	prefix := []rune(stem)
	if len(prefix) < 3 {
		// Too many words begin with so short a stem, so only a plural is looked up.
		for _, form := range [...]string{stem, stem + "s"} {
			if form != word && x.Language.Stem(form) == stem && x.Spelled(form) {
				forms = append(forms, form)
			}
		}
		return forms
	}
	if len(prefix) > 3 {
		prefix = prefix[:len(prefix)-1]
	}
	seen := map[string]bool{word: true}
	for _, begin := range x.Language.Begins(string(prefix)) {
		// Endings are short: longer words are compounds and not worth stemming.
		longest := len(begin) - len(string(prefix)) + len(stem) + maxEnding
		for i := range x.Corpus.Segments {
			words := x.Corpus.Segments[i].Words()
			from, to := words.Span(begin)
			for w := range words.Words(from, to) {
				if len(w) <= longest && !seen[w] && (w == bare || x.Language.Stem(w) == stem) {
					w = strings.Clone(w)
					seen[w] = true
					forms = append(forms, w)
				}
			}
		}
	}
	// Each step of a union rounds impacts, so the order matters and must not depend on the
	// segments.
	slices.Sort(forms[1:])
	if trade, does := strings.CutSuffix(stem, "er"); does && x.Corpus.OfCompanies && len(forms) == 1 && len(trade) > 3 && !x.Spelled(word) {
		// A search for welders looks for companies whose trade is welding.
		return append(forms, x.findForms(trade)[1:]...)
	}
	return forms
}

const maxEnding = 7
