package build

import (
	"slices"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
	"souk/build/source"
)

// content is the folder, and the marketplace of the last good content.
type content struct {
	folder  *source.Folder
	catalog *catalog.Catalog
	// pages: the operator's own pages and the theme are part of it.
	pages bool
	// known: the catalog has the last good content of the folder, and else nothing.
	known bool
	// mistakes are those of the present content, while it is held back; waiting are those that
	// a seller who was restored would make.
	mistakes, waiting problem.List
	// tried is what was found wrong with the theme of these settings, last.
	tried struct {
		market *catalog.Marketplace
		found  problem.List
	}
}

func newContent(c Config, renditions *rendition.Cache) *content {
	return &content{
		folder:  source.Open(c.Content, stateFile(c, "memory", c.remembered()), c.Program, renditions, c.Clock).WithTheme(c.Theme),
		catalog: c.newCatalog(),
		pages:   c.Pages,
	}
}

// remembered names what the memory is of.
func (c Config) remembered() string {
	if c.Theme == "" {
		return c.Content
	}
	return Resolved(c.Content) + "+" + Resolved(c.Theme)
}

func (c Config) newCatalog() *catalog.Catalog {
	if c.Drafts {
		return catalog.NewWithDrafts()
	}
	return catalog.New()
}

// ours leaves out of a change what no release of these settings shows.
func (c *content) ours(change catalog.Change) catalog.Change {
	if !c.pages {
		change.Put = slices.DeleteFunc(change.Put, func(item catalog.Item) bool { return catalog.KindOf(item) == catalog.KindPage })
	}
	return change
}

// problems returns all mistakes, and the warnings that cost nothing to find.
func (c *content) problems() problem.List {
	list := slices.Concat(c.written(), c.notRendered(), c.themeProblems())
	list.Sort()
	return list
}

// written returns those in what is written, whatever pages of it look like.
func (c *content) written() problem.List {
	list := slices.Concat(c.folder.Problems(), c.catalog.Problems())
	list.Sort()
	return list
}

// heldBack returns the mistakes of the content that is held back, and what follows from that,
// and those that keep a restored seller withheld.
func (c *content) heldBack(lacking problem.List) problem.List {
	list := slices.Concat(c.waiting, c.mistakes)
	list.Sort()
	return append(slices.Compact(list), lacking...)
}

// renderer returns a Renderer for the catalog as it is now.
func (b *Builder) renderer() *document.Renderer {
	return document.NewRenderer(b.content.catalog, b.config.SiteURL).WithPages(b.config.Pages).WithSnapshot(b.config.Snapshot)
}
