package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser takes time that grows with the square of a text where much of it is
// left open, nested or put into one paragraph. How long that is cannot be told
// by a clock, since the same text has to be read in the same way on every
// machine. So what costs more than the text itself is counted in steps: about a
// byte that is looked at once more. A text may take so many steps for each of its
// bytes, and so many more. What people write takes fewer than one.
const (
	stepsPerByte = 32
	stepsAtLeast = 8 << 20
	// regexpStep is what a byte costs that a regular expression looks at.
	regexpStep = 64
	// blockStep is what it costs to ask an open list or quote about a line.
	blockStep = 16
	// maxOpen is how many blocks may be open within another: a list of lists has
	// two for each level.
	maxOpen = 64
)

// Excess is where a text became too costly to read.
type Excess struct {
	// Offset is the byte of the source.
	Offset int
	// Mark is what there is too much of: "[", "*", "_", "`", "<", Nested or Defined.
	Mark string
}

// Defined is the Mark of long link definitions that are used often, each time with all
// of their text.
const Defined = "]:"

// Nested is the Mark of lists and quotes in each other.
const Nested = "> or -"

// budget counts the steps of one text.
type budget struct {
	left   int
	excess *Excess
}

func newBudget(source string) budget { return budget{left: stepsAtLeast + stepsPerByte*len(source)} }

// spend takes steps for a mark at a place, and reports whether there were enough.
func (b *budget) spend(steps, at int, mark string) bool {
	if b.left -= steps; b.left < 0 && b.excess == nil {
		b.excess = &Excess{at, mark}
	}
	return b.left >= 0
}

func (b *budget) spent() bool { return b.left < 0 }

// rest is how many bytes of its block follow a place.
func rest(parent ast.Node, at int) int {
	if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
		return max(0, lines.At(lines.Len()-1).Stop-at)
	}
	return 0
}

// codeParser does not look twice for the end of a code span: where a run of backticks
// has none, later ones of the same length in the block have none either.
type codeParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p codeParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	line, segment := block.PeekLine()
	run := len(line) - len(bytes.TrimLeft(line, "`"))
	if f.spent() || f.endless[run] == parent {
		block.Advance(run)
		return ast.NewTextSegment(segment.WithStop(segment.Start + run))
	}
	n := p.InlineParser.Parse(parent, block, context)
	if _, found := n.(*ast.CodeSpan); !found {
		if f.endless == nil {
			f.endless = map[int]ast.Node{}
		}
		f.endless[run] = parent
		f.spend(rest(parent, segment.Start), segment.Start, "`")
	}
	return n
}

// emphasisParser counts the marks of emphasis of a block: each may be compared
// with all before.
type emphasisParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p emphasisParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	_, segment := block.PeekLine()
	if f.spent() {
		return nil
	}
	n := p.InlineParser.Parse(parent, block, context)
	if n != nil {
		f.delimiters++
		f.spend(f.delimiters, segment.Start, string(f.source[segment.Start:segment.Start+1]))
	}
	return n
}

// tagSteps is what it costs at most to find that a "<" begins no tag: up to the
// first character that no name of an attribute has, or with an "=" there up to
// the next "<", or with quotes up to the end.
func tagSteps(s []byte) int {
	end := 1
	for end < len(s) && (util.IsAlphaNumeric(s[end]) || util.IsSpace(s[end]) || bytes.IndexByte([]byte(":._-/"), s[end]) >= 0) {
		end++
	}
	if end < len(s) && s[end] == '=' {
		if next := bytes.IndexByte(s[end:], '<'); next >= 0 {
			end += next
		} else {
			end = len(s)
		}
		if bytes.ContainsAny(s[:end], `"'`) {
			end = len(s)
		}
	}
	return regexpStep * end
}

// nesting keeps a parser of lists or quotes from opening too many in each other,
// and counts how often they are asked about a line.
type nesting struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p nesting) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	f := context.Get(findingKey).(*finding)
	if open := len(context.OpenedBlocks()); f.spent() || open >= maxOpen {
		if _, segment := reader.PeekLine(); !f.spent() {
			f.spend(f.left+1, segment.Start, Nested)
		}
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, context)
}

// Continue implements parser.BlockParser.
func (p nesting) Continue(node ast.Node, reader text.Reader, context parser.Context) parser.State {
	f := context.Get(findingKey).(*finding)
	if _, segment := reader.PeekLine(); !f.spend(blockStep, segment.Start, Nested) {
		return parser.Close
	}
	return p.BlockParser.Continue(node, reader, context)
}

// definitionParser counts the reference definitions of a paragraph, which are
// taken out of its lines one by one.
type definitionParser struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (p definitionParser) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	f := context.Get(findingKey).(*finding)
	lines, definitions := node.Lines(), 0
	for i := range lines.Len() {
		if line := lines.At(i); bytes.HasPrefix(bytes.TrimLeft(f.source[line.Start:line.Stop], " "), []byte("[")) {
			definitions++
		}
	}
	if lines.Len() == 0 || !f.spend(definitions*lines.Len(), lines.At(0).Start, "[") {
		return
	}
	p.ParagraphTransformer.Transform(node, reader, context)
}

// blockParsers are the default ones, those that nest with a limit.
func blockParsers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		switch p.Value {
		case parser.NewListParser(), parser.NewListItemParser(), parser.NewBlockquoteParser():
			all[i].Value = nesting{p.Value.(parser.BlockParser)}
		}
	}
	return all
}

func paragraphTransformers() []util.PrioritizedValue {
	all := parser.DefaultParagraphTransformers()
	for i, p := range all {
		all[i].Value = definitionParser{p.Value.(parser.ParagraphTransformer)}
	}
	return all
}
