package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// shown returns everything of a node that a decoder may look at.
func shown(n *yaml.Node) string {
	var b strings.Builder
	var show func(n *yaml.Node, depth int)
	show = func(n *yaml.Node, depth int) {
		fmt.Fprintf(&b, "%*s%d %s %d %q %d:%d %q\n", depth, "", n.Kind, n.Tag, n.Style, n.Value, n.Line, n.Column, n.Anchor)
		for _, child := range n.Content {
			show(child, depth+1)
		}
	}
	show(n, 0)
	return b.String()
}

// checkPlain fails if a text is parsed differently from the library. It reports whether it
// is parsed at all.
func checkPlain(t interface{ Fatalf(string, ...any) }, text string) bool {
	if strings.ContainsFunc(text, unprintable) || !utf8.ValidString(text) {
		return false // rejected before
	}
	reader := plainReaders.Get().(*plainReader)
	defer plainReaders.Put(reader)
	got := reader.read(text)
	if got == nil {
		return false
	}
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil {
		t.Fatalf("the library refuses %q: %v", text, err)
	}
	if got, want := shown(got), shown(document.Content[0]); got != want {
		t.Fatalf("%q is read as\n%s, by the library as\n%s", text, got, want)
	}
	return true
}

const plainSample = "name: Designed Meter\nsummary: >-\n  The be straight:\n  on # most.\ncategories:\n- one\n- two\nvariants:\n  - name: large white\n    price:\n      amount: \"2525.00\"\n" +
	"  - name: 'Ö'\n\nattributes:\n  Max load:\n    value: 241.3\n  Ports: 18\n  Rugged: true\nrelated:\n  - product:a/b-1\n  - ref: seller:x\nupdatedAt: 2025-08-23\n"

func TestPlainYAMLIsParsedLikeTheLibraryDoes(t *testing.T) {
	if !checkPlain(t, plainSample) {
		t.Error("the sample is left to the library")
	}
	for _, text := range []string{
		"a: b\n c", "a: b\n\n  c", "a:\n", "a: >-\n", "a: >-\n  b\n\n  c", "a: >-\n  b\n   c", "a: b # c", "a: b:", "a: b: c", "a: -", "a: ~", "a: yes", "a: 0x1", "a: 01", "a: 1_0",
		"a: 1e3", "a: &b c", "a: *b", "a: [b]", "a: {b: c}", "a: |\n  b", "a: ''''", `a: "\n"`, `a: "b`, "a: b\u2028c", "a: b\tc", "---\na: b", "a: b\n...", "a: b\n---", "- a: b", "- - a",
		"a:\n  - b\n c: d", "a:\n  b: c\n d: e", "a: b\n  - c", "a:\n- b\nc: d", "a:\n- b: c\n  d: e\n- f", "a:\n  -  b", "a: !x b", "a: b\r\nc: d", "a:b", "a:  b", "\na: b", " a: b", "a: b ",
		"? a", "a: 2026-13-01", "a: 1.", "a: .5", "true: b", "a: b\na: c", "a: \ufeffb", "a:\n  - b\n  c: d", "a: 00.5", "a: \u0085", "a: b\n#c", "a:\n    b: c\n  d: e", "a: |-\n  b", "a: <<", "on: b",
	} {
		checkPlain(t, text)
	}
	read, all := 0, 0
	err := filepath.WalkDir("../../content", func(path string, _ os.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".md" && ext != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		d := &decoder{file: path}
		front, _, ok := d.split(data)
		if all++; ok && checkPlain(t, front) {
			read++
		}
		return err
	})
	if err != nil || read == 0 {
		t.Errorf("%d of %d files of the sample are read, %v", read, all, err)
	}
	t.Logf("%d of %d files of the sample are read", read, all)
}

func TestNoValueOfPlainYAMLRetainsTheWholeText(t *testing.T) {
	text := strings.Clone(plainSample) // not in memory that is never freed
	within := func(part string) bool {
		at, from := uintptr(unsafe.Pointer(unsafe.StringData(part))), uintptr(unsafe.Pointer(unsafe.StringData(text)))
		return part != "" && at >= from && at < from+uintptr(len(text))
	}
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		for i, child := range n.Content {
			if key := n.Kind == yaml.MappingNode && i%2 == 0; !key && within(child.Value) {
				t.Errorf("%q is a part of the text", child.Value)
			}
			look(child)
		}
	}
	look(new(plainReader).read(text))
}

// TestAnyYAMLIsParsedLikeTheLibraryDoes draws texts from pieces that matter to YAML.
func TestAnyYAMLIsParsedLikeTheLibraryDoes(t *testing.T) {
	pieces := []string{
		"a", "b c", "name", "true", "No", "null", "12", "1.50", "0", "007", "2026-01-31", "2026-02-30", "é", "\"q\"", "'s'", "\"", "'", ":", ": ", ":\n", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "- ",
		" ", "#", " #", ">-\n  ", ">-\n    ", "|\n  ", "[a]", "{a: b}", "&a ", "*a", "!t ", "\\", "-", "--", "\n---", "\n...", "?", ",", "%", "@", "a: b", "\na: b", "\n  a: b", "\na:\n  - b", "\n  - a: b\n    c: d", "~", "<<",
	}
	rapid.Check(t, func(t *rapid.T) {
		checkPlain(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), ""))
	})
}

func FuzzPlainYAML(f *testing.F) {
	f.Add(plainSample)
	f.Fuzz(func(t *testing.T, text string) { checkPlain(t, text) })
}
