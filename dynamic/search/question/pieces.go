package question

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"souk/build/index/text"
	"souk/build/kit/codes"
	"souk/build/kit/fold"
)

// A piece is a word, a number or a sign of a text. Letters of Chinese and Japanese are a piece
// each, since nothing parts their words.
type piece struct {
	folded   string
	from, to int
	number   bool
	// gap is what stands between it and the piece before. ended: a sentence or a part of one
	// ends there. minus: one minus stands before the piece, and a space, a sign or nothing
	// before that.
	gap          string
	ended, minus bool
}

// letter is a letter of a script that parts its words.
const letter = `[^\P{L}\p{Han}\p{Hiragana}\p{Katakana}]`

// piecePattern tells numbers, words and signs apart. A number is parted from its unit.
var piecePattern = regexp.MustCompile(`(\p{Nd}+(?:[.,'’٫٬]\p{Nd}+)*)` +
	`|[cC]\+\+|[cCfF]#|[\p{Han}\p{Hiragana}\p{Katakana}ー]` +
	`|°?` + letter + `(?:` + letter + `|\pM|\pN)*` +
	`|[\p{No}\p{Nl}]|[<>]=?|[≤≥+%‰°"″”]|\p{Sc}`)

// groups part thousands, as in 10 000: a space, also where no line breaks, its narrow kind, and
// the thin one.
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

// continues reports whether a number goes on with a group of three digits behind a space.
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

// glued reports whether nothing stands before the piece.
func (p *piece) glued() bool { return p.gap == "" }

// abbreviated is how many letters an abbreviation has at most, whose full stop ends no sentence.
const abbreviated = 3

// ends reports whether a sentence or a part of one ends between two pieces. A full stop within a
// name ends none, nor does that of an abbreviation or before a number, as in max. 50.
func ends(before, p piece) bool {
	if strings.ContainsAny(p.gap, ",;:!?()、。，") {
		return true
	}
	return strings.Contains(p.gap, ". ") && !p.number && before.to-before.from > abbreviated
}

// dash reports whether a dash or two full stops stand before the piece and join it to the one
// before.
func (p *piece) dash() bool {
	switch strings.TrimSpace(p.gap) {
	case "-", "–", "—", "−", "..", "〜", "～", "~":
		return true
	}
	return false
}

// hyphen reports whether a hyphen alone stands before the piece.
func (p *piece) hyphen() bool { return p.gap == "-" || p.gap == "–" }

// minus reports whether one minus stands before a piece, rather than a dash that parts it from the
// one before.
func minus(list []piece, i int) bool {
	gap := list[i].gap
	sign := strings.TrimLeft(gap, " (")
	if sign != "-" && sign != "–" && sign != "−" {
		return false
	}
	return i == 0 || sign != gap || !list[i-1].word() && (i == 1 || !list[i-2].number)
}

// word reports whether the piece is a word or a number, and no sign.
func (p *piece) word() bool {
	r, _ := utf8.DecodeRuneInString(p.folded)
	return text.IsWordRune(r)
}
