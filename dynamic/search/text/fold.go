package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns text without case and accents, in compatibility form (NFKC), so
// that "Ｕｓｂ", "usb" and "ÜSB" are equal. Punctuation stays.
func Fold(text string) string {
	if isLowerASCII(text) {
		return text
	}
	ascii := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		if !isAccent(r) {
			writeFolded(&b, unicode.ToLower(r))
		}
	}
	return norm.NFKC.String(b.String())
}

// Offsets returns where each byte of Fold(text) comes from, in bytes of text, and
// at the end the length of text. Letters that fold together have one place.
func Offsets(text string) []int {
	at := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		size := max(1, norm.NFKC.NextBoundaryInString(text[i:], true))
		for range len(Fold(text[i : i+size])) {
			at = append(at, i)
		}
		i += size
	}
	return append(at, len(text))
}

func isLowerASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// isAccent reports whether a mark may be ignored in reading: combining accents
// of alphabets, Hebrew points and Arabic vowel signs. Marks that readers
// consider letters, such as the vowel signs of Indic scripts and the voicing of
// kana, stay.
func isAccent(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x0591 && r <= 0x05C7 || r >= 0x064B && r <= 0x0652 || r == 0x0670 || r == 0x0640
}

// writeFolded replaces letters that Unicode does not decompose but that people
// type without their strokes and ligatures.
func writeFolded(b *strings.Builder, r rune) {
	switch r {
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'þ':
		b.WriteString("th")
	case 'ø':
		b.WriteByte('o')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'ł':
		b.WriteByte('l')
	case 'ħ':
		b.WriteByte('h')
	case 'ı':
		b.WriteByte('i')
	case 'ς':
		b.WriteRune('σ')
	default:
		b.WriteRune(r)
	}
}

// Compact returns only the letters and digits of text, folded: what is left if
// case, accents, punctuation and spacing do not count.
func Compact(text string) string {
	folded := Fold(text)
	var b strings.Builder
	b.Grow(len(folded))
	for _, r := range folded {
		if IsWordRune(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsWordRune reports whether a character is a letter, a digit or a mark that
// belongs to one.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r) }

// IsUnspaced reports whether a letter is from a script written without spaces
// between words, in which pairs of letters serve as words.
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
