package build

import "souk/build/catalog"

// resume takes up the content of the last release where another process left it,
// so that a change of it costs what it touches, and not a whole release. It does
// so only where everything else is as it was. A long-lived Builder has more to
// decide before its first release, and makes that one whole.
func (t *Turn) resume(from made, last last) {
	b, c := t.Builder, t.content
	if b.config.LongLived || last.Release == "" || last.Release != b.tree.ID() || b.tree.Altered() || last.Key != b.key(from) {
		return
	}
	before, ok := c.folder.Before(last.Content)
	if !ok {
		return
	}
	if !c.pages {
		before = withoutPages(before)
	}
	before.Now, before.Removals = last.From, from.withheld()
	if known, ok := catalog.FromImage(b.readImage(last), b.config.Drafts, before); ok {
		c.catalog = known
	} else {
		c.catalog.Apply(before)
	}
	c.good, c.fingerprint, b.made.release = true, last.Content, last.Release
}
