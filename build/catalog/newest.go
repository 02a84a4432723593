package catalog

import (
	"cmp"
	"slices"
)

// MostNewest is how many of the newest offers are told.
const MostNewest = 4

// Newest returns the current offers that are public since the latest moment, as
// their authors say, the newest first: at most MostNewest. Those whose authors do not
// say are not among them.
func (c *Catalog) Newest() []*Node { return c.newest[:min(MostNewest, len(c.newest))] }

// dated reports whether a node is among the newest offers, or behind them.
func (n *Node) dated() bool { return n.since != 0 && n.Current() }

// compareNewest orders offers by when they became public, the newest first, and then
// as lists do.
func compareNewest(a, b *Node) int {
	return cmp.Or(cmp.Compare(b.since, a.since), compareListed(a, b))
}

// removeNewest takes a node out, of which nothing has been refreshed yet.
func (c *Catalog) removeNewest(n *Node, d *Delta) {
	at, there := slices.BinarySearchFunc(c.newest, n, compareNewest)
	if there {
		c.newest = slices.Delete(c.newest, at, at+1)
		d.Newest = d.Newest || at < MostNewest
	}
}

// insertNewest puts a node in, if it is one of them.
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
