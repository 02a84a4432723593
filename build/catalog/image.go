package catalog

import (
	"io"
	"slices"
	"strings"
	"sync"

	"souk/build/kit/processors"
)

// An Image is what follows from the Items of a Catalog in which nothing is wrong:
// who names whom, what is current, the lists and what they count. With it a Catalog
// is made of the same Items again without finding all that anew. A value of it writes
// one, or is what was read of one.
type Image struct {
	packer
	catalog *Catalog
	nodes   []*Node
	// entered: the nodes are found by their References, and the offers of Sellers known.
	// Nothing else that is read needs either.
	entered sync.WaitGroup
	// at is where each node is in nodes, for writing.
	at map[*Node]int
	to io.Writer
	// err is the first that writing ended with.
	err error
}

// WriteImage writes the image of a Catalog that has no Problems and is not within a
// Try, which nobody else may use meanwhile. Only ReadImage of the same version of the
// program reads it.
func (c *Catalog) WriteImage(to io.Writer) error {
	m := &Image{catalog: c, nodes: make([]*Node, len(c.nodes)), at: make(map[*Node]int, len(c.nodes)), to: to}
	type placed struct {
		node *Node
		file string
	}
	// Whoever has the Items in the order of their files finds the node of each at once.
	all := make([]placed, 0, len(c.nodes))
	for _, n := range c.nodes {
		all = append(all, placed{node: n})
	}
	processors.EachShare(len(all), func(from, to int) {
		for i := from; i < to; i++ {
			all[i].file = fileOf(all[i].node.item)
		}
	})
	processors.Sort(all, func(a, b placed) int { return strings.Compare(a.file, b.file) })
	for i, p := range all {
		m.nodes[i], m.at[p.node] = p.node, i
	}
	m.all()
	m.flush(0)
	return m.err
}

// ReadImage reads an image. It needs no Item, so that these may be read meanwhile.
func ReadImage(text string) *Image {
	m := &Image{packer: packer{reading: true, in: text}, catalog: New()}
	m.all()
	m.entered.Wait()
	return m
}

// Catalog makes a Catalog of an image that was read, which belongs to it from then on,
// and of all that its Items were made of: the Marketplace, Synonyms, Put, Media, Now and
// Removals of a first Change. ok is false where the image is of other Items.
func (m *Image) Catalog(drafts bool, ch Change) (c *Catalog, ok bool) {
	// Of an image of other Items an offer may have no Seller, which is a node more then.
	if m.torn || m.in != "" || len(m.nodes) != len(ch.Put) || len(m.nodes) != len(m.catalog.nodes) {
		return nil, false
	}
	c = m.catalog
	c.drafts, c.market, c.now, c.removals = drafts, ch.Marketplace, ch.Now, ch.Removals
	if ch.Synonyms != nil {
		c.synonyms = *ch.Synonyms
	}
	for file, media := range ch.Media {
		c.setMedia(file, media, map[*Node]bool{}, NewDelta())
	}
	var shards sync.WaitGroup // they need no Item
	shards.Go(func() { m.catalog.shardAll(m.nodes) })
	defer shards.Wait()
	for i, item := range ch.Put {
		n, ref := m.nodes[i], RefOf(item)
		if n.ref != ref {
			n = c.nodes[ref]
		}
		if n == nil || n.item != nil {
			return nil, false
		}
		n.item = item
	}
	c.settle(m.nodes)
	return c, true
}

func (m *Image) all() {
	m.references()
	if m.reading {
		for _, n := range m.nodes {
			m.node(n)
		}
	} else {
		m.writeNodes()
	}
	c := m.catalog
	for i := range c.lists {
		m.list((*[]*Node)(&c.lists[i]))
	}
	m.list((*[]*Node)(&c.newest))
	m.moment(&c.next)
	entries(&m.packer, &c.shownBy, func(p *packer, file *string, by *[]*Node) {
		p.text(file)
		m.list(by)
	})
	entries(&m.packer, &c.claims, func(p *packer, company *string, claims *map[Ref][]*Node) {
		p.text(company)
		entries(p, claims, func(p *packer, ref *Ref, by *[]*Node) {
			p.ref(ref)
			m.list(by)
		})
	})
	for _, n := range m.nodes {
		if n.ref.Kind == KindCategory && !m.torn {
			m.tallies(n)
			m.flush(1 << 20)
		}
	}
}

