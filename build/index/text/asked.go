package text

import (
	"strings"
	"unicode/utf8"

	"souk/build/kit/fold"
)

// Asked are the words of a query, each with the words that count as it.
type Asked struct {
	language *Language
	// forms and stems map to the number of a word.
	forms, stems map[string]int
	weights      []float32
	// pairs are pairs of unspaced scripts.
	pairs []string
	// begins are the beginnings of the words' forms, by first letter, so that most words of a
	// text can be skipped at once.
	begins [utf8.RuneSelf][]string
}

// NewAsked returns an empty Asked.
func NewAsked(l *Language) *Asked {
	return &Asked{language: l, forms: map[string]int{}, stems: map[string]int{}}
}

// minStem is the minimum length of a stem by which forms are found. For shorter stems only the
// plural is found, because too many other words begin with them.
const minStem = 3

// Add adds a word with its weight: folded words any form of which counts as it, and spellings
// that count only as they are.
func (a *Asked) Add(weight float32, words []string, spellings ...string) {
	n := len(a.weights)
	a.weights = append(a.weights, weight)
	for _, word := range words {
		stem := a.language.Stem(word)
		a.form(n, word, stem)
		if utf8.RuneCountInString(stem) < minStem {
			a.form(n, stem, stem)
			a.form(n, stem+"s", stem)
		} else if _, known := a.stems[stem]; !known {
			a.stems[stem] = n
		}
	}
	for _, one := range spellings {
		a.form(n, one, one)
	}
}

func (a *Asked) form(n int, form, stem string) {
	if _, known := a.forms[form]; known || form == "" {
		return
	}
	a.forms[form] = n
	first, _ := utf8.DecodeRuneInString(form)
	switch {
	case IsUnspaced(first):
		a.pairs = append(a.pairs, form)
	case first < utf8.RuneSelf:
		a.begins[first] = append(a.begins[first], beginningOf(form, stem))
	}
}

// beginningOf returns the common beginning of all forms of a word. The last letter of its stem
// may differ, as in policy and policies, and so may any letter that is not ASCII.
func beginningOf(form, stem string) string {
	n := 0
	for n < min(len(form), len(stem)) && form[n] == stem[n] && form[n] < utf8.RuneSelf && form[n] != '.' {
		n++
	}
	if n > 2 {
		n--
	}
	return form[:n]
}

// mayBegin reports whether an ASCII word may be a form of one of the words.
func (a *Asked) mayBegin(word string) bool {
	c := word[0]
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
next:
	for _, begin := range a.begins[c] {
		if len(word) < len(begin) {
			continue
		}
		for i := 1; i < len(begin); i++ {
			w := word[i]
			if w >= utf8.RuneSelf {
				return true
			}
			if w >= 'A' && w <= 'Z' {
				w |= 0x20
			}
			if w != begin[i] {
				continue next
			}
		}
		return true
	}
	return false
}

// A mention is an occurrence of a query word in a text: its position in bytes and in code
// points, and the number of the word.
type mention struct {
	from, to            int
	fromRune, untilRune int
	word                int
}

// Lacks reports whether a query word occurs in none of the texts.
func (a *Asked) Lacks(texts ...string) bool {
	held := make([]bool, len(a.weights))
	for _, text := range texts {
		found := a.mentions(text)
		for _, m := range found {
			held[m.word] = true
		}
	}
	for _, is := range held {
		if !is {
			return true
		}
	}
	return false
}

// Marks returns the positions of query words in a text, in code points.
func (a *Asked) Marks(text string) [][2]int {
	found := a.mentions(text)
	return rangesOf(found, 0)
}

func rangesOf(found []mention, shift int) [][2]int {
	list := make([][2]int, 0, len(found))
	for _, m := range found {
		from, to := m.fromRune+shift, m.untilRune+shift
		if n := len(list); n > 0 && from <= list[n-1][1] {
			list[n-1][1] = max(to, list[n-1][1])
			continue
		}
		list = append(list, [2]int{from, to})
	}
	return list
}

// mentions finds the query words in a text.
func (a *Asked) mentions(text string) (found []mention) {
	counted, runes := 0, 0
	add := func(from, to, word int) {
		runes += utf8.RuneCountInString(text[counted:from])
		until := runes + utf8.RuneCountInString(text[from:to])
		found = append(found, mention{from, to, runes, until, word})
		counted = from
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c < utf8.RuneSelf && !asciiWords[c]:
			i++
			continue
		case c < utf8.RuneSelf && !a.mayBegin(text[i:]):
			end, skip := wordEnd(text, i)
			i = end + skip
			continue
		}
		r, size := decode(text[i:])
		switch {
		case !IsWordRune(r):
		case IsUnspaced(r):
			for _, pair := range a.pairs {
				if strings.HasPrefix(text[i:], pair) {
					add(i, i+len(pair), a.forms[pair])
					break
				}
			}
		default:
			end, skip := wordEnd(text, i)
			if word := a.word(text[i:end]); word >= 0 {
				add(i, end, word)
			}
			size = end + skip - i
		}
		i += size
	}
	return found
}

var asciiWords = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = IsWordRune(rune(c))
	}
	return set
}()

// word returns the number of the query word that a word of a text counts as, or -1.
func (a *Asked) word(word string) int {
	folded := cleaned(fold.Text(word))
	if n, is := a.forms[folded]; is {
		return n
	}
	if len(a.stems) > 0 {
		if n, is := a.stems[a.language.Stem(folded)]; is {
			return n
		}
	}
	if d := Digraphs(word); d != "" {
		if n, is := a.forms[fold.Text(d)]; is {
			return n
		}
	}
	return -1
}
