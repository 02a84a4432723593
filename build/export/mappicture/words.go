package mappicture

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// A program cannot know which font a reader has. These are the widths of Helvetica in
// thousandths of an em, rounded up to the next multiple of ten, which system fonts rarely
// exceed. Layouts leave some extra space.

var ascii = [...]int{
	280, 280, 360, 560, 560, 890, 670, 200, 340, 340, 390, 590, 280, 340, 280, 280, // space to /
	560, 560, 560, 560, 560, 560, 560, 560, 560, 560, 280, 280, 590, 590, 590, 560, // 0 to ?
	1020, 670, 670, 730, 730, 670, 620, 780, 730, 280, 500, 670, 560, 840, 730, 780, // @ to O
	670, 780, 730, 670, 620, 730, 670, 950, 670, 670, 620, 280, 280, 280, 470, 560, // P to _
	340, 560, 560, 500, 560, 560, 280, 560, 560, 230, 230, 500, 230, 840, 560, 560, // ` to o
	560, 560, 340, 500, 280, 560, 500, 730, 500, 500, 500, 340, 260, 340, 590, 560, // p to DEL
}

const ellipsis = "…"

// advance returns the width of a character in thousandths of an em.
func advance(r rune) int {
	switch {
	case r >= ' ' && int(r-' ') < len(ascii):
		return ascii[r-' ']
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1F000 && r < 0x1FB00:
		return 1300
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 1000
	}
	if r == '…' || unicode.In(r, unicode.Lu, unicode.Lt) {
		return 780
	}
	return 620
}

// A line is a line of text and its width in thousandths of an em.
type line struct {
	text  string
	width int
}

// lines breaks a text into at most most lines of a width in thousandths of an em; whole is
// false if its end is cut off. The lines of a whole text join to the text.
func lines(text string, limit, most int) (all []line, whole bool) {
	for rest := text; rest != ""; {
		if len(all) == most-1 {
			l, whole := shorten(rest, limit)
			return append(all, l), whole
		}
		end, wide := breakAt(rest, limit)
		all = append(all, line{rest[:end], wide})
		rest = rest[end:]
	}
	return all, true
}

// breakAt returns where the first line of a text ends: at the end of a word if possible,
// otherwise within a word.
func breakAt(text string, limit int) (end, wide int) {
	var before rune
	at, total := 0, 0
	cut, cutWidth := 0, 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if at > 0 && !clings(before, r) {
			if mayBreak(before, r) {
				end, wide = at, total
			}
			cut, cutWidth = at, total
		}
		w := advance(r)
		if total+w > limit && r != ' ' && cut > 0 {
			if end == 0 {
				return cut, cutWidth
			}
			return end, wide
		}
		before, at, total = r, at+size, total+w
	}
	return len(text), total
}

// mayBreak reports whether a line may end between two characters.
func mayBreak(before, after rune) bool {
	switch before {
	case ' ':
		return after != ' '
	case '-', '/', '_', '–', '·', '|':
		return unicode.IsLetter(after)
	}
	return advance(before) >= 1000 && advance(after) >= 1000 && !unicode.IsPunct(after) || after >= 0x3040 && before >= 0x3040 && unicode.In(after, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// clings reports whether a character is displayed together with the previous one.
func clings(before, r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc, unicode.Me, unicode.Cf) || before == '\u200d' || r >= 0x1F3FB && r <= 0x1F3FF ||
		r >= 0x1F1E6 && r <= 0x1F1FF && before >= 0x1F1E6 && before <= 0x1F1FF
}

// shorten returns a text as one line, with an ellipsis if it is too wide.
func shorten(text string, limit int) (l line, whole bool) {
	var before rune
	end, total, kept := 0, 0, 0
	room := limit - advance('…')
	for at, r := range text {
		if at > 0 && total <= room && !clings(before, r) && before != ' ' {
			end, kept = at, total
		}
		total += advance(r)
		before = r
	}
	if total <= limit {
		return line{text, total}, true
	}
	return line{text[:end] + ellipsis, kept + advance('…')}, false
}
