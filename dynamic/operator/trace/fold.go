package trace

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"souk/build/kit/fold"
)

// A folder converts text to the form in which it is compared: without case and accents, as
// in search, and with each run of spaces replaced by one. It is not safe for concurrent
// use.
type folder struct{ runes map[rune]string }

func newFolder() *folder { return &folder{map[rune]string{}} }

// composed returns text in the form that fold requires, in which a letter and its accents
// are one character.
func composed(text []byte) []byte {
	if norm.NFC.IsNormal(text) {
		return text
	}
	return norm.NFC.Bytes(text)
}

// fold appends the folded form of a composed text to b. If places is not nil, it also
// appends the offset in text of each folded byte.
func (f *folder) fold(b []byte, text []byte, places *[]int) []byte {
	space := false
	for i := 0; i < len(text); {
		c := text[i]
		size := 1
		from := len(b)
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			if !space {
				b = append(b, ' ')
			}
			space = true
		case c < utf8.RuneSelf:
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			space = false
		default:
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			folded := f.rune(r)
			if folded != " " || !space {
				b = append(b, folded...)
			}
			space = folded == " "
		}
		if places != nil {
			for range len(b) - from {
				*places = append(*places, i)
			}
		}
		i += size
	}
	return b
}

// rune folds one character; accents fold to nothing.
func (f *folder) rune(r rune) string {
	folded, known := f.runes[r]
	if !known {
		folded = fold.Text(string(r))
		f.runes[r] = folded
	}
	return folded
}

// text folds a short text.
func (f *folder) text(text string) string { return string(f.fold(nil, composed([]byte(text)), nil)) }
