package trace

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"souk/build/document"
)

// A page, its picture, its Markdown and a feed repeat documents, which are examined
// themselves. So only two things are reported of them: whatever refers to the seller, and
// words that their document does not have, because then they are out of date.

// page examines a page, its picture, its Markdown or a feed. ok is false for any other
// file.
func (s *scanner) page(data []byte) (ok bool) {
	of, page := document.DocumentOf(s.file)
	var said map[string]bool
	switch s.file {
	case document.HomeFile, document.ReferenceFile, document.AtomFile, document.JSONFeedFile:
		// These are made of several documents.
		said = map[string]bool{WhatName: true, WhatDomain: true, WhatSlug: true}
	case document.MissingFile, document.RemovedFile:
	default:
		if !page && !document.IsFilled(s.file) {
			return false
		}
		said = s.hitKinds(of)
	}
	if !document.Ours(s.file, func() ([]byte, error) { return data, nil }) {
		return false
	}
	if ending := path.Ext(s.file); ending != ".html" && ending != ".svg" {
		s.words("text", string(data), said)
		return true
	}
	// The HTML parser reads the SVG that Souk draws correctly.
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return false
	}
	s.element(root, said)
	return true
}

// hitKinds returns the kinds of hits in a document.
func (s *scanner) hitKinds(file string) map[string]bool {
	data, err := os.ReadFile(filepath.Join(s.public, filepath.FromSlash(file)))
	if err != nil {
		return nil
	}
	var value any
	if json.Unmarshal(data, &value) != nil {
		return nil
	}
	said := map[string]bool{}
	eachText(value, func(text string) {
		s.text([]byte(text), func(h hit, _ string, _ bool) { said[h.what] = true })
	})
	return said
}

// element examines a node of a page and its descendants.
func (s *scanner) element(n *html.Node, said map[string]bool) {
	switch {
	case n.Type == html.TextNode && n.Parent != nil && n.Parent.DataAtom == atom.Script:
		s.data(n.Data, said)
	case n.Type == html.TextNode && n.Parent != nil && attribute(n.Parent, "aria-hidden") != "":
		// This is an arrow, or initials in place of a logo.
		s.words("text of "+n.Parent.Data, n.Data, named(said))
	case n.Type == html.TextNode && n.Parent != nil:
		s.words("text of "+n.Parent.Data, unshortened(n), said)
	case n.Type == html.ElementNode && attribute(n, "data-answer") != "":
		// An API answer is examined like a document.
		if value, ok := parse([]byte(inner(n))); ok {
			s.value(value, attribute(n, "data-answer"), "", nobody, false)
			return
		}
	case n.Type == html.CommentNode:
		s.words("comment", n.Data, said)
	case n.Type == html.ElementNode:
		// In text that a person wrote, links are theirs too.
		written := strings.Contains(attribute(n, "rel"), "ugc")
		for _, a := range n.Attr {
			where := strings.TrimSpace(n.Data+" "+attribute(n, "property")+attribute(n, "name")) + " " + a.Key
			switch {
			case leading[a.Key] && !written:
				s.link(where, a.Val, said)
			case keywords[a.Key]:
				s.words(where, a.Val, named(said))
			default:
				s.words(where, a.Val, said)
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		s.element(child, said)
	}
}

// inner returns the text of an element that contains nothing else, or "".
func inner(n *html.Node) string {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode || n.FirstChild.NextSibling != nil {
		return ""
	}
	return n.FirstChild.Data
}

// unshortened returns the text of a node. For a link whose text is a shortened address it
// returns the whole address. A label that was cut off is returned without its incomplete
// last word; its title has the full text.
func unshortened(n *html.Node) string {
	if cut, short := strings.CutSuffix(n.Data, "…"); short && n.Parent.Data == "text" {
		return strings.TrimRightFunc(cut, isWord)
	}
	address, err := url.Parse(attribute(n.Parent, "href"))
	if err != nil || address.Host == "" {
		return n.Data
	}
	said := strings.TrimPrefix(address.Host, "www.") + strings.TrimSuffix(address.Path, "/")
	return strings.ReplaceAll(n.Data, said, address.String())
}

// leading lists the attributes that contain addresses.
var leading = map[string]bool{"href": true, "src": true, "srcset": true, "action": true, "content": true, "poster": true}

// keywords lists the attributes that contain words of HTML, SVG and the style sheet. Some
// of these words are also company names: canonical, meta, apple.
var keywords = map[string]bool{"class": true, "rel": true, "property": true, "name": true, "type": true, "font-family": true}

// named returns said with WhatName added.
func named(said map[string]bool) map[string]bool {
	all := map[string]bool{WhatName: true}
	maps.Copy(all, said)
	return all
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// data examines the schema.org data of a page.
func (s *scanner) data(text string, said map[string]bool) {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		s.words("script", text, said)
		return
	}
	eachText(value, func(text string) {
		if strings.ContainsAny(text, " \n") {
			s.words("JSON-LD", text, said)
		} else {
			s.link("JSON-LD", text, said)
		}
	})
}

func eachText(value any, yield func(text string)) {
	switch v := value.(type) {
	case string:
		yield(v)
	case []any:
		for _, one := range v {
			eachText(one, yield)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachText(v[name], yield)
		}
	}
}

// link examines an address. It reports an address that leads to the seller, and any other
// hit unless the document has it.
func (s *scanner) link(where, text string, said map[string]bool) {
	s.text([]byte(text), func(h hit, excerpt string, _ bool) {
		if h.what == WhatAddress || h.what == WhatMedia || !said[h.what] {
			s.tell(h, where, excerpt)
		}
	})
}

// words examines text on a page.
func (s *scanner) words(where, text string, said map[string]bool) {
	s.text([]byte(text), func(h hit, excerpt string, _ bool) {
		if !said[h.what] {
			s.tell(h, where, excerpt)
		}
	})
}

// tell reports what a page shows of the seller.
func (s *scanner) tell(h hit, where, excerpt string) {
	s.add(h.what, where, excerpt, h.what == WhatName && s.common)
}

// stub reports whether a stub at an address of the subject has the body that all stubs of
// its kind have.
func (s *scanner) stub(data []byte) bool {
	if path.Ext(s.file) != ".html" {
		return bytes.Equal(data, document.GoneBody())
	}
	page, err := os.ReadFile(filepath.Join(s.public, filepath.FromSlash(document.RemovedFile)))
	return err == nil && bytes.Equal(data, page)
}
