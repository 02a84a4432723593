package markdown

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Link is what becomes of a link or picture in HTML.
type Link struct {
	// Destination is written in place of the one in the source. Where it is empty
	// only the text remains: that of the link, or the picture's alternative one.
	Destination string
	// Rel is the rel attribute of a link; none if empty.
	Rel string
	// Width and Height are those of a picture in pixels; 0 where unknown.
	Width, Height int
}

// ToHTML renders CommonMark with the tables and the strikethrough of GitHub Flavored
// Markdown. Raw HTML is left out. Headings begin at level 2, since the name of the
// page is its only one of level 1; they have ids, so that links within the text
// work. resolve decides what becomes of each destination.
func ToHTML(source string, resolve func(destination string, picture bool) Link) string {
	s := []byte(source)
	doc := toHTML.Parser().Parse(text.NewReader(s))
	r := resolver{source: s, resolve: resolve}
	r.read(doc)
	if r.lowered {
		each(doc, func(n ast.Node) {
			if h, ok := n.(*ast.Heading); ok {
				h.Level = min(6, h.Level+1)
			}
		})
	}
	for _, n := range r.plain {
		unwrap(n, s)
	}
	var b bytes.Buffer
	if err := toHTML.Renderer().Render(&b, s, doc); err != nil {
		panic(err) // a Buffer takes everything, and each node has a renderer
	}
	return b.String()
}

var toHTML = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(noHTML{}, 1))),
)

// noHTML renders raw HTML, comments included, as nothing.
type noHTML struct{}

func (noHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindHTMLBlock, nothing)
}

// each calls visit for n and everything below it.
func each(n ast.Node, visit func(ast.Node)) {
	visit(n)
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		each(child, visit)
	}
}

// A resolver gives links and pictures their destinations.
type resolver struct {
	source  []byte
	resolve func(string, bool) Link
	// lowered: the text has a heading of level 1.
	lowered bool
	// plain are the links and pictures of which only the text remains.
	plain []ast.Node
}

func (r *resolver) read(doc ast.Node) {
	each(doc, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			r.lowered = r.lowered || n.Level == 1
		case *ast.Link:
			l := r.resolve(string(n.Destination), false)
			n.Destination = []byte(l.Destination)
			r.keep(n, l)
		case *ast.AutoLink:
			destination := string(n.URL(r.source))
			if n.AutoLinkType == ast.AutoLinkEmail {
				destination = "mailto:" + destination
			}
			r.keep(n, r.resolve(destination, false))
		case *ast.Image:
			l := r.resolve(string(n.Destination), true)
			n.Destination = []byte(l.Destination)
			n.SetAttributeString("loading", []byte("lazy"))
			if l.Width > 0 && l.Height > 0 {
				n.SetAttributeString("width", []byte(strconv.Itoa(l.Width)))
				n.SetAttributeString("height", []byte(strconv.Itoa(l.Height)))
			}
			r.keep(n, l)
		}
	})
}

func (r *resolver) keep(n ast.Node, l Link) {
	if l.Destination == "" {
		r.plain = append(r.plain, n)
	} else if l.Rel != "" {
		n.SetAttributeString("rel", []byte(l.Rel))
	}
}

// unwrap puts the text of a link or picture in its place.
func unwrap(n ast.Node, source []byte) {
	parent := n.Parent()
	if auto, ok := n.(*ast.AutoLink); ok {
		parent.InsertBefore(parent, n, ast.NewString(auto.Label(source)))
	}
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}
