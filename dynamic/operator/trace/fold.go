package trace

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"souk/build/kit/fold"
)

// A folder turns text into the form in which it is compared: without case and
// accents, as in search, and with any run of spaces as one. It is not safe for
// concurrent use.
type folder struct{ runes map[rune]string }

func newFolder() *folder { return &folder{map[rune]string{}} }

// composed returns text in the form that fold takes, in which a letter and its
// accents are one character.
func composed(text []byte) []byte {
	if norm.NFC.IsNormal(text) {
		return text
	}
	return norm.NFC.Bytes(text)
}

// fold appends the folded form of a composed text to b and, if places is not
// nil, the offset in text of each of its bytes.
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
