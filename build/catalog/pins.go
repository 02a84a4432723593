package catalog

import (
	"slices"

	"souk/build/kit/problem"
)

// strayPins warns of the pins of a current Category that are not in it: search does
// not find them where the Category is chosen.
func (c *Catalog) strayPins(n *Node) (list problem.List) {
	for _, m := range n.item.(*Category).Pins {
		target := c.nodes[m.Ref]
		if !target.Current() {
			continue
		}
		if _, in := slices.BinarySearchFunc(n.lists[Listings], target, compareListed); !in {
			w := at(n.Head(), m.At, m.Ref.String()+" is not in the category, nor in one below it: it is not pinned",
				"add "+n.ref.Slug+" to its categories, or remove the pin")
			w.Warning = true
			list = append(list, w)
		}
	}
	return list
}
