package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// lowest is the lowest level of headings.
const lowest = 6

// Below moves the headings of a text down to level top or lower, so that none is on the
// level of the headings of the page that contains the text. All move by the same number of
// levels, but not below the last one. Headings without words, and everything else, stay as
// the author wrote them.
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
		// The parser's position of the mark is wrong if a tab is part of the indentation.
		if mark := len(strings.TrimRight(source[:start], " \t\r\v\f")); mark > 0 && source[mark-1] == '#' {
			b.WriteString(source[done:mark] + strings.Repeat("#", level-h.Level))
			done = mark
			continue
		}
		end, underlined := underlineEnd(h, source)
		if !underlined {
			continue
		}
		// Underlines only exist for the first two levels.
		words := inOneLine(h, s)
		b.WriteString(source[done:start] + strings.Repeat("#", level) + " " + words)
		if strings.HasSuffix(words, "#") {
			b.WriteString(" #") // otherwise the text's own "#" would count as a closing mark
		}
		done = end
	}
	b.WriteString(source[done:])
	return b.String()
}

// mayHaveHeadings avoids parsing most texts.
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

// underlineEnd returns where the line under a heading ends. ok is false if the parser
// extracted a table from the underlined text.
func underlineEnd(h *ast.Heading, source string) (int, bool) {
	at := h.Lines().At(h.Lines().Len()-1).Stop - 1 // of the line end, or before it
	_, below, _ := strings.Cut(source[at:], "\n")
	line, _, _ := strings.Cut(below, "\n")
	mark := strings.Trim(line, " \t>")
	return len(source) - len(below) + len(line), mark != "" && (strings.Trim(mark, "=") == "" || strings.Trim(mark, "-") == "")
}

// inOneLine returns the words of a heading that is underlined.
func inOneLine(h *ast.Heading, source []byte) string {
	var words []string
	for i := range h.Lines().Len() {
		line := h.Lines().At(i)
		word := strings.TrimSuffix(string(line.Value(source)), "\n")
		if i < h.Lines().Len()-1 && strings.HasSuffix(word, `\`) && !escaped(word, len(word)-1) {
			word = word[:len(word)-1] // a backslash at the end broke the line
		}
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
