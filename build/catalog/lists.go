package catalog

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"
)

// List returns a list, in its order.
func (c *Catalog) List(ref ListRef) List { return *c.list(ref) }

func (c *Catalog) list(ref ListRef) *List {
	if ref.Node != nil {
		return &ref.Node.lists[ref.Which]
	}
	return &c.lists[ref.Kind]
}

// LiveList returns the List of a Seller as it would be if nobody were removed.
func (n *Node) LiveList(which int) List {
	var list List
	for _, o := range n.offers {
		if o.live && whichList(o) == which {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, compareListed)
	return list
}

func whichList(offer *Node) int {
	if offer.ref.Kind == KindService {
		return Services
	}
	return Products
}

// places returns the lists that a thing belongs on now, each once.
func (c *Catalog) places(n *Node) []ListRef {
	if !n.Current() {
		return nil
	}
	if isEditorial(n.ref.Kind) {
		return []ListRef{{Kind: n.ref.Kind}}
	}
	offer, ok := n.item.(*Offer)
	if !ok {
		return nil
	}
	all := []ListRef{{Node: n.seller, Which: whichList(n)}}
	for _, m := range offer.Categories {
		category := c.nodes[m.Ref]
		if category == nil || !category.Current() {
			continue
		}
		for ; category != nil; category = category.parent {
			if p := (ListRef{Node: category, Which: Listings}); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func isEditorial(kind Kind) bool { return kind == KindArticle || kind == KindMarketMap }

// rebuild makes every state, list and the category tree anew.
func (c *Catalog) rebuild() {
	listed := make(List, 0, len(c.nodes))
	c.shards, c.lists = [len(kindNames)]Shards[*Node]{}, [len(kindNames)]List{}
	c.next = time.Time{}
	c.categories = nil
	for _, n := range c.nodes {
		n.lists, n.sellers = [2]List{}, nil
		n.live = false // it is in no shard
		n.parent, n.children = nil, nil
		if n.seller == nil {
			c.settle(n, nil)
		}
		if n.item != nil && n.ref.Kind == KindCategory {
			c.categories = append(c.categories, n)
		}
		if isEditorial(n.ref.Kind) && n.Current() {
			listed = append(listed, n)
		}
	}
	c.plant(c.categories)
	for _, n := range c.nodes {
		if n.seller == nil {
			continue
		}
		if c.settle(n, nil); n.Current() {
			listed = append(listed, n)
		}
	}
	slices.SortFunc(listed, compareListed)
	for _, n := range listed {
		for _, p := range c.places(n) {
			list := c.list(p)
			*list = append(*list, n)
			p.count(n, 1)
		}
	}
}

// settle takes over a node's order and state from its thing, and calls touch for
// the shards that this changes.
func (c *Catalog) settle(n *Node, touch func(Shard)) {
	was := n.Current()
	n.live, n.withheld = c.state(n)
	n.key = ""
	if n.item != nil {
		n.key = listKey(n.item)
		c.expect(n.item.Common())
	}
	shards := &c.shards[n.ref.Kind]
	switch now := n.Current(); {
	case now && !was:
		shards.Add(n, touch)
	case was && !now:
		shards.Remove(n, touch)
	case now:
		touch(shards.Of(n.digest))
	}
}

// listKey returns what a thing is ordered by before its address: an Article or a
// Market Map by the time of its publication, newest first, all others by their
// names without case.
func listKey(item Item) string {
	h := item.Common()
	if !isEditorial(h.Ref.Kind) {
		return strings.ToLower(h.Name)
	}
	const sign = 1 << 63
	t := h.PublishedAt.Time
	key := binary.BigEndian.AppendUint64(nil, ^(uint64(t.Unix()) ^ sign))
	return string(binary.BigEndian.AppendUint32(key, ^uint32(t.Nanosecond())))
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
func (r ListRef) count(n *Node, by int) {
	if r.Node == nil || r.Node.ref.Kind != KindCategory {
		return
	}
	if r.Node.sellers == nil {
		r.Node.sellers = map[*Node]int{}
	}
	if r.Node.sellers[n.seller] += by; r.Node.sellers[n.seller] == 0 {
		delete(r.Node.sellers, n.seller)
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

// before is what a node showed and where it stood before its thing was
// replaced.
type before struct {
	name    string
	current bool
	places  []ListRef
}

func (c *Catalog) before(n *Node) before {
	b := before{current: n.Current(), places: c.places(n)}
	if n.item != nil {
		b.name = n.item.Common().Name
	}
	return b
}

// update settles the touched nodes one after the other, each with all others
// in place, so that every step marks the pages that it changes.
func (c *Catalog) update(touched map[*Node]bool, was map[*Node]before, d *Delta) {
	order := slices.SortedFunc(maps.Keys(touched), func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	for _, n := range order {
		b, replaced := was[n]
		if !replaced {
			b = c.before(n)
		}
		c.step(n, b, d)
	}
}

// step settles one node and moves it on its lists.
func (c *Catalog) step(n *Node, was before, d *Delta) {
	for _, p := range was.places {
		c.leave(p, n, d)
	}
	c.settle(n, func(s Shard) { d.Shards[ShardRef{n.ref.Kind, s}] = true })
	c.pictured(n, d)
	d.Changed[n] = true
	d.Documents[n] = true
	if n.seller != nil {
		d.Documents[n.seller] = true
	}
	now := c.before(n)
	if was.current != now.current || was.name != now.name {
		d.shown(n)
	}
	for _, p := range now.places {
		c.enter(p, n, d)
		if !slices.Contains(was.places, p) {
			d.members(p)
		}
	}
	for _, p := range was.places {
		if !slices.Contains(now.places, p) {
			d.members(p)
		}
	}
}

// leave takes a node off a list on which it stands by its key.
func (c *Catalog) leave(ref ListRef, n *Node, d *Delta) {
	list := c.list(ref)
	at, _ := slices.BinarySearchFunc(*list, n, compareListed)
	before := list.around(at, true)
	*list = slices.Delete(*list, at, at+1)
	ref.count(n, -1)
	d.recut(ref, before, list.around(at, false))
	d.listed(ref)
}

// enter puts a node on a list.
func (c *Catalog) enter(ref ListRef, n *Node, d *Delta) {
	list := c.list(ref)
	at, _ := slices.BinarySearchFunc(*list, n, compareListed)
	before := list.around(at, false)
	*list = slices.Insert(*list, at, n)
	ref.count(n, 1)
	d.recut(ref, before, list.around(at, true))
	d.listed(ref)
}
