package catalog

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"souk/build/kit/processors"
)

// List returns a list.
func (c *Catalog) List(ref ListRef) List { return *c.list(ref) }

func (c *Catalog) list(ref ListRef) *List {
	if ref.Node != nil {
		return &ref.Node.lists[ref.Which]
	}
	return &c.lists[ref.Kind]
}

// LiveList returns the List of a Seller as it would be if no Seller were removed.
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

// listsOf returns the lists that a node belongs on now, each once.
func (c *Catalog) listsOf(n *Node) []ListRef {
	if !n.Current() {
		return nil
	}
	if n.ref.Kind.Listed() {
		return []ListRef{{Kind: n.ref.Kind}}
	}
	if n.ref.Kind.Offer() {
		return c.listsOfOffer(n, n.Card())
	}
	return nil
}

// listsOfOffer is listsOf for a current offer.
func (c *Catalog) listsOfOffer(n *Node, offer *Offer) []ListRef {
	all := []ListRef{{Node: n.seller, Which: whichList(n)}}
	for category := range c.categoriesOf(offer.Categories) {
		if p := (ListRef{Node: category, Which: Listings}); !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// categoriesOf returns the current Categories among the named ones, each followed by its
// ancestors. It may return a Category several times.
func (c *Catalog) categoriesOf(named []Mention) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, m := range named {
			category := c.nodes[m.Ref]
			if category == nil || !category.Current() {
				continue
			}
			for ; category != nil; category = category.parent {
				if !yield(category) {
					return
				}
			}
		}
	}
}

func isEditorial(kind Kind) bool { return kind == KindArticle || kind == KindMarketMap }

// Listed reports whether all current items of a kind are on one list.
func (k Kind) Listed() bool { return isEditorial(k) || k == KindSeller }

// rebuild computes every state, every list and the category tree from scratch, with the given
// number of workers.
func (c *Catalog) rebuild(workers int) {
	listed, offers := make(List, 0, len(c.nodes)), make([]*Node, 0, len(c.nodes))
	c.shards, c.lists = [len(kindNames)]Shards[*Node]{}, [len(kindNames)]List{}
	c.next = time.Time{}
	c.categories, c.newest = nil, nil
	c.reader = newFactReader()
	for _, n := range c.nodes {
		if n.group != &none {
			*n.group = group{offers: n.offers}
		}
		n.live = false // it is in no shard
		if n.seller != nil {
			offers = append(offers, n)
			continue
		}
		c.refresh(n, n.Brief(), nil)
		if n.item != nil && n.ref.Kind == KindCategory {
			c.categories = append(c.categories, n)
		}
		if n.ref.Kind.Listed() && n.Current() {
			listed = append(listed, n)
		}
	}
	c.linkCategories(c.categories)
	const share = 1 << 10
	shares := slices.Collect(slices.Chunk(offers, share))
	processors.InTurn(len(shares), func() (read, refresh func(i int)) {
		heads := [share]*Head{}
		read = func(i int) {
			for at, n := range shares[i] {
				heads[at] = n.Brief()
			}
		}
		refresh = func(i int) {
			for at, n := range shares[i] {
				if c.refresh(n, heads[at], nil); n.Current() {
					listed = append(listed, n)
				}
			}
		}
		return read, refresh
	})
	processors.Sort(listed, compareListed)
	for _, n := range listed {
		if n.dated() {
			c.newest = append(c.newest, n)
		}
	}
	c.tally(listed, workers)
	c.fillCompanies(c.lists[KindSeller])
	slices.SortFunc(c.newest, compareNewest)
	c.shardAllPages()
}

