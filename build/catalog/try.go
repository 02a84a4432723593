package catalog

import "souk/build/problem"

// Try takes in a change where it brings no mistakes, and tells them else: the
// content, and every Node of it, is then what it was. Of the clock alone the
// change may tell beside the content.
func (c *Catalog) Try(ch Change, problems func() problem.List) (*Delta, problem.List) {
	undo := c.undo(ch)
	c.limbo = map[Ref]*Node{}
	defer func() { c.limbo = nil }()
	delta := c.Apply(ch)
	mistakes, _ := problems().Split()
	if len(mistakes) > 0 {
		c.Apply(undo)
		return nil, mistakes
	}
	return delta, nil
}

// undo gives the change that brings the catalog back to where it is now after
// ch: of the content alone, not of the clock or the removals.
func (c *Catalog) undo(ch Change) Change {
	undo := Change{Media: make(map[string]*Media, len(ch.Media)), Now: ch.Now}
	if ch.Marketplace != nil {
		undo.Marketplace = c.market
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
		back(item.Common().Ref)
	}
	for _, ref := range ch.Delete {
		back(ref)
	}
	return undo
}
