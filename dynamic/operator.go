package dynamic

import (
	"slices"

	"souk/build/catalog"
	"souk/dynamic/verification"
)

// FindSeller returns the seller of the content that an operator means by a name,
// public or not: a companySlug before a canonical id, and both before an official
// domain.
func FindSeller(c *catalog.Catalog, name string) (found verification.Seller, ok bool) {
	best := 0
	c.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		one := verification.Seller{
			ID: s.ID, Slug: n.Ref().Slug, Name: s.Name, OfficialDomain: s.OfficialDomain, Current: n.Live(), Removed: n.Withheld(),
		}
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

// Beside returns, in order, the canonical ids of the sellers of the content that
// list the official domain of another among their former ones.
func Beside(c *catalog.Catalog, other verification.Seller) (ids []string) {
	c.EachSeller(func(n *catalog.Node) {
		if s := n.Item().(*catalog.Seller); slices.Contains(s.FormerDomains, other.OfficialDomain) && s.ID != other.ID {
			ids = append(ids, s.ID)
		}
	})
	slices.Sort(ids)
	return ids
}
