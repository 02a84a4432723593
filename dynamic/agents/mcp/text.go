package mcp

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line returns a text as one table cell: on one line, at most most characters, and without
// anything that could end the cell, the row or the marks around the table.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	text = strings.NewReplacer("|", "/", "<", "‹", ">", "›").Replace(text)
	return short(text, most)
}

// short cuts a text to at most most characters.
func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if most <= 0 {
		return ""
	}
	r := []rune(head(text, most+1))
	if len(r) <= most {
		return text
	}
	return strings.TrimRight(string(r[:most-1]), " ") + "…"
}

// head returns the start of a text with at least that many characters, if it has them, so
// that a long text need not be read completely before it is cut.
func head(text string, characters int) string {
	if most := characters * utf8.UTFMax; characters < len(text) && most < len(text) {
		return strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// clean removes characters that models read and people do not see: controls other than line
// ends and tabs, and format characters, such as zero-width and bidirectional ones and the
// tags of U+E0000.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', ' ' <= r && r < 0x7f:
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, text)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
