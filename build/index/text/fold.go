package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"souk/build/kit/fold"
)

// Offsets returns, for each byte of fold.Text(text), its origin in bytes of text, and at the
// end the length of text. Letters that fold together have the same origin.
func Offsets(text string) []int {
	folded := len(fold.Text(text))
	at := make([]int, 0, max(len(text), folded)+1)
	for i := 0; i < len(text); {
		size := max(1, norm.NFKC.NextBoundaryInString(text[i:], true))
		for range len(fold.Text(text[i : i+size])) {
			at = append(at, i)
		}
		i += size
	}
	// If letters compose only after something between them was folded away, the whole is
	// shorter than its parts, and the positions are approximate.
	for len(at) < folded {
		at = append(at, len(text))
	}
	return append(at[:folded], len(text))
}

// Compact returns only the folded letters and digits of text, for comparisons that ignore
// case, accents, punctuation and spacing.
func Compact(text string) string {
	folded := fold.Text(text)
	var b strings.Builder
	b.Grow(len(folded))
	for _, r := range folded {
		if IsWordRune(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsWordRune reports whether a character is a letter, a digit or a mark that belongs to one.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r) }

// IsUnspaced reports whether a letter is from a script written without spaces between words,
// in which pairs of letters serve as words.
func IsUnspaced(r rune) bool {
	if r < 0x2E80 {
		return r >= 0x0E00 && r <= 0x0EFF // Thai and Lao
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

// HasDigit reports whether a word has a digit of any script.
func HasDigit(word string) bool {
	for _, r := range word {
		if isDigit(r) {
			return true
		}
	}
	return false
}
