package match

import "souk/build/index/text"

// stems remembers those of words, since a stemmer takes longer than all else that
// is done with a word.
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
