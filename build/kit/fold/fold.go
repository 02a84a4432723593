// Package fold removes from text what is ignored in comparisons: case, accents, joiners,
// and the strokes and ligatures of letters. It does not know words, languages or its
// callers.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text returns text without case, accents and joiners, in compatibility form (NFKC), so
// that "Ｕｓｂ", "usb" and "ÜSB" are equal. It keeps punctuation.
func Text(text string) string {
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
		if !isAccent(r) && !isJoiner(r) {
			writeFolded(&b, unicode.ToLower(r))
		}
	}
	// NFKC inserts joiners into long runs of marks (UAX 15, Stream-Safe Text), which count
	// as accents here.
	return strings.ReplaceAll(norm.NFKC.String(b.String()), "\u034f", "")
}

// Canonical returns text without the characters that only affect the shape of adjacent
// letters (U+200C and U+200D), and with composed accents (NFC), so that texts that differ
// in nothing else are equal.
func Canonical(text string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if isJoiner(r) {
			return -1
		}
		return r
	}, text))
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

func isLowerASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// isAccent reports whether a mark may be ignored in reading: combining accents of
// alphabets, Hebrew points and Arabic vowel signs. Marks that readers consider letters,
// such as the vowel signs of Indic scripts and the voicing of kana, are not accents.
func isAccent(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x0591 && r <= 0x05C7 || r >= 0x064B && r <= 0x0655 || r == 0x0670 || r == 0x0640
}

// writeFolded replaces letters that Unicode does not decompose but that people type without
// strokes and ligatures.
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
	case 'ة': // ta marbuta, which many write as the letter it resembles
		b.WriteRune('ه')
	case 'ى':
		b.WriteRune('ي')
	default:
		b.WriteRune(equivalent(r))
	}
}

// equivalent returns the ASCII digit for an Arabic one, the hiragana for a katakana, and any
// other letter unchanged.
func equivalent(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	case r >= 'ァ' && r <= 'ヶ':
		return r - 'ァ' + 'ぁ'
	}
	return r
}
