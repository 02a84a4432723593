package search

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
)

// ErrClosed says that an index was asked after it was closed.
var ErrClosed = errors.New("the search index is closed")

// An Index answers for one release. It is read-only and for concurrent use.
type Index struct {
	release string
	corpus  *Corpus
	lang    *grammar

	parts []*part
	// places gives, for each part, the listing of a document number, or -1 for
	// one that changed or went since.
	places [][]int32
	// digests and prints tell whether a listing changed, for the next index.
	digests []imprint
	prints  []imprint

	columns  *columns
	names    []uint8 // the number of words of each name
	wholes   wholes
	suggest  *suggester
	scratch  *scratchPool
	cache    *postingsCache
	withheld *Withheld
	screen   atomic.Pointer[screen]

	// refs counts the readers, and one for the index being open.
	refs atomic.Int64
}

// Parts gives how many bluge indexes stand behind this one.
func (x *Index) Parts() int { return len(x.parts) }

func (x *Index) acquire() bool {
	for {
		n := x.refs.Load()
		if n <= 0 {
			return false
		}
		if x.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (x *Index) done() error {
	if x.refs.Add(-1) > 0 {
		return nil
	}
	var all []error
	for _, p := range x.parts {
		all = append(all, p.release())
	}
	return errors.Join(all...)
}

// Close gives the index up. Readers that have begun finish first; the last one
// closes the files, and deletes those that no other index uses.
func (x *Index) Close() error { return x.done() }

// word gives the listings of a word as it is spelled.
func (x *Index) word(ctx context.Context, word string) (*postings, error) {
	return x.cached("w"+word, func() (*postings, error) { return x.read(ctx, wordField, word) })
}

// read decodes the postings of a term from every part.
func (x *Index) read(ctx context.Context, name, text string) (*postings, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &postings{}
	var lists []weighted
	for i, p := range x.parts {
		places := x.places[i]
		one := &postings{}
		err := p.each(name, text, func(number uint64, frequency, length int) {
			if at := places[number]; at >= 0 {
				one.add(uint32(at), impactOf(frequency, length))
			}
		})
		if err != nil {
			return nil, err
		}
		if len(one.docs) > 0 {
			lists = append(lists, weighted{one, 1})
		}
	}
	if len(lists) > 0 {
		out = x.scratch.union(lists)
	}
	return out, nil
}

// class gives the listings of every form of a word: those with the same stem
// count less than the word as it is spelled.
func (x *Index) class(ctx context.Context, word string) (*postings, error) {
	return x.cached("c"+word, func() (*postings, error) {
		var lists []weighted
		for _, form := range x.forms(word) {
			p, err := x.word(ctx, form)
			if err != nil {
				return nil, err
			}
			if len(p.docs) > 0 {
				factor := formFactor
				if form == word {
					factor = 1
				}
				lists = append(lists, weighted{p, factor})
			}
		}
		return x.joinLists(lists), nil
	})
}

// formFactor is what a word with the same stem counts for: less than the one
// that was typed, so that the stem finds and the spelling ranks.
const formFactor = 0.5

func (x *Index) joinLists(lists []weighted) *postings {
	if len(lists) == 0 {
		return &postings{}
	}
	return x.scratch.union(lists)
}

// forms gives the held words with the stem of a word, the word itself among
// them. They are looked for among the words that begin as the stem does; its
// last letter may be another, as in policy and policies.
func (x *Index) forms(word string) []string {
	stem := x.lang.stem(word)
	// A stemmer may take only the s of a plural in es where no word is known.
	bare := stem
	if short, plural := strings.CutSuffix(word, "es"); plural {
		bare = short
	}
	forms := []string{word}
	prefix := []rune(stem)
	if len(prefix) < 3 {
		return forms
	}
	if len(prefix) > 3 {
		prefix = prefix[:len(prefix)-1]
	}
	begin := string(prefix)
	seen := map[string]bool{word: true}
	for _, p := range x.parts {
		from, to := p.words.span(begin)
		for _, w := range p.words[from:to] {
			// Endings are short: longer words are compounds and not worth a stem.
			if len(w) <= len(stem)+maxEnding && !seen[w] && (w == bare || x.lang.stem(w) == stem) {
				seen[w] = true
				forms = append(forms, w)
			}
		}
	}
	return forms
}

const maxEnding = 7

// Release gives the id of the release that the index was made of.
func (x *Index) Release() string { return x.release }
