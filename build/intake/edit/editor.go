package edit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"souk/build/intake/merge"
)

// A change replaces a range of bytes.
type change struct {
	from, to int
	text     string
}

type editor struct {
	*File
	changes []change
}

func (e *editor) change(from, to int, text string) {
	e.changes = append(e.changes, change{from, to, text})
}

// apply returns everything up to the end of the YAML with the changes.
func (e *editor) apply() []byte {
	slices.SortStableFunc(e.changes, func(a, b change) int {
		if a.from == b.from {
			return min(a.to-a.from, 1) - min(b.to-b.from, 1) // what is inserted comes before what was there
		}
		return a.from - b.from
	})
	var out []byte
	at := 0
	for _, c := range e.changes {
		if c.from < at {
			continue // within a range that was replaced; Edit compares the result
		}
		out = append(out, e.data[at:c.from]...)
		if len(c.text) > 0 && c.from == e.end && len(out) > e.start && out[len(out)-1] != '\n' {
			out = append(out, e.eol...)
		}
		out = append(out, c.text...)
		at = c.to
	}
	return append(out, e.data[at:e.end]...)
}

// offset returns where a node begins.
func (e *editor) offset(n *yaml.Node) int {
	at := e.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(e.data[at:e.end])
		at += size
	}
	return at
}

// line returns the bytes of a line, counted from 0.
func (e *editor) line(i int) []byte {
	return e.data[e.lineStart(i):e.lineStart(i+1)]
}

func (e *editor) lineStart(i int) int {
	if i < len(e.lines) {
		return e.lines[i]
	}
	return e.end
}

// endOf returns the line after an entry that begins in a line at an indentation. Items of
// a list may stand at the indentation of the key above them.
func (e *editor) endOf(line, indent int, items bool) int {
	end := line + 1
	for i := line + 1; i < len(e.lines); i++ {
		text := e.line(i)
		bare := bytes.TrimLeft(text, " ")
		switch depth := len(text) - len(bare); {
		case len(bytes.TrimSpace(bare)) == 0:
		case depth > indent, items && depth == indent && bare[0] == '-' && (len(bytes.TrimSpace(bare)) == 1 || bare[1] == ' '):
			end = i + 1
		case bare[0] == '#':
		default:
			return end
		}
	}
	return end
}

// mapping changes the fields of a block mapping.
func (e *editor) mapping(n *yaml.Node, to merge.Map) {
	indent := n.Content[0].Column - 1
	ends := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		start, end := e.lineStart(key.Line-1), e.lineStart(e.endOf(key.Line-1, indent, true))
		ends[key.Value] = end
		left := maxNodes
		before, _ := valueOf(value, &left)
		switch after := to.Get(key.Value); {
		case merge.Equal(before, after):
		case merge.Equal(after, nil):
			e.change(start, end, "")
		default:
			e.value(key, value, after, end)
		}
	}
	// What is new comes after the field before it.
	at := ends[n.Content[0].Value]
	for _, p := range to {
		if end, known := ends[p.Key]; known {
			at = end
		} else if !merge.Equal(p.Value, nil) {
			e.change(at, at, render(merge.Map{p}, strings.Repeat(" ", indent), e.eol))
		}
	}
}

// value changes the value of a key, whose entry ends at end.
func (e *editor) value(key, n *yaml.Node, to merge.Value, end int) {
	block := n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 && n.Line > key.Line && n.Anchor == ""
	if m, is := to.(merge.Map); is && block && n.Kind == yaml.MappingNode {
		e.mapping(n, m)
		return
	}
	if list, is := to.(merge.List); is && block && n.Kind == yaml.SequenceNode && e.list(n, list) {
		return
	}
	if text, is := merge.Text(to); is && n.Kind == yaml.ScalarNode && n.Line == key.Line && n.Value != "" && e.lineStart(key.Line) == end && !strings.Contains(text, "\n") {
		from := e.offset(n)
		e.change(from, from+token(e.line(n.Line - 1)[from-e.lineStart(n.Line-1):]), scalar(to))
		return
	}
	from := e.offset(key)
	indent := from - e.lineStart(key.Line-1)
	e.change(from, end, strings.TrimLeft(render(merge.Map{{Key: key.Value, Value: to}}, strings.Repeat(" ", indent), e.eol), " "))
}

