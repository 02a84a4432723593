package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Closed returns a text to which another can be appended: it closes a code block or comment
// that the author left open, which would otherwise contain what follows.
func Closed(source string) string {
	if !strings.Contains(source, "```") && !strings.Contains(source, "~~~") && !strings.Contains(source, "<") {
		return source
	}
	fence, open := openEnd(source)
	if !open {
		return source
	}
	// The ends of HTML blocks: CommonMark 0.31.2, section 4.6.
	for _, end := range []string{fence, "-->", "</pre>", "?>", "]]>", ">"} {
		if _, still := openEnd(source + "\n" + end); end != "" && !still {
			return source + "\n" + end
		}
	}
	return source
}

// openEnd reports whether the last block of a text would continue after an empty line. It
// returns the fence of a code block that would.
func openEnd(source string) (fence string, open bool) {
	s := []byte(source + "\n\nafter")
	switch last := tree(s, headingIDs{}).LastChild().(type) {
	case *ast.FencedCodeBlock:
		// The fence is in the line before the code, whose last line is "after".
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
