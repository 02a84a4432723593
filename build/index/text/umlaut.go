package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Digraphs returns text with each umlaut as two letters, ae, oe and ue, as people type it
// without an umlaut key, or "" if it has no umlaut. Folding only drops the dots, so an umlaut
// has two foldings.
func Digraphs(text string) string {
	if !hasUmlaut(text) {
		return ""
	}
	return umlauts.Replace(norm.NFC.String(text))
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// CompactDigraphs is Compact of Digraphs, or "" if there is no umlaut.
func CompactDigraphs(text string) string { return Compact(Digraphs(text)) }

// Compacts returns the compact spellings of a text: Compact and, if it has umlauts,
// CompactDigraphs; none if nothing remains.
func Compacts(text string) (all []string) {
	for _, one := range [...]string{Compact(text), CompactDigraphs(text)} {
		if one != "" {
			all = append(all, one)
		}
	}
	return all
}

func hasUmlaut(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return strings.ContainsAny(text[i:], "äöüÄÖÜ\u0308")
		}
	}
	return false
}
