package search

import (
	"sync"

	"souk/dynamic/search/text"
)

// maxStems limits how many stems are remembered.
const maxStems = 1 << 14

// stems remembers those of words, since a stemmer takes longer than all else that
// is done with a word.
type stems struct {
	language *text.Language
	mu       sync.RWMutex
	known    map[string]string
}

func newStems(l *text.Language) *stems { return &stems{language: l, known: map[string]string{}} }

// of returns the stem of a word.
func (s *stems) of(word string) string {
	s.mu.RLock()
	stem, known := s.known[word]
	s.mu.RUnlock()
	if known {
		return stem
	}
	stem = s.language.Stem(word)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxStems {
		clear(s.known)
	}
	s.known[word] = stem
	return stem
}
