package build

import (
	"maps"
	"slices"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/problem"
	"souk/build/source"
)

// content is the marketplace: what the folder holds, or, while that has
// mistakes, what it held before.
type content struct {
	folder  *source.Folder
	catalog *catalog.Catalog
	// good: the catalog holds content without mistakes; from then on it always
	// does. fingerprint is that of its files.
	good        bool
	fingerprint uint64
	// held is what changed and is not in the catalog, since it brought mistakes
	// or its build failed; nil for nothing.
	held     *catalog.Change
	mistakes problem.List
}

func newContent(c Config) *content {
	return &content{
		folder:  source.Open(c.Content, stateFile(c, "content", c.Content), c.Program, c.Clock),
		catalog: catalog.New(),
	}
}

// A trial is content that was taken in and that no release shows yet.
type trial struct {
	*catalog.Trial
	change      catalog.Change
	fingerprint uint64
}

// take tells the catalog of the clock, the removals and the content. What is
// owed for the first two stays owed until it is released; a change of the
// content is on trial. The trial is nil where the content did not change, or
// brought mistakes.
func (b *Builder) take(from *made, last last) (*trial, error) {
	c := b.content
	change, err := c.folder.Change()
	if err != nil {
		return nil, err
	}
	if c.held != nil {
		change = merged(*c.held, change)
	}
	now := b.config.now()
	if !c.good {
		change.Now, change.Removals = now, from.withheld()
		b.owe(c.catalog.Apply(change))
		if err := b.first(change, last); err != nil {
			return nil, err
		}
		b.facts(now, from)
		return nil, nil
	}
	b.facts(now, from)
	if change.Marketplace == nil && len(change.Put)+len(change.Delete)+len(change.Media) == 0 {
		return nil, nil
	}
	change.Now = now
	tried := c.catalog.Try(change)
	if c.mistakes, _ = c.problems().Split(); len(c.mistakes) > 0 {
		tried.Undo()
		c.held = &change
		return nil, nil
	}
	t := &trial{tried, change, c.fingerprint}
	c.held, c.fingerprint = nil, c.folder.Fingerprint()
	return t, nil
}

// facts takes in the clock and the removals, and judges the stubs that are
// there: whose they are the content helps to tell.
func (b *Builder) facts(now time.Time, from *made) {
	c := b.content
	from.orphans = b.orphans(from.record)
	withheld := from.withheld()
	_, lifted := withheld.Since(c.catalog.Removals())
	facts := catalog.Change{Now: now, Removals: withheld}
	if withheld.Key() == c.catalog.Removals().Key() {
		facts.Removals = nil
	}
	b.owe(c.catalog.Apply(facts))
	// Stubs that may go again are looked for among all files.
	b.owed.All = b.owed.All || lifted || b.tree.Altered() || b.tree.ID() != b.made.release
}

// owe adds to what no release shows yet.
func (b *Builder) owe(delta *catalog.Delta) {
	if b.owed == nil {
		b.owed = delta
	} else {
		b.owed.Merge(delta)
	}
}

// touches returns what a release has to make anew.
func (b *Builder) touches(t *trial) *catalog.Delta {
	if t == nil {
		return b.owed
	}
	all := b.content.catalog.Nothing()
	all.Merge(b.owed)
	all.Merge(t.Delta)
	return all
}

// end ends a trial; where it was not released the change waits for the next
// Build, so that a removal need not.
func (c *content) end(t *trial, released bool) {
	switch {
	case t == nil:
	case released:
		t.Keep()
	default:
		t.Undo()
		c.held, c.fingerprint = &t.change, t.fingerprint
	}
}

// first judges the first content. Where it has mistakes, a Builder that stays
// goes on with the content of the release that is there, of which the last
// process kept what it read.
func (b *Builder) first(change catalog.Change, last last) error {
	c := b.content
	if c.mistakes, _ = c.problems().Split(); len(c.mistakes) == 0 {
		c.good, c.fingerprint = true, c.folder.Fingerprint()
		b.owed.All = true
		return nil
	}
	if b.config.Stay && last.Cached != "" && last.Cached == b.tree.ID() && b.recall(change, last) {
		return nil
	}
	_ = c.folder.Save() // the mistakes are what matters; the next run reads less
	return &problem.Error{Mistakes: c.mistakes}
}

// recall takes the content that was kept in the place of the one that is
// there, which is held back.
func (b *Builder) recall(now catalog.Change, last last) bool {
	before, ok := b.content.folder.Recall()
	if !ok {
		return false
	}
	held := now
	held.Delete, held.Media = slices.Clone(now.Delete), maps.Clone(now.Media)
	there := map[catalog.Ref]bool{}
	for _, item := range now.Put {
		there[item.Common().Ref] = true
	}
	for _, item := range before.Put {
		if ref := item.Common().Ref; !there[ref] {
			held.Delete = append(held.Delete, ref)
		}
	}
	for file := range before.Media {
		if _, known := held.Media[file]; !known {
			held.Media[file] = nil
		}
	}
	before.Now, before.Removals = now.Now, now.Removals
	old := catalog.New()
	delta := old.Apply(before)
	if mistakes, _ := old.Problems().Split(); len(mistakes) > 0 {
		return false
	}
	b.content.catalog, b.content.held = old, &held
	b.content.good, b.content.fingerprint = true, last.Content
	b.owed = delta
	b.owed.All = true
	return true
}

// merged returns one change for two, the later one over the earlier.
func merged(earlier, later catalog.Change) catalog.Change {
	refs := map[catalog.Ref]bool{}
	for _, item := range later.Put {
		refs[item.Common().Ref] = true
	}
	for _, ref := range later.Delete {
		refs[ref] = true
	}
	for _, item := range earlier.Put {
		if !refs[item.Common().Ref] {
			later.Put = append(later.Put, item)
		}
	}
	for _, ref := range earlier.Delete {
		if !refs[ref] {
			later.Delete = append(later.Delete, ref)
		}
	}
	media := maps.Clone(earlier.Media)
	if media == nil {
		media = map[string]*catalog.Media{}
	}
	maps.Copy(media, later.Media)
	later.Media = media
	if later.Marketplace == nil {
		later.Marketplace = earlier.Marketplace
	}
	return later
}

// problems returns all mistakes and those warnings that cost nothing to find.
func (c *content) problems() problem.List {
	list := append(c.folder.Problems(), c.catalog.Problems()...)
	list.Sort()
	return list
}

// heldBack returns the mistakes of what is held.
func (c *content) heldBack() problem.List {
	if c.held == nil {
		return nil
	}
	return c.mistakes
}

// renderer returns what renders the catalog as it is now.
func (b *Builder) renderer() *document.Renderer {
	return document.NewRenderer(b.content.catalog, b.config.SiteURL)
}
