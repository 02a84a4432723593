package markdown

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Link is the HTML form of a link or picture.
type Link struct {
	// Destination replaces the one in the source. If it is empty, only the text of the link
	// remains, or the picture's alternative text.
	Destination string
	// Rel is the rel attribute of a link; "" for none.
	Rel string
	// Width and Height are the size of a picture in pixels; 0 if unknown.
	Width, Height int
	// Srcset and Sizes are attributes of a picture; "" for none.
	Srcset, Sizes string
	// Eager pictures are loaded before they are near the screen.
	Eager bool
}

// ToHTML renders CommonMark with the tables and strikethrough of GitHub Flavored Markdown,
// without raw HTML. Headings start at level top, which is below the heading of the page
// that contains the text, and each is at most one level below the previous one; headings
// without text are omitted. Heading ids begin with "text-" to avoid conflicts with the
// page's ids. Links to headings of the text are adapted, also if they use the id that
// GitHub assigns. For every other destination, as CommonMark reads it, resolve returns the
// Link.
func ToHTML(source string, top int, resolve func(destination string, picture bool) Link) string {
	s, ids := []byte(source), headingIDs{}
	doc := tree(s, ids)
	r := resolver{source: s, resolve: found(source, doc, resolve), ids: ids}
	r.dropEmpty(doc)
	r.slugs = slugs(doc, s)
	each(doc, r.read)
	r.level(top)
	for _, auto := range r.auto {
		r.replace(auto)
	}
	for _, n := range r.plain {
		unwrap(n)
	}
	var b bytes.Buffer
	b.Grow(len(source) + len(source)/4)
	if err := toHTML.Renderer().Render(&b, s, doc); err != nil {
		panic(err) // writing to a Buffer cannot fail, and each node has a renderer
	}
	return b.String()
}

// found limits the links of a text with tables to those that Parse finds. CommonMark has no
// tables, so a comment or code may continue where a row begins, and a link in it has not
// been checked.
func found(source string, doc ast.Node, resolve func(string, bool) Link) func(string, bool) Link {
	tables := false
	each(doc, func(n ast.Node) { tables = tables || n.Kind() == east.KindTable })
	if !tables {
		return resolve
	}
	d, known := Parse(source), map[string]bool{}
	for _, t := range d.Targets {
		known[t.Destination] = true
	}
	return func(destination string, picture bool) Link {
		if d.Excess == nil && !known[destination] {
			return Link{}
		}
		return resolve(destination, picture)
	}
}

var toHTML = goldmark.New(
	goldmark.WithParserOptions(
		parser.WithAutoHeadingID(),
		parser.WithInlineParsers(util.Prioritized(tildes{extension.NewStrikethroughParser()}, 500)),
		parser.WithParagraphTransformers(util.Prioritized(columns{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(
		util.Prioritized(noHTML{}, 1), util.Prioritized(code{}, 1), util.Prioritized(table{}, 1),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		// The pages' policy forbids style attributes, which are the default way to align
		// cells.
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
	)),
)

// columns prevents tables where a line consists only of hyphens, such as the one before a
// signature. Below a quote or a list, such a line does not underline a heading either, but
// belongs to the paragraph.
type columns struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (p columns) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		if words := bytes.TrimSpace(line.Value(reader.Source())); len(words) > 0 && len(bytes.Trim(words, "-")) == 0 {
			return
		}
	}
	p.ParagraphTransformer.Transform(node, reader, context)
}

// tree parses a text for ToHTML.
func tree(source []byte, ids headingIDs) ast.Node {
	return toHTML.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(ids))))
}

// headingIDs contains the ids of a text's headings, and how many headings have each id.
type headingIDs map[string]int

func idOf(words string) string {
	var b strings.Builder
	b.WriteString("text")
	gap := true
	for _, r := range strings.ToLower(words) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// Generate returns the id of a heading, derived from its words.
func (ids headingIDs) Generate(words []byte, _ ast.NodeKind) []byte {
	first := idOf(string(words))
	id := first
	for ids[id] > 0 {
		id = first + "-" + strconv.Itoa(ids[first])
		ids[first]++
	}
	ids[id]++
	return []byte(id)
}

// slugOf returns the id that GitHub, and Hugo, assign to a heading: it omits punctuation,
// which our ids replace by a hyphen.
func slugOf(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc):
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(words)))
}

// slugs maps the ids that GitHub assigns to a text's headings to ours.
func slugs(doc ast.Node, source []byte) map[string]string {
	all, seen := map[string]string{}, map[string]int{}
	each(doc, func(n ast.Node) {
		if n.Kind() != ast.KindHeading {
			return
		}
		first := slugOf(plainText(n, source))
		slug := first
		if before := seen[first]; before > 0 {
			slug += "-" + strconv.Itoa(before)
		}
		seen[first]++
		if id, ok := n.AttributeString("id"); ok && all[slug] == "" {
			all[slug] = string(id.([]byte))
		}
	})
	return all
}

// Put records an id in the text itself; no text has any.
func (ids headingIDs) Put(id []byte) { ids[string(id)]++ }

// noHTML renders raw HTML, including comments, as nothing.
type noHTML struct{}

func (noHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindHTMLBlock, nothing)
}

