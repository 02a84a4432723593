package build

import (
	"cmp"
	"context"
	"errors"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/release"
	"souk/build/release/stub"
)

// An attempt says which inputs the next release may be made from.
type attempt struct {
	// heldBack uses the last good content, without later changes.
	heldBack bool
	// anyhow renders a page with the built-in template if the operator's template fails.
	anyhow bool
	// retained are restored removals that stay in force because the content has mistakes once
	// these sellers come back.
	retained []catalog.Removal
}

// attempts returns the inputs to try for the next release, the best first. The first attempt
// without mistakes is used. stays says that the last good content is released if the present
// content has mistakes. A removal, which scans no paths, does not wait for changed content.
func (t *Turn) attempts(from buildInputs, stays, right bool) (all []attempt) {
	known, differs := t.content.known, t.content.folder.Differs()
	if !known || !stays || differs && (len(t.paths) > 0 || right) {
		all = append(all, attempt{anyhow: stays && !known})
	}
	if known && stays {
		all = append(all, attempt{heldBack: true, anyhow: true})
	}
	if !t.config.LongLived && t.inputs.record == nil {
		return all
	}
	_, restored, _ := from.withheld().Since(cmp.Or(t.content.catalog.Removals(), t.remembered()))
	if len(restored) == 0 {
		return all
	}
	var both []attempt
	for _, a := range all {
		both = append(both, a, attempt{a.heldBack, a.anyhow, restored})
	}
	return both
}

// reject records what is wrong with an attempt.
func (c *content) reject(a attempt, mistakes problem.List) {
	if c.waiting = mistakes; !a.heldBack && len(a.retained) == 0 {
		c.mistakes = mistakes
	}
}

// takeUp restores the catalog of the last release's content from the memory and reports
// whether it could. A change then costs what it touches, not a whole release.
func (t *Turn) takeUp() bool {
	c, l := t.content, t.last
	if l.Release == "" || l.Release != t.tree.ID() || l.Content != c.folder.GoodFingerprint() {
		return false
	}
	removals, ok := l.withheld()
	if !ok {
		return false
	}
	good := c.relevant(c.folder.Good())
	good.Now, good.Removals = l.From, removals
	c.catalog = t.config.newCatalog()
	c.catalog.Apply(good)
	mistakes, _ := c.catalog.Problems().Split()
	pages, err := t.pages(true)
	if len(mistakes) > 0 || err != nil {
		c.catalog = t.config.newCatalog()
		return false
	}
	t.site.Store(pages)
	if c.known = true; l.Key == t.key() {
		t.inputs.release = l.Release // else every document may differ
	}
	return true
}

// takeUpAnew does the same with the memory of another process that wrote it since this one
// last read it.
func (t *Turn) takeUpAnew(ctx context.Context) bool {
	mine := t.content
	t.content = newContent(t.config, t.renditions)
	t.content.mistakes, t.content.waiting = mine.mistakes, mine.waiting
	if t.last.Release == t.tree.ID() && t.content.folder.Scan(ctx, Whole) == nil && t.takeUp() {
		return true
	}
	t.content = mine
	return false
}

// follow takes over the content of a release that another process made, which is newer than
// the last good content here. If that content cannot be found, the release stays, unless a
// removal waits for the next one, which then uses the content that is there.
func (t *Turn) follow(ctx context.Context, from buildInputs) error {
	if t.takeUpAnew(ctx) {
		return nil
	}
	if _, made := t.tree.BuiltFrom(); ctx.Err() == nil && made == from.revision() && t.BuiltFrom() != nil && t.BuiltFrom().Key() == from.record.Key() {
		return &problem.Error{Mistakes: t.content.mistakes}
	}
	return ctx.Err()
}

// next makes the next release. If it fails, the catalog is unchanged. right says that the
// release is already there, most likely because another process made it; then only the state
// of this process is updated.
func (t *Turn) next(ctx context.Context, a attempt, from buildInputs, right bool) (*staging, error) {
	if a.heldBack && !right && t.outdated(t.last) {
		if err := t.follow(ctx, from); err != nil {
			return nil, err
		}
	}
	c := t.content
	back := catalog.Change{Now: c.catalog.Now(), Removals: cmp.Or(c.catalog.Removals(), catalog.NewRemovals(nil))}
	run, err := t.try(ctx, a, &from, right)
	if err == nil || errors.As(err, new(*release.UnfinishedError)) {
		if c.known = true; !a.heldBack {
			c.folder.Approve()
		}
	} else {
		c.restore(t.config, a, back)
	}
	if err != nil {
		return nil, err
	}
	if !a.heldBack || !c.folder.Differs() {
		c.mistakes = nil
	}
	if len(a.retained) == 0 {
		c.waiting = nil
	}
	t.retry, t.inputs = run.unreadable.retry(), from
	t.inputs.release = t.tree.ID()
	return run, nil
}

// restore returns the catalog to its state before an attempt.
func (c *content) restore(config Config, a attempt, back catalog.Change) {
	if !c.known {
		c.catalog = config.newCatalog()
		return
	}
	if !a.heldBack {
		change := c.relevant(c.folder.Back())
		change.Now, change.Removals = back.Now, back.Removals
		back = change
	}
	c.catalog.Apply(back)
}

// try applies an attempt and makes the release.
func (t *Turn) try(ctx context.Context, a attempt, from *buildInputs, right bool) (*staging, error) {
	delta, restored := t.apply(a, from)
	if mistakes := t.content.found(a, restored); len(mistakes) > 0 {
		return nil, &problem.Error{Mistakes: mistakes}
	}
	delta.All = delta.All || !right && (restored || t.tree.Altered() || t.tree.ID() != t.inputs.release)
	if t.retry != nil {
		delta.Merge(t.retry)
	}
	if addresses := t.unexplained(from.orphans); len(addresses) > 0 && !t.config.LongLived {
		return nil, &stub.UnexplainedError{Place: "the public folder", Addresses: addresses}
	}
	if err := errors.Join(t.forget(from.record), t.remember(*from)); err != nil {
		return nil, err
	}
	return t.makeRelease(ctx, a, delta, *from, right)
}

// found returns the mistakes that an attempt finds. Mistakes in the last good content hold
// back only restored sellers.
func (c *content) found(a attempt, restored bool) (mistakes problem.List) {
	switch {
	case !a.heldBack:
		mistakes, _ = c.problems().Split()
	case restored:
		mistakes, _ = c.catalog.Problems().Split()
	}
	return mistakes
}

// apply brings the content and the clock to the catalog, and then the removals, because the
// content helps to find the owners of existing stubs. It reports whether a seller came back.
func (t *Turn) apply(a attempt, from *buildInputs) (delta *catalog.Delta, restored bool) {
	c := t.content
	var change catalog.Change
	switch {
	case a.heldBack:
	case c.known:
		change = c.folder.Change()
	default:
		change = c.folder.All()
	}
	change = c.relevant(change)
	change.Now = t.config.now()
	delta = c.catalog.Apply(change)
	if from.retained = a.retained; !t.settled(from.record) {
		from.orphans = t.orphans(from.record)
	}
	before, withheld := c.catalog.Removals(), from.withheld()
	if withheld.Key() != before.Key() {
		delta.Merge(c.catalog.Apply(catalog.Change{Now: change.Now, Removals: withheld}))
	}
	_, back, lost := withheld.Since(before)
	delta.All = delta.All || !c.known
	return delta, len(back)+len(lost) > 0
}
