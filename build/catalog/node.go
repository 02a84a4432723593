package catalog

import (
	"cmp"
	"slices"
	"strings"

	"souk/build/kit/fold"
	"souk/build/kit/processors"
)

// A Node is one Item with its links to others. A Node without an Item is named by others but
// does not exist.
type Node struct {
	ref  Ref
	item Item
	// live means published, within its dates, and with a live Seller.
	live bool
	// withheld says whether a removal hides the node, and whose.
	withheld withholding
	// renamed means that the Item names its own former References; relates, that it states how
	// it is related to others. Both are rare, so most Items need not be unpacked for them.
	renamed, relates bool
	// named is how many of uses, at the start, the Item lists as related.
	named  uint32
	seller *Node
	// name is the Item's. Lists are sorted by it in lower case, Articles and Market Maps by
	// key, and then by address.
	name, key string
	// since is when an offer became public, in nanoseconds since 1970; 0 if the author gives
	// no date.
	since int64
	// digest is the digest of the address. It decides how lists are cut into pages and sets
	// into shards.
	digest uint64

	// uses are the nodes that the Item names. usedBy are the nodes whose Items name it, in no
	// particular order.
	uses, usedBy []*Node

	// group contains what is below a Seller or a Category; for other kinds it is none.
	*group
}

// A group contains what is below a node. It is separate because most nodes are offers, which
// have nothing below them.
type group struct {
	// offers of a Seller, current or not, in no particular order.
	offers []*Node
	// lists of a Seller are its current products and services. Those of a Category are the
	// listings and companies of it and its descendants.
	lists [2]List

	// within are the Categories that have a Seller among their companies.
	within []*Node

	// kept and open are the counts of a Category's listings. At most one of them is set.
	kept *keptTallies
	open *Tallies

	// parent and children of a Category among the current Categories.
	parent   *Node
	children []*Node
}

// none is the group of nodes with nothing below them. It is read-only.
var none group

func newNode(ref Ref) *Node { return new(aNode(ref)) }

// sideBySide allocates the nodes of References in one block of memory.
func sideBySide(refs []Ref) []*Node {
	all, nodes := make([]Node, len(refs)), make([]*Node, len(refs))
	processors.EachShare(len(refs), func(from, to int) {
		for i := from; i < to; i++ {
			all[i] = aNode(refs[i])
			nodes[i] = &all[i]
		}
	})
	return nodes
}

// aNode returns a new Node for a Reference.
func aNode(ref Ref) Node {
	n := Node{ref: ref, digest: ref.Digest(), group: &none}
	if ref.Kind == KindSeller || ref.Kind == KindCategory {
		n.group = &group{}
	}
	return n
}

// The lists of a Node.
const (
	Products  = 0
	Services  = 1
	Listings  = 0
	Companies = 1
)

// Ref returns the node's own Reference.
func (n *Node) Ref() Ref { return n.ref }

// names returns the nodes that list the Item as related because it names them.
func (n *Node) names() []*Node { return n.uses[:n.named] }

// Head returns the fields that all kinds share, or nil without an Item.
func (n *Node) Head() *Head {
	if n.item == nil {
		return nil
	}
	return n.item.Common()
}

// Brief returns a Head with at least the name, summary, status and dates, or nil without an
// Item.
func (n *Node) Brief() *Head {
	if n.item == nil {
		return nil
	}
	return briefOf(n.item)
}

// Name returns the name of the Item, or "" without one.
func (n *Node) Name() string { return n.name }

// Item returns the Item of the node, or nil. A packed Item is unpacked at each call.
func (n *Node) Item() Item {
	return Unpacked(n.item)
}

// Held returns the Item as it is stored, packed or not. It never changes.
func (n *Node) Held() Item { return n.item }

// There reports whether the node has an Item.
func (n *Node) There() bool { return n.item != nil }

// Card returns an Offer with at least what lists show of it: name, summary, dates, categories,
// price, pictures and proof.
func (n *Node) Card() *Offer {
	if packed, is := n.item.(*Packed); is {
		return packed.card()
	}
	o, _ := n.item.(*Offer)
	return o
}

// offer returns the node's offer, or nil.
func (n *Node) offer() *Offer {
	if !n.ref.Kind.Offer() {
		return nil
	}
	o, _ := n.Item().(*Offer)
	return o
}

// Current reports whether the Item is public.
func (n *Node) Current() bool { return n.live && n.withheld == byNone }

