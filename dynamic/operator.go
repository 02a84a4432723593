package dynamic

import (
	"souk/build/catalog"
	"souk/dynamic/verification"
)

// FindSeller returns the seller in the content, public or not, that an operator means by a
// name. A companySlug takes precedence over a canonical id, and both over an official
// domain.
func FindSeller(c *catalog.Catalog, name string) (found verification.Seller, ok bool) {
	best := 0
	c.EachSeller(func(n *catalog.Node) {
		one := sellerOf(n)
		rank := 1
		switch {
		case !one.IsNamed(name):
			return
		case one.Slug == name:
			rank = 3
		case one.ID == name:
			rank = 2
		}
		if rank > best {
			found, best = one, rank
		}
	})
	return found, best > 0
}
