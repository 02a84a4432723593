package build

import (
	"context"
	"maps"
	"slices"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
	"souk/build/source"
)

// content is the marketplace as the folder holds it or, while that has
// mistakes, as the folder held it before.
type content struct {
	folder  *source.Folder
	catalog *catalog.Catalog
	// pages: the operator's own pages and the theme are part of it.
	pages bool
	// good: the catalog holds content without mistakes; once set, it stays set.
	// fingerprint is that of its files.
	good        bool
	fingerprint uint64
	// held is the change that is kept out of the catalog because it has mistakes
	// or its build failed; nil if there is none.
	held     *catalog.Change
	mistakes problem.List
	// waiting are the mistakes that a seller who was restored would make.
	waiting problem.List
	// tried is what was found wrong with the theme of these settings, last.
	tried struct {
		market *catalog.Marketplace
		found  problem.List
	}
}

func newContent(c Config, shelf *rendition.Shelf) *content {
	return &content{
		folder:  source.Open(c.Content, stateFile(c, "content", c.cached()), c.Program, shelf, c.Clock).WithTheme(c.Theme),
		catalog: c.newCatalog(),
		pages:   c.Pages,
	}
}

// cached names what the cache of the content is of.
func (c Config) cached() string {
	if c.Theme == "" {
		return c.Content
	}
	return Resolved(c.Content) + "+" + Resolved(c.Theme)
}

func (c Config) newCatalog() *catalog.Catalog {
	if c.Drafts {
		return catalog.NewWithDrafts()
	}
	return catalog.New()
}

// change returns how the content changed since the last call.
func (c *content) change() (catalog.Change, error) {
	change, err := c.folder.Change()
	return c.ours(change), err
}

// ours leaves out of a change what no release of these settings shows.
func (c *content) ours(change catalog.Change) catalog.Change {
	if !c.pages {
		change.Put = slices.DeleteFunc(change.Put, func(item catalog.Item) bool { return catalog.KindOf(item) == catalog.KindPage })
	}
	return change
}

// A trial is a change of the content that no release shows yet.
type trial struct {
	*catalog.Trial
	change      catalog.Change
	fingerprint uint64
}

// apply brings to the catalog the clock, the removals and the content. What is
// pending for the first two stays pending until it is released; a change of the
// content is on trial. The trial is nil where the content did not change or
// brought mistakes, and where no path of it was looked at: a removal waits for
// no content that was held. It is nil for the first content too, which is
// released as it is, or fails. right tells that the release shows all of it already.
func (t *Turn) apply(from *made, right bool) (*trial, error) {
	b, c := t.Builder, t.content
	first := !c.good
	if first {
		t.resume(*from)
	}
	var change catalog.Change
	var err error
	switch {
	case c.good:
		change, err = c.change()
	case b.config.LongLived:
		_ = c.folder.FoldApart()
		change, err = c.change()
	default: // a whole release needs the memory
		_ = c.folder.Fold()
		change, err = c.change()
		_ = c.folder.Fold()
	}
	if err != nil {
		return nil, err
	}
	if c.held != nil {
		change = merged(*c.held, change)
	}
	now := b.config.now()
	if !c.good {
		c.held = nil
		from.kept = b.lifted(from.record)
		change.Now, change.Removals = now, from.withheld()
		b.addPending(c.catalog.Apply(change))
		if err := t.checkFirst(); err != nil {
			return nil, err
		}
		b.facts(now, from, false)
		return nil, nil
	}
	b.facts(now, from, right)
	// A file at a place where none belongs changes nothing, and is a mistake.
	empty := change.Marketplace == nil && change.Synonyms == nil && len(change.Put)+len(change.Delete)+len(change.Media) == 0
	if empty && (len(t.paths) == 0 || !t.changed && c.held == nil) {
		return nil, nil
	}
	if len(t.paths) == 0 {
		c.held = &change
		return nil, nil
	}
	change.Now = now
	tried := c.catalog.Try(change)
	if c.mistakes, _ = c.problems().Split(); len(c.mistakes) > 0 {
		tried.Undo()
		c.held = &change
		if first {
			return nil, c.refuse()
		}
		return nil, nil
	}
	on := &trial{tried, change, c.fingerprint}
	c.held, c.fingerprint = nil, c.folder.Fingerprint()
	if first {
		tried.Keep()
		b.addPending(tried.Delta)
		return nil, nil
	}
	return on, nil
}

// startAnew goes on as a process that begins now would, with the content of the release
// that another process made: what was good here is older. What was found only while a page
// was rendered holds back what has come since all the same. Where that content is nowhere,
// the release stays, unless a removal waits for the next one: that is made of what there is.
func (t *Turn) startAnew(ctx context.Context, from *made, found problem.List) error {
	content, pending := t.content, t.pending
	t.content, t.pending = newContent(t.config, t.shelf), nil
	_, err := t.content.folder.Scan(ctx, Whole)
	if err == nil {
		_, err = t.apply(from, false)
	}
	if err == nil && t.content.held == nil && len(found) > 0 {
		if t.content.mistakes = found; !t.recall() {
			err = t.content.refuse()
		} else {
			t.facts(t.content.catalog.Now(), from, false)
		}
	}
	if err == nil {
		return nil
	}
	t.content, t.pending = content, pending
	if _, made := t.tree.Made(); ctx.Err() == nil && made == from.revision() && t.Made() != nil && t.Made().Key() == from.record.Key() {
		return &problem.Error{Mistakes: content.mistakes}
	}
	return ctx.Err()
}

