package catalog

import "math"

// Tallies are what the listings of a Category count.
type Tallies struct {
	// sellers counts the listings of each Seller.
	sellers map[*Node]int
	// prices counts those with a price by where it stands.
	prices map[band]int
	// attributes are what the listings have.
	attributes map[attributeKey]*usage
}

func newTallies() *Tallies {
	return &Tallies{sellers: map[*Node]int{}, prices: map[band]int{}, attributes: map[attributeKey]*usage{}}
}

// keptTallies are the Tallies of a Category packed, a third of the memory
// that maps take: nearly all are looked at once for each release that shows them.
type keptTallies struct {
	text string
	// noted: there is something usual or unread.
	noted bool
}

// Tallies returns what the listings of a Category count. Any number of goroutines may
// ask at a time; what they get is not changed before the next Apply.
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

// opened returns the Tallies of a Category, to be changed.
func (n *Node) opened() *Tallies {
	if n.open == nil {
		n.open, n.kept = n.Tallies(), nil
	}
	return n.open
}

// keep packs the Tallies of a Category, until they change.
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
	entries(p, &u.texts, func(p *packer, value *string, held *heldText) {
		p.texts(value, &held.text)
		integer(p, &held.listings)
		maybe(p, &held.others, (*packer).spellings)
	})
	entries(p, &u.numbers, func(p *packer, value *string, held *heldNumber) {
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

// entries reads or writes a map; where there are none, the one that is read into stays as
// it is.
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
