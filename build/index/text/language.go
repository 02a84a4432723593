package text

import "souk/build/fold"

// A Language knows which words are forms of one another, and which are stop
// words.
type Language struct {
	stem  func(word string) string
	stop  map[string]bool
	asker asker
}

// NewLanguage makes a Language from a stemmer, nil for none, and stop words.
func NewLanguage(stem func(word string) string, stopWords []string) *Language {
	l := &Language{stem: stem, stop: make(map[string]bool, len(stopWords))}
	for _, word := range stopWords {
		l.stop[fold.Text(word)] = true
		if digraphs := Digraphs(word); digraphs != "" {
			l.stop[fold.Text(digraphs)] = true
		}
	}
	return l
}

// AskIn makes the words known that people ask with in a language, a BCP 47 tag; an
// empty one is English.
func (l *Language) AskIn(tag string) *Language {
	l.asker = newAsker(tag)
	return l
}

// IsStop reports whether a folded word is a stop word, such as "the".
func (l *Language) IsStop(word string) bool { return l.stop[word] }

// Stem returns what the forms of a folded word have in common. Words with
// digits have only a plural, such as container2wasms; k8s is not one.
func (l *Language) Stem(word string) string {
	if l.stem == nil || len(word) < 3 {
		return word
	}
	if HasDigit(word) {
		if n := len(word); word[n-1] == 's' && word[n-2] >= 'a' && word[n-2] <= 'z' {
			return word[:n-1]
		}
		return word
	}
	return l.stem(word)
}
