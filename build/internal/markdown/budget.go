package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser's time grows with the square of a text if much of it is unclosed, nested or in
// one paragraph, and it needs a few hundred bytes of memory per mark of the syntax. Time
// and memory cannot be measured with a clock or the heap size, since every machine must
// parse a text in the same way. So everything that costs more than the text itself is
// counted in steps: about one for each byte that is looked at again or stored. A text may
// take stepsPerByte steps for each of its bytes, but in any case stepsAtLeast.
const (
	stepsPerByte = 48
	stepsAtLeast = 12 << 20
	// regexpStep is the cost of a byte that a regular expression reads.
	regexpStep = 64
	// askStep is the cost of asking an open block about a line.
	askStep = 96
	// The costs of storing a block, a heading with its id, a link definition, a line of a
	// paragraph, a mark within a line, a bracket that may begin a link, and a table cell.
	blockStep, headingStep, definitionStep, lineStep, markStep, openerStep, cellStep = 256, 1024, 512, 256, 320, 320, 512
	// maxOpen is how many blocks may be open within another; nested lists have two for each
	// level.
	maxOpen = 64
)

// Excess says where a text became too costly to parse.
type Excess struct {
	// Offset is the byte offset in the source.
	Offset int
	// Mark is what the text has too much of: "[", "*", "_", "`", "<", Crowded, Nested or
	// Defined.
	Mark string
}

// Crowded is the Mark of a text with too many headings, items, lines, table cells and other
// marks in total.
const Crowded = "#"

// Defined is the Mark of long link definitions that are used often, which repeats all of
// their text.
const Defined = "]:"

// Nested is the Mark of deeply nested lists and quotes.
const Nested = "> or -"

// budget counts the steps of one text.
type budget struct{ remaining int }

func newBudget(source string) budget {
	return budget{remaining: stepsAtLeast + stepsPerByte*len(source)}
}

// spend takes steps for a mark at a position. If too few are left, it panics with the
// Excess, which read recovers: the parser cannot be stopped in another way.
func (b *budget) spend(steps, at int, mark string) {
	if b.remaining -= steps; b.remaining < 0 {
		panic(Excess{at, mark})
	}
}

// rest returns how many bytes of its block follow a position.
func rest(parent ast.Node, at int) int {
	if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
		return max(0, lines.At(lines.Len()-1).Stop-at)
	}
	return 0
}

// markParser counts the marks within lines, each of which can become a node or two. It
// parses nothing.
type markParser struct{}

// Trigger implements parser.InlineParser.
func (markParser) Trigger() []byte { return []byte("[]!`<*_~") }

// Parse implements parser.InlineParser.
func (markParser) Parse(_ ast.Node, block text.Reader, context parser.Context) ast.Node {
	_, segment := block.PeekLine()
	context.Get(findingKey).(*finding).spend(markStep, segment.Start, Crowded)
	return nil
}

// codeParser avoids repeated searches for the end of a code span: if a run of backticks has
// no end, later runs of the same length in the block have none either.
type codeParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p codeParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	line, segment := block.PeekLine()
	run := len(line) - len(bytes.TrimLeft(line, "`"))
	if f.endless[run] == parent {
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

// emphasisParser counts the emphasis marks of a block, each of which may be compared with
// all before it.
type emphasisParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p emphasisParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	f := context.Get(findingKey).(*finding)
	_, segment := block.PeekLine()
	n := p.InlineParser.Parse(parent, block, context)
	if n != nil {
		f.delimiters++
		f.spend(f.delimiters, segment.Start, string(f.source[segment.Start:segment.Start+1]))
	}
	return n
}

// tildes accepts tildes as marks only in pairs: a single one is a sign, as in 100~240 V.
type tildes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p tildes) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	if line, _ := block.PeekLine(); !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, context)
}

// tagSteps returns the maximum cost of finding out that a "<" does not begin a tag: up to
// the first character that cannot be in an attribute's name, or if that is an "=", up to
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

// blockParser counts the blocks that a parser opens and its calls for lines, and limits the
// nesting.
type blockParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p blockParser) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	f := context.Get(findingKey).(*finding)
	_, segment := reader.PeekLine()
	n, state := p.BlockParser.Open(parent, reader, context)
	switch n.(type) {
	case nil:
		return n, state
	case *ast.Heading:
		f.spend(headingStep, segment.Start, Crowded)
	default:
		f.spend(blockStep, segment.Start, Crowded)
	}
	if len(context.OpenedBlocks()) > maxOpen {
		panic(Excess{segment.Start, Nested})
	}
	return n, state
}

// Continue implements parser.BlockParser.
func (p blockParser) Continue(node ast.Node, reader text.Reader, context parser.Context) parser.State {
	_, segment := reader.PeekLine()
	context.Get(findingKey).(*finding).spend(askStep, segment.Start, Crowded)
	return p.BlockParser.Continue(node, reader, context)
}

// paragraphTransformer counts the lines of a paragraph, its reference definitions, which
// the parser extracts one by one, and the cells of a table, each of whose rows has as many
// as the header.
type paragraphTransformer struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (p paragraphTransformer) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	f := context.Get(findingKey).(*finding)
	lines, definitions, columns := node.Lines(), 0, 0
	for i := range lines.Len() {
		line := bytes.TrimSpace(f.source[lines.At(i).Start:lines.At(i).Stop])
		if bytes.HasPrefix(line, []byte("[")) {
			definitions++
		}
		if len(bytes.Trim(line, "|:- \t")) == 0 {
			columns = max(columns, 1+bytes.Count(bytes.Trim(line, "|"), []byte("|")))
		}
	}
	if lines.Len() > 0 {
		f.spend(definitions*(definitionStep+lines.Len()), lines.At(0).Start, "[")
		f.spend((lineStep+cellStep*columns)*lines.Len(), lines.At(0).Start, Crowded)
	}
	p.ParagraphTransformer.Transform(node, reader, context)
}

func blockParsers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		all[i].Value = blockParser{p.Value.(parser.BlockParser)}
	}
	return all
}

func paragraphTransformers() []util.PrioritizedValue {
	all := parser.DefaultParagraphTransformers()
	for i, p := range all {
		all[i].Value = paragraphTransformer{p.Value.(parser.ParagraphTransformer)}
	}
	return all
}
