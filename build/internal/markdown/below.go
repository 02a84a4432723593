package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// lowest is the level of heading below which there is none.
const lowest = 6

// Below returns a text whose headings are of level top or further down, so that none
// stands beside those of the page that it is put into. All move by as many levels,
// none further than to the last; those without words, and what is no heading, stay as
// their author wrote them.
func Below(source string, top int) string {
	if !mayHaveHeadings(source) {
		return source
	}
	s := []byte(source)
	var headings []*ast.Heading
	highest := lowest
	each(tree(s, headingIDs{}), func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok && h.Lines().Len() > 0 {
			headings, highest = append(headings, h), min(highest, h.Level)
		}
	})
	if highest >= top {
		return source
	}
	var b strings.Builder
	done := 0
	for _, h := range headings {
		start := h.Lines().At(0).Start
		level := min(lowest, h.Level+top-highest)
		// The parser's own place of a mark is off where a tab is part of an indentation.
		if mark := len(strings.TrimRight(source[:start], " \t\r\v\f")); mark > 0 && source[mark-1] == '#' {
			b.WriteString(source[done:mark] + strings.Repeat("#", level-h.Level))
			done = mark
			continue
		}
		end, underlined := underlineEnd(h, source)
		if !underlined {
			continue
		}
		// A line below a heading means the first two levels alone.
		words := inOneLine(h, s)
		b.WriteString(source[done:start] + strings.Repeat("#", level) + " " + words)
		if strings.HasSuffix(words, "#") {
			b.WriteString(" #") // or the text would lose its own as the end of the mark
		}
		done = end
	}
	b.WriteString(source[done:])
	return b.String()
}

// mayHaveHeadings spares most texts the parser.
func mayHaveHeadings(source string) bool {
	if strings.IndexByte(source, '#') >= 0 {
		return true
	}
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); strings.HasSuffix(line, "=") || strings.HasSuffix(line, "-") {
			return true
		}
	}
	return false
}

// underlineEnd returns where the line below a heading ends. There is none where the
// parser took a table out of what is underlined.
func underlineEnd(h *ast.Heading, source string) (int, bool) {
	at := h.Lines().At(h.Lines().Len()-1).Stop - 1 // of the line end, or before it
	_, below, _ := strings.Cut(source[at:], "\n")
	line, _, _ := strings.Cut(below, "\n")
	mark := strings.Trim(line, " \t>")
	return len(source) - len(below) + len(line), mark != "" && (strings.Trim(mark, "=") == "" || strings.Trim(mark, "-") == "")
}

// inOneLine returns the words of a heading that has a line below it.
func inOneLine(h *ast.Heading, source []byte) string {
	var words []string
	for i := range h.Lines().Len() {
		line := h.Lines().At(i)
		word := strings.TrimSuffix(string(line.Value(source)), "\n")
		if i < h.Lines().Len()-1 && strings.HasSuffix(word, `\`) && !escaped(word, len(word)-1) {
			word = word[:len(word)-1] // it broke the line
		}
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
