package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"souk/build/kit/problem"
)

// An alias is a former Reference of an Item. The alias's address leads to the Item. For an
// alias of a Seller, so do the addresses below it.

// At returns the Item at the address of a Reference: the present one, or else one that had the
// Reference before, or nil. A former Reference in an Item's own file takes precedence over one
// that follows from an alias of its Seller. Nothing follows from an alias that is another
// Seller's address.
func (c *Catalog) At(ref Ref) *Node {
	if n := c.nodes[ref]; n != nil && n.item != nil {
		return n
	}
	if n := c.claimant(ref); n != nil || ref.Company == "" {
		return n
	}
	seller, now := c.claimant(SellerRef(ref.Company)), c.nodes[SellerRef(ref.Company)]
	if seller != nil && (now == nil || now.item == nil) {
		return c.below(seller, ref)
	}
	return nil
}

// below returns the offer of a Seller that an address below one of its former companySlugs
// leads to, or nil.
func (c *Catalog) below(seller *Node, ref Ref) *Node {
	ref.Company = seller.ref.Slug
	if n := c.nodes[ref]; n != nil && n.item != nil {
		return n
	}
	if n := c.claimant(ref); n != nil && n.seller == seller {
		return n
	}
	return nil
}

// claimant returns the node that has a Reference among its aliases, or nil. Among several it
// prefers one that no removal withholds, then one that was removed itself, then the first by
// kind and address, so that the same content always gives the same result.
func (c *Catalog) claimant(ref Ref) *Node {
	list := c.claims[ref.company()][ref]
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, compareClaims)
}

// compareClaims orders nodes that have the same Reference among their aliases.
func compareClaims(a, b *Node) int {
	return cmp.Or(cmp.Compare(a.withheld, b.withheld), compareRefs(a.ref, b.ref))
}

// company returns the companySlug in the address, or "".
func (r Ref) company() string {
	if r.Kind == KindSeller {
		return r.Slug
	}
	return r.Company
}

// Aliases returns the former References of a node: those in its file and those that follow
// from the aliases of its Seller. It leaves out the former References of the node's offers.
func (n *Node) Aliases() []Ref {
	var all []Ref
	own := n.OwnAliases()
	for _, a := range own {
		all = append(all, a.Ref)
	}
	if n.item == nil || n.seller == nil {
		return all
	}
	for _, former := range n.seller.OwnAliases() {
		all = append(all, Ref{Kind: n.ref.Kind, Company: former.Ref.Slug, Slug: n.ref.Slug})
		for _, a := range own {
			if a.Ref.Company == n.ref.Company {
				all = append(all, Ref{Kind: n.ref.Kind, Company: former.Ref.Slug, Slug: a.Ref.Slug})
			}
		}
	}
	return all
}

// OwnAliases returns the former References that the file of a node names.
func (n *Node) OwnAliases() []Mention {
	if !n.renamed {
		return nil
	}
	return n.item.Common().Aliases
}

// Reserved reports whether the address of a former Reference remains a removed Seller's, so
// that it leads to no other Item.
func (c *Catalog) Reserved(ref Ref) bool {
	company := ref.company()
	return company != "" && (c.removals.HoldsAddress(ref.address()) || c.Withholds(company))
}

// claim records the aliases of an item, or forgets them if by is -1.
func (c *Catalog) claim(n *Node, item Item, by int) {
	aliases := item.Common().Aliases
	n.renamed = by > 0 && len(aliases) > 0
	for _, a := range aliases {
		company := a.Ref.company()
		if c.claims[company] == nil {
			c.claims[company] = map[Ref][]*Node{}
		}
		if claims := c.claims[company]; by > 0 {
			claims[a.Ref] = append(claims[a.Ref], n)
		} else if claims[a.Ref] = remove(claims[a.Ref], n); len(claims[a.Ref]) == 0 {
			delete(claims, a.Ref)
		}
		if len(c.claims[company]) == 0 {
			delete(c.claims, company)
		}
		c.checkClaim(a.Ref)
	}
}

