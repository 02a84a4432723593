package text

import (
	"iter"
	"strings"
	"unicode/utf8"

	"souk/build/kit/fold"
)

// A Language knows which words are forms of one another, and which are stop
// words.
type Language struct {
	stem  func(word string) string
	stop  map[string]bool
	asker asker
	// compounds: words are written together to make another, as in Akkuschrauber.
	compounds bool
	// articles are written together with the word behind them, and no part of its stem.
	articles []string
	// denials say that what is named behind them is absent, by their first words.
	denials map[string][]denial
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

// AskIn makes the words known that people ask and deny with in a language, a BCP 47 tag, and
// whether it writes compounds as one word; an empty one is English.
func (l *Language) AskIn(tag string) *Language {
	l.asker = newAsker(tag)
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	l.compounds, l.articles, l.denials = compounding[base], joinedArticles[base], newDenials(base)
	return l
}

// compounding are languages that write compounds as one word and are spaced.
var compounding = map[string]bool{"da": true, "de": true, "fi": true, "nb": true, "nl": true, "nn": true, "no": true, "sv": true}

// joinedArticles are the articles, with the conjunctions and prepositions before them, that a
// language writes together with a word.
var joinedArticles = map[string][]string{"ar": {"ال", "وال", "بال", "كال", "فال", "لل", "و"}}

// Begins returns how forms of a word may begin whose stem begins like a text.
func (l *Language) Begins(stem string) []string {
	list := []string{stem}
	for _, article := range l.articles {
		list = append(list, article+stem)
	}
	return list
}

// The least letters of the last part of a compound, and of what is before it. Shorter
// ones are of words that only end so, as bett is of Tablett.
const (
	minLastPart  = 5
	minFirstPart = 3
	// minEnding is the least of a word that a compound is taken apart for, which nobody has.
	minEnding = 4
)

// writesCompoundsOf reports whether a word may be the last part of a compound.
func (l *Language) writesCompoundsOf(word string) bool {
	return l.compounds && utf8.RuneCountInString(word) >= minLastPart && !HasDigit(word)
}

// LastParts calls yield for the words of a Vocabulary that may be compounds whose last part
// begins as a folded word does: Akkuschrauber of schrau.
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

// Endings calls yield for what may be the last part of a folded word if it is a compound,
// the longest first.
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

// Compounds returns those words of a Vocabulary that are compounds of which a folded word,
// in any form, is the last part: Akkuschrauber of Schrauber.
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
	if abbreviated(word) {
		return word[:len(word)-1]
	}
	return l.stem(word)
}

// maxAbbreviated is the greatest length of an abbreviation with the s of its plural.
const maxAbbreviated = 5

// abbreviated reports whether a word is the plural of an abbreviation, as in VMs or GPUs: stemmers
// take an s off only behind a vowel that is not just before it. It has no other vowel than a u at its end.
func abbreviated(word string) bool {
	short, plural := strings.CutSuffix(word, "s")
	if len(short) > 2 {
		short = strings.TrimSuffix(short, "u") // not of a bus
	}
	return plural && len(word) <= maxAbbreviated && !strings.HasSuffix(short, "s") && !singular[word] &&
		!strings.ContainsFunc(short, func(r rune) bool { return r < 'a' || r > 'z' || strings.ContainsRune("aeiouy", r) })
}

// singular are abbreviations that only look like the plurals of others, which exist.
var singular = map[string]bool{"cms": true, "dns": true, "gps": true, "https": true, "nfs": true, "sms": true, "tls": true}