// token returns the length of the scalar that a line begins with.
func token(line []byte) int {
	switch line[0] {
	case '"':
		for i := 1; i < len(line); i++ {
			if line[i] == '\\' {
				i++
			} else if line[i] == '"' {
				return i + 1
			}
		}
	case '\'':
		for i := 1; i < len(line); i++ {
			if line[i] == '\'' && i+1 < len(line) && line[i+1] == '\'' {
				i++
			} else if line[i] == '\'' {
				return i + 1
			}
		}
	default:
		if at := bytes.Index(line, []byte(" #")); at >= 0 {
			line = line[:at]
		}
	}
	return len(bytes.TrimRight(line, " \t\r\n"))
}

// list changes the items of a block list one by one, and reports whether it could.
func (e *editor) list(n *yaml.Node, to merge.List) bool {
	left := maxNodes
	value, err := valueOf(n, &left)
	before, _ := value.(merge.List)
	was, is := merge.Keys(before), merge.Keys(to)
	if err != nil || was == nil || is == nil || !sameOrder(was, is) {
		return false
	}
	inPlace := replaced(was, is)
	indent := n.Column - 1
	var starts []int
	for i, end := n.Line-1, e.endOf(n.Line-1, indent, true); i < end; i++ {
		if text := e.line(i); len(text) > indent && text[indent] == '-' && len(bytes.TrimSpace(text[:indent])) == 0 {
			starts = append(starts, i)
		}
	}
	if len(starts) != len(before) {
		return false
	}
	margin := strings.Repeat(" ", indent)
	next := e.lineStart(starts[0])
	for i, key := range was {
		at := slices.Index(is, key)
		if inPlace {
			at = i
		}
		if at < 0 {
			e.change(e.lineStart(starts[i]), e.lineStart(e.endOf(starts[i], indent, false)), "")
		} else if !merge.Equal(before[i], to[at]) {
			e.item(n.Content[i], to[at], starts[i], indent)
		}
	}
	for i, key := range is {
		if inPlace {
			break
		}
		if at := slices.Index(was, key); at >= 0 {
			next = e.lineStart(e.endOf(starts[at], indent, false))
		} else {
			e.change(next, next, renderItem(to[i], margin, e.eol))
		}
	}
	return true
}

// item changes one item of a list.
func (e *editor) item(n *yaml.Node, to merge.Value, start, indent int) {
	if _, is := merge.Text(to); is && n.Kind == yaml.ScalarNode && n.Line == start+1 && e.endOf(start, indent, false) == start+1 && n.Anchor == "" {
		from := e.offset(n)
		e.change(from, from+token(e.line(start)[from-e.lineStart(start):]), scalar(to))
		return
	}
	m, is := to.(merge.Map)
	if is && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && n.Anchor == "" && n.Line == start+1 && !merge.Equal(m.Get(n.Content[0].Value), nil) {
		e.mapping(n, m)
		return
	}
	e.change(e.lineStart(start), e.lineStart(e.endOf(start, indent, false)), renderItem(to, strings.Repeat(" ", indent), e.eol))
}

// replaced reports whether two lists differ in nothing but items that others took the
// place of.
func replaced(was, is []string) bool {
	if len(was) != len(is) {
		return false
	}
	for i := range was {
		if was[i] != is[i] && (slices.Contains(is, was[i]) || slices.Contains(was, is[i])) {
			return false
		}
	}
	return true
}

// sameOrder reports whether what both lists have is in the same order.
func sameOrder(a, b []string) bool {
	last := -1
	for _, key := range a {
		if at := slices.Index(b, key); at >= 0 {
			if at < last {
				return false
			}
			last = at
		}
	}
	return true
}
