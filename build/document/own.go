package document

import (
	"strings"

	"souk/build/catalog"
)

// This file renders the operator's own pages and files, which are not documents of the API.

// OwnPage is one of the operator's own pages.
type OwnPage struct {
	Title, Summary string
	// Source is canonical Markdown, as an Article's.
	Source    string
	URL       string
	Media     []Media
	UpdatedAt Date
}

// A MenuLink is an entry in the header or footer of every page.
type MenuLink struct{ Label, URL string }

// Menu returns the operator's entries in the footer of every page.
func (r *Renderer) Menu() []MenuLink {
	var all []MenuLink
	for _, e := range r.catalog.Menu() {
		all = append(all, MenuLink{Label: e.Label, URL: r.pageURL(e.Page.Path())})
	}
	return all
}

// Join returns where a company asks to be listed: a web address, a mailto: address or "".
func (r *Renderer) Join() string {
	join := r.catalog.Market().Join
	if strings.HasPrefix(join, "/") {
		return r.site + join
	}
	return join
}

// Sections returns the links in the header of every page.
func (r *Renderer) Sections() []MenuLink {
	var all []MenuLink
	for _, kind := range r.catalog.Sections() {
		l := r.sectionLink(kind)
		all = append(all, MenuLink{Label: l.Name, URL: l.URL})
	}
	return all
}

func (r *Renderer) sectionLink(kind catalog.Kind) Link {
	if kind.Offer() {
		return r.rootLink(kind)
	}
	return r.listLink(kind)
}

func (r *Renderer) ownPage(n *catalog.Node) OwnPage {
	h := n.Head()
	return OwnPage{
		Title: h.Name, Summary: h.Summary, Source: r.text(h.Description), URL: r.pageURL(n.Ref().Path()),
		Media: r.textMedia(h.Description, []Media{}), UpdatedAt: date(h.UpdatedAt),
	}
}

// renderOwn renders the operator's own pages and files. A file may replace a built-in one, and
// a page may replace a file, or the reverse.
func (r *Renderer) renderOwn(ref catalog.Ref, emit func(Output) error) error {
	file := catalog.OwnPath(ref)
	n := r.owner(file)
	if ref.Kind == catalog.KindPage && (n == nil || n.Ref() != ref) {
		if err := emit(Output{File: MarkdownOf(file), Standing: Absent}); err != nil {
			return err
		}
	}
	switch {
	case n != nil && n.Ref() != ref:
		return nil // another Unit renders it
	case n == nil && file == RobotsFile:
		return emit(Output{File: file, Body: r.robots()})
	case n == nil:
		return emit(Output{File: file, Standing: Absent})
	default:
		if own, ok := n.Item().(*catalog.OwnFile); ok {
			return emit(Output{File: file, Own: own})
		}
		return emit(Output{Value: r.ownPage(n)})
	}
}

// owner returns the operator's own current item in a file of the public tree, or nil.
func (r *Renderer) owner(file string) *catalog.Node {
	refs := []catalog.Ref{{Kind: catalog.KindFile, Slug: file}}
	if slug, page := strings.CutSuffix(file, ".html"); page {
		refs = append(refs, catalog.Ref{Kind: catalog.KindPage, Slug: slug})
	}
	for _, ref := range refs {
		if n := r.catalog.Node(ref); n != nil && n.Current() {
			return n
		}
	}
	return nil
}
