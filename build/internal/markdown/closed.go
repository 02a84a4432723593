package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Closed returns a text after which another can follow: it ends a block of code or
// a comment that the author left open, which would take in what comes next.
func Closed(source string) string {
	if !strings.Contains(source, "```") && !strings.Contains(source, "~~~") && !strings.Contains(source, "<") {
		return source
	}
	fence, open := openEnd(source)
	if !open {
		return source
	}
	// What ends a block of HTML: CommonMark 0.31.2, section 4.6.
	for _, end := range []string{fence, "-->", "</pre>", "?>", "]]>", ">"} {
		if _, still := openEnd(source + "\n" + end); end != "" && !still {
			return source + "\n" + end
		}
	}
	return source
}

// openEnd reports whether the last block of a text would go on after an empty
// line, and returns the fence of a block of code that would.
func openEnd(source string) (fence string, open bool) {
	s := []byte(source + "\n\nafter")
	switch last := tree(s, headingIDs{}).LastChild().(type) {
	case *ast.FencedCodeBlock:
		// The fence is in the line before the code, of which "after" is the last.
		code := bytes.LastIndexByte(s[:last.Lines().At(0).Start], '\n')
		line := s[:max(0, code)]
		line = bytes.TrimLeft(line[bytes.LastIndexByte(line, '\n')+1:], " ")
		n := 0
		for n < len(line) && line[n] == line[0] {
			n++
		}
		return string(line[:n]), true
	case *ast.HTMLBlock:
		return "", true
	}
	return "", false
}