// code renders code blocks. A long line makes a block scroll horizontally, and the keyboard
// only scrolls elements that can have the focus.
type code struct{}

func (code) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	block := func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString(`<pre tabindex="0"><code`)
		if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Language(source) != nil {
			_, _ = w.WriteString(` class="language-`)
			html.DefaultWriter.Write(w, fenced.Language(source))
			_ = w.WriteByte('"')
		}
		_ = w.WriteByte('>')
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			html.DefaultWriter.RawWrite(w, line.Value(source))
		}
		_, err := w.WriteString("</code></pre>\n")
		return ast.WalkContinue, err
	}
	r.Register(ast.KindCodeBlock, block)
	r.Register(ast.KindFencedCodeBlock, block)
}

// table renders tables. Each is in an element that scrolls horizontally if the table is
// wider than the page, and that can have the focus like code. Some screen readers stop
// announcing a table as one if it is scrollable itself.
type table struct{}

func (table) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(east.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</table></div>\n"
		if entering {
			tag = "<div class=\"scroll\" tabindex=\"0\"><table>\n"
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
}

// each calls visit for n and everything below it.
func each(n ast.Node, visit func(ast.Node)) {
	visit(n)
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		each(child, visit)
	}
}

var lazy = []byte("lazy")

// A resolver sets the destinations of links and pictures.
type resolver struct {
	source   []byte
	resolve  func(string, bool) Link
	ids      headingIDs
	slugs    map[string]string
	headings []*ast.Heading
	auto     []*ast.AutoLink
	// plain lists the links and pictures of which only the text remains.
	plain []ast.Node
}

func (r *resolver) read(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.headings = append(r.headings, n)
	case *ast.AutoLink:
		r.auto = append(r.auto, n)
	case *ast.Link:
		n.Destination = r.lead(n, decode(string(n.Destination)))
	case *ast.Image:
		l := r.resolve(decode(string(n.Destination)), true)
		n.Destination = asWritten(l.Destination)
		if !l.Eager {
			n.SetAttributeString("loading", lazy)
		}
		if l.Srcset != "" {
			n.SetAttributeString("srcset", []byte(l.Srcset))
			n.SetAttributeString("sizes", []byte(l.Sizes))
		}
		if l.Width > 0 && l.Height > 0 {
			n.SetAttributeString("width", []byte(strconv.Itoa(l.Width)))
			n.SetAttributeString("height", []byte(strconv.Itoa(l.Height)))
		}
		if l.Destination == "" {
			r.plain = append(r.plain, n)
		}
	}
}

// lead sets a link's attributes and returns its destination.
func (r *resolver) lead(n ast.Node, destination string) []byte {
	var l Link
	if fragment, within := strings.CutPrefix(destination, "#"); !within {
		l = r.resolve(destination, false)
	} else if id := r.heading(fragment); id != "" {
		l.Destination = "#" + id
	}
	if l.Destination == "" {
		r.plain = append(r.plain, n)
	} else if l.Rel != "" {
		n.SetAttributeString("rel", []byte(l.Rel))
	}
	return asWritten(l.Destination)
}

// heading returns the id of the heading that a fragment refers to, by our rule or GitHub's,
// or "".
func (r *resolver) heading(fragment string) string {
	if id := idOf(fragment); r.ids[id] > 0 {
		return id
	}
	// Most fragments are copied from GitHub's addresses, where they are percent-encoded.
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	return r.slugs[strings.ToLower(fragment)]
}

// asWritten escapes a destination so that the renderer writes it unchanged.
func asWritten(destination string) []byte {
	return []byte(strings.ReplaceAll(strings.ReplaceAll(destination, `\`, "%5C"), "&", "&amp;"))
}

// dropEmpty removes invisible headings and their ids.
func (r *resolver) dropEmpty(doc ast.Node) {
	var empty []*ast.Heading
	each(doc, func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok && !r.isVisible(h) {
			empty = append(empty, h)
		}
	})
	for _, h := range empty {
		if id, ok := h.AttributeString("id"); ok {
			delete(r.ids, string(id.([]byte)))
		}
		h.Parent().RemoveChild(h.Parent(), h)
	}
}

// isVisible reports whether a node shows anything.
func (r *resolver) isVisible(n ast.Node) (something bool) {
	each(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Text:
			something = something || len(bytes.TrimSpace(n.Value(r.source))) > 0
		case *ast.AutoLink, *ast.Image:
			something = true
		}
	})
	return something
}

// level moves the headings so that the highest is on level top and each is at most one
// level below the previous one.
func (r *resolver) level(top int) {
	highest := lowest
	for _, h := range r.headings {
		highest = min(highest, h.Level)
	}
	above := top - 1
	for _, h := range r.headings {
		h.Level = min(lowest, above+1, h.Level-highest+top)
		above = h.Level
	}
}

// replace replaces an autolink by a link.
func (r *resolver) replace(auto *ast.AutoLink) {
	link := ast.NewLink()
	words := ast.NewString(auto.Label(r.source))
	words.SetRaw(true)
	link.AppendChild(link, words)
	auto.Parent().ReplaceChild(auto.Parent(), auto, link)
	link.Destination = r.lead(link, decodeAutolink(string(auto.Label(r.source))))
}

// unwrap replaces a link or picture by its text.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}