// flush writes what is more than some bytes.
func (m *Image) flush(most int) {
	if m.reading || len(m.out) <= most {
		return
	}
	if m.err == nil {
		_, m.err = m.to.Write(m.out)
	}
	m.out = m.out[:0]
}

// writeNodes writes all nodes, many at a time.
func (m *Image) writeNodes() {
	m.flush(0)
	shares := slices.Collect(slices.Chunk(m.nodes, 1<<10))
	processors.InTurn(len(shares), func() (pack, write func(i int)) {
		part := &Image{catalog: m.catalog, at: m.at}
		pack = func(i int) {
			for _, n := range shares[i] {
				part.node(n)
			}
		}
		write = func(int) {
			m.out, part.out = part.out, m.out
			m.flush(0)
		}
		return pack, write
	})
}

// references are those of all nodes, which their Items are found by.
func (m *Image) references() {
	refs := make([]Ref, len(m.nodes))
	for i, n := range m.nodes {
		refs[i] = n.ref
	}
	listOf(&m.packer, &refs, func(p *packer, ref *Ref) {
		p.ref(ref)
		m.flush(1 << 20)
	})
	if m.reading {
		m.nodes = sideBySide(refs)
		m.entered.Go(func() { m.catalog.enter(m.nodes) })
	}
}

func (m *Image) node(n *Node) {
	m.text(&n.name)
	m.text(&n.key)
	ordered, webLinks := m.catalog.ordered[n], m.catalog.webLinks[n]
	m.flag(&n.live)
	m.flag(&n.renamed)
	m.flag(&n.relates)
	m.flag(&ordered)
	m.flag(&webLinks)
	integer(&m.packer, &n.withheld)
	integer(&m.packer, &n.since)
	m.list(&n.uses)
	integer(&m.packer, &n.named)
	if n.group != &none {
		m.list((*[]*Node)(&n.lists[0]))
		m.list((*[]*Node)(&n.lists[1]))
	}
	if m.reading && int(n.named) > len(n.uses) {
		m.tear()
		n.named = 0
	}
	if !m.reading || m.torn {
		return
	}
	for _, target := range n.uses {
		target.usedBy = append(target.usedBy, n)
	}
	if ordered {
		m.catalog.ordered[n] = true
	}
	if webLinks {
		m.catalog.webLinks[n] = true
	}
}

// list reads or writes which nodes are on a list.
func (m *Image) list(all *[]*Node) {
	listOf(&m.packer, all, func(p *packer, n **Node) {
		at := uint64(m.at[*n])
		p.uint(&at)
		if p.reading && at < uint64(len(m.nodes)) {
			*n = m.nodes[at]
		} else if p.reading {
			p.tear()
			*n = newNode(Ref{}) // to go on with
		}
	})
}

// settle finds the rest, which is quickly found. all are the nodes, in the order in which
// they were made: they lie in memory like that.
func (c *Catalog) settle(all []*Node) {
	for _, n := range all {
		switch {
		case n.ref.Kind == KindSeller:
			c.sellers[n] = true
		case n.ref.Kind.Own():
			c.own[n] = true
		case n.ref.Kind == KindCategory:
			c.categories = append(c.categories, n)
		}
	}
	for _, category := range c.categories {
		for _, n := range category.lists[Companies] {
			if n.ref.Kind == KindSeller {
				n.within = append(n.within, category)
			}
		}
	}
	for file := range c.shownBy {
		if c.media[file] == nil {
			c.missingFiles[file] = true
		}
	}
	c.linkCategories(c.categories)
}

// shardAll divides all that is current, and the further pages of all lists.
func (c *Catalog) shardAll(all []*Node) {
	for _, n := range all {
		if n.Current() {
			c.shards[n.ref.Kind].Add(n, nil)
		}
	}
	c.shardAllPages()
}

// Sound reports whether an image of the Catalog says all of it: nothing is missing.
func (c *Catalog) Sound() bool {
	return len(c.missing)+len(c.missingFiles)+len(c.skuClashes)+len(c.sellerClashes)+len(c.badClaims)+len(c.marketMistakes()) == 0 && c.dropped == nil
}
