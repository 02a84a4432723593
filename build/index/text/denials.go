package text

import (
	_ "embed"
	"iter"
	"slices"
	"strings"

	"souk/build/kit/fold"
)

//go:embed denials.txt
var denials string

// Denials yields the roles and phrases of denials in a language, a BCP 47 tag without a
// region.
func Denials(language string) iter.Seq2[string, string] {
	return func(yield func(role, phrase string) bool) {
		for line := range strings.Lines(denials) {
			head, phrases, _ := strings.Cut(strings.TrimSpace(line), ": ")
			tag, role, _ := strings.Cut(head, " ")
			for phrase := range strings.SplitSeq(phrases, " | ") {
				if tag == language && !yield(role, phrase) {
					return
				}
			}
		}
	}
}

// The roles that are not denials: the end of a denial, words that say that the preceding word
// is absent, and values that say so of an attribute.
const (
	roleBut    = "but"
	roleFree   = "free"
	roleAbsent = "absent"
)

// A denial is a phrase with its role.
type denial struct {
	words []string
	role  string
}

// newDenials returns the denials of English and of another language by their first words, the
// longest first.
func newDenials(language string) map[string][]denial {
	all := map[string][]denial{}
	for _, one := range slices.Compact([]string{"en", language}) {
		for role, phrase := range Denials(one) {
			for _, spelling := range [...]string{phrase, Digraphs(phrase)} {
				d := denial{role: role}
				for _, t := range Tokens(nil, spelling) {
					d.words = append(d.words, t.Text)
				}
				if len(d.words) > 0 {
					all[d.words[0]] = append(all[d.words[0]], d)
				}
			}
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b denial) int { return len(b.words) - len(a.words) })
	}
	return all
}

// denialAt returns the longest denial at the beginning of a list of words, or one without a
// role.
func (l *Language) denialAt(list []Token) denial {
	for _, d := range l.denials[list[0].Text] {
		if len(d.words) <= len(list) && slices.EqualFunc(d.words, list[:len(d.words)], func(word string, t Token) bool { return word == t.Text }) {
			return d
		}
	}
	return denial{}
}

// Absent returns which words of a text the text itself declares absent: those after a denial
// in the same part of a sentence, as in works without the internet, and the word before a word
// like free, as in sugar-free. It returns nil if there are none.
func (l *Language) Absent(text string, list []Token) (absent []bool) {
	if !slices.ContainsFunc(list, func(t Token) bool { return l.denials[t.Text] != nil }) {
		return nil
	}
	const reach = 5 // in words
	folded := fold.Text(text)
	absent = make([]bool, len(list))
	from, to := 0, 0
	for i := range list {
		if i > 0 && endsPart(folded[list[i-1].From:list[i-1].To], folded[min(list[i-1].To, list[i].From):list[i].From]) {
			to = i
		}
		switch d := l.denialAt(list[i:]); d.role {
		case "", roleAbsent:
		case roleBut:
			to = i
		case roleFree:
			absent[max(0, i-1)] = absent[max(0, i-1)] || to != i
		default:
			from = i + len(d.words)
			to = from + reach
		}
		absent[i] = absent[i] || from <= i && i < to
	}
	return absent
}

// longestAbbreviation is the maximum length, in bytes, of an abbreviation whose full stop does
// not end the sentence.
const longestAbbreviation = 3

// endsPart reports whether a part of a sentence ends between a word and the text after its
// gap.
func endsPart(word, gap string) bool {
	return strings.ContainsAny(gap, ",;:!?()、。，") || strings.Contains(gap, ". ") && len(word) > longestAbbreviation
}

// Denies reports whether the value of an attribute says that the listing lacks it.
func (l *Language) Denies(value []Token) bool {
	if len(value) == 0 {
		return true
	}
	switch d := l.denialAt(value); d.role {
	case "", roleBut, roleFree:
		return false
	case roleAbsent:
		return len(d.words) == len(value)
	}
	return true
}
