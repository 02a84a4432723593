package build

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/problem"
	"souk/build/site"
)

// themeProblems returns what is wrong with the operator's theme as a whole; what is
// wrong with a single file of it shows where it is read.
func (c *content) themeProblems() problem.List {
	m := c.catalog.Market()
	if !c.pages || m == nil {
		return nil
	}
	if m.Theme.Files != nil && c.tried.market != m {
		r := document.NewRenderer(c.catalog, "")
		c.tried.market, c.tried.found = m, site.Check(siteConfig(m, r), m.Theme)
	}
	if m.Theme.Files == nil {
		return c.folder.Undressed()
	}
	return slices.Concat(c.folder.Undressed(), c.tried.found)
}

// noted keeps what the operator's templates failed at, and returns any other error.
func (r *staging) noted(err error) error {
	var broken *problem.Error
	if !errors.As(err, &broken) {
		return err
	}
	r.broken.add(broken.Mistakes)
	return nil
}

// faults are what several workers find wrong.
type faults struct {
	sync.Mutex
	problem.List
}

func (f *faults) add(list problem.List) {
	f.Lock()
	defer f.Unlock()
	f.List = append(f.List, list...)
}

// failures returns what the operator's templates fail at on the pages of the content
// as it is now.
func (c *content) failures(siteURL string) (list problem.List, err error) {
	m := c.catalog.Market()
	if !c.pages || len(m.Theme.Templates()) == 0 {
		return nil, nil
	}
	pages, r, err := renderedBy(c.catalog, siteURL)
	if err != nil {
		return nil, err
	}
	list = pages.Faults()
	err = eachOutput(r, func(o document.Output) error {
		if o.Value == nil || o.Standing == document.Former {
			return nil
		}
		err := pages.Render(o.Value, func(string, []byte) error { return nil })
		if broken := new(problem.Error); errors.As(err, &broken) {
			list = append(list, broken.Mistakes...)
			return nil
		}
		return err
	})
	return list, err
}

// renderedBy returns what renders the pages and the documents of a catalog.
func renderedBy(c *catalog.Catalog, siteURL string) (*site.Site, *document.Renderer, error) {
	r := document.NewRenderer(c, siteURL).WithPages(true)
	pages, err := newSite(c, r)
	return pages, r, err
}

// eachOutput renders everything, one after the other.
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

// Written returns what Souk itself writes: the files of a release of a market at an address
// and in a language that holds nothing, without its compressed twins.
func Written(siteURL, language string) (map[string][]byte, error) {
	bare, files := catalog.New(), map[string][]byte{}
	bare.Apply(catalog.Change{Marketplace: &catalog.Marketplace{Name: document.Generator, SiteURL: siteURL, APIURL: siteURL + document.APIRoot, Language: language}})
	put := func(file string, body []byte) error {
		files[file] = bytes.Clone(body)
		return nil
	}
	pages, r, err := renderedBy(bare, siteURL)
	if err != nil {
		return nil, err
	}
	for _, file := range pages.Files() {
		files[file.Name] = file.Body
	}
	err = eachOutput(r, func(o document.Output) error {
		if o.File != "" {
			_ = put(o.File, o.Body)
		}
		if o.Value == nil {
			return nil
		}
		return pages.Render(o.Value, put)
	})
	return files, err
}
