package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Levelled returns a text of which the headings have the levels that ToHTML gives
// them, so that it can stand below a heading of level 1. One that is underlined and
// has several lines, or is in a list or a quote, stays as it is.
func Levelled(source string) string {
	if !mayHaveHeadings(source) {
		return source
	}
	s := []byte(source)
	r := resolver{source: s}
	var written []int // their levels
	each(toHTML.Parser().Parse(text.NewReader(s)), func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok && r.says(h) {
			r.headings, written = append(r.headings, h), append(written, h.Level)
		}
	})
	r.level()
	var b strings.Builder
	done := 0
	replace := func(from, to int, by string) {
		b.Write(s[done:from])
		b.WriteString(by)
		done = to
	}
	for i, h := range r.headings {
		marks, words := strings.Repeat("#", h.Level), h.Lines().At(0)
		if h.Level == written[i] {
			continue
		}
		if s[h.Pos()] == '#' && words.Start != h.Pos() {
			replace(h.Pos(), h.Pos()+written[i], marks)
		} else if end, ok := underlined(s, h); ok {
			text := bytes.TrimRight(words.Value(s), " \t\r\n")
			replace(words.Start, words.Start, marks+" ")
			replace(words.Start+len(text), end, "")
		}
	}
	return b.String() + source[done:]
}

// underlined returns where a heading ends that is a line of the text and one below
// it. It is none where a "#" at its end would be taken for a mark.
func underlined(s []byte, h *ast.Heading) (end int, ok bool) {
	words := h.Lines().At(0)
	if h.Lines().Len() != 1 || h.Parent().Kind() != ast.KindDocument || bytes.HasSuffix(bytes.TrimSpace(words.Value(s)), []byte("#")) {
		return 0, false
	}
	_, below, _ := bytes.Cut(s[words.Start:], []byte("\n"))
	line, _, _ := bytes.Cut(below, []byte("\n"))
	return len(s) - len(below) + len(line), underlines(string(line))
}

// underlines reports whether a line makes a heading of the one above it.
func underlines(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// mayHaveHeadings reports whether a line begins, behind the marks of lists and quotes,
// as a heading does, or underlines one.
func mayHaveHeadings(source string) bool {
	for line := range strings.Lines(source) {
		if underlines(line) || strings.HasPrefix(strings.TrimLeft(line, " \t>-+*.)0123456789"), "#") {
			return true
		}
	}
	return false
}
