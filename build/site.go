package build

import (
	"souk/build/release"
	"souk/build/site"
)

// pages returns what renders the pages of the market as it is now, or nil
// without pages.
func (b *Builder) pages() (*site.Site, error) {
	if !b.config.Pages {
		return nil, nil
	}
	m, r := b.content.catalog.Market(), b.renderer()
	if made := b.site.Load(); made != nil && made.Of(m, r.SiteURL()) {
		return made, nil
	}
	return site.New(site.Config{
		Name: m.Name, Description: m.Description, Language: m.Language, SiteURL: r.SiteURL(), APIURL: r.APIURL(), Texts: r.Texts(),
	})
}

// shared writes the files that all pages share.
func (r *staging) shared(w *release.Writer) error {
	if r.site == nil || !r.delta.All {
		return nil
	}
	for _, file := range r.site.Files() {
		if err := w.Put(file.Name, file.Body); err != nil {
			return err
		}
	}
	return nil
}
