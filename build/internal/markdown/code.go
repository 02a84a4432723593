package markdown

import (
	"slices"

	"github.com/yuin/goldmark/ast"
)

// A Code lists the lines of the code spans and blocks of a text, in order.
type Code []span

// CodeOf finds the code of a text that is not too costly to parse.
func CodeOf(source string) (all Code) {
	each(tree([]byte(source), headingIDs{}), func(n ast.Node) {
		switch n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				all = append(all, span{line.Start, line.Stop})
			}
		case *ast.CodeSpan:
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				segment := part.(*ast.Text).Segment
				all = append(all, span{segment.Start, segment.Stop})
			}
		}
	})
	return all
}

// Has reports whether the byte at an offset of the text is in code.
func (c Code) Has(offset int) bool {
	_, in := slices.BinarySearchFunc(c, offset, func(s span, offset int) int {
		switch {
		case offset < s.start:
			return 1
		case offset >= s.end:
			return -1
		}
		return 0
	})
	return in
}
