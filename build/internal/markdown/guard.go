package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// guardEnds checks the bytes that become adjacent when the pieces of a use are removed.
// text is where its text begins, or its end if it leaves nothing.
func (c *collector) guardEnds(u *use, text, target int) {
	last := u.close
	if text == u.end {
		last = u.open
	}
	// "!" before the end of a link and "[" after it would make a picture.
	if u.end < len(c.source) && c.source[u.end] == '[' && last > 0 && c.source[last-1] == '!' && !escaped(c.source, last-1) {
		c.guard(last-1, target)
	}
	c.guardTicks(u.node.PreviousSibling(), u.open, -1, target)
	c.guardTicks(u.node.NextSibling(), u.end, 1, target)
	if text != u.end {
		c.guardTicks(u.node.FirstChild(), text, 1, target)
		c.guardTicks(u.node.LastChild(), u.close, -1, target)
	}
}

// guardTicks guards the backticks that end or begin at a position: plain ones could form a
// code span with others.
func (c *collector) guardTicks(n ast.Node, at, step, target int) {
	if _, ok := n.(*ast.Text); !ok {
		return
	}
	if step < 0 {
		at--
	}
	for ; at >= 0 && at < len(c.source) && c.source[at] == '`'; at += step {
		if !escaped(c.source, at) {
			c.guard(at, target)
		}
	}
}

// guardBlock checks text that will begin a line when target is dropped, and guards it if it
// would begin a block there: a heading, list, quote or fence.
func (c *collector) guardBlock(at, target int) {
	s := c.source[at:]
	if s == "" {
		return
	}
	mark := s[0]
	run := len(s) - len(strings.TrimLeft(s, s[:1]))
	switch mark {
	case '>':
		c.guard(at, target)
	case '#', '+', '-', '*', '_', '=':
		if endsMarker(s[run:]) {
			c.guard(at, target)
		}
	case '~':
		if run >= 3 {
			c.guard(at, target)
		}
	case '`':
		// With one backslash, the remaining shorter run could open a code span.
		for i := 0; run >= 3 && i < run; i++ {
			c.guard(at+i, target)
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if after := s[digits:]; after != "" && (after[0] == '.' || after[0] == ')') && endsMarker(after[1:]) {
			c.guard(at+digits, target)
		}
	}
}

// endsMarker reports whether a block's mark may end before s. It accepts "]" because that
// disappears together with its link.
func endsMarker(s string) bool {
	return s == "" || strings.IndexByte(" \t\r\n]", s[0]) >= 0
}

func isBlank(s string) bool { return strings.TrimLeft(s, " \t\r\n") == "" }

// escaped reports whether an odd number of backslashes precedes the byte at.
func escaped(s string, at int) bool {
	return (at-len(strings.TrimRight(s[:at], `\`)))%2 == 1
}
