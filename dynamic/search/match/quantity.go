package match

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/kit/unit"
)

// maxUnitWords is how many words a unit has at most, as cubic metres per hour.
const maxUnitWords = 4

// quantities returns the amounts in a unit that a query tells, with the same in each other
// unit that listings write it in, as 1 kWh is 1000 Wh.
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

// quantity reads the amount that begins with a word of a query: a number with its unit, or
// a number and behind it the words of a unit, the most first. Where there is none, end is i.
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

// follow reports whether words follow one upon the other, and each is one of meaning.
func follow(words []queryWord) bool {
	return !slices.ContainsFunc(words, func(w queryWord) bool { return w.Stop || !w.follows })
}
