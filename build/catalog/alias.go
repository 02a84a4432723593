package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"souk/build/kit/problem"
)

// An alias is a former Reference of a thing. Its address leads to the thing, as
// do, for the alias of a Seller, the addresses below it.

// At returns what the address of a Reference leads to: the Item itself, or the
// one that had the Reference before; nil if there is none. A former Reference
// that an Item names itself counts before one that follows from an alias of its
// Seller, and nothing follows from an alias that is the address of another Seller.
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

// claimant returns the node that has a Reference among its aliases, or nil. If there
// are several, it is one that no removal withholds, else one that was removed itself, and
// the first of these by kind and address, so that the same content is told the same.
func (c *Catalog) claimant(ref Ref) *Node {
	list := c.claims[ref.company()][ref]
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, compareClaims)
}

// compareClaims orders those who have a Reference among their aliases.
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

// Aliases returns the former References of a node, without those of its offers:
// those that its file names, and those that follow from the aliases of its
// Seller.
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

// Reserved reports whether the address of a former Reference stays that of a
// removed Seller, so that it leads to nobody else.
func (c *Catalog) Reserved(ref Ref) bool {
	company := ref.company()
	return company != "" && (c.removals.HoldsAddress(ref.address()) || c.Withholds(company))
}

// claim records the aliases of an item, or with by = -1 forgets them.
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

// checkClaim notes whether an alias is a mistake: it is the Reference of
// something, or two things claim it.
func (c *Catalog) checkClaim(ref Ref) {
	claims, n := c.claims[ref.company()][ref], c.nodes[ref]
	if len(claims) > 1 || len(claims) == 1 && n != nil && n.item != nil {
		c.badClaims[ref] = true
	} else {
		delete(c.badClaims, ref)
	}
}

// claimMistakes returns a problem for each place that has an alias which is
// somebody else's.
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
				list = append(list, at(h, pos, fmt.Sprintf("the alias %q is claimed twice", ref), "see "+claims[0].Head().File))
			}
		}
	}
	return list
}

// rivalClaims returns a problem for each alias of an offer at which another Seller has
// something by its own alias, which stands for everything below it. A Seller whose own
// offer names such an address decides between two of its offers.
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
				list = append(list, at(n.Head(), n.aliasAt(ref), fmt.Sprintf("the alias %q is claimed twice", ref),
					fmt.Sprintf("the alias seller:%s of %s stands for it too, since that seller has %s", company, seller.Head().File, c.below(seller, ref).ref)))
			}
		}
	}
	return list
}

// aliasAt returns where the file of a node names an alias.
func (n *Node) aliasAt(ref Ref) Position {
	aliases := n.item.Common().Aliases
	return aliases[slices.IndexFunc(aliases, func(m Mention) bool { return m.Ref == ref })].At
}

// slugClaims warns of a slug that a Category under each root had before: its page leads to
// that under the first root alone.
func (c *Catalog) slugClaims() (list problem.List) {
	for ref := range c.claims[""] {
		other := c.At(CategoryRef(KindProduct, ref.Slug))
		if ref.Kind != KindCategory || ref.Root == KindProduct || other == nil || other.ref.Slug == ref.Slug {
			continue
		}
		if n := c.At(ref); n.ref.Slug != ref.Slug && n.ref.Slug != other.ref.Slug {
			w := at(n.Head(), n.aliasAt(ref), fmt.Sprintf("/categories/%s leads to %s, which had the slug too", ref.Slug, other.ref), "")
			w.Warning = true
			list = append(list, w)
		}
	}
	return list
}

// markAliases marks the former addresses of a node, and those of its offers as
// far as they follow from its own.
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

// markClaims marks the former addresses of a node, and those of whoever else has one of
// them among its aliases.
func (c *Catalog) markClaims(n *Node, d *Delta) {
	d.markAliases(n)
	for _, a := range n.OwnAliases() {
		for _, other := range c.claims[a.Ref.company()][a.Ref] {
			d.markAliases(other)
		}
	}
}

// markClaimed marks the former addresses with a companySlug, which may have become
// those of a removed Seller, or ceased to be.
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
