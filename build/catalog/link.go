package catalog

import (
	"slices"

	"souk/build/kit/processors"
)

// A linker finds the nodes that Items name. Each goroutine needs its own.
type linker struct {
	as          map[*Node]uint8 // scratch, like the next two
	used, names []*Node
}

func newLinker() *linker { return &linker{as: map[*Node]uint8{}} }

// uses returns the nodes that an Item names, each once, and how many of them, at the start, it
// lists as related. of finds the nodes; ok is false if it returned nil for one.
func (l *linker) uses(item Item, of func(Ref) *Node) (all []*Node, named uint32, ok bool) {
	const used, name = 1, 2
	clear(l.as)
	l.used, l.names, ok = l.used[:0], l.names[:0], true
	item.mentions(func(m Mention, lists bool) {
		target := of(m.Ref)
		if target == nil {
			ok = false
			return
		}
		as := l.as[target]
		if as&used == 0 {
			l.used = append(l.used, target)
		}
		if lists && as&name == 0 {
			as |= name
			l.names = append(l.names, target)
		}
		l.as[target] = as | used
	})
	all = append(make([]*Node, 0, len(l.used)), l.names...)
	for _, target := range l.used {
		if l.as[target]&name == 0 {
			all = append(all, target)
		}
	}
	return all, uint32(len(l.names)), ok
}

// link sets the item of a node and links the node to the nodes that the item mentions.
func (c *Catalog) link(n *Node, item Item) {
	for _, m := range n.uses {
		m.usedBy = remove(m.usedBy, n)
	}
	if was := n.Item(); was != nil {
		was.pictures(func(file string, _ Position) {
			if c.shownBy[file] = remove(c.shownBy[file], n); len(c.shownBy[file]) == 0 {
				delete(c.shownBy, file)
				delete(c.missingFiles, file)
			}
		})
		c.claim(n, was, -1)
	}
	delete(c.ordered, n)
	delete(c.webLinks, n)
	if item != nil {
		open := Unpacked(item)
		uses, named, _ := c.linker.uses(open, c.node)
		c.connect(n, item, open, uses, named)
		return
	}
	n.item, n.uses, n.named, n.relates = nil, nil, 0, false
	c.checkClaim(n.ref)
	c.missing[n] = true
	delete(c.sellers, n)
	delete(c.own, n)
}

// connect stores an item, given unpacked as open, and the nodes it names in a node.
func (c *Catalog) connect(n *Node, item, open Item, uses []*Node, named uint32) {
	n.item, n.uses, n.named, n.relates = item, uses, named, relates(open)
	c.checkClaim(n.ref)
	c.claim(n, open, +1)
	if n.ref.Kind == KindSeller {
		c.sellers[n] = true
	}
	if n.ref.Kind.Own() {
		c.own[n] = true
	}
	if ordered(open) {
		c.ordered[n] = true
	}
	if leadsHere(open) {
		c.webLinks[n] = true
	}
	delete(c.missing, n)
	for _, target := range uses {
		target.usedBy = append(target.usedBy, n)
	}
	open.pictures(func(file string, _ Position) { c.show(n, file) })
}

// enterAll adds the first items to an empty Catalog, on all processors and with few of them
// unpacked at a time. It returns the items that remain to be added one by one, because they
// name missing items or have another item's Reference.
func (c *Catalog) enterAll(items []Item) (left []Item) {
	refs := make([]Ref, len(items))
	processors.EachShare(len(items), func(from, to int) {
		for i := from; i < to; i++ {
			refs[i] = RefOf(items[i])
		}
	})
	c.enter(sideBySide(refs))
	type found struct {
		open  Item
		uses  []*Node
		named uint32
	}
	const share = 256
	shares := slices.Collect(slices.Chunk(items, share))
	processors.InTurn(len(shares), func() (open, connect func(i int)) {
		linker, all := newLinker(), [share]found{}
		open = func(i int) {
			for at, item := range shares[i] {
				one, ok := &all[at], false
				one.open = Unpacked(item)
				if one.uses, one.named, ok = linker.uses(one.open, c.Node); !ok {
					one.open = nil
				}
			}
		}
		connect = func(i int) {
			for at, item := range shares[i] {
				n, one := c.nodes[refs[i*share+at]], all[at]
				if one.open == nil || n.item != nil {
					left = append(left, item)
					continue
				}
				c.connect(n, item, one.open, one.uses, one.named)
			}
		}
		return open, connect
	})
	return left
}

// show records that a node shows a picture.
func (c *Catalog) show(n *Node, file string) {
	by := c.shownBy[file]
	if len(by) == 0 || by[len(by)-1] != n {
		c.shownBy[file] = append(by, n)
	}
	if c.media[file] == nil {
		c.missingFiles[file] = true
	}
}
