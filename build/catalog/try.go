package catalog

// A Trial is a change that the catalog has applied and that can still be undone.
// There is one at a time, and nothing else may be applied meanwhile.
type Trial struct {
	// Delta is what the change touches.
	Delta   *Delta
	catalog *Catalog
	undo    Change
}

// Try applies a change of the content, which may also set the clock but not the
// removals.
func (c *Catalog) Try(ch Change) *Trial {
	t := &Trial{catalog: c, undo: c.undo(ch)}
	c.dropped = map[Ref]*Node{}
	t.Delta = c.Apply(ch)
	return t
}

// Keep ends the trial: the change stays.
func (t *Trial) Keep() { t.catalog.dropped = nil }

// Undo ends the trial: the content, and every Node of it, is as it was before.
func (t *Trial) Undo() {
	t.catalog.Apply(t.undo)
	t.catalog.dropped = nil
}

// undo returns the change that would undo ch in the content, though not in the
// clock or the removals.
func (c *Catalog) undo(ch Change) Change {
	undo := Change{Media: make(map[string]*Media, len(ch.Media)), Now: ch.Now}
	if ch.Marketplace != nil {
		undo.Marketplace = c.market
	}
	if ch.Synonyms != nil {
		undo.Synonyms = new(c.synonyms)
	}
	for file := range ch.Media {
		undo.Media[file] = c.media[file]
	}
	back := func(ref Ref) {
		if n := c.nodes[ref]; n != nil && n.item != nil {
			undo.Put = append(undo.Put, n.item)
		} else {
			undo.Delete = append(undo.Delete, ref)
		}
	}
	for _, item := range ch.Put {
		back(RefOf(item))
	}
	for _, ref := range ch.Delete {
		back(ref)
	}
	return undo
}
