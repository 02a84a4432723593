package source

import (
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"
)

// This file reads the YAML that most files consist of: block mappings and lists of scalars on
// one line, and folded text. It declines everything else, which the library then reads. If it
// does not decline, its nodes equal the library's, which a fuzz test checks. Reading with the
// library caused a third of the allocations of a cold build.

// A plainReader reads the lines of a text. It reuses the nodes of the previous text, which
// must no longer be in use.
type plainReader struct {
	lines []plainLine
	at    int
	// nodes are the allocated nodes; the first made of them belong to this text.
	nodes []*yaml.Node
	used  int
	// declined means that the text contains something that only the library can read.
	declined bool
}

// plainReaders are readers that are not in use.
var plainReaders = sync.Pool{New: func() any { return new(plainReader) }}

// A plainLine is a line that is not empty.
type plainLine struct {
	// number counts from 1; indent is the number of spaces before text.
	number, indent int
	text           string
}

const maxPlain = 64 << 10

// read returns the root node of a text, or nil if the library must read it.
func (r *plainReader) read(text string) *yaml.Node {
	*r = plainReader{lines: r.lines[:0], nodes: r.nodes}
	if len(text) > maxPlain || !r.split(text) || len(r.lines) == 0 || r.lines[0].indent > 0 {
		return nil
	}
	root := r.mapping(0)
	if r.declined || r.at < len(r.lines) {
		return nil
	}
	return root
}

// split splits a text into lines. It reports false if something may span several lines.
func (r *plainReader) split(text string) bool {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case line == "":
			continue
		case trimmed == "", strings.HasSuffix(line, " "), strings.ContainsFunc(line, breaks):
			return false
		}
		r.lines = append(r.lines, plainLine{number, len(line) - len(trimmed), trimmed})
	}
	return true
}

// breaks reports whether YAML takes a character for a line break or indentation, or forbids
// it.
func breaks(c rune) bool {
	return c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff || unprintable(c)
}

func (r *plainReader) decline() *yaml.Node {
	r.declined = true
	return nil
}

// next returns the present line if it begins at a column, or nil.
func (r *plainReader) next(indent int) *plainLine {
	if r.declined || r.at == len(r.lines) || r.lines[r.at].indent != indent {
		return nil
	}
	return &r.lines[r.at]
}

func (r *plainReader) node(kind yaml.Kind, tag, value string, line, column int) *yaml.Node {
	if r.used == len(r.nodes) {
		more := make([]yaml.Node, 64)
		for i := range more {
			r.nodes = append(r.nodes, &more[i])
		}
	}
	n := r.nodes[r.used]
	r.used++
	*n = yaml.Node{Kind: kind, Tag: tag, Value: value, Line: line, Column: column + 1, Content: n.Content[:0]}
	return n
}

// mapping reads the entries that begin at a column. A line that begins elsewhere ends the
// mapping; if it should not, the caller declines.
func (r *plainReader) mapping(indent int) *yaml.Node {
	m := r.node(yaml.MappingNode, "!!map", "", r.lines[r.at].number, indent)
	for l := r.next(indent); l != nil; l = r.next(indent) {
		colon := strings.IndexByte(l.text, ':')
		if colon <= 0 || !isPlainKey(l.text[:colon]) {
			if strings.HasPrefix(l.text, "- ") && len(m.Content) > 0 {
				break
			}
			return r.decline()
		}
		key := r.plain(l.text[:colon], l.number, indent)
		var value *yaml.Node
		switch rest := l.text[colon+1:]; {
		case rest == "":
			r.at++
			value = r.block(indent)
		case rest[0] == ' ' && len(rest) > 1:
			value = r.value(rest[1:], *l, indent, colon+2)
		default:
			return r.decline()
		}
		if r.declined {
			return nil
		}
		m.Content = append(m.Content, key, value)
	}
	return m
}

// block reads the collection below a key that begins at a column. A list may begin at the same
// column.
func (r *plainReader) block(indent int) *yaml.Node {
	if r.at == len(r.lines) {
		return r.decline()
	}
	l := r.lines[r.at]
	isList := strings.HasPrefix(l.text, "- ")
	switch {
	case isList && l.indent >= indent:
		return r.list(l.indent)
	case !isList && l.indent > indent:
		return r.mapping(l.indent)
	}
	return r.decline()
}

