package build

import (
	"bytes"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/site"
)

// This file renders a market without a release.

// renderedBy returns the renderers of a catalog's documents and of its pages, which is nil
// without pages.
func renderedBy(c *catalog.Catalog, siteURL string, pages bool) (s *site.Site, r *document.Renderer, err error) {
	r = document.NewRenderer(c, siteURL).WithPages(pages)
	if pages {
		s, err = newSite(c, r)
	}
	return s, r, err
}

// eachOutput renders everything in sequence.
func eachOutput(r *document.Renderer, yield func(document.Output) error) error {
	all := catalog.NewDelta()
	all.All = true
	encoder := document.NewEncoder()
	for _, u := range r.Units(all) {
		if err := r.Render(u, encoder, yield); err != nil {
			return err
		}
	}
	return nil
}

// Files returns the names of the files in a release of a market, with or without pages, except
// compressed twins and the snapshot.
func Files(c *catalog.Catalog, siteURL string, pages bool) (map[string]bool, error) {
	files := map[string]bool{document.ReleaseFile: true}
	for _, name := range c.PictureNames() {
		if _, shown := c.PictureFile(name); shown {
			files[document.MediaFolder+name] = true
		}
	}
	return files, eachFile(c, siteURL, pages, func(file string, _ []byte) { files[file] = true })
}

// Written returns the files that Souk itself writes into the release of an empty market at the
// given address and in the given language, except compressed twins.
func Written(siteURL, language string) (map[string][]byte, error) {
	bare, files := catalog.New(), map[string][]byte{}
	bare.Apply(catalog.Change{Marketplace: &catalog.Marketplace{Name: document.Generator, SiteURL: siteURL, APIURL: siteURL + document.APIRoot, Language: language}})
	return files, eachFile(bare, siteURL, true, func(file string, body []byte) { files[file] = bytes.Clone(body) })
}

// eachFile renders the documents and pages of a market and the files they share. A body is
// valid until yield returns, and nil for one of the operator's own files.
func eachFile(c *catalog.Catalog, siteURL string, with bool, yield func(file string, body []byte)) error {
	pages, r, err := renderedBy(c, siteURL, with)
	if err != nil {
		return err
	}
	if with {
		for _, file := range pages.Files() {
			yield(file.Name, file.Body)
		}
	}
	put := func(file string, body []byte) error {
		yield(file, body)
		return nil
	}
	return eachOutput(r, func(o document.Output) error {
		switch {
		case o.Standing == document.Gone, o.Standing == document.Absent:
			return nil
		case o.File != "":
			yield(o.File, o.Body)
		}
		switch {
		case o.Value == nil, !with:
			return nil
		case o.Standing == document.Former:
			return pages.RenderFormer(document.PagesOf(o.File), o.Value, put)
		}
		return pages.Render(o.Value, put)
	})
}
