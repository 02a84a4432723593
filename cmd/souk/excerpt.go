package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"souk/build/kit/problem"
)

// caret marks the position in an excerpt.
const caret = "^"

// excerptWidth is how many characters of a line are shown. A longer line is cut around the
// position.
const excerptWidth = 100

// excerpt returns the line that a problem is in, with a caret under the column. It returns ""
// if the problem concerns the whole file or the line does not exist.
func excerpt(p problem.Problem) string {
	if p.Line < 1 || p.Column < 1 {
		return ""
	}
	text, ok := lineOf(p.File, p.Line)
	if !ok || strings.TrimSpace(text) == "" {
		return ""
	}
	line, at := []rune(text), p.Column-1
	if at > len(line) {
		return ""
	}
	before, after := "", ""
	if from := at - excerptWidth/2; from > 0 && len(line) > excerptWidth {
		line, at, before = line[from:], at-from, "…"
	}
	if len(line) > excerptWidth {
		line, after = line[:excerptWidth], "…"
	}
	var shown, below strings.Builder
	for i, r := range line {
		r = harmless(r)
		shown.WriteRune(r)
		if i < at {
			below.WriteString(blank(r))
		}
	}
	gutter := fmt.Sprintf("%6d | ", p.Line)
	return gutter + before + shown.String() + after + "\n" +
		strings.Repeat(" ", len(gutter)-2) + "| " + strings.Repeat(" ", utf8.RuneCountInString(before)) + below.String() + caret + "\n"
}

// harmless replaces control characters, which a terminal would obey.
func harmless(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return utf8.RuneError
	}
	return r
}

// blank returns whitespace as wide as r on a terminal: a tab for a tab, and two spaces for a
// wide East Asian character (Unicode, UAX #11).
func blank(r rune) string {
	switch kind := width.LookupRune(r).Kind(); {
	case r == '\t':
		return "\t"
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return ""
	case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
		return "  "
	}
	return " "
}

// lineOf reads one line of a text file, counted from 1.
func lineOf(file string, number int) (line string, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	const longest = 1 << 20
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longest)
	for i := 1; lines.Scan(); i++ {
		if i == number {
			text := strings.TrimPrefix(lines.Text(), "\ufeff")
			return text, utf8.ValidString(text)
		}
	}
	return "", false
}
