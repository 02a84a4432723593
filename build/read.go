package build

import (
	"context"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// Check reads the content and returns the readable parts with all mistakes and warnings. It
// writes only the cache, if it can.
func Check(ctx context.Context, c Config, removals *catalog.Removals) (*catalog.Catalog, problem.List, error) {
	read := newContent(c, c.renditions())
	if err := read.all(ctx, c, removals); err != nil {
		return nil, nil, err
	}
	list := append(read.problems(), read.catalog.Warnings()...)
	if mistakes, _ := list.Split(); len(mistakes) == 0 {
		failures, err := read.failures(c.SiteURL)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, failures...)
	}
	list.Sort()
	return read.catalog, list, nil
}

// Read returns the marketplace of a content folder without building it. If the content has
// mistakes, it returns a *problem.Error together with the readable parts. It writes only the
// cache, if it can.
func Read(ctx context.Context, c Config, removals *catalog.Removals) (*catalog.Catalog, error) {
	c.Pages = true // the marketplace contains them whether they are rendered or not
	read := newContent(c, c.renditions())
	if err := read.all(ctx, c, removals); err != nil {
		return nil, err
	}
	// Nobody looks at pages here, and the location of a theme is unknown.
	if mistakes, _ := read.written().Split(); len(mistakes) > 0 {
		return read.catalog, &problem.Error{Mistakes: mistakes}
	}
	return read.catalog, nil
}

// all reads a whole content folder.
func (c *content) all(ctx context.Context, config Config, removals *catalog.Removals) error {
	if err := c.folder.Scan(ctx, Whole); err != nil {
		return err
	}
	_ = c.folder.Save(nil) // a reader needs no state; the next run only reads more
	change := c.relevant(c.folder.All())
	change.Now, change.Removals = config.now(), removals
	c.catalog.Apply(change)
	return nil
}
