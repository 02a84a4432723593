package build

import (
	"context"
	"maps"
	"slices"

	"souk/build/catalog"
	"souk/build/problem"
)

// take tells the catalog what changed, by the clock, the removals and the
// content. What brings mistakes into a good catalog is taken out again and
// held, so that a removal waits for no editor.
func (b *Builder) take(m memo) error {
	change, err := b.folder.Change()
	if err != nil {
		return err
	}
	if b.held != nil {
		change = merged(*b.held, change)
	}
	owed := b.pending != nil
	facts := catalog.Change{Now: b.now()}
	if b.rewithdraw {
		facts.Removals = b.withdrawn.Removals
	}
	if !b.good || !b.config.Stay {
		change.Now, change.Removals = facts.Now, facts.Removals
		b.apply(change)
		b.pending.All = b.pending.All || owed && b.news(change) // as below
		b.mistakes, _ = b.problems().Split()
		if b.good = len(b.mistakes) == 0; b.good {
			b.taken(m)
		} else if b.config.Stay && m.Cached != "" && m.Cached == b.tree.ID() {
			return b.recall(m, change, facts)
		}
		return nil
	}
	b.apply(facts)
	if !b.news(change) {
		return nil
	}
	change.Now = facts.Now
	delta, mistakes := b.catalog.Try(change, b.problems)
	if b.mistakes = mistakes; delta == nil {
		b.held = &change
		return nil
	}
	b.held = nil
	b.owe(delta)
	// What comes and goes again before it is rendered, no Delta tells.
	b.pending.All = b.pending.All || owed
	b.taken(m)
	return nil
}

// news tells whether a change has anything.
func (b *Builder) news(ch catalog.Change) bool {
	return ch.Marketplace != nil || len(ch.Put)+len(ch.Delete)+len(ch.Media) > 0
}

// taken notes that the catalog holds the content as it is.
func (b *Builder) taken(m memo) {
	b.read, b.goodContent = true, b.folder.Fingerprint()
	b.fresh = b.fresh || m.Content != b.goodContent
}

// apply tells the catalog of a change and owes what it touches.
func (b *Builder) apply(ch catalog.Change) { b.owe(b.catalog.Apply(ch)) }

// owe adds to what no release shows yet.
func (b *Builder) owe(delta *catalog.Delta) {
	if b.pending == nil {
		b.pending = delta
	} else {
		b.pending.Merge(delta)
	}
	if b.tree.Altered() || b.tree.ID() != b.id || b.restored {
		b.pending.All = true
	}
}

// merged gives one change for two, the later one over the earlier.
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

// recall goes on with the content of the release that stands, of which the
// last process kept what it read; the content as it is, which has mistakes, is
// held.
func (b *Builder) recall(m memo, now, facts catalog.Change) error {
	before, ok := b.folder.Recall()
	if !ok {
		return nil
	}
	held := now
	held.Delete, held.Media = slices.Clone(now.Delete), maps.Clone(now.Media)
	stands := map[catalog.Ref]bool{}
	for _, item := range now.Put {
		stands[item.Common().Ref] = true
	}
	for _, item := range before.Put {
		if ref := item.Common().Ref; !stands[ref] {
			held.Delete = append(held.Delete, ref)
		}
	}
	for file := range before.Media {
		if _, known := held.Media[file]; !known {
			held.Media[file] = nil
		}
	}
	c := catalog.New()
	before.Now, before.Removals = facts.Now, b.withdrawn.Removals
	delta := c.Apply(before)
	if mistakes, _ := c.Problems().Split(); len(mistakes) > 0 {
		return nil
	}
	b.catalog, b.pending, b.held = c, nil, &held
	b.good, b.read, b.goodContent = true, true, m.Content
	b.owe(delta)
	return nil
}

// keep writes down what the next process begins with: what was read, and of
// which release that is the content.
func (b *Builder) keep(report Report, before memo, save bool) error {
	m := memo{
		Key: b.key(), Content: b.goodContent, From: b.catalog.Now(), Until: report.Next, Release: report.ID,
		Warnings: report.Warnings, Recorded: before.Recorded || b.withdrawn.Recorded, Cached: before.Cached,
	}
	if !b.fresh && before.Cached == report.Before {
		m.Cached = report.ID
	}
	if err := b.saveCache(save); err != nil {
		return err
	}
	if save && b.held == nil {
		if err := b.folder.Remember(); err != nil {
			return err
		}
		m.Cached = report.ID
	}
	b.fresh = false
	return b.writeMemo(m)
}

// Close keeps what was read since the last whole build, for the next process.
func (b *Builder) Close() error {
	if !b.good || b.pending != nil || !b.config.Stay {
		return nil
	}
	m := b.readMemo()
	if m.Release != b.tree.ID() || m.Cached == m.Release || b.held != nil {
		return nil
	}
	if err := b.saveCache(true); err != nil {
		return err
	}
	if err := b.folder.Remember(); err != nil {
		return err
	}
	m.Cached = m.Release
	return b.writeMemo(m)
}

// heldBack gives the mistakes of what is held.
func (b *Builder) heldBack() problem.List {
	if b.held == nil {
		return nil
	}
	return b.mistakes
}

// Outdated tells whether another process made a release here, or who is
// withdrawn is not what the last Build was told. Whether it can be told at all
// is for a Build to say.
func (b *Builder) Outdated(ctx context.Context) bool {
	if b.tree.Elsewhere() {
		return true
	}
	if b.config.Withdrawn == nil {
		return false
	}
	now, err := b.config.Withdrawn(ctx)
	return err == nil && now.Key() != b.withdrawn.Key()
}
