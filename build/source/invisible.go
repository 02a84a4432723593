package source

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"golang.org/x/net/idna"
)

// visibleFormats are the visible characters of the category Cf.
var visibleFormats = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x600, Hi: 0x605, Stride: 1}, {Lo: 0x6dd, Hi: 0x6dd, Stride: 1}, {Lo: 0x70f, Hi: 0x70f, Stride: 1},
		{Lo: 0x890, Hi: 0x891, Stride: 1}, {Lo: 0x8e2, Hi: 0x8e2, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x110bd, Hi: 0x110bd, Stride: 1}, {Lo: 0x110cd, Hi: 0x110cd, Stride: 1}, {Lo: 0x13430, Hi: 0x1343f, Stride: 1}},
}

// invisible reports whether a character is not allowed in a name: it is invisible, breaks the
// line, or changes the direction of the text (Unicode, section 23; UAX 9, section 2).
// Variation selectors, which emoji contain, are allowed.
func invisible(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(visibleFormats, r)
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// invisibleNames are characters that people may have typed without noticing.
var invisibleNames = map[rune]string{
	'\n': "a line break", '\r': "a line break", '\u2028': "a line break", '\u2029': "a line break", '\t': "a tab",
	'\u00ad': "a soft hyphen", '\u200b': "a zero-width space", '\u200c': "a zero-width non-joiner", '\u200d': "a zero-width joiner", '\ufeff': "a byte order mark",
	'\u061c': "a direction mark", '\u200e': "a direction mark", '\u200f': "a direction mark",
}

func invisibleName(r rune) string {
	switch name := invisibleNames[r]; {
	case name != "":
		return name
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return "a direction change"
	case unicode.IsControl(r):
		return "a control character"
	}
	return "an invisible character"
}

// checkName finds invisible characters in a name or title, which can make two different names
// look the same. Joiners that shape letters are ignored when names are compared.
func (d *decoder) checkName(n *yaml.Node, what, text string) {
	characters := 0
	for at, r := range text {
		characters++
		if !invisible(r) || isJoiner(r) && joins(text, at) {
			continue
		}
		meant := "remove it"
		switch r {
		case '\n', '\r', '\u2028', '\u2029':
			meant = "write it on one line"
		case '\u200c', '\u200d':
			meant = "remove it: it is allowed only between two letters that need it, as in Persian or Sinhala"
		}
		d.wrong(n, meant, "%s has %s (%s) as its character %d", what, invisibleName(r), fmt.Sprintf("%U", r), characters)
		return
	}
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// joinerRules are the rules of IDNA (RFC 5892, appendices A.1 and A.2).
var joinerRules = sync.OnceValue(func() *idna.Profile { return idna.New(idna.CheckJoiners(true)) })

// joins reports whether the joiner at an offset stands between two letters of a script that is
// written with it. A virama may also follow the joiner, as in the Bengali র‍্যাম.
func joins(text string, at int) bool {
	to := at + len("\u200d")
	before, after := strings.TrimRightFunc(text[:at], unicode.IsMark), strings.TrimLeftFunc(text[to:], unicode.IsMark)
	marks := text[len(before):at] + text[to:len(text)-len(after)]
	first, _ := utf8.DecodeLastRuneInString(before)
	second, _ := utf8.DecodeRuneInString(after)
	_, err := joinerRules().ToUnicode(string(first) + marks + text[at:to] + string(second))
	return err == nil && unicode.IsLetter(first) && unicode.IsLetter(second) && sameScript(first, second)
}

func sameScript(a, b rune) bool {
	for _, script := range unicode.Scripts {
		if unicode.Is(script, a) {
			return unicode.Is(script, b)
		}
	}
	return false
}