// refuse refuses the first content, since it has mistakes.
func (c *content) refuse() error {
	c.good = false
	_ = c.folder.SaveApart() // the mistakes are what matters; the next run reads less
	return &problem.Error{Mistakes: c.mistakes}
}

// facts takes in the clock and the removals, and judges the stubs that are
// there: whose they are the content helps to tell. A restored seller stays withheld if the
// content has mistakes with it. Where the release is not right already, stubs that may go
// again are looked for among all files.
func (b *Builder) facts(now time.Time, from *made, right bool) {
	c := b.content
	from.orphans, from.kept, c.waiting = b.orphans(from.record), nil, nil
	apply := func() (lifted []catalog.Removal) {
		facts := catalog.Change{Now: now, Removals: from.withheld()}
		if _, lifted = facts.Removals.Since(c.catalog.Removals()); facts.Removals.Key() == c.catalog.Removals().Key() {
			facts.Removals = nil
		}
		b.addPending(c.catalog.Apply(facts))
		return lifted
	}
	lifted := apply()
	if len(lifted) > 0 {
		c.waiting, _ = c.catalog.Problems().Split()
	}
	if len(c.waiting) > 0 {
		from.kept = lifted
		apply()
	}
	b.pending.All = b.pending.All || !right && (len(lifted) > len(from.kept) || b.tree.Altered() || b.tree.ID() != b.made.release)
}

// addPending adds to what no release shows yet.
func (b *Builder) addPending(delta *catalog.Delta) {
	if b.pending == nil {
		b.pending = delta
	} else {
		b.pending.Merge(delta)
	}
}

// affected returns what a release has to render again.
func (b *Builder) affected(t *trial) *catalog.Delta {
	if t == nil {
		return b.pending
	}
	all := catalog.NewDelta()
	all.Merge(b.pending)
	all.Merge(t.Delta)
	return all
}

// end ends a trial. A change that was not released waits for the next Build, so
// that a removal can go ahead without it.
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

// checkFirst checks the first content. If it has mistakes, a long-lived Builder
// goes on with the content of the existing release, which the last process left
// in the cache.
func (t *Turn) checkFirst() error {
	c := t.content
	if c.mistakes, _ = c.problems().Split(); len(c.mistakes) == 0 {
		c.good, c.fingerprint = true, c.folder.Fingerprint()
		t.pending.All = true
		return nil
	}
	if t.config.LongLived && t.recall() {
		return nil
	}
	return c.refuse()
}

// recall replaces the present content, which is held back, with that of the release that
// is there, where the cache has it.
func (t *Turn) recall() bool {
	c, good := t.content, t.last.Cached
	if good.Release == "" || good.Release != t.tree.ID() {
		return false
	}
	before, ok := c.folder.Recall(good.Content)
	if !ok {
		return false
	}
	before = c.ours(before)
	held := c.ours(c.folder.All())
	there := map[catalog.Ref]bool{}
	for _, item := range held.Put {
		there[catalog.RefOf(item)] = true
	}
	for _, item := range before.Put {
		if ref := catalog.RefOf(item); !there[ref] {
			held.Delete = append(held.Delete, ref)
		}
	}
	for file := range before.Media {
		if _, known := held.Media[file]; !known {
			held.Media[file] = nil
		}
	}
	before.Now, before.Removals = c.catalog.Now(), c.catalog.Removals()
	old := t.config.newCatalog()
	delta := old.Apply(before)
	if mistakes, _ := old.Problems().Split(); len(mistakes) > 0 {
		return false
	}
	c.catalog, c.held = old, &held
	c.good, c.fingerprint = true, good.Content
	t.pending = delta
	t.pending.All = true
	return true
}

// merged combines two changes into one; the later wins.
func merged(earlier, later catalog.Change) catalog.Change {
	refs := map[catalog.Ref]bool{}
	for _, item := range later.Put {
		refs[catalog.RefOf(item)] = true
	}
	for _, ref := range later.Delete {
		refs[ref] = true
	}
	for _, item := range earlier.Put {
		if !refs[catalog.RefOf(item)] {
			later.Put = append(later.Put, item)
		}
	}
	for _, ref := range earlier.Delete {
		if !refs[ref] {
			later.Delete = append(later.Delete, ref)
		}
	}
	media := maps.Clone(earlier.Media)
	maps.Copy(media, later.Media)
	later.Media = media
	if later.Marketplace == nil {
		later.Marketplace = earlier.Marketplace
	}
	if later.Synonyms == nil {
		later.Synonyms = earlier.Synonyms
	}
	return later
}

// problems returns all mistakes, and the warnings that cost nothing to find.
func (c *content) problems() problem.List {
	list := slices.Concat(c.written(), c.notRendered(), c.themeProblems())
	list.Sort()
	return list
}

// written returns those in what is written, whatever pages of it look like.
func (c *content) written() problem.List {
	list := slices.Concat(c.folder.Problems(), c.catalog.Problems())
	list.Sort()
	return list
}

// heldBack returns the mistakes of the change that is held back, and what follows from that,
// and those that keep a restored seller withheld.
func (c *content) heldBack(lacking problem.List) problem.List {
	if c.held == nil {
		return c.waiting
	}
	return slices.Concat(c.waiting, c.mistakes, lacking)
}

// renderer returns a Renderer for the catalog as it is now.
func (b *Builder) renderer() *document.Renderer {
	return document.NewRenderer(b.content.catalog, b.config.SiteURL).WithPages(b.config.Pages).WithSnapshot(b.config.Snapshot)
}
