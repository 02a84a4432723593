package catalog

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A place is a list that an offer stands on.
type place struct {
	owner *Node
	which int
}

// places gives the lists that an offer belongs on now, each once.
func (c *Catalog) places(n *Node) []place {
	offer, ok := n.item.(*Offer)
	if !ok || !n.Current() {
		return nil
	}
	which := Products
	if n.ref.Kind == KindService {
		which = Services
	}
	all := []place{{n.seller, which}}
	for _, m := range offer.Categories {
		category := c.nodes[m.Ref]
		if category == nil || !category.Current() {
			continue
		}
		for ; category != nil; category = category.parent {
			if p := (place{category, Listings}); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// rebuild makes every state, list and the category tree anew.
func (c *Catalog) rebuild() {
	offers := make([]*Node, 0, len(c.nodes))
	c.buckets = [len(kindNames)][Buckets][]*Node{}
	c.next = time.Time{}
	c.categories = nil
	for _, n := range c.nodes {
		n.lists, n.sellers, n.bucketed = [2][]*Node{}, nil, false
		n.parent, n.children = nil, nil
		if n.seller == nil {
			c.settle(n)
		}
		if n.item != nil && n.ref.Kind == KindCategory {
			c.categories = append(c.categories, n)
		}
	}
	c.plant(c.categories)
	for _, n := range c.nodes {
		if n.seller == nil {
			continue
		}
		if c.settle(n); n.Current() {
			offers = append(offers, n)
		}
	}
	slices.SortFunc(offers, compareListed)
	for _, n := range offers {
		for _, p := range c.places(n) {
			p.owner.lists[p.which] = append(p.owner.lists[p.which], n)
			p.count(n, 1)
		}
	}
	c.articles = c.newest(KindArticle)
	c.maps = c.newest(KindMarketMap)
}

// settle takes over a node's name and state from its thing.
func (c *Catalog) settle(n *Node) {
	n.live, n.withheld = c.state(n)
	n.key = ""
	if n.item != nil {
		n.key = strings.ToLower(n.item.Common().Name)
		c.expect(n.item.Common())
	}
	if now := n.Current(); now != n.bucketed {
		bucket := &c.buckets[n.ref.Kind][n.ref.Bucket()]
		if now {
			*bucket = append(*bucket, n)
		} else {
			*bucket = remove(*bucket, n)
		}
		n.bucketed = now
	}
}

// expect notes when a thing next becomes or ceases to be current.
func (c *Catalog) expect(h *Head) {
	for _, d := range [...]Date{h.PublishedAt, h.ExpiresAt} {
		if h.Status == Published && d.Time.After(c.now) && (c.next.IsZero() || d.Time.Before(c.next)) {
			c.next = d.Time
		}
	}
}

// count keeps the number of a seller's listings in a category.
func (p place) count(n *Node, by int) {
	if p.owner.ref.Kind != KindCategory {
		return
	}
	if p.owner.sellers == nil {
		p.owner.sellers = map[*Node]int{}
	}
	if p.owner.sellers[n.seller] += by; p.owner.sellers[n.seller] == 0 {
		delete(p.owner.sellers, n.seller)
	}
}

// plant ties the current categories to their nearest current ancestors.
func (c *Catalog) plant(categories []*Node) {
	c.tops = map[Kind][]*Node{}
	for _, n := range categories {
		if !n.Current() {
			continue
		}
		n.parent = c.nearestCurrent(n, len(categories))
		if n.parent == nil {
			c.tops[n.ref.Root] = append(c.tops[n.ref.Root], n)
		} else {
			n.parent.children = append(n.parent.children, n)
		}
	}
	for _, n := range categories {
		slices.SortFunc(n.children, compareCategories)
	}
	for _, list := range c.tops {
		slices.SortFunc(list, compareCategories)
	}
}

// nearestCurrent finds the nearest current ancestor. Where parents form a circle,
// which is a mistake of the content, the search ends after as many steps as
// there are categories and every member stands at the top.
func (c *Catalog) nearestCurrent(n *Node, steps int) *Node {
	var found *Node
	for p := c.above(n); p != nil; p = c.above(p) {
		if steps--; steps < 0 {
			return nil
		}
		if found == nil && p.Current() {
			found = p
		}
	}
	return found
}

func (c *Catalog) above(n *Node) *Node {
	category, ok := n.item.(*Category)
	if !ok || category.Parent == nil {
		return nil
	}
	return c.nodes[category.Parent.Ref]
}

// newest gives the current things of a kind, newest first, then by address.
func (c *Catalog) newest(kind Kind) []*Node {
	var list []*Node
	for _, n := range c.nodes {
		if n.ref.Kind == kind && n.Current() {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *Node) int {
		if d := b.item.Common().PublishedAt.Time.Compare(a.item.Common().PublishedAt.Time); d != 0 {
			return d
		}
		return strings.Compare(a.ref.Slug, b.ref.Slug)
	})
	return list
}

// before is what a node showed and where it stood before its thing was
// replaced.
type before struct {
	name    string
	current bool
	places  []place
}

func (c *Catalog) before(n *Node) before {
	b := before{current: n.Current(), places: c.places(n)}
	if n.item != nil {
		b.name = n.item.Common().Name
	}
	return b
}

// update settles the touched nodes one after the other, each with all others
// in place, so that every step marks the pages that it shifts.
func (c *Catalog) update(touched map[*Node]bool, was map[*Node]before, d *Delta) {
	order := slices.SortedFunc(maps.Keys(touched), func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	editorial := false
	for _, n := range order {
		editorial = editorial || n.ref.Kind == KindArticle || n.ref.Kind == KindMarketMap
		b, replaced := was[n]
		if !replaced {
			b = c.before(n)
		}
		c.step(n, b, d)
	}
	if editorial {
		c.articles = c.newest(KindArticle)
		c.maps = c.newest(KindMarketMap)
	}
}

// step settles one node and moves it on its lists.
func (c *Catalog) step(n *Node, was before, d *Delta) {
	old := make(map[place]int, len(was.places))
	for _, p := range was.places {
		list := p.owner.lists[p.which]
		at, _ := slices.BinarySearchFunc(list, n, compareListed)
		old[p] = at
		p.owner.lists[p.which] = slices.Delete(list, at, at+1)
		p.count(n, -1)
	}
	c.settle(n)
	c.pictured(n, d)
	d.Changed[n] = true
	d.Documents[n] = true
	if n.seller != nil {
		d.Documents[n.seller] = true
	}
	if now := c.before(n); was.current != now.current || was.name != now.name {
		d.shown(n)
	}
	for _, p := range c.places(n) {
		list := p.owner.lists[p.which]
		at, _ := slices.BinarySearchFunc(list, n, compareListed)
		p.owner.lists[p.which] = slices.Insert(list, at, n)
		p.count(n, 1)
		if i, stood := old[p]; stood {
			d.span(p.owner, p.which, i, at)
			delete(old, p)
		} else {
			d.members(p.owner, p.which)
			d.Left[Page{p.owner, p.which, 0}] = nil
		}
	}
	for p, at := range old {
		d.members(p.owner, p.which)
		d.left(Page{p.owner, p.which, 0}, at)
	}
}
