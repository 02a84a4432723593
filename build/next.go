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

// An attempt says what the next release may be made of.
type attempt struct {
	// heldBack: the last good content, without what has changed since.
	heldBack bool
	// anyhow: where a template of the operator fails, the built-in one renders the page.
	anyhow bool
	// kept are restored removals that stay in force, since the content has mistakes with the
	// sellers who would come back.
	kept []catalog.Removal
}

// attempts returns what to make the next release of, the best first: the first one without
// mistakes is made. stays says that the last good content is released if the present one has
// mistakes. A removal, for which no path is looked at, waits for no content that has changed.
func (t *Turn) attempts(from made, stays, right bool) (all []attempt) {
	known, differs := t.content.known, t.content.folder.Differs()
	if !known || !stays || differs && (len(t.paths) > 0 || right) {
		all = append(all, attempt{anyhow: stays && !known})
	}
	if known && stays {
		all = append(all, attempt{heldBack: true, anyhow: true})
	}
	if !t.config.LongLived && t.made.record == nil {
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

// reject remembers what is wrong with an attempt. The mistakes of the present content are those
// with everyone who was restored: if they stay out, some of their mistakes are hidden.
func (c *content) reject(a attempt, mistakes problem.List) {
	if c.waiting = mistakes; !a.heldBack && len(a.kept) == 0 {
		c.mistakes = mistakes
	}
}

// takeUp makes the catalog of the content of the last release, which the memory has, and reports
// whether it has. A change then costs what it touches, and not a whole release.
func (t *Turn) takeUp() bool {
	c, l := t.content, t.last
	if l.Release == "" || l.Release != t.tree.ID() || l.Content != c.folder.GoodFingerprint() {
		return false
	}
	removals, ok := l.withheld()
	if !ok {
		return false
	}
	good := c.ours(c.folder.Good())
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
		t.made.release = l.Release // else every document may be another
	}
	return true
}

// takeUpAnew is takeUp of what another process left in the memory since this one read it.
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

// follow takes up the content of the release that another process made: what was good here is
// older. If that content is nowhere the release stays, unless a removal waits for the next one,
// which is made of what there is.
func (t *Turn) follow(ctx context.Context, from made) error {
	if t.takeUpAnew(ctx) {
		return nil
	}
	if _, made := t.tree.BuiltFrom(); ctx.Err() == nil && made == from.revision() && t.BuiltFrom() != nil && t.BuiltFrom().Key() == from.record.Key() {
		return &problem.Error{Mistakes: t.content.mistakes}
	}
	return ctx.Err()
}

// next makes the release that follows the last one. If it fails, the catalog is as before.
// right says that the release is there already, most likely since another process made it: then
// only what this process knows follows.
func (t *Turn) next(ctx context.Context, a attempt, from made, right bool) (*staging, error) {
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
	if len(a.kept) == 0 {
		c.waiting = nil
	}
	t.owed, t.made = run.lacking.owed(), from
	t.made.release = t.tree.ID()
	return run, nil
}

// restore has the catalog be as it was before an attempt.
func (c *content) restore(config Config, a attempt, back catalog.Change) {
	if !c.known {
		c.catalog = config.newCatalog()
		return
	}
	if !a.heldBack {
		change := c.ours(c.folder.Back())
		change.Now, change.Removals = back.Now, back.Removals
		back = change
	}
	c.catalog.Apply(back)
}

// try applies what a release is made of, and makes it.
func (t *Turn) try(ctx context.Context, a attempt, from *made, right bool) (*staging, error) {
	delta, restored := t.apply(a, from)
	if mistakes := t.content.found(a, restored); len(mistakes) > 0 {
		return nil, &problem.Error{Mistakes: mistakes}
	}
	delta.All = delta.All || !right && (restored || t.tree.Altered() || t.tree.ID() != t.made.release)
	if t.owed != nil {
		delta.Merge(t.owed)
	}
	if addresses := t.unexplained(from.orphans); len(addresses) > 0 && !t.config.LongLived {
		return nil, &stub.UnexplainedError{Place: "the public folder", Addresses: addresses}
	}
	if err := errors.Join(t.forget(from.record), t.remember(*from)); err != nil {
		return nil, err
	}
	return t.makeRelease(ctx, a, delta, *from, right)
}

// found returns the mistakes that an attempt finds. Those of the last good content hold back
// nothing but the sellers who were restored.
func (c *content) found(a attempt, restored bool) (mistakes problem.List) {
	switch {
	case !a.heldBack:
		mistakes, _ = c.problems().Split()
	case restored:
		mistakes, _ = c.catalog.Problems().Split()
	}
	return mistakes
}

// apply brings the content and the clock to the catalog, and then the removals: whose the stubs
// are that are there, the content helps to tell. It reports whether anyone came back.
func (t *Turn) apply(a attempt, from *made) (delta *catalog.Delta, restored bool) {
	c := t.content
	var change catalog.Change
	switch {
	case a.heldBack:
	case c.known:
		change = c.folder.Change()
	default:
		change = c.folder.All()
	}
	change = c.ours(change)
	change.Now = t.config.now()
	delta = c.catalog.Apply(change)
	if from.kept = a.kept; !t.settled(from.record) {
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
