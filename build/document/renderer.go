package document

import (
	"strings"

	"souk/build/catalog"
	"souk/templates/texts"
)

// A Renderer renders a catalog into documents. It only reads, and is safe for concurrent use
// while the catalog does not change.
type Renderer struct {
	catalog *catalog.Catalog
	site    string
	api     string
	texts   *texts.Catalogue
	// pages means that the sitemaps list all pages, not only those of items.
	pages bool
	// snapshot means that there is a snapshot.
	snapshot bool
}

// NewRenderer returns a Renderer. If siteURL is not empty, it replaces the content's, for a
// preview at another address.
func NewRenderer(c *catalog.Catalog, siteURL string) *Renderer {
	m := c.Market()
	r := &Renderer{catalog: c, site: m.SiteURL, api: m.APIURL, texts: texts.New(m.Language, m.Texts)}
	if siteURL != "" {
		r.site = strings.TrimRight(siteURL, "/")
		r.api = r.site + "/api/v1"
	}
	return r
}

// WithPages returns r, for a release with a page at every canonical URL.
func (r *Renderer) WithPages(pages bool) *Renderer {
	r.pages = pages
	return r
}

// WithSnapshot returns r, for a release with a snapshot.
func (r *Renderer) WithSnapshot(snapshot bool) *Renderer {
	r.snapshot = snapshot
	return r
}

// SiteURL returns the address of the pages.
func (r *Renderer) SiteURL() string { return r.site }

// APIURL returns the address of the documents.
func (r *Renderer) APIURL() string { return r.api }

// Texts returns the site's own texts in the language of the marketplace.
func (r *Renderer) Texts() *texts.Catalogue { return r.texts }
