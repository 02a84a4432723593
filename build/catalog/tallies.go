package catalog

import (
	"math"
	"sync"
)

// keptTallies are what the listings of a Category count, as an image has it, until
// somebody asks: a third of the memory that maps of it take.
type keptTallies struct {
	once sync.Once
	text string
	// agreed: usual returns something.
	agreed bool
	// asked: the text is unpacked, and no longer true.
	asked bool
}

// ask unpacks what a Category counts, if that has not been done. Any number of
// goroutines may ask at a time.
func (n *Node) ask() {
	if n.kept == nil {
		return
	}
	n.kept.once.Do(func() {
		p := packer{reading: true, in: n.kept.text}
		p.tally(n.group)
		for _, o := range n.lists[Listings] {
			if n.sellers == nil {
				n.sellers = map[*Node]int{}
			}
			n.sellers[o.seller]++
		}
		n.kept.asked = true
	})
}

// keep has one text take the place of the maps of what a Category counts.
func (n *Node) keep() {
	if n.kept != nil && !n.kept.asked {
		return
	}
	p := packer{}
	p.tally(n.group)
	n.kept = &keptTallies{text: string(p.out), agreed: len(n.usual()) > 0}
	n.sellers, n.prices, n.attributes = nil, nil, nil
}

// tallies reads or writes what a Category counts, as it is kept.
func (m *Image) tallies(n *Node) {
	if m.reading {
		n.kept = &keptTallies{}
	} else {
		n.keep()
	}
	m.text(&n.kept.text)
	m.flag(&n.kept.agreed)
}

func (p *packer) tally(g *group) {
	entries(p, &g.prices, func(p *packer, b *band, listings *int) {
		p.text(&b.currency)
		integer(p, &b.at)
		integer(p, listings)
	})
	entries(p, &g.attributes, func(p *packer, key *attributeKey, u **usage) {
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

// entries reads or writes a map; none is nil.
func entries[K comparable, V any](p *packer, all *map[K]V, each func(*packer, *K, *V)) {
	n := uint64(len(*all))
	p.uint(&n)
	if !p.reading {
		for key, value := range *all {
			each(p, &key, &value)
		}
		return
	}
	*all = nil
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
