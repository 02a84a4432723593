package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"souk/build/problem"
)

// Problems gives what is wrong between the files: what one file alone shows is
// found where it is read.
func (c *Catalog) Problems() problem.List {
	var list problem.List
	for n := range c.missing {
		list = append(list, c.dangling(n)...)
	}
	for file := range c.lost {
		list = append(list, c.unseen(file)...)
	}
	for _, clashes := range c.skuClashes {
		list = append(list, clashes...)
	}
	list = append(list, c.sellerClashes...)
	list = append(list, c.circles()...)
	list.Sort()
	return list
}

func at(h *Head, pos Position, text, meant string) problem.Problem {
	return problem.Problem{File: h.File, Line: pos.Line, Column: pos.Column, Text: text, Meant: meant}
}

// dangling gives a problem for each place that names what is not there.
func (c *Catalog) dangling(n *Node) problem.List {
	var list problem.List
	meant := ""
	if len(n.usedBy) > 0 {
		meant = c.nearest(n.ref)
	}
	for _, user := range n.usedBy {
		user.item.mentions(func(m Mention, _ bool) {
			if m.Ref == n.ref {
				list = append(list, at(user.Head(), m.At, "there is no "+m.Ref.String(), meant))
			}
		})
	}
	if n.ref.Kind != KindSeller {
		return list
	}
	for _, o := range n.offers {
		if o.item != nil {
			list = append(list, problem.Problem{
				File: "sellers/" + n.ref.Slug + "/seller.yaml",
				Text: "the file is missing, but the folder holds offers of this seller",
			})
			break
		}
	}
	return list
}

// unseen gives a problem for each place that shows a picture that is not there.
func (c *Catalog) unseen(file string) problem.List {
	var list problem.List
	meant := ""
	if len(c.shownBy[file]) > 0 {
		var beside []string
		for other := range c.media {
			if path.Dir(other) == path.Dir(file) {
				beside = append(beside, path.Base(other))
			}
		}
		slices.Sort(beside)
		meant = within(path.Dir(file)+"/", problem.Nearest(path.Base(file), beside))
	}
	for _, n := range c.shownBy[file] {
		n.item.pictures(func(shown string, pos Position) {
			if shown == file {
				list = append(list, at(n.Head(), pos, fmt.Sprintf("there is no picture %q", file), meant))
			}
		})
	}
	return list
}

// within puts what a name was compared without before the name proposed.
func within(prefix, meant string) string {
	return strings.Replace(meant, `"`, `"`+prefix, 1)
}

// nearest proposes what a dangling Reference was meant to be.
func (c *Catalog) nearest(ref Ref) string {
	var options []string
	var elsewhere Ref
	for other, n := range c.nodes {
		if n.item == nil || other == ref {
			continue
		}
		if other.Slug == ref.Slug && (elsewhere == Ref{} || other.String() < elsewhere.String()) {
			elsewhere = other
		}
		if other.Kind == ref.Kind && other.Root == ref.Root && other.Company == ref.Company {
			options = append(options, other.Slug)
		}
	}
	slices.Sort(options)
	if meant := problem.Nearest(ref.Slug, options); meant != "" {
		return within(strings.TrimSuffix(ref.String(), ref.Slug), meant)
	}
	switch {
	case elsewhere == Ref{}:
		return ""
	case elsewhere.Kind == KindCategory && ref.Kind == KindCategory:
		return fmt.Sprintf("%s stands under the other root", elsewhere)
	}
	return fmt.Sprintf("did you mean %q?", elsewhere)
}

// circles finds categories that are their own ancestors.
func (c *Catalog) circles() problem.List {
	var list problem.List
	for _, n := range c.categories {
		seen := map[*Node]bool{n: true}
		names := []string{n.ref.Slug}
		for p := c.above(n); p != nil; p = c.above(p) {
			names = append(names, p.ref.Slug)
			if p == n {
				list = append(list, at(n.Head(), n.item.(*Category).Parent.At,
					"the category is its own ancestor: "+strings.Join(names, " → "), "take one parent out of the circle"))
				break
			}
			if seen[p] {
				break
			}
			seen[p] = true
		}
	}
	return list
}

