package catalog

import (
	"maps"
	"slices"
)

// A ListRef names a List: one of a Node's, or, without a Node, that of all
// current things of a Kind.
type ListRef struct {
	Node  *Node
	Which int
	Kind  Kind
}

// A PageRef names a page of a List. First begins it, as long as the page of First
// has the ID.
type PageRef struct {
	List  ListRef
	First *Node
	ID    PageID
}

// A ShardRef names a Shard of the current things of a Kind.
type ShardRef struct {
	Kind  Kind
	Shard Shard
}

// A Delta tells which parts of the output a change may have touched. Whether a
// part stands now, the Catalog knows; what stands and is not told of is the same
// as before.
type Delta struct {
	// All: everything; the rest is then meaningless.
	All bool
	// Documents are the nodes whose own document, which holds the first page of
	// their lists, is to be made anew.
	Documents map[*Node]bool
	// Pages are those that changed, came or went; a first page only where its
	// list has no Node.
	Pages map[PageRef]bool
	// Shards are those that changed, came or went.
	Shards map[ShardRef]bool
	// Changed are the nodes that came, went or were edited.
	Changed map[*Node]bool
	// Pictures are the public names of those that came, went, or that others show
	// now.
	Pictures map[string]bool
	// Tree: the category roots and the pages of category slugs.
	Tree bool
}

func newDelta() *Delta {
	return &Delta{
		Documents: map[*Node]bool{},
		Pages:     map[PageRef]bool{},
		Shards:    map[ShardRef]bool{},
		Changed:   map[*Node]bool{},
		Pictures:  map[string]bool{},
	}
}

// Merge adds what another change touched.
func (d *Delta) Merge(other *Delta) {
	d.All = d.All || other.All
	d.Tree = d.Tree || other.Tree
	maps.Copy(d.Documents, other.Documents)
	maps.Copy(d.Pages, other.Pages)
	maps.Copy(d.Shards, other.Shards)
	maps.Copy(d.Changed, other.Changed)
	maps.Copy(d.Pictures, other.Pictures)
}

// related marks what shows n among its related Links.
func (d *Delta) related(n *Node) {
	for _, m := range n.names {
		d.Documents[m] = true
	}
}

// shown marks everything that shows a Link to n.
func (d *Delta) shown(n *Node) {
	for _, m := range n.usedBy {
		d.Documents[m] = true
	}
	d.related(n)
}

// listed marks the document of a list.
func (d *Delta) listed(list ListRef) { d.page(list, nil) }

// members marks what counts the members of a list.
func (d *Delta) members(list ListRef) {
	owner := list.Node
	if owner == nil || owner.ref.Kind != KindCategory {
		return
	}
	d.Tree = true
	if owner.parent != nil {
		d.Documents[owner.parent] = true
	}
}

// recut marks the pages of a list that are not the same before and after.
func (d *Delta) recut(list ListRef, before, after []outline) {
	for _, o := range before {
		if !slices.Contains(after, o) {
			d.page(list, o.first)
		}
	}
	for _, o := range after {
		if !slices.Contains(before, o) {
			d.page(list, o.first)
		}
	}
}

func (d *Delta) page(list ListRef, first *Node) {
	if first == nil && list.Node != nil {
		d.Documents[list.Node] = true
	} else {
		d.Pages[PageRef{list, first, first.pageID()}] = true
	}
}
