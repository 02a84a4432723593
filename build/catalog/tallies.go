package catalog

import "math"

// Tallies are the counts of a Category's listings.
type Tallies struct {
	// sellers counts the listings of each Seller.
	sellers map[*Node]int
	// prices counts listings by price band.
	prices map[band]int
	// attributes counts attributes and their values.
	attributes map[attributeKey]*usage
}

func newTallies() *Tallies {
	return &Tallies{sellers: map[*Node]int{}, prices: map[band]int{}, attributes: map[attributeKey]*usage{}}
}

// keptTallies are packed Tallies, which take a third of the memory of maps. Most are read once
// for each release that shows them.
type keptTallies struct {
	text string
	// noted means that some attributes are usual or unreadable.
	noted bool
}

// Tallies returns the counts of a Category's listings. It is safe for concurrent use; the
// result does not change before the next Apply.
func (n *Node) Tallies() *Tallies {
	switch {
	case n.open != nil:
		return n.open
	case n.kept == nil:
		return newTallies()
	}
	t := newTallies()
	p := packer{reading: true, in: n.kept.text}
	p.tally(t)
	for _, o := range n.lists[Listings] {
		t.sellers[o.seller]++
	}
	return t
}

// opened returns the Tallies of a Category, for changing.
func (n *Node) opened() *Tallies {
	if n.open == nil {
		n.open, n.kept = n.Tallies(), nil
	}
	return n.open
}

// keep packs the Tallies of a Category until they change.
func (n *Node) keep() {
	if n.kept == nil {
		t, p := n.Tallies(), packer{}
		p.tally(t)
		usual, unread := t.noted()
		n.open, n.kept = nil, &keptTallies{text: string(p.out), noted: len(usual)+len(unread) > 0}
	}
}

func (p *packer) tally(t *Tallies) {
	entries(p, &t.prices, func(p *packer, b *band, listings *int) {
		p.text(&b.currency)
		integer(p, &b.at)
		integer(p, listings)
	})
	entries(p, &t.attributes, func(p *packer, key *attributeKey, u **usage) {
		p.texts(&key.name, &key.dimension)
		integer(p, &key.kind)
		if p.reading {
			*u = &usage{}
		}
		p.usage(*u)
	})
}

func (p *packer) usage(u *usage) {
	integer(p, &u.listings)
	integer(p, &u.pairs)
	p.spellings(&u.names)
	p.spellings(&u.units)
	entries(p, &u.texts, func(p *packer, value *string, held *textCount) {
		p.texts(value, &held.text)
		integer(p, &held.listings)
		maybe(p, &held.others, (*packer).spellings)
	})
	entries(p, &u.numbers, func(p *packer, value *string, held *numberCount) {
		p.text(value)
		integer(p, &held.listings)
		bits := math.Float64bits(held.near)
		p.uint(&bits)
		held.near = math.Float64frombits(bits)
	})
}

func (p *packer) spellings(s *spellings) {
	listOf(p, (*[]spelling)(s), func(p *packer, one *spelling) {
		p.text(&one.text)
		integer(p, &one.uses)
	})
}

// entries reads or writes a map. An empty map leaves the target as it is.
func entries[K comparable, V any](p *packer, all *map[K]V, each func(*packer, *K, *V)) {
	n := uint64(len(*all))
	p.uint(&n)
	if !p.reading {
		for key, value := range *all {
			each(p, &key, &value)
		}
		return
	}
	if n > uint64(len(p.in)) {
		p.tear()
	} else if n > 0 {
		*all = make(map[K]V, n)
		for range n {
			var key K
			var value V
			each(p, &key, &value)
			(*all)[key] = value
		}
	}
}
