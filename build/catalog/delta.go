package catalog

import (
	"maps"
	"slices"
)

// A ListRef names a List: one of a Node's lists or, without a Node, the list of all current
// items of a Kind.
type ListRef struct {
	Node  *Node
	Which int
	Kind  Kind
}

// OfCompanies reports whether the list is of Sellers.
func (r ListRef) OfCompanies() bool {
	if r.Node == nil {
		return r.Kind == KindSeller
	}
	return r.Node.ref.Kind == KindCategory && r.Which == Companies
}

// A PageRef names a page of a List. It begins with First if the page that begins with First
// has this ID.
type PageRef struct {
	List  ListRef
	First *Node
	ID    PageID
}

// A ShardRef names a Shard of the current items of a Kind or, with Further, of the further
// pages of all lists.
type ShardRef struct {
	Kind    Kind
	Further bool
	Shard   Shard
}

// A Delta lists the parts of the output that a change may have touched. The Catalog knows
// whether such a part still exists. Every other part is unchanged.
type Delta struct {
	// All means everything; the other fields are then meaningless.
	All bool
	// Documents are the nodes whose own document must be rendered again. It includes the first
	// page of their lists.
	Documents map[*Node]bool
	// Aliases are former References, besides those of Documents, that may have come, gone or
	// passed to another node.
	Aliases map[Ref]bool
	// Pages are the pages that changed, appeared or vanished. A first page is included only if
	// its list has no Node.
	Pages map[PageRef]bool
	// Shards are the shards that changed, appeared or vanished. If there are none, the number
	// of items of each kind did not change.
	Shards map[ShardRef]bool
	// Changed are the nodes that appeared, vanished or were edited.
	Changed map[*Node]bool
	// Pictures are the public names of pictures that appeared, vanished or are now shown by
	// other nodes.
	Pictures map[string]bool
	// Tree means that the category roots and the pages of category slugs changed.
	Tree bool
	// Newest means that the newest offers changed.
	Newest bool
}

// NewDelta returns a Delta that touches nothing.
func NewDelta() *Delta {
	return &Delta{
		Documents: map[*Node]bool{},
		Aliases:   map[Ref]bool{},
		Pages:     map[PageRef]bool{},
		Shards:    map[ShardRef]bool{},
		Changed:   map[*Node]bool{},
		Pictures:  map[string]bool{},
	}
}

// Merge adds everything that another Delta touches.
func (d *Delta) Merge(other *Delta) {
	d.All = d.All || other.All
	d.Tree = d.Tree || other.Tree
	d.Newest = d.Newest || other.Newest
	maps.Copy(d.Documents, other.Documents)
	maps.Copy(d.Aliases, other.Aliases)
	maps.Copy(d.Pages, other.Pages)
	maps.Copy(d.Shards, other.Shards)
	maps.Copy(d.Changed, other.Changed)
	maps.Copy(d.Pictures, other.Pictures)
}

// markRelated marks the documents that show n among their related Links.
func (d *Delta) markRelated(n *Node) {
	for _, m := range n.names() {
		d.Documents[m] = true
	}
}

// markLinking marks every document that shows a Link to n.
func (d *Delta) markLinking(n *Node) {
	for _, m := range n.usedBy {
		d.Documents[m] = true
	}
	d.markRelated(n)
}

// markMaps marks the Market Maps that n may be an entry of, because they show its summary and
// picture.
func (d *Delta) markMaps(n *Node) {
	for _, m := range n.usedBy {
		if m.ref.Kind == KindMarketMap && slices.Contains(m.names(), n) {
			d.Documents[m] = true
		}
	}
}

// markList marks the document of a list.
func (d *Delta) markList(list ListRef) { d.markPage(list, nil) }

// markCounts marks the documents that show the length of a list.
func (d *Delta) markCounts(list ListRef) {
	owner := list.Node
	if owner == nil || owner.ref.Kind != KindCategory {
		return
	}
	d.Tree = true
	if owner.parent != nil {
		d.Documents[owner.parent] = true
	}
}

// markRecut marks the pages of a list that differ before and after a change.
func (d *Delta) markRecut(list ListRef, before, after []outline) {
	for _, o := range before {
		if !slices.Contains(after, o) {
			d.markPage(list, o.first)
		}
	}
	for _, o := range after {
		if !slices.Contains(before, o) {
			d.markPage(list, o.first)
		}
	}
}

func (d *Delta) markPage(list ListRef, first *Node) {
	if first == nil && list.Node != nil {
		d.Documents[list.Node] = true
	} else {
		d.Pages[PageRef{list, first, first.pageID()}] = true
	}
}
