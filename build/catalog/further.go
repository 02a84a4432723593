package catalog

import "encoding/binary"

// Digest returns the digest that assigns a further page to a shard. The same item can begin
// pages of several lists.
func (r PageRef) Digest() uint64 {
	digest := binary.BigEndian.Uint64(r.ID[:]) + uint64(r.List.Which)
	if r.List.Node != nil {
		digest ^= r.List.Node.digest
	}
	return digest
}

// FurtherPages returns the pages of all lists after the first.
func (c *Catalog) FurtherPages() *Shards[PageRef] { return &c.further }

// shardAllPages assigns the further pages of all lists to shards, from scratch.
func (c *Catalog) shardAllPages() {
	c.further = Shards[PageRef]{}
	add := func(list ListRef) {
		for _, p := range c.list(list).Pages()[1:] {
			c.further.Add(PageRef{list, p.First, p.ID()}, nil)
		}
	}
	for kind := range c.lists {
		add(ListRef{Kind: Kind(kind)})
	}
	for _, n := range c.nodes {
		if n.group == &none {
			continue
		}
		for which := range n.lists {
			add(ListRef{Node: n, Which: which})
		}
	}
}

// shardPages updates the shards of the further pages from the pages in a Delta, and adds the
// shards that change to it. A page whose content changed changes no shard, since a shard is a
// set of addresses.
func (c *Catalog) shardPages(d *Delta) {
	touch := func(s Shard) { d.Shards[ShardRef{Further: true, Shard: s}] = true }
	for p := range d.Pages {
		if p.First == nil {
			continue
		}
		page, exists := c.list(p.List).Page(p.First)
		exists = exists && page.ID() == p.ID
		switch known := c.further.Has(p); {
		case exists && !known:
			c.further.Add(p, touch)
		case known && !exists:
			c.further.Remove(p, touch)
		}
	}
}