func (r *plainReader) list(indent int) *yaml.Node {
	s := r.node(yaml.SequenceNode, "!!seq", "", r.lines[r.at].number, indent)
	for l := r.next(indent); l != nil && strings.HasPrefix(l.text, "- "); l = r.next(indent) {
		rest := l.text[2:]
		var item *yaml.Node
		if colon := strings.IndexByte(rest, ':'); colon > 0 && isPlainKey(rest[:colon]) && (colon+1 == len(rest) || rest[colon+1] == ' ') {
			l.indent, l.text = indent+2, rest
			item = r.mapping(indent + 2)
		} else {
			item = r.value(rest, *l, indent, 2)
		}
		if r.declined {
			return nil
		}
		s.Content = append(s.Content, item)
	}
	return s
}

// value reads a scalar that begins at an offset in a line of a collection.
func (r *plainReader) value(text string, l plainLine, indent, into int) (n *yaml.Node) {
	r.at++
	column := l.indent + into
	switch {
	case text == ">-":
		return r.folded(l, indent, column)
	case text[0] == '"' || text[0] == '\'':
		inner, last := text[1:], len(text)-2
		if last < 0 || inner[last] != text[0] || strings.IndexByte(inner, text[0]) != last || text[0] == '"' && strings.Contains(inner, `\`) {
			return r.decline()
		}
		n = r.node(yaml.ScalarNode, "!!str", inner[:last], l.number, column)
		n.Style = yaml.DoubleQuotedStyle
		if text[0] == '\'' {
			n.Style = yaml.SingleQuotedStyle
		}
	case strings.Contains(text, ": ") || strings.HasSuffix(text, ":") || strings.Contains(text, " #"):
		return r.decline()
	default:
		n = r.plain(text, l.number, column)
	}
	if r.declined || r.at < len(r.lines) && r.lines[r.at].indent > indent {
		return r.decline() // it continues
	}
	n.Value = strings.Clone(n.Value) // a substring would keep the whole text in memory
	return n
}

// folded reads one paragraph of folded text that ends without a line break.
func (r *plainReader) folded(l plainLine, indent, column int) *yaml.Node {
	from := r.at
	for ; r.at < len(r.lines) && r.lines[r.at].indent > indent; r.at++ {
		if one := r.lines[r.at]; one.indent != r.lines[from].indent || one.number != l.number+1+r.at-from {
			return r.decline()
		}
	}
	if r.at == from {
		return r.decline()
	}
	var b strings.Builder
	for i, one := range r.lines[from:r.at] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(one.text)
	}
	n := r.node(yaml.ScalarNode, "!!str", b.String(), l.number, column)
	n.Style = yaml.FoldedStyle
	return n
}

// isPlainKey reports whether text is a key of letters, digits and single spaces.
func isPlainKey(text string) bool {
	const long = 100
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == ' ' && i+1 < len(text)):
		default:
			return false
		}
	}
	return text != "" && len(text) <= long
}

// plain returns the node of an unquoted scalar.
func (r *plainReader) plain(text string, line, column int) *yaml.Node {
	tag := ""
	switch c := text[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
		tag = plainWord(text)
	case c >= '0' && c <= '9':
		tag = plainNumber(text)
	}
	if tag == "" {
		return r.decline()
	}
	return r.node(yaml.ScalarNode, tag, text, line, column)
}

// plainWord returns the tag of a scalar that begins with a letter, or "" if it may be
// something other than text.
func plainWord(text string) string {
	if len(text) > len("false") {
		return "!!str"
	}
	switch strings.ToLower(text) {
	case "true", "false":
		if text == "true" || text == "false" {
			return "!!bool"
		}
		return ""
	case "y", "n", "yes", "no", "on", "off", "null":
		return ""
	}
	return "!!str"
}

// plainNumber returns the tag of a scalar that begins with a digit, or "" if it is neither a
// short number nor a day.
func plainNumber(text string) string {
	const short = 15
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return "!!timestamp"
	}
	whole, part, dotted := strings.Cut(text, ".")
	switch {
	case len(text) > short, !digits(whole), len(whole) > 1 && whole[0] == '0', dotted && !digits(part):
		return ""
	case dotted:
		return "!!float"
	}
	return "!!int"
}
