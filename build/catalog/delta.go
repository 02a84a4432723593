package catalog

import "slices"

// A Page is one page of a Node's list; Number counts from 1.
type Page struct {
	Node   *Node
	Which  int
	Number int
}

// A Delta tells which parts of the output a change may have touched.
type Delta struct {
	// All: everything; the rest is then meaningless.
	All bool
	// Documents are the nodes whose own document is to be made anew.
	Documents map[*Node]bool
	// Lists are lists of which every page is to be made anew, Number 0.
	Lists map[Page]bool
	Pages map[Page]bool
	// Changed are the nodes that came, went or were edited.
	Changed map[*Node]bool
	// Pictures are the public names of those that came, went, or that others show
	// now.
	Pictures map[string]bool
	// Tree: the category roots and the pages of category slugs.
	Tree bool
	// Left are the lists that only lost members, Number 0, with the places where
	// these stood, counted from 0, in order. It has nil for a list that also
	// gained one, or where one moved.
	Left map[Page][]int
}

func newDelta() *Delta {
	return &Delta{
		Documents: map[*Node]bool{},
		Lists:     map[Page]bool{},
		Pages:     map[Page]bool{},
		Changed:   map[*Node]bool{},
		Pictures:  map[string]bool{},
		Left:      map[Page][]int{},
	}
}

// Merge adds what another change touched.
func (d *Delta) Merge(other *Delta) {
	d.All = d.All || other.All
	d.Tree = d.Tree || other.Tree
	for name := range other.Pictures {
		d.Pictures[name] = true
	}
	for _, pair := range [...]struct{ to, from map[*Node]bool }{
		{d.Documents, other.Documents}, {d.Changed, other.Changed},
	} {
		for n := range pair.from {
			pair.to[n] = true
		}
	}
	for _, pair := range [...]struct{ to, from map[Page]bool }{
		{d.Lists, other.Lists}, {d.Pages, other.Pages},
	} {
		for p := range pair.from {
			pair.to[p] = true
		}
	}
	for list, places := range other.Left {
		if places == nil {
			d.Left[list] = nil
			continue
		}
		for i := len(places) - 1; i >= 0; i-- {
			d.left(list, places[i])
		}
	}
}

// left notes that a list lost the member at a place, as the list is after all
// that was noted before.
func (d *Delta) left(list Page, at int) {
	places, known := d.Left[list]
	if known && places == nil {
		return
	}
	i := 0
	for ; i < len(places) && places[i] <= at; i++ {
		at++
	}
	d.Left[list] = slices.Insert(places, i, at)
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

// members marks a list whose members changed.
func (d *Delta) members(owner *Node, which int) {
	d.Lists[Page{owner, which, 0}] = true
	d.Documents[owner] = true
	if owner.ref.Kind == KindCategory {
		d.Tree = true
		if owner.parent != nil {
			d.Documents[owner.parent] = true
		}
	}
}

// span marks the pages of the items from i to j.
func (d *Delta) span(owner *Node, which, i, j int) {
	d.Left[Page{owner, which, 0}] = nil
	for p := min(i, j) / PageSize; p <= max(i, j)/PageSize; p++ {
		d.Pages[Page{owner, which, p + 1}] = true
	}
	d.Documents[owner] = true
}
