package question

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"souk/build/index/text"
	"souk/build/kit/codes"
	"souk/build/kit/fold"
)

// A piece is a word, number or sign in a text. In Chinese and Japanese, each letter is a
// piece, since no spaces separate words.
type piece struct {
	folded   string
	from, to int
	number   bool
	// gap is the text between it and the previous piece. ended means that a sentence or a part
	// of one ends there. minus means that a single minus precedes the piece, after a space, a
	// sign or nothing.
	gap          string
	ended, minus bool
}

// letter means a letter of a script without spaces.
const letter = `[^\P{L}\p{Han}\p{Hiragana}\p{Katakana}]`

// piecePattern separates numbers, words and signs, and a number from its unit.
var piecePattern = regexp.MustCompile(`(\p{Nd}+(?:[.,'’٫٬]\p{Nd}+)*)` +
	`|[cC]\+\+|[cCfF]#|[\p{Han}\p{Hiragana}\p{Katakana}ー]` +
	`|°?` + letter + `(?:` + letter + `|\pM|\pN)*` +
	`|[\p{No}\p{Nl}]|[<>]=?|[≤≥+%‰°"″”]|\p{Sc}`)

// groups are the characters that group thousands, as in 10 000: a space, a non-breaking space,
// its narrow form, and a thin space.
const groups = " \u00a0\u202f\u2009"

// pieces splits a text.
func pieces(s string) (list []piece) {
	end := 0
	for _, at := range piecePattern.FindAllStringSubmatchIndex(s, -1) {
		p := piece{from: at[0], to: at[1], number: at[2] >= 0, gap: s[end:at[0]]}
		end = p.to
		if last := len(list) - 1; last >= 0 && p.number && continues(s, list[last], p) {
			list[last].to = p.to
			continue
		}
		if code := p.from + len("EUR"); code < p.to && codes.Currency(s[p.from:code]) && strings.Trim(s[code:p.to], "0123456789") == "" {
			list = append(list, piece{from: p.from, to: code, gap: p.gap}) // EUR100
			p = piece{from: code, to: p.to, number: true}
		}
		list = append(list, p)
	}
	for i := range list {
		list[i].folded = fold.Text(s[list[i].from:list[i].to])
		list[i].ended = i > 0 && ends(list[i-1], list[i])
		list[i].minus = minus(list, i)
	}
	return list
}

// continues reports whether a number continues with a group of three digits after a space.
func continues(s string, before, p piece) bool {
	const group = 3
	first := s[before.from:before.to]
	if !before.number || len(p.gap) == 0 || !strings.Contains(groups, p.gap) {
		return false
	}
	whole, _, _ := strings.Cut(strings.ReplaceAll(s[p.from:p.to], ".", ","), ",")
	last := first[strings.LastIndexAny(first, groups)+1:]
	return len(whole) == group && len(last) <= group && strings.Trim(last, "0123456789") == ""
}

// glued reports whether no space precedes the piece.
func (p *piece) glued() bool { return p.gap == "" }

// abbreviated is the maximum number of letters in an abbreviation whose full stop does not end
// a sentence.
const abbreviated = 3

// ends reports whether a sentence or a part of one ends between two pieces. A full stop within
// a name, after an abbreviation or before a number, as in max. 50, does not end one.
func ends(before, p piece) bool {
	if strings.ContainsAny(p.gap, ",;:!?()、。，") {
		return true
	}
	return strings.Contains(p.gap, ". ") && !p.number && before.to-before.from > abbreviated
}

// dash reports whether a dash or two full stops join the piece to the previous one.
func (p *piece) dash() bool {
	switch strings.TrimSpace(p.gap) {
	case "-", "–", "—", "−", "..", "〜", "～", "~":
		return true
	}
	return false
}

// hyphen reports whether only a hyphen precedes the piece.
func (p *piece) hyphen() bool { return p.gap == "-" || p.gap == "–" }

// minus reports whether a single minus precedes a piece, rather than a dash that separates it
// from the previous one.
func minus(list []piece, i int) bool {
	gap := list[i].gap
	sign := strings.TrimLeft(gap, " (")
	if sign != "-" && sign != "–" && sign != "−" {
		return false
	}
	return i == 0 || sign != gap || !list[i-1].word() && (i == 1 || !list[i-2].number)
}

// word reports whether the piece is a word or a number, not a sign.
func (p *piece) word() bool {
	r, _ := utf8.DecodeRuneInString(p.folded)
	return text.IsWordRune(r)
}
