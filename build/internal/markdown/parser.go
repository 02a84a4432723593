package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// finding is the result of one run of the parser.
type finding struct {
	source      []byte
	uses        []use
	definitions []definition
	html        []HTML
	spaced      []Spaced
	footnotes   []int
	// suspects are brackets that are plain text now and could become syntax when a link
	// near them is dropped.
	suspects []int
	budget
	excess *Excess
	// endless maps a number of backticks to the last block in which such a run had no end.
	endless map[int]ast.Node

	// State of the current block:
	openers       []opener
	delimiters    int
	blockUses     int
	blockSuspects int
}

// use is a link, a picture or an autolink and its position.
type use struct {
	node        ast.Node
	destination []byte
	image       bool
	reference   bool
	auto        bool
	open        int // position of "[", "![" or "<"
	close       int // position of the closing "]" or ">"
	end         int
}

// opener is a bracket that may still begin a link, and how many uses had been found before
// it: if there are more at its end, it encloses one.
type opener struct {
	at, uses int
	image    bool
}

// definition is a link reference definition; next is where the same paragraph continues
// after it, or -1.
type definition struct {
	node *ast.LinkReferenceDefinition
	next int
	text bool // the rest begins with plain text
}

var findingKey = parser.NewContextKey()

// commonMark is shared: the parser keeps the state of a run in its context, never in
// itself.
var commonMark = parser.NewParser(
	parser.WithBlockParsers(blockParsers()...),
	parser.WithInlineParsers(
		util.Prioritized(markParser{}, 0),
		util.Prioritized(codeParser{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(newLinkParser(), 200),
		util.Prioritized(autolinkParser{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(htmlParser{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(emphasisParser{parser.NewEmphasisParser()}, 500),
		util.Prioritized(emphasisParser{tildes{extension.NewStrikethroughParser()}}, 500),
	),
	parser.WithParagraphTransformers(paragraphTransformers()...),
)

func read(source string) (f *finding) {
	f = &finding{source: []byte(source), budget: newBudget(source)}
	context := parser.NewContext()
	context.Set(findingKey, f)
	defer func() {
		switch e := recover().(type) {
		case nil:
		case Excess:
			f.excess = &e
		default:
			panic(e)
		}
	}()
	f.readBlocks(commonMark.Parse(text.NewReader(f.source), parser.WithContext(context)))
	return f
}

// readBlocks reads from the tree what no inline parser sees.
func (f *finding) readBlocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.LinkReferenceDefinition:
			f.definitions = append(f.definitions, definition{node: n, next: -1})
		case *ast.HTMLBlock:
			f.addHTMLBlock(n)
		default:
			if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
				f.readBlocks(n)
			}
			continue
		}
		if d := len(f.definitions) - 1; d >= 0 && f.definitions[d].node == n {
			f.definitions[d].next, f.definitions[d].text = continuation(n.NextSibling())
		}
	}
}

// continuation returns where a paragraph that begins with a definition may continue.
func continuation(n ast.Node) (int, bool) {
	switch n := n.(type) {
	case *ast.LinkReferenceDefinition:
		return n.Pos(), false
	case *ast.Paragraph, *ast.TextBlock:
		if n.Lines().Len() > 0 {
			start := n.Lines().At(0).Start
			return start, isTextAt(n.FirstChild(), start)
		}
	case *ast.Heading:
		if n.Lines().Len() > 0 && !isATX(n) {
			start := n.Lines().At(0).Start
			return start, isTextAt(n.FirstChild(), start)
		}
	}
	return -1, false
}

// isTextAt reports whether n is plain text that begins at a position.
func isTextAt(n ast.Node, at int) bool {
	t, ok := n.(*ast.Text)
	return ok && t.Segment.Start == at
}

// isATX reports whether a heading is written as "# a" rather than underlined; the text of
// an underlined one begins its line.
func isATX(n *ast.Heading) bool {
	return n.Lines().Len() > 0 && n.Lines().At(0).Start != n.Pos()
}

func (f *finding) addHTMLBlock(n *ast.HTMLBlock) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	var b bytes.Buffer
	for i := range lines.Len() {
		line := lines.At(i)
		b.Write(line.Value(f.source))
	}
	if n.HasClosure() {
		b.Write(n.ClosureLine.Value(f.source))
	}
	first := lines.At(0)
	indent := util.TrimLeftSpaceLength(f.source[first.Start:first.Stop])
	f.addHTML(first.Start+indent, b.Bytes())
}

func (f *finding) addHTML(offset int, html []byte) {
	f.html = append(f.html, HTML{Offset: offset, Text: string(bytes.TrimSpace(html))})
}

// linkParser records where the standard parser ended, which is not in the tree.
type linkParser struct {
	parser.InlineParser
	closer parser.CloseBlocker
}

func newLinkParser() linkParser {
	standard := parser.NewLinkParser()
	return linkParser{standard, standard.(parser.CloseBlocker)}
}

// Parse implements parser.InlineParser.
func (p linkParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	_, before := block.PeekLine()
	at := before.Start
	closing := block.Peek() == ']'
	pending := closing && context.IsInLinkLabel()
	if pending {
		f.spendOnLabel(parent, at)
	}
	n := p.InlineParser.Parse(parent, block, context)
	if !closing {
		if n != nil {
			image := f.source[at] == '!'
			if image {
				at++
			}
			f.spend(openerStep, at, Crowded)
			f.openers = append(f.openers, opener{at, len(f.uses), image})
		}
		return n
	}
	var opened opener
	if last := len(f.openers) - 1; pending && last >= 0 {
		opened = f.openers[last]
		f.openers = f.openers[:last]
	}
	_, after := block.Position()
	u := use{node: n, close: at, end: after.Start}
	var title []byte
	switch n := n.(type) {
	case *ast.Link:
		u.destination, u.reference, title = n.Destination, n.Reference != nil, n.Title
	case *ast.Image:
		u.destination, u.reference, u.image, title = n.Destination, n.Reference != nil, true, n.Title
	default:
		if pending && at+1 < len(f.source) && (f.source[at+1] == '(' || f.source[at+1] == '[') {
			f.spend(rest(parent, at), at, "[") // for the search for its end
			f.addSpaced(at+1, opened.image)
		}
		if pending && bytes.HasPrefix(f.source[opened.at:], []byte("[^")) && bytes.HasPrefix(f.source[at:], []byte("]:")) {
			line := f.source[bytes.LastIndexByte(f.source[:opened.at], '\n')+1 : opened.at]
			if len(bytes.Trim(line, "> \t")) == 0 {
				f.footnotes = append(f.footnotes, opened.at)
			}
		}
		if pending && (len(f.uses) > opened.uses || mayLink(f.source[at+1:])) {
			// Record both: a single one would pair with another.
			f.suspects = append(f.suspects, opened.at, at)
		}
		return n
	}
	if u.reference {
		f.spend(len(u.destination)+len(title), at, Defined)
	}
	u.open = n.Pos()
	f.uses = append(f.uses, u)
	return n
}

// spendOnLabel spends the steps for a "]" that ends a label. The label is searched, and its
// start is found by going back line by line. If it makes a link, the nodes before it may be
// searched for emphasis.
func (f *finding) spendOnLabel(parent ast.Node, at int) {
	steps := 0
	if last := len(f.openers) - 1; last >= 0 {
		steps = at - f.openers[last].at
	}
	if lines := parent.Lines(); lines != nil {
		steps += lines.Len()
	}
	if f.delimiters > 0 {
		steps += f.delimiters + len(f.uses) - f.blockUses
	}
	f.spend(steps, at, "[")
}

// addSpaced records what follows a "]" that ends no link, if it is a path with spaces.
func (f *finding) addSpaced(at int, image bool) {
	const longest = 1 << 10
	inner, opened := bytes.CutPrefix(f.source[at:min(len(f.source), at+longest)], []byte("("))
	end := bytes.IndexAny(inner, ")\n")
	if !opened || end < 0 || inner[end] != ')' {
		return
	}
	path := inner[:end]
	for _, title := range []string{` "`, ` '`} {
		path, _, _ = bytes.Cut(path, []byte(title))
	}
	if path = bytes.TrimSpace(path); bytes.IndexByte(path, ' ') > 0 && path[0] != '<' {
		from := bytes.Index(inner, path)
		f.spaced = append(f.spaced, Spaced{at + 1 + from, string(path), image})
	}
}

// mayLink reports whether what follows a "]" could make a link of it, immediately or after
// a use there is removed.
func mayLink(s []byte) bool { return len(s) > 0 && bytes.IndexByte([]byte("([:<!]"), s[0]) >= 0 }

// CloseBlock implements parser.CloseBlocker.
func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, context parser.Context) {
	p.closer.CloseBlock(parent, block, context)
	f := context.Get(findingKey).(*finding)
	if len(f.uses) == f.blockUses {
		f.suspects = f.suspects[:f.blockSuspects]
	}
	f.openers, f.delimiters = f.openers[:0], 0
	f.blockUses, f.blockSuspects = len(f.uses), len(f.suspects)
}

type autolinkParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p autolinkParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	_, before := block.PeekLine()
	n := p.InlineParser.Parse(parent, block, context)
	if link, ok := n.(*ast.AutoLink); ok {
		f := context.Get(findingKey).(*finding)
		label := link.Label(f.source)
		end := before.Start + len(label) + 2
		f.uses = append(f.uses, use{
			node: n, destination: label, auto: true, open: before.Start, close: end - 1, end: end,
		})
	}
	return n
}

type htmlParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p htmlParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	_, before := block.PeekLine()
	at := before.Start
	n := p.InlineParser.Parse(parent, block, context)
	if n == nil && at+1 < len(f.source) && util.IsAlphaNumeric(f.source[at+1]) {
		f.spend(tagSteps(f.source[at:at+rest(parent, at)]), at, "<")
	}
	if html, ok := n.(*ast.RawHTML); ok {
		f.addHTML(at, html.Segments.Value(f.source))
	} else if at+1 < len(f.source) && !util.IsSpace(f.source[at+1]) {
		f.suspects = append(f.suspects, at)
	}
	return n
}
