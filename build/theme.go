package build

import (
	"errors"
	"slices"
	"sync"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/site"
)

// themeProblems returns what is wrong with the operator's theme as a whole. Mistakes in a
// single file are found when the file is read.
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

// noted collects failures of the operator's templates and returns any other error.
func (r *staging) noted(err error) error {
	var broken *problem.Error
	if !errors.As(err, &broken) {
		return err
	}
	r.broken.add(broken.Mistakes)
	return nil
}

// faults collects what several workers find wrong.
type faults struct {
	sync.Mutex
	problem.List
}

func (f *faults) add(list problem.List) {
	f.Lock()
	defer f.Unlock()
	f.List = append(f.List, list...)
}

// failures returns the failures of the operator's templates on the pages of the present
// content.
func (c *content) failures(siteURL string) (list problem.List, err error) {
	m := c.catalog.Market()
	if !c.pages || len(m.Theme.Templates()) == 0 {
		return nil, nil
	}
	pages, r, err := renderedBy(c.catalog, siteURL, true)
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
