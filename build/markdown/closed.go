package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Closed returns a text after which another can follow: it ends a block of code
// that the author left open, which would take in what comes next.
func Closed(source string) string {
	for _, fence := range []string{"```", "~~~"} {
		if !strings.Contains(source, fence) {
			continue
		}
		if open := openFence(source); open != "" {
			return source + "\n" + open
		}
	}
	return source
}

// openFence returns what closes the block of code at the end of a text, or "".
func openFence(source string) string {
	const after = "\n\nafter"
	s := []byte(source + after)
	code, is := toHTML.Parser().Parse(text.NewReader(s)).LastChild().(*ast.FencedCodeBlock)
	if !is {
		return ""
	}
	// The fence is the line before the code, whose first line is always there.
	from := code.Lines().At(0).Start
	line := s[bytes.LastIndexByte(s[:max(0, from-1)], '\n')+1 : from]
	line = bytes.TrimLeft(line, " ")
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return string(line[:n])
}