// recheck finds anew the clashes that the touched nodes may take part in; all
// of them where whole is set.
func (c *Catalog) recheck(touched map[*Node]bool, whole bool) {
	sellers := map[*Node]bool{}
	for n := range touched {
		if n.seller != nil {
			sellers[n.seller] = true
		} else if n.ref.Kind == KindSeller {
			sellers[n] = true
			whole = true
		}
	}
	for n := range sellers {
		if clashes := skuClashes(n); clashes != nil {
			c.skuClashes[n] = clashes
		} else {
			delete(c.skuClashes, n)
		}
	}
	if !whole {
		return
	}
	c.sellerClashes = nil
	ids, domains := map[string]*Node{}, map[string]*Node{}
	for _, n := range c.inOrder(KindSeller) {
		s := n.item.(*Seller)
		c.clash(ids, s.ID, n, s.IDAt, "the canonical id")
		c.clash(domains, s.OfficialDomain, n, s.DomainAt, "the official domain")
	}
}

func (c *Catalog) inOrder(kind Kind) []*Node {
	var list []*Node
	for _, n := range c.nodes {
		if n.ref.Kind == kind && n.item != nil {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	return list
}

func (c *Catalog) clash(first map[string]*Node, value string, n *Node, pos Position, what string) {
	if value == "" {
		return
	}
	other := first[value]
	if other == nil {
		first[value] = n
		return
	}
	c.sellerClashes = append(c.sellerClashes, at(n.Head(), pos,
		fmt.Sprintf("%s %q is that of another seller too", what, value), "see "+other.Head().File))
}

// skuClashes finds SKUs that stand twice within a seller. Their case and
// punctuation count: only buyers may be careless with them.
func skuClashes(seller *Node) problem.List {
	var list problem.List
	type place struct {
		head *Head
		at   Position
	}
	first := map[string]place{}
	note := func(h *Head, sku string, pos Position) {
		if sku == "" {
			return
		}
		if other, stands := first[sku]; stands {
			list = append(list, at(h, pos, fmt.Sprintf("the SKU %q stands twice within the seller", sku),
				fmt.Sprintf("see %s:%d:%d", other.head.File, other.at.Line, other.at.Column)))
			return
		}
		first[sku] = place{h, pos}
	}
	offers := slices.Clone(seller.offers)
	slices.SortFunc(offers, func(a, b *Node) int { return compareRefs(a.ref, b.ref) })
	for _, n := range offers {
		if o, ok := n.item.(*Offer); ok {
			note(&o.Head, o.SKU, o.SKUAt)
			for _, v := range o.Variants {
				note(&o.Head, v.SKU, v.SKUAt)
			}
		}
	}
	return list
}

// Warnings gives what is worth a look but no mistake: References to what is
// not current, empty categories, and sellers that came back after their
// removal.
func (c *Catalog) Warnings() problem.List {
	list := c.CameBack()
	for _, n := range c.nodes {
		if !n.Current() {
			continue
		}
		n.item.mentions(func(m Mention, _ bool) {
			if target := c.nodes[m.Ref]; target.item != nil && !target.Current() {
				w := at(n.Head(), m.At, m.Ref.String()+" is not current: it is left out of the output", "")
				w.Warning = true
				list = append(list, w)
			}
		})
		if n.ref.Kind == KindCategory && len(n.lists[Listings]) == 0 {
			w := at(n.Head(), Position{}, "the category has no current listing", "")
			w.Warning = true
			list = append(list, w)
		}
	}
	list.Sort()
	return list
}

// CameBack warns of sellers that stay withheld because a removed seller had
// their domain: the same company under another slug.
func (c *Catalog) CameBack() problem.List {
	var list problem.List
	c.EachSeller(func(n *Node) {
		s := n.item.(*Seller)
		domain := c.removals.cameBack(s)
		if domain == "" {
			return
		}
		w := at(&s.Head, s.DomainAt, fmt.Sprintf("the seller of %q was removed: this one stays withheld, under whatever slug", domain), "souk restore undoes a removal")
		w.Warning = true
		list = append(list, w)
	})
	list.Sort()
	return list
}
