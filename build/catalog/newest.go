package catalog

import (
	"cmp"
	"slices"
)

// MostNewest is the maximum number of newest offers.
const MostNewest = 4

// Newest returns at most MostNewest current offers with the latest publication dates, newest
// first. Offers without a publication date are left out.
func (c *Catalog) Newest() []*Node { return c.newest[:min(MostNewest, len(c.newest))] }

// dated reports whether a node has a publication date, so that it can be among the newest
// offers.
func (n *Node) dated() bool { return n.since != 0 && n.Current() }

// compareNewest orders offers by publication date, newest first, then in the order of lists.
func compareNewest(a, b *Node) int {
	return cmp.Or(cmp.Compare(b.since, a.since), compareListed(a, b))
}

// removeNewest removes a node. Call it before the node is refreshed.
func (c *Catalog) removeNewest(n *Node, d *Delta) {
	at, there := slices.BinarySearchFunc(c.newest, n, compareNewest)
	if there {
		c.newest = slices.Delete(c.newest, at, at+1)
		d.Newest = d.Newest || at < MostNewest
	}
}

// insertNewest inserts a node if it has a publication date.
func (c *Catalog) insertNewest(n *Node, d *Delta) {
	if !n.dated() {
		return
	}
	at, there := slices.BinarySearchFunc(c.newest, n, compareNewest)
	if !there {
		c.newest = slices.Insert(c.newest, at, n)
		d.Newest = d.Newest || at < MostNewest
	}
}
