package build

import (
	"sync"

	"souk/build/catalog"
)

// resume takes up the content of the last release where another process left it,
// so that a change of it costs what it touches, and not a whole release. It does
// so only where everything else is as it was, and nobody was restored: the content
// is checked as a whole then. A long-lived Builder has more to
// decide before its first release, and makes that one whole.
func (t *Turn) resume(from made) {
	b, c, last := t.Builder, t.content, t.last
	if b.config.LongLived || last.Release == "" || last.Release != b.tree.ID() || b.tree.Altered() || last.Key != b.key() {
		return
	}
	removals, ok := t.readWithheld(from.withheld())
	if _, lifted := from.withheld().Since(removals); !ok || len(lifted) > 0 {
		return
	}
	var image *catalog.Image
	var reading sync.WaitGroup
	reading.Go(func() { image = catalog.ReadImage(t.readImage()) })
	before, since, ok := c.folder.Before(last.Content)
	if reading.Wait(); !ok {
		return
	}
	before, since = c.ours(before), c.ours(since)
	before.Now, before.Removals = last.Image.At, removals
	if known, ok := image.Catalog(b.config.Drafts, before); ok {
		c.catalog, t.image = known, last.Image
	} else {
		before.Now = last.From
		c.catalog.Apply(before)
	}
	since.Now = last.From
	c.catalog.Apply(since)
	c.good, c.fingerprint, b.made.release = true, last.Content, last.Release
}
