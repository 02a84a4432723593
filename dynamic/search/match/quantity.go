package match

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/kit/unit"
)

// maxUnitWords is the maximum number of words in a unit, as in cubic metres per hour.
const maxUnitWords = 4

// quantities returns the amounts with units in a query, with equal amounts in each other unit
// that listings use, as 1 kWh is 1000 Wh.
func (x *Matcher) quantities(r *ParsedQuery) []Span {
	var list []Span
	for i := 0; i < len(r.Words); i++ {
		u, amount, end := x.quantity(r, i)
		if end == i {
			continue
		}
		s := Span{from: i, to: end}
		for _, other := range u.Alike() {
			number, exact := unit.Decimal(other.FromBase(u.Base(amount)))
			if said := WordsOf(number + " " + other.Symbol()); exact && !slices.ContainsFunc(said, func(word string) bool { return !x.Spelled(word) }) {
				s.synonyms = append(s.synonyms, said)
			}
		}
		list = append(list, s)
		i = end - 1
	}
	return list
}

// quantity reads the amount that begins with a word of a query: a number with its unit, or a
// number followed by the words of a unit, as many as possible. If there is none, end is i.
func (x *Matcher) quantity(r *ParsedQuery, i int) (u unit.Unit, amount *big.Rat, end int) {
	w := &r.Words[i]
	raw := r.Text[w.From:w.To]
	digits := len(raw) - len(strings.TrimLeft(raw, "0123456789.,'"))
	before, _ := utf8.DecodeLastRuneInString(r.Text[:w.From])
	if digits == 0 || before == '-' || before == '−' {
		return u, nil, i
	}
	number, _ := x.phrases.Decimal(raw[:digits], false)
	amount, ok := unit.ParseDecimal(number)
	if !ok {
		return u, nil, i
	}
	if digits < len(raw) {
		u, _ = unit.Parse(raw[digits:])
		return u, amount, i + 1
	}
	for end = min(len(r.Words), i+1+maxUnitWords); end > i+1; end-- {
		if u, known := unit.Parse(r.Text[r.Words[i+1].From:r.Words[end-1].To]); known && follow(r.Words[i+1:end]) {
			return u, amount, end
		}
	}
	return u, nil, i
}

// follow reports whether words are consecutive and meaningful.
func follow(words []queryWord) bool {
	return !slices.ContainsFunc(words, func(w queryWord) bool { return w.Stop || !w.follows })
}
