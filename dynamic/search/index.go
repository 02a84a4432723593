package search

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/terms"
	"souk/build/index/text"
)

// ErrClosed means that an index was used after it was closed.
var ErrClosed = errors.New("the search index is closed")

// An Index answers for one release. It is read-only and safe for concurrent
// use.
type Index struct {
	release string
	// revision tells apart the corpora of one release: not all that is searched is
	// in a document.
	revision index.Digest
	corpus   *Corpus
	engine   engine
	language *text.Language

	facets      *facets
	tallies     *countPool
	nameLengths []uint8 // the number of words of each name
	exact       *exactMatches
	meanings    *meanings
	stems       *stems
	counts      memory[int]
	formsOf     memory[[]string]
	compoundsOf memory[[]string]
	options     *options
	articles    *articles
	interpreter *interpreter
	scratch     *scratchPool
	cache       *postingsCache
	removals    *catalog.Register
	visibility  atomic.Pointer[visibility]
}

// Close closes the index. Queries in progress finish first; the last one gives up the
// parts that no other index uses.
func (x *Index) Close() error { return x.corpus.release() }

// word returns the listings of a word exactly as spelled.
func (x *Index) word(ctx context.Context, word string) (*postings, error) {
	return x.cached("w"+word, func() (*postings, error) { return x.read(ctx, terms.Words, word) })
}

// exactly returns the listings of an exact term.
func (x *Index) exactly(ctx context.Context, term string) (*postings, error) {
	return x.cached("e"+term, func() (*postings, error) { return x.read(ctx, terms.Exact, term) })
}

// read decodes the postings of a term from every part.
func (x *Index) read(ctx context.Context, field terms.Field, term string) (*postings, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var lists []weighted
	for i := range x.corpus.segments {
		s := &x.corpus.segments[i]
		n, err := s.Terms().Count(field, term, nil)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		one := &postings{docs: make([]uint32, 0, n), impacts: make([]uint16, 0, n)}
		err = s.Terms().Each(field, term, func(p terms.Posting) {
			if listing := s.listings[p.Document]; listing >= 0 {
				one.add(uint32(listing), impactOf(p))
			}
		})
		if err != nil {
			return nil, err
		}
		if len(one.docs) > 0 {
			lists = append(lists, weighted{one, 1})
		}
	}
	// Those of one part are of this alone, and new.
	said := &Terms{Field: fieldOf(field), Text: term}
	return x.scratch.union(lists).saidBy(said), nil
}

// fieldOf returns the Field of a field of the parts.
func fieldOf(f terms.Field) Field {
	if f == terms.Exact {
		return Exact
	}
	return Words
}

// inflected returns the listings of every form of a word: other words with the
// same stem count as the inflection says, and compounds that end with it less.
func (x *Index) inflected(ctx context.Context, word string, forms inflection) (*postings, error) {
	all := x.forms(word)
	compounds, err := x.compounds(ctx, word)
	if err != nil {
		return nil, err
	}
	if len(all)+len(compounds) == 1 {
		return x.word(ctx, word)
	}
	return x.cached(forms.key+word, func() (*postings, error) {
		var lists []weighted
		for i, form := range slices.Concat(all, compounds) {
			// They are kept together, and not each form beside them.
			p := x.cache.get("w" + form)
			if p == nil {
				var err error
				if p, err = x.read(ctx, terms.Words, form); err != nil {
					return nil, err
				}
			}
			if len(p.docs) > 0 {
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
		return x.scratch.union(lists), nil
	})
}

// An inflection says how much a word with the same stem counts. The key begins the
// names of its postings in the cache.
type inflection struct {
	key    string
	factor float64
}

// Where few words are typed other forms count less than the one that was typed, so
// that the stem finds and the spelling ranks; in a question as much, since its
// grammar chose the form.
var (
	typedForms = inflection{"c", 0.5}
	askedForms = inflection{"q", 1}
)

// forms returns the held words with the stem of a word, the word itself among
// them and first, the others sorted. They are looked for among the words that begin
// as the stem does; its last letter may be another, as in policy and policies.
func (x *Index) forms(word string) []string {
	forms, _ := x.formsOf.of(word, func(word string) ([]string, error) { return x.findForms(word), nil })
	return forms
}

func (x *Index) findForms(word string) []string {
	stem := x.language.Stem(word)
	// For a word that is not indexed, a stemmer may remove only the s of a
	// plural in es.
	bare := stem
	if short, plural := strings.CutSuffix(word, "es"); plural {
		bare = short
	}
	forms := []string{word}
	prefix := []rune(stem)
	if len(prefix) < 3 {
		// Too much begins like it to be looked at: of so short a word there is only a plural.
		for _, form := range [...]string{stem, stem + "s"} {
			if form != word && x.language.Stem(form) == stem && x.spelled(form) {
				forms = append(forms, form)
			}
		}
		return forms
	}
	if len(prefix) > 3 {
		prefix = prefix[:len(prefix)-1]
	}
	begin := string(prefix)
	seen := map[string]bool{word: true}
	for i := range x.corpus.segments {
		words := x.corpus.segments[i].Words()
		from, to := words.Span(begin)
		for w := range words.Words(from, to) {
			// Endings are short: longer words are compounds and not worth
			// stemming.
			if len(w) <= len(stem)+maxEnding && !seen[w] && (w == bare || x.language.Stem(w) == stem) {
				w = strings.Clone(w)
				seen[w] = true
				forms = append(forms, w)
			}
		}
	}
	// Impacts are rounded at each step of a union, so that its order counts: it
	// must not be that of the segments.
	slices.Sort(forms[1:])
	return forms
}

const maxEnding = 7

// Release returns the id of the release that the index was made from.
func (x *Index) Release() string { return x.release }
