package catalog

// link sets the item of a node and links the node to what the item mentions.
func (c *Catalog) link(n *Node, item Item) {
	for _, m := range n.uses {
		m.usedBy = remove(m.usedBy, n)
	}
	if was := n.Item(); was != nil {
		was.pictures(func(file string, _ Position) {
			if c.shownBy[file] = remove(c.shownBy[file], n); len(c.shownBy[file]) == 0 {
				delete(c.shownBy, file)
				delete(c.missingFiles, file)
			}
		})
		c.claim(n, was, -1)
	}
	n.item, n.uses, n.named, n.relates = item, nil, 0, false
	delete(c.ordered, n)
	c.checkClaim(n.ref)
	if item == nil {
		c.missing[n] = true
		delete(c.sellers, n)
		delete(c.own, n)
		return
	}
	item = Unpacked(item)
	c.claim(n, item, +1)
	if n.ref.Kind == KindSeller {
		c.sellers[n] = true
	}
	if n.ref.Kind.Own() {
		c.own[n] = true
	}
	n.relates = relates(item)
	if ordered(item) {
		c.ordered[n] = true
	}
	delete(c.missing, n)
	const used, named = 1, 2
	clear(c.mentioned)
	uses, names := c.uses[:0], c.names[:0]
	item.mentions(func(m Mention, name bool) {
		target := c.node(m.Ref)
		as := c.mentioned[target]
		if as&used == 0 {
			uses = append(uses, target)
			target.usedBy = append(target.usedBy, n)
		}
		if name && as&named == 0 {
			as |= named
			names = append(names, target)
		}
		c.mentioned[target] = as | used
	})
	c.uses, c.names = uses, names
	n.uses, n.named = append(make([]*Node, 0, len(uses)), names...), uint32(len(names))
	for _, target := range uses {
		if c.mentioned[target]&named == 0 {
			n.uses = append(n.uses, target)
		}
	}
	item.pictures(func(file string, _ Position) { c.show(n, file) })
}

// show notes that a node shows a picture.
func (c *Catalog) show(n *Node, file string) {
	by := c.shownBy[file]
	if len(by) == 0 || by[len(by)-1] != n {
		c.shownBy[file] = append(by, n)
	}
	if c.media[file] == nil {
		c.missingFiles[file] = true
	}
}
