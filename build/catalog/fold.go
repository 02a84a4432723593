package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text as names and values of attributes are compared: without
// case, accents and spaces around it, in compatibility form (NFKC), so that "GRÖSSE",
// "Größe" and "grosse" are one.
func Fold(text string) string {
	text = strings.TrimSpace(text)
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		if !isAccent(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFKC.String(strokes.Replace(b.String()))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isAccent reports whether a mark may be ignored in reading, as search does:
// marks that readers take for letters, such as vowel signs of Indic scripts, stay.
func isAccent(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x0591 && r <= 0x05C7 || r >= 0x064B && r <= 0x0652 || r == 0x0670 || r == 0x0640
}

// strokes are letters that Unicode does not decompose.
var strokes = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "þ", "th", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "ħ", "h", "ı", "i", "ς", "σ")
