// Package edit changes fields of a content file by replacing ranges of bytes, so that
// everything else keeps its bytes, comments and order. It knows YAML and front matter,
// but not what the fields mean.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"souk/build/intake/merge"
)

// Description is the field that is the Markdown below the front matter.
const Description = "description"

// A File is a content file as it is on disk.
type File struct {
	// Fields are its fields. The text of a Markdown file is the Description.
	Fields merge.Map
	// Markdown says that the file is front matter and text.
	Markdown bool

	data       []byte
	start, end int // of the YAML
	body       int
	root       *yaml.Node
	lines      []string // of the YAML, with their ends
	eol        string
}

// Parse reads a content file.
func Parse(data []byte, markdown bool) (*File, error) {
	f := &File{Markdown: markdown, data: data, end: len(data), eol: "\n"}
	if bytes.Contains(data, []byte("\r\n")) {
		f.eol = "\r\n"
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		f.start = len("\ufeff")
	}
	if markdown {
		if err := f.split(); err != nil {
			return nil, err
		}
	}
	var document yaml.Node
	front := data[f.start:f.end]
	if len(bytes.TrimSpace(front)) > 0 {
		if err := yaml.Load(front, &document); err != nil && !strings.HasSuffix(err.Error(), "no documents in stream") {
			return nil, err
		}
	}
	f.root = &document
	if document.Kind == yaml.DocumentNode && len(document.Content) > 0 {
		f.root = document.Content[0]
	}
	fields, err := valueOf(f.root, new(maxNodes))
	if err != nil {
		return nil, err
	}
	is := true
	if fields != nil {
		if f.Fields, is = fields.(merge.Map); !is {
			return nil, errors.New("the file is not a mapping of fields")
		}
	}
	f.lines = slices.Collect(strings.Lines(string(front)))
	if text := f.text(); text != "" {
		f.Fields = append(f.Fields, merge.Pair{Key: Description, Value: text})
	}
	return f, nil
}

// split finds the front matter and the text.
func (f *File) split() error {
	rest := f.data[f.start:]
	at := f.start
	for n := 0; len(rest) > 0; n++ {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		next := len(f.data) - len(after)
		switch mark := string(bytes.TrimRight(line, " \t\r")) == "---"; {
		case n == 0 && !mark:
			return errors.New("the file has no front matter")
		case n == 0:
			f.start = next
		case mark:
			f.end, f.body = at, next
			return nil
		}
		at, rest = next, after
	}
	return errors.New("the front matter does not end")
}

// text returns the text below the front matter with line feeds at the ends of its lines.
func (f *File) text() string {
	if !f.Markdown {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(string(f.data[f.body:]), "\r\n", "\n"), "\n")
}

// maxNodes limits the number of nodes that a file's aliases expand to.
const maxNodes = 100_000

func valueOf(n *yaml.Node, left *int) (merge.Value, error) {
	if *left--; *left < 0 {
		return nil, errors.New("the aliases of the file stand for too much")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return valueOf(n.Alias, left)
	case yaml.SequenceNode:
		list := merge.List{}
		for _, item := range n.Content {
			value, err := valueOf(item, left)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		m := merge.Map{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, err := valueOf(n.Content[i+1], left)
			if err != nil {
				return nil, err
			}
			key := n.Content[i].Value
			if m.Get(key) != nil {
				return nil, fmt.Errorf("the key %q is there twice, in line %d too", key, n.Content[i].Line)
			}
			m = append(m, merge.Pair{Key: key, Value: value})
		}
		return m, nil
	case yaml.ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return nil, nil
		case "!!str":
			return n.Value, nil
		}
		return merge.Raw(n.Value), nil
	}
	return nil, nil
}

// Edit returns the bytes of the file with the given fields, and whether they are
// Markdown: a YAML file that gets a Description becomes front matter. It fails if the
// file's layout does not allow the change.
func (f *File) Edit(to merge.Map) (data []byte, markdown bool, err error) {
	fields, text, front := to, "", f.data[:f.end]
	mapping := f.root.Kind == yaml.MappingNode && len(f.root.Content) > 0
	inYAML := mapping && slices.ContainsFunc(f.root.Content, func(n *yaml.Node) bool { return n.Value == Description })
	if !inYAML || f.Markdown {
		text, fields = to.Text(Description), to.Set(Description, nil)
	}
	if mapping && f.root.Style&yaml.FlowStyle == 0 {
		front = []byte(string(f.data[:f.start]) + f.span(0, f.root.Content[0].Line-1) + f.mapping(f.root, fields, len(f.lines)))
	} else if !merge.Equal(f.Fields, to) {
		front = []byte(string(f.data[:f.start]) + render(fields, "", f.eol))
	}
	was := f.text()
	body := f.data[f.body:]
	switch {
	case f.Markdown && text == was:
		data = append(front, f.data[f.end:]...)
	case f.Markdown && text != "" && was != "":
		// What surrounds the text stays.
		first, last := bytes.IndexFunc(body, notEnd), bytes.LastIndexFunc(body, notEnd)
		_, size := utf8.DecodeRune(body[last:])
		data = slices.Concat(front, f.data[f.end:f.body+first], []byte(strings.ReplaceAll(text, "\n", f.eol)), body[last+size:])
	case f.Markdown:
		data = append(append(front, f.data[f.end:f.body]...), below(text, f.eol)...)
	case text != "":
		front = bytes.TrimPrefix(front, []byte("---"+f.eol))
		if len(front) > 0 && front[len(front)-1] != '\n' {
			front = append(front, f.eol...)
		}
		data = slices.Concat([]byte("---"+f.eol), front, []byte("---"+f.eol), below(text, f.eol))
	default:
		data = front
	}
	markdown = f.Markdown || text != ""
	after, err := Parse(data, markdown)
	if err != nil || !merge.Equal(after.Fields, to) {
		return nil, false, errors.New("the fields are written in a way that cannot be edited by a program; write them one to a line, without anchors")
	}
	return data, markdown, nil
}

func notEnd(r rune) bool { return r != '\n' && r != '\r' }

func below(text, eol string) []byte {
	if text == "" {
		return nil
	}
	return []byte(eol + strings.ReplaceAll(text, "\n", eol) + eol)
}

// New returns the bytes of a new file, and whether they are Markdown.
func New(fields merge.Map) (data []byte, markdown bool) {
	text := fields.Text(Description)
	if text == "" {
		return []byte(render(fields, "", "\n")), false
	}
	return slices.Concat([]byte("---\n"+render(fields.Set(Description, nil), "", "\n")+"---\n"), below(text, "\n")), true
}
