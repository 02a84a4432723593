package build

import (
	"slices"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
	"souk/build/source"
)

// content is the folder and the marketplace of the last good content.
type content struct {
	folder  *source.Folder
	catalog *catalog.Catalog
	// pages includes the operator's own pages and theme in the content.
	pages bool
	// known reports whether the catalog has the folder's last good content; if not, the
	// catalog is empty.
	known bool
	// mistakes are the mistakes in the present content while it is held back. waiting are the
	// mistakes that a restored seller would cause.
	mistakes, waiting problem.List
	// tried caches the mistakes last found in the theme.
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

// remembered identifies the inputs of the memory.
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

// relevant removes from a change what no release with these settings shows.
func (c *content) relevant(change catalog.Change) catalog.Change {
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

// written returns the mistakes in the content files, without those that show only when pages
// are rendered.
func (c *content) written() problem.List {
	list := slices.Concat(c.folder.Problems(), c.catalog.Problems())
	list.Sort()
	return list
}

// heldBack returns the mistakes of content that is held back, with their consequences, and the
// mistakes that keep restored sellers withheld.
func (c *content) heldBack(lacking problem.List) problem.List {
	list := slices.Concat(c.waiting, c.mistakes)
	list.Sort()
	return append(slices.Compact(list), lacking...)
}

// renderer returns a Renderer for the present catalog.
func (b *Builder) renderer() *document.Renderer {
	return document.NewRenderer(b.content.catalog, b.config.SiteURL).WithPages(b.config.Pages).WithSnapshot(b.config.Snapshot)
}
