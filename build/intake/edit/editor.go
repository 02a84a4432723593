package edit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"souk/build/intake/merge"
)

// span returns some lines of the YAML.
func (f *File) span(from, to int) string { return strings.Join(f.lines[from:to], "") }

// offset returns where a node begins in its line.
func (f *File) offset(n *yaml.Node) (at int) {
	line := f.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}

// endOf returns the line after the entry that starts in a line at an indentation. Items
// of a list may have the indentation of their key.
func (f *File) endOf(line, indent int, items bool) (end int) {
	end = line + 1
	for i, text := range f.lines[line+1:] {
		bare := strings.TrimLeft(text, " ")
		switch depth := len(text) - len(bare); {
		case strings.TrimSpace(bare) == "":
		case depth > indent, items && depth == indent && (strings.HasPrefix(bare, "- ") || strings.TrimSpace(bare) == "-"):
			end = line + 2 + i
		case bare[0] == '#':
		default:
			return end
		}
	}
	return end
}

// mapping returns the lines of a block mapping up to end, with other fields.
func (f *File) mapping(n *yaml.Node, to merge.Map, end int) string {
	first := n.Content[0]
	indent := strings.Repeat(" ", first.Column-1)
	known := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		known[n.Content[i].Value] = true
	}
	// What is new comes after the field before it.
	added, last := map[string]merge.Map{}, first.Value
	for _, p := range to {
		if known[p.Key] {
			last = p.Key
		} else if !merge.Equal(p.Value, nil) {
			added[last] = append(added[last], p)
		}
	}
	var b bytes.Buffer
	at := first.Line - 1
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		start, stop := key.Line-1, f.endOf(key.Line-1, first.Column-1, true)
		b.WriteString(f.span(at, start))
		before, _ := valueOf(value, new(maxNodes))
		switch after := to.Get(key.Value); {
		case merge.Equal(before, after):
			b.WriteString(f.span(start, stop))
		case !merge.Equal(after, nil):
			b.WriteString(f.value(key, value, after, stop))
		}
		if more := added[key.Value]; more != nil {
			if text := b.Bytes(); len(text) > 0 && text[len(text)-1] != '\n' {
				b.WriteString(f.eol)
			}
			b.WriteString(render(more, indent, f.eol))
		}
		at = stop
	}
	return b.String() + f.span(at, end)
}

// value returns the lines of a key up to stop, with another value.
func (f *File) value(key, n *yaml.Node, to merge.Value, stop int) string {
	start := key.Line - 1
	if n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 && n.Line > key.Line && n.Anchor == "" {
		switch to := to.(type) {
		case merge.Map:
			if n.Kind == yaml.MappingNode {
				return f.span(start, n.Line-1) + f.mapping(n, to, stop)
			}
		case merge.List:
			if text, done := f.list(n, to, stop); done {
				return f.span(start, n.Line-1) + text
			}
		}
	}
	if oneLine(to) && n.Kind == yaml.ScalarNode && n.Line == key.Line && n.Value != "" && stop == key.Line {
		return f.replaced(n, to)
	}
	prefix := f.lines[start][:f.offset(key)]
	return prefix + strings.TrimLeft(render(merge.Map{{Key: key.Value, Value: to}}, strings.Repeat(" ", len(prefix)), f.eol), " ")
}

func oneLine(v merge.Value) bool {
	text, is := merge.Text(v)
	return is && !strings.Contains(text, "\n")
}

// replaced returns the line of a scalar with another one, and its comment.
func (f *File) replaced(n *yaml.Node, to merge.Value) string {
	line, from := f.lines[n.Line-1], f.offset(n)
	end := len(line)
	if n.LineComment != "" {
		end = max(strings.LastIndex(line, n.LineComment), from)
	}
	return line[:from] + scalar(to) + line[len(strings.TrimRight(line[:end], " \t\r\n")):]
}

// list returns the lines of a block list up to end with new items, and reports whether
// its items can be distinguished.
func (f *File) list(n *yaml.Node, to merge.List, end int) (text string, done bool) {
	value, _ := valueOf(n, new(maxNodes))
	before, _ := value.(merge.List)
	was, is := merge.Keys(before), merge.Keys(to)
	if was == nil || is == nil {
		return "", false
	}
	// from maps each new item to the old one that it keeps or replaces.
	from, stays := make([]int, len(is)), map[int]bool{}
	for j, key := range is {
		if from[j] = slices.Index(was, key); from[j] < 0 && len(was) == len(is) && !slices.Contains(is, was[j]) {
			from[j] = j
		}
		stays[from[j]] = true
	}
	margin, at, above := strings.Repeat(" ", n.Column-1), n.Line-1, ""
	items, gaps := make([]span, len(was)), make([]string, len(was))
	for i, item := range n.Content {
		start := item.Line - 1
		if start < at || !strings.HasPrefix(f.lines[start], margin+"-") {
			return "", false
		}
		above += f.span(at, start) // comments above a deleted item move to the next
		at = f.endOf(start, n.Column-1, false)
		if items[i] = (span{start, at}); stays[i] {
			gaps[i], above = above, ""
		}
	}
	for j, item := range to {
		if i := from[j]; i < 0 {
			text += renderItems(merge.List{item}, margin, f.eol)
		} else {
			text += gaps[i] + f.item(n.Content[i], before[i], item, items[i], margin)
		}
	}
	return text + above + f.span(at, end), true
}

// A span is a range of lines.
type span struct{ start, end int }

// item returns the lines of an item of a list with another value.
func (f *File) item(n *yaml.Node, before, to merge.Value, at span, margin string) string {
	m, isMap := to.(merge.Map)
	switch {
	case merge.Equal(before, to):
		return f.span(at.start, at.end)
	case n.Anchor != "":
	case oneLine(to) && n.Kind == yaml.ScalarNode && at.end == at.start+1:
		return f.replaced(n, to)
	case isMap && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && !merge.Equal(m.Get(n.Content[0].Value), nil):
		return f.mapping(n, m, at.end)
	}
	return renderItems(merge.List{to}, margin, f.eol)
}
