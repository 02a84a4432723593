package match

import (
	"context"
	"sync"

	"souk/build/index/terms"
	"souk/dynamic/search/corpus"
)

// maxRemembered limits the number of words in a memory, which is then emptied.
const maxRemembered = 1 << 14

// A memory caches results about words.
type memory[T any] struct {
	mu    sync.RWMutex
	known map[string]T
}

// of returns the cached result about a word, or the result of find.
func (m *memory[T]) of(word string, find func(word string) (T, error)) (T, error) {
	m.mu.RLock()
	value, known := m.known[word]
	m.mu.RUnlock()
	if known {
		return value, nil
	}
	value, err := find(word)
	if err != nil {
		return value, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= maxRemembered {
		m.known = map[string]T{}
	}
	m.known[word] = value
	return value, nil
}

// Count returns the number of visible listings with any form of a word, counting a listing
// once per form: a fast estimate that does not depend on the division into parts.
func (x *Lexicon) Count(ctx context.Context, word string, v *corpus.Visibility) (int, error) {
	count := func(word string) (n int, err error) {
		for _, form := range x.forms(word) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for i := range x.Corpus.Segments {
				s := &x.Corpus.Segments[i]
				more, err := s.Terms().Count(terms.Words, form, func(document uint32) bool {
					listing := s.Listings[document]
					return listing >= 0 && !v.Hides(x.Corpus.SellerOf[listing])
				})
				if err != nil {
					return 0, err
				}
				n += more
			}
		}
		return n, nil
	}
	if !v.ShowsAll() {
		return count(word)
	}
	return x.counts.of(word, count)
}