// refresh updates a node's sort key and state from its item, whose Brief is h, and calls touch
// for the shards that this changes.
func (c *Catalog) refresh(n *Node, h *Head, touch func(Shard)) {
	was := n.Current()
	n.live, n.withheld = c.state(n, h)
	n.name, n.key, n.since = "", "", 0
	if h != nil {
		n.name, n.key = h.Name, listKey(h)
		if n.ref.Kind.Offer() {
			if t := h.PublishedAt.Time; !t.IsZero() {
				n.since = t.UnixNano()
			}
		}
		c.expectTransition(h)
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

// listKey returns the sort key of an Article or a Market Map, the time of publication, newest
// first. Other keys are computed from the name when needed, and stored if that is slow.
func listKey(h *Head) string {
	if !isEditorial(h.Ref.Kind) {
		if strings.ContainsFunc(h.Name, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return nameKey(h.Name)
		}
		return ""
	}
	const sign = 1 << 63
	t := h.PublishedAt.Time
	key := binary.BigEndian.AppendUint64(nil, ^(uint64(t.Unix()) ^ sign))
	return string(binary.BigEndian.AppendUint32(key, ^uint32(t.Nanosecond())))
}

// expectTransition records when an item next becomes or ceases to be current.
func (c *Catalog) expectTransition(h *Head) {
	for _, d := range [...]Date{h.PublishedAt, h.ExpiresAt} {
		if h.Status == Published && d.Time.After(c.now) && (c.next.IsZero() || d.Time.Before(c.next)) {
			c.next = d.Time
		}
	}
}

// tallies returns the counts of a Category's list, for changing, or nil for another list. The
// list must be as it was when counted.
func (r ListRef) tallies() *Tallies {
	if r.Node == nil || r.Node.ref.Kind != KindCategory || r.Which != Listings {
		return nil
	}
	return r.Node.opened()
}

// count changes a category's counts of listings by seller, by price and by attribute. nil
// counts nothing.
func (t *Tallies) count(n *Node, has counts, by int) {
	if t == nil {
		return
	}
	if t.sellers[n.seller] += by; t.sellers[n.seller] == 0 {
		delete(t.sellers, n.seller)
	}
	t.countFacts(has.facts, by)
	price := has.price
	if price == (band{}) {
		return
	}
	if t.prices[price] += by; t.prices[price] == 0 {
		delete(t.prices, price)
	}
}

// linkCategories links the current categories to their nearest current ancestors.
func (c *Catalog) linkCategories(categories []*Node) {
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

// nearestCurrent finds the nearest current ancestor. If parents form a circle, which is a
// mistake in the content, the search ends after as many steps as there are categories, and
// every member of the circle is at the top.
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

// A snapshot is what other items show of a node, and its lists with their counts, before its
// item is replaced.
type snapshot struct {
	name    string
	current bool
	hidden  bool // by a removal
	lists   []ListRef
	counted Item
}

func (c *Catalog) snapshot(n *Node) snapshot {
	return snapshot{name: n.name, current: n.Current(), hidden: n.Withheld(), lists: c.listsOf(n), counted: n.item}
}

// update updates the touched nodes in sequence, with all others in place, so that each step
// marks the pages that it changes.
func (c *Catalog) update(touched map[*Node]bool, was map[*Node]snapshot, d *Delta) {
	order := slices.SortedFunc(maps.Keys(touched), func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	moved := map[*Node]*move{}
	for _, n := range order {
		b, replaced := was[n]
		if !replaced {
			b = c.snapshot(n)
		}
		if n.ref.Kind == KindSeller {
			c.removeCompany(n, movedOf(moved, n), d)
		}
		c.updateNode(n, b, d)
		if n.seller != nil {
			m := movedOf(moved, n.seller)
			for _, lists := range [...][]ListRef{b.lists, c.listsOf(n)} {
				for _, p := range lists {
					if p.Node.ref.Kind == KindCategory {
						m.candidates[p.Node] = true
					}
				}
			}
		}
	}
	for _, n := range slices.SortedFunc(maps.Keys(moved), func(a, b *Node) int { return compareRefs(a.ref, b.ref) }) {
		c.placeCompany(n, moved[n], d)
	}
}

// updateNode refreshes one node and moves it on its lists.
func (c *Catalog) updateNode(n *Node, was snapshot, d *Delta) {
	has := c.reader.counts(was.counted)
	for _, p := range was.lists {
		c.removeFrom(p, n, has, d)
	}
	c.removeNewest(n, d)
	c.refresh(n, n.Brief(), func(s Shard) { d.Shards[ShardRef{Kind: n.ref.Kind, Shard: s}] = true })
	c.markPictures(n, d)
	d.Changed[n] = true
	d.Documents[n] = true
	if n.ref.Kind == KindSeller {
		c.markClaimed(n.ref.Slug, d)
	}
	if n.seller != nil {
		d.Documents[n.seller] = true
	}
	c.insertNewest(n, d)
	now := c.snapshot(n)
	if was.current != now.current || was.hidden != now.hidden {
		c.markWebLinks(d)
	}
	if was.current != now.current || was.name != now.name {
		d.markLinking(n)
	} else {
		d.markMaps(n)
	}
	has = c.reader.counts(now.counted)
	for _, p := range now.lists {
		c.insertInto(p, n, has, d)
		if !slices.Contains(was.lists, p) {
			d.markCounts(p)
		}
	}
	for _, p := range was.lists {
		if !slices.Contains(now.lists, p) {
			d.markCounts(p)
		}
	}
}

// removeFrom removes a node from a list. The node must still have the key that it is sorted
// by.
func (c *Catalog) removeFrom(ref ListRef, n *Node, has counts, d *Delta) {
	tallies, list := ref.tallies(), c.list(ref)
	at, _ := slices.BinarySearchFunc(*list, n, compareListed)
	before := list.around(at, true)
	*list = slices.Delete(*list, at, at+1)
	tallies.count(n, has, -1)
	d.markRecut(ref, before, list.around(at, false))
	d.markList(ref)
}

// insertInto inserts a node into a list.
func (c *Catalog) insertInto(ref ListRef, n *Node, has counts, d *Delta) {
	tallies, list := ref.tallies(), c.list(ref)
	at, _ := slices.BinarySearchFunc(*list, n, compareListed)
	before := list.around(at, false)
	*list = slices.Insert(*list, at, n)
	tallies.count(n, has, 1)
	d.markRecut(ref, before, list.around(at, true))
	d.markList(ref)
}