// checkClaim records whether an alias is a mistake: it is an existing Reference, or two Items
// claim it.
func (c *Catalog) checkClaim(ref Ref) {
	claims, n := c.claims[ref.company()][ref], c.nodes[ref]
	if len(claims) > 1 || len(claims) == 1 && n != nil && n.item != nil {
		c.badClaims[ref] = true
	} else {
		delete(c.badClaims, ref)
	}
}

// claimMistakes returns a problem for each alias that belongs to another Item.
func (c *Catalog) claimMistakes() (list problem.List) {
	for ref := range c.badClaims {
		claims := slices.DeleteFunc(slices.Clone(c.claims[ref.company()][ref]), (*Node).Withheld)
		slices.SortFunc(claims, compareClaims)
		now := c.nodes[ref]
		there := now != nil && now.item != nil && !now.Withheld()
		for i, n := range claims {
			h, pos := n.item.Common(), n.aliasAt(ref)
			switch {
			case there:
				list = append(list, at(h, pos, fmt.Sprintf("the alias %q is a current address", ref),
					"remove it, or give "+now.Head().File+" another slug"))
			case i > 0:
				list = append(list, at(h, pos, fmt.Sprintf("two files have the alias %q", ref), "see "+claims[0].Head().File))
			}
		}
	}
	return list
}

// rivalClaims returns a problem for each alias of an offer that another Seller's alias covers
// and leads to one of its own offers. If a Seller's own offer names such an address, that
// decides between two of the Seller's offers.
func (c *Catalog) rivalClaims() (list problem.List) {
	for company, claims := range c.claims {
		seller := c.claimant(SellerRef(company))
		if seller == nil || seller.Withheld() {
			continue
		}
		for ref, claimants := range claims {
			for _, n := range slices.DeleteFunc(slices.Clone(claimants), (*Node).Withheld) {
				if n.seller == nil || n.seller == seller || c.below(seller, ref) == nil {
					continue
				}
				list = append(list, at(n.Head(), n.aliasAt(ref), fmt.Sprintf("two files have the alias %q", ref),
					fmt.Sprintf("the alias seller:%s in %s covers it too, because that seller has %s", company, seller.Head().File, c.below(seller, ref).ref)))
			}
		}
	}
	return list
}

// aliasAt returns the position of an alias in a node's file.
func (n *Node) aliasAt(ref Ref) Position {
	aliases := n.item.Common().Aliases
	return aliases[slices.IndexFunc(aliases, func(m Mention) bool { return m.Ref == ref })].At
}

// slugClaims warns about a slug that a Category under each root had before: the page of the
// slug redirects only to the Category under the first root.
func (c *Catalog) slugClaims() (list problem.List) {
	for ref := range c.claims[""] {
		other := c.At(CategoryRef(KindProduct, ref.Slug))
		if ref.Kind != KindCategory || ref.Root == KindProduct || other == nil || other.ref.Slug == ref.Slug {
			continue
		}
		if n := c.At(ref); n.ref.Slug != ref.Slug && n.ref.Slug != other.ref.Slug {
			w := at(n.Head(), n.aliasAt(ref), fmt.Sprintf("/categories/%s redirects to %s, which had that slug too", ref.Slug, other.ref), "")
			w.Warning = true
			list = append(list, w)
		}
	}
	return list
}

// markAliases marks the former addresses of a node, and the former addresses of its offers
// that follow from them.
func (d *Delta) markAliases(n *Node) {
	for _, ref := range n.Aliases() {
		d.Aliases[ref] = true
	}
	if !n.renamed {
		return
	}
	for _, o := range n.offers {
		for _, ref := range o.Aliases() {
			d.Aliases[ref] = true
		}
	}
}

// markClaims marks the former addresses of a node, and of other nodes that have one of them
// among their aliases.
func (c *Catalog) markClaims(n *Node, d *Delta) {
	d.markAliases(n)
	for _, a := range n.OwnAliases() {
		for _, other := range c.claims[a.Ref.company()][a.Ref] {
			d.markAliases(other)
		}
	}
}

// markClaimed marks the former addresses with a companySlug that may have become, or ceased to
// be, a removed Seller's.
func (c *Catalog) markClaimed(company string, d *Delta) {
	for ref, claims := range c.claims[company] {
		d.Aliases[ref] = true
		if ref.Kind == KindSeller {
			for _, n := range claims {
				d.markAliases(n)
			}
		}
	}
}
