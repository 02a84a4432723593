package build

import (
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/site"
)

// pages returns the renderer of the pages, or nil without pages. A whole release needs a new
// one, since the market's own fields may have changed.
func (b *Builder) pages(whole bool) (*site.Site, error) {
	if made := b.site.Load(); !b.config.Pages || made != nil && !whole {
		return made, nil
	}
	return newSite(b.content.catalog, b.renderer())
}

func newSite(c *catalog.Catalog, r *document.Renderer) (*site.Site, error) {
	return site.New(siteConfig(c.Market(), r), c.Market().Theme)
}

func siteConfig(m *catalog.Marketplace, r *document.Renderer) site.Config {
	return site.Config{
		Name: m.Name, Description: m.Summary(), Language: m.Language, SiteURL: r.SiteURL(), APIURL: r.APIURL(), Texts: r.Texts(),
		Sections: r.Sections(), Menu: r.Menu(), ContactEmail: m.ContactEmail, Join: r.Join(),
	}
}

// shared writes the files that all pages share.
func (r *staging) shared(w *release.Writer) error {
	if r.site == nil || !r.delta.All {
		return nil
	}
	r.broken.add(r.site.Faults())
	for _, file := range r.site.Files() {
		if err := w.Put(file.Name, file.Body); err != nil {
			return err
		}
	}
	return nil
}
