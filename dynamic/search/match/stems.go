package match

import "souk/build/index/text"

// stems caches stems, because stemming takes longer than everything else.
type stems struct {
	language *text.Language
	memory[string]
}

func newStems(l *text.Language) *stems { return &stems{language: l} }

// Of returns the stem of a word.
func (s *stems) Of(word string) string {
	stem, _ := s.memory.of(word, func(word string) (string, error) { return s.language.Stem(word), nil })
	return stem
}
