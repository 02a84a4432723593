package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// collector turns what the parser found into targets and edits.
type collector struct {
	*finding
	source  string
	targets []Target
	edits   []Edit
	// defined maps the positions of destinations in definitions to their targets; spans are
	// the definitions' own ranges, ascending.
	defined map[int]int
	spans   []span
}

type span struct{ start, end int }

func (c *collector) addTarget(t Target) int {
	c.targets = append(c.targets, t)
	return len(c.targets) - 1
}

// piece adds an edit without a destination.
func (c *collector) piece(start, end, target int) {
	c.edits = append(c.edits, Edit{Start: start, End: end, DestStart: start, DestEnd: start, Target: target})
}

// guard adds a backslash before the byte at.
func (c *collector) guard(at, target int) { c.piece(at, at, target) }

// position returns where a slice that the parser cut from its source begins. Such slices
// share the end of their capacity with the source, so the position is exact, while a search
// could find the same bytes elsewhere.
func (f *finding) position(part []byte, from, to int) int {
	if part == nil {
		return -1
	}
	at := cap(f.source) - cap(part)
	if at >= from && at+len(part) <= to && (len(part) == 0 || &f.source[at] == &part[0]) {
		return at
	}
	if at = bytes.Index(f.source[from:to], part); at >= 0 {
		at += from
	}
	return at
}

// addDefinition adds a reference definition, even if it is unused or a duplicate, since it
// reveals its target all the same.
func (c *collector) addDefinition(d definition) {
	lines := d.node.Lines()
	start := d.node.Pos()
	dest := c.position(d.node.Destination, start, len(c.source))
	if dest < 0 {
		return
	}
	destEnd := dest + len(d.node.Destination)
	end := max(lines.At(lines.Len()-1).Stop, destEnd)
	if dest > 0 && c.source[dest-1] == '<' {
		end = max(end, destEnd+1)
	}
	if d.next < end || strings.Count(c.source[end:d.next], "\n") != 1 {
		d.next = -1
	}
	target := c.addTarget(Target{Destination: decode(c.source[dest:destEnd]), Offset: dest})
	if c.defined == nil {
		c.defined = map[int]int{}
	}
	c.defined[dest] = target
	c.spans = append(c.spans, span{start, end})

	joined := len(c.edits) > 0 && c.edits[len(c.edits)-1].End == start
	e := Edit{Start: start, End: end, DestStart: dest, DestEnd: destEnd, Target: target}
	if d.next >= 0 {
		// The paragraph continues: its next line moves up into this one, so that it stays
		// in the same quote or list item.
		e.End = d.next
	} else if head, next := c.lineStart(start), c.nextLine(end); isBlank(c.source[end:next]) &&
		(head == start || !joined && isBlank(c.source[head:start])) {
		e.Start, e.End = head, next
	}
	c.edits = append(c.edits, e)
	if d.text {
		c.guardBlock(e.End, target)
	}
}

func (c *collector) lineStart(at int) int { return strings.LastIndexByte(c.source[:at], '\n') + 1 }

func (c *collector) nextLine(at int) int {
	if n := strings.IndexByte(c.source[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(c.source)
}

// addUse adds a link, picture or autolink with the guards that it needs.
func (c *collector) addUse(u *use) {
	if c.inDefinition(u) {
		return
	}
	target, known := c.targetOf(u)
	if !known {
		return
	}
	text := u.open + 1
	if u.image {
		text++
	}
	if u.auto || u.node.FirstChild() == nil {
		text = u.end // nothing of it remains, so what follows takes its place
	}
	opens, next := u.open, text
	if atHead(u.node, c.finding) {
		if isTextAt(firstLeft(u.node, text == u.end), text) {
			next = text + len(c.source[text:]) - len(strings.TrimLeft(c.source[text:], " \t"))
			c.guardBlock(next, target)
		}
	}
	t := c.targets[target]
	switch {
	case u.auto:
		c.edits = append(c.edits, Edit{opens, next, u.open + 1, u.close, target})
	case text == u.end:
		c.piece(u.open, u.close, target)
		c.closing(u, next, t.Offset, target)
	default:
		c.piece(opens, min(next, u.close), target)
		c.closing(u, u.end, t.Offset, target)
	}
	c.guardEnds(u, text, target)
}

// closing adds the piece that starts at a link's closing bracket.
func (c *collector) closing(u *use, end, offset, target int) {
	if u.reference {
		c.piece(u.close, end, target)
		return
	}
	c.edits = append(c.edits, Edit{u.close, end, offset, offset + len(u.destination), target})
}

// inDefinition reports whether a use is part of a definition, as in the few malformed texts
// that the parser reads both as a definition and as a paragraph.
func (c *collector) inDefinition(u *use) bool {
	for len(c.spans) > 0 && c.spans[0].end <= u.open {
		c.spans = c.spans[1:]
	}
	return len(c.spans) > 0 && c.spans[0].start < u.end
}

// targetOf returns the target of a use: the definition's, or a new one.
func (c *collector) targetOf(u *use) (int, bool) {
	alt := ""
	if u.image {
		alt = plainText(u.node, c.finding.source)
	}
	if u.reference {
		target, ok := c.defined[c.position(u.destination, 0, len(c.source))]
		if ok && u.image && !c.targets[target].Image {
			c.targets[target].Image, c.targets[target].Alt = true, alt
		}
		return target, ok
	}
	offset := u.open + 1
	if !u.auto {
		offset = c.position(u.destination, u.close+2, u.end)
		if offset < 0 {
			offset = u.close + 2 // "[a]()" has no destination, but a position for it
		}
	}
	written := c.source[offset : offset+len(u.destination)]
	t := Target{Offset: offset, Image: u.image, Alt: alt}
	if u.auto {
		t.Destination = decodeAutolink(written)
	} else {
		t.Destination = decode(written)
	}
	return c.addTarget(t), true
}

// atHead reports whether a use begins its line once the uses around and before it are
// removed.
func atHead(n ast.Node, f *finding) bool {
	// Nobody writes longer chains, and following each to its end would take quadratic time.
	for range 8 {
		previous := n.PreviousSibling()
		switch p := previous.(type) {
		case nil:
			switch parent := n.Parent().(type) {
			case *ast.Link, *ast.Image:
				n = parent
				continue
			case *ast.Heading:
				return !isATX(parent)
			default:
				return parent.Type() == ast.TypeBlock
			}
		case *ast.Text:
			if p.SoftLineBreak() || p.HardLineBreak() {
				return true
			}
			if len(bytes.TrimSpace(p.Segment.Value(f.source))) > 0 {
				return false
			}
		case *ast.AutoLink:
		case *ast.Link, *ast.Image:
			if p.FirstChild() != nil {
				return false
			}
		default:
			return false
		}
		n = previous
	}
	return false
}

// firstLeft returns what a use leaves in its place: its own first node, or the next node if
// the use leaves nothing.
func firstLeft(n ast.Node, vanishes bool) ast.Node {
	if vanishes {
		return n.NextSibling()
	}
	return n.FirstChild()
}