// hidden reports whether there is an Item that is not public.
func (n *Node) hidden() bool { return n.item != nil && !n.Current() }

// Live reports whether the Item would be public if no Seller were removed.
func (n *Node) Live() bool { return n.live }

// Withheld reports whether a removal hides its Seller.
func (n *Node) Withheld() bool { return n.withheld != byNone }

// Removed reports whether the removal is its own Seller's, so that addresses that were public
// before answer 410.
func (n *Node) Removed() bool { return n.withheld == byOwn }

// Seller returns the Seller of an offer, or nil for other kinds.
func (n *Node) Seller() *Node { return n.seller }

// Offers returns all offers of a Seller, current or not, in no particular order.
func (n *Node) Offers() []*Node { return n.offers }

// List returns one of the node's lists of current offers.
func (n *Node) List(which int) List { return n.lists[which] }

// Within returns the Categories that have a current Seller among their companies, including
// ancestors, by address.
func (n *Node) Within() []*Node {
	return slices.SortedFunc(slices.Values(n.within), func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
}

// Digest returns the digest of the node's address.
func (n *Node) Digest() uint64 { return n.digest }

// Parent returns the nearest current ancestor of a Category, or nil.
func (n *Node) Parent() *Node { return n.parent }

// Children returns the current Categories directly below a Category.
func (n *Node) Children() []*Node { return n.children }

// Parents returns all current ancestors of a Category, the top first.
func (n *Node) Parents() []*Node {
	var up []*Node
	for p := n.parent; p != nil; p = p.parent {
		up = append(up, p)
	}
	slices.Reverse(up)
	return up
}

// EachPicture calls yield with each picture file that a node shows.
func (n *Node) EachPicture(yield func(file string)) {
	if n.item != nil {
		n.item.pictures(func(file string, _ Position) { yield(file) })
	}
}

// NamedBy returns the current nodes that name n, by kind and address.
func (n *Node) NamedBy() []*Node {
	var by []*Node
	for _, m := range n.usedBy {
		if m != n && m.Current() && slices.Contains(m.names(), n) {
			by = append(by, m)
		}
	}
	slices.SortFunc(by, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.ref.Kind, b.ref.Kind), a.ref.ComparePath(b.ref))
	})
	return by
}

// compareListed compares nodes by the order of lists.
func compareListed(a, b *Node) int {
	if a == b {
		return 0
	}
	c := 0
	if a.key == "" && b.key == "" {
		if c = compareLower(a.name, b.name); c == 0 {
			c = strings.Compare(a.name, b.name)
		}
	} else {
		c = strings.Compare(a.Key(), b.Key())
	}
	if c == 0 {
		c = a.ref.ComparePath(b.ref)
	}
	return c
}

// compareLower compares ASCII texts without regard to case.
func compareLower(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// CompareListed is the order of listings in lists and in search: by Node.Key,
// then by address.
func CompareListed(keyA string, a Ref, keyB string, b Ref) int {
	if c := strings.Compare(keyA, keyB); c != 0 {
		return c
	}
	return a.ComparePath(b)
}

// Key returns the key that lists are sorted by: for a listing, its folded name, then the name.
func (n *Node) Key() string {
	if n.key != "" {
		return n.key
	}
	return nameKey(n.name)
}

// nameKey is a folded name and a name, joined by a separator that no name contains.
func nameKey(name string) string { return fold.Text(name) + "\x00" + name }

// compareCategories orders categories by the author's order, those without one last, then by
// name, then by address.
func compareCategories(a, b *Node) int {
	x, y := a.item.(*Category), b.item.(*Category)
	return cmp.Or(cmp.Compare(x.Order, y.Order), compareListed(a, b))
}

// remove removes n from list without keeping its order.
func remove(list []*Node, n *Node) []*Node {
	if i := slices.Index(list, n); i >= 0 {
		last := len(list) - 1
		list[i] = list[last]
		list[last] = nil
		return list[:last]
	}
	return list
}

// Each calls yield for each node that has an item, in no particular order.
func (c *Catalog) Each(yield func(*Node)) {
	for _, n := range c.nodes {
		if n.item != nil {
			yield(n)
		}
	}
}

// EachSeller calls yield for each Seller, in no particular order.
func (c *Catalog) EachSeller(yield func(*Node)) {
	for n := range c.sellers {
		yield(n)
	}
}
