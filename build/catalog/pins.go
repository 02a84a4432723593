package catalog

import (
	"slices"

	"souk/build/kit/problem"
)

// strayPins warns about pins of a current Category that are not in it: a search within the
// Category does not find them.
func (c *Catalog) strayPins(n *Node) (list problem.List) {
	for _, m := range n.item.(*Category).Pins {
		target := c.nodes[m.Ref]
		if !target.Current() {
			continue
		}
		if _, in := slices.BinarySearchFunc(n.lists[Listings], target, compareListed); !in {
			w := at(n.Head(), m.At, m.Ref.String()+" is neither in this category nor in one below it, so it is not pinned",
				"add "+n.ref.Slug+" to its categories, or remove the pin")
			w.Warning = true
			list = append(list, w)
		}
	}
	return list
}
