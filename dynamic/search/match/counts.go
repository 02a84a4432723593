package match

import (
	"context"
	"sync"

	"souk/build/index/terms"
	"souk/dynamic/search/corpus"
)

// maxRemembered limits how many words a memory holds, which then begins anew.
const maxRemembered = 1 << 14

// A memory keeps what was found out about words.
type memory[T any] struct {
	mu    sync.RWMutex
	known map[string]T
}

// of returns what is known of a word, or else what find finds.
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

// Count returns how many listings that may be shown have any form of a word, one with
// several forms once for each: a fast estimate, which does not depend on how the index
// came about.
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
