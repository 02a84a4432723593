package catalog

import (
	"slices"

	"souk/build/kit/processors"
)

// This file maintains the companies of Categories: the Sellers that name a Category or one
// below it, and the Sellers with a current listing in one of them.

// fillCompanies computes the companies of all Categories, whose listings are already known,
// from scratch. sellers are the current Sellers in the order of lists.
func (c *Catalog) fillCompanies(sellers List) {
	listing := make([]map[*Node]bool, len(c.categories))
	processors.Each(len(c.categories), func(i int) { listing[i] = c.categories[i].sellers() })
	for i, category := range c.categories {
		for s := range listing[i] {
			s.within = append(s.within, category)
		}
	}
	for _, n := range sellers {
		for category := range c.categoriesOf(n.item.(*Seller).Categories) {
			if !slices.Contains(n.within, category) {
				n.within = append(n.within, category)
			}
		}
		for _, category := range n.within {
			category.lists[Companies] = append(category.lists[Companies], n)
		}
	}
}

// sellers returns the Sellers of a Category's listings.
func (n *Node) sellers() map[*Node]bool {
	all := map[*Node]bool{}
	for _, o := range n.lists[Listings] {
		all[o.seller] = true
	}
	return all
}

// A move describes how a Seller's Categories may change.
type move struct {
	// was are the Categories that the Seller was removed from. may are other Categories that
	// it may have joined or left.
	was        []*Node
	candidates map[*Node]bool
}

func movedOf(moved map[*Node]*move, n *Node) *move {
	if moved[n] == nil {
		moved[n] = &move{candidates: map[*Node]bool{}}
	}
	return moved[n]
}

// removeCompany removes a Seller from the companies of all Categories. Call it before the
// Seller is refreshed.
func (c *Catalog) removeCompany(n *Node, m *move, d *Delta) {
	for _, category := range n.within {
		c.removeFrom(ListRef{Node: category, Which: Companies}, n, counts{}, d)
	}
	m.was, n.within = n.within, nil
}

// placeCompany updates the companies of Categories for a Seller and its offers, which have
// been refreshed.
func (c *Catalog) placeCompany(n *Node, m *move, d *Delta) {
	named := map[*Node]bool{}
	if s, is := n.item.(*Seller); is && n.Current() {
		for category := range c.categoriesOf(s.Categories) {
			named[category], m.candidates[category] = true, true
		}
	}
	for _, category := range m.was {
		m.candidates[category] = true
	}
	for category := range m.candidates {
		list := ListRef{Node: category, Which: Companies}
		was := slices.Contains(n.within, category)
		belongs := n.Current() && (named[category] || category.opened().sellers[n] > 0)
		switch {
		case belongs && !was:
			c.insertInto(list, n, counts{}, d)
			n.within = append(n.within, category)
		case was && !belongs:
			c.removeFrom(list, n, counts{}, d)
			n.within = remove(n.within, category)
		}
		if belongs != (was || slices.Contains(m.was, category)) {
			d.markCounts(list)
		}
	}
}
