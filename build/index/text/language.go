package text

import (
	"iter"
	"strings"
	"unicode/utf8"

	"souk/build/kit/fold"
)

// A Language knows which words are forms of one another, and which are stop words.
type Language struct {
	stem  func(word string) string
	stop  map[string]bool
	asker asker
	// compounds means that words can be joined to compounds, as in Akkuschrauber.
	compounds bool
	// articles are joined with the following word and not part of its stem.
	articles []string
	// denials are phrases, by first word, that say that the thing named after them is absent.
	denials map[string][]denial
}

// NewLanguage returns a Language with a stemmer, which may be nil, and stop words.
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

// AskIn sets the asking and denying phrases of a language, a BCP 47 tag or empty for English,
// and whether it has compounds.
func (l *Language) AskIn(tag string) *Language {
	l.asker = newAsker(tag)
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	l.compounds, l.articles, l.denials = compounding[base], joinedArticles[base], newDenials(base)
	return l
}

// compounding are the spaced languages that write compounds as one word.
var compounding = map[string]bool{"da": true, "de": true, "fi": true, "nb": true, "nl": true, "nn": true, "no": true, "sv": true}

// joinedArticles are the articles, and the conjunctions and prepositions before them, that a
// language joins with the following word.
var joinedArticles = map[string][]string{"ar": {"ال", "وال", "بال", "كال", "فال", "لل", "و"}}

// Begins returns the possible beginnings of the forms of a word whose stem begins with a text.
func (l *Language) Begins(stem string) []string {
	list := []string{stem}
	for _, article := range l.articles {
		list = append(list, article+stem)
	}
	return list
}

// The minimum length of the last part of a compound, and of the part before it. Shorter
// endings are often coincidental, like bett in Tablett.
const (
	minLastPart  = 5
	minFirstPart = 3
	// minEnding is the minimum length of the last part if the whole compound is unknown.
	minEnding = 4
)

// writesCompoundsOf reports whether a word can be the last part of a compound.
func (l *Language) writesCompoundsOf(word string) bool {
	return l.compounds && utf8.RuneCountInString(word) >= minLastPart && !HasDigit(word)
}

// LastParts calls yield with the words of a Vocabulary that may be compounds whose last part
// begins with a folded word: Akkuschrauber for schrau.
func (l *Language) LastParts(word string, v Vocabulary, yield func(held string)) {
	if !l.writesCompoundsOf(word) {
		return
	}
	for held, at := range v.holding(word) {
		if utf8.RuneCountInString(held[:at]) >= minFirstPart {
			yield(held)
		}
	}
}

// Endings calls yield with the possible last parts of a folded word if it is a compound, the
// longest first.
func (l *Language) Endings(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		letters := []rune(word)
		for at := minFirstPart; l.compounds && !HasDigit(word) && at <= len(letters)-minEnding; at++ {
			if !yield(string(letters[at:])) {
				return
			}
		}
	}
}

// Compounds returns the words of a Vocabulary that are compounds whose last part is a form of
// a folded word: Akkuschrauber for Schrauber.
func (l *Language) Compounds(word string, v Vocabulary) []string {
	if !l.writesCompoundsOf(word) {
		return nil
	}
	var list []string
	stem := l.Stem(word)
	for held, at := range v.holding(stem) {
		if utf8.RuneCountInString(held[:at]) >= minFirstPart && utf8.RuneCountInString(held[at:]) >= minLastPart && l.Stem(held[at:]) == stem {
			list = append(list, strings.Clone(held))
		}
	}
	return list
}

// IsStop reports whether a folded word is a stop word, such as "the".
func (l *Language) IsStop(word string) bool { return l.stop[word] }

// Stem returns the common part of the forms of a folded word. Words with digits only lose a
// plural s, as in container2wasms; k8s is not a plural.
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
	if abbreviated(word) {
		return word[:len(word)-1]
	}
	return l.stem(word)
}

// maxAbbreviated is the maximum length of an abbreviation including its plural s.
const maxAbbreviated = 5

// abbreviated reports whether a word is the plural of an abbreviation, as in VMs or GPUs.
// Stemmers remove an s only if there is a vowel earlier in the word. An abbreviation has no
// vowel except a u at its end.
func abbreviated(word string) bool {
	short, plural := strings.CutSuffix(word, "s")
	if len(short) > 2 {
		short = strings.TrimSuffix(short, "u") // as in GPUs
	}
	return plural && len(word) <= maxAbbreviated && !strings.HasSuffix(short, "s") && !singular[word] &&
		!strings.ContainsFunc(short, func(r rune) bool { return r < 'a' || r > 'z' || strings.ContainsRune("aeiouy", r) })
}

// singular are abbreviations that look like plurals of other existing abbreviations.
var singular = map[string]bool{"cms": true, "dns": true, "gps": true, "https": true, "nfs": true, "sms": true, "tls": true}
