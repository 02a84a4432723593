package catalog

import (
	"fmt"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// nearest proposes the item that a dangling Reference was meant to name: for an offer, one of
// the seller's; for another kind, one of that kind; otherwise any item with the slug.
func (c *Catalog) nearest(ref Ref) string {
	if now := c.At(ref); now != nil {
		return fmt.Sprintf("it is %q now", now.ref)
	}
	var options []string
	var elsewhere Ref
	for other, n := range c.nodes {
		if n.item == nil || other == ref {
			continue
		}
		if other.Slug == ref.Slug && (elsewhere == Ref{} || other.String() < elsewhere.String()) {
			elsewhere = other
		}
		if ref.Company == "" && other.Kind == ref.Kind && other.Root == ref.Root {
			options = append(options, other.Slug)
		}
	}
	meant := c.nearestOffer(ref)
	if ref.Company == "" {
		slices.Sort(options)
		meant = within(strings.TrimSuffix(ref.String(), ref.Slug), problem.Nearest(ref.Slug, options))
	}
	switch {
	case meant != "":
		return meant
	case elsewhere == Ref{}:
		return ""
	case elsewhere.Kind == KindCategory && ref.Kind == KindCategory:
		return fmt.Sprintf("%s exists", elsewhere)
	}
	return fmt.Sprintf("did you mean %q?", elsewhere)
}

// nearestOffer proposes an offer of the intended seller, or at least that seller. It returns
// "" for another kind, or if nothing is close.
func (c *Catalog) nearestOffer(ref Ref) string {
	if ref.Company == "" {
		return ""
	}
	seller := c.meantSeller(ref.Company)
	if seller == nil {
		return ""
	}
	kinds := []Kind{ref.Kind, KindProduct + KindService - ref.Kind}
	for _, kind := range kinds {
		meant := Ref{Kind: kind, Company: seller.ref.Slug, Slug: ref.Slug}
		if n := c.nodes[meant]; n != nil && n.item != nil {
			return fmt.Sprintf("did you mean %q?", meant)
		}
	}
	for _, kind := range kinds {
		var slugs []string
		for _, o := range seller.offers {
			if o.item != nil && o.ref.Kind == kind {
				slugs = append(slugs, o.ref.Slug)
			}
		}
		slices.Sort(slugs)
		if slug, near := problem.Closest(ref.Slug, slugs); near {
			return fmt.Sprintf("did you mean %q?", Ref{Kind: kind, Company: seller.ref.Slug, Slug: slug})
		}
	}
	if seller.ref.Slug != ref.Company {
		return fmt.Sprintf("did you mean the seller %q?", seller.ref.Slug)
	}
	return ""
}

// meantSeller returns the Seller with a slug, or the one with the closest slug, or nil.
func (c *Catalog) meantSeller(slug string) *Node {
	if n := c.nodes[SellerRef(slug)]; n != nil && n.item != nil {
		return n
	}
	var slugs []string
	c.EachSeller(func(n *Node) { slugs = append(slugs, n.ref.Slug) })
	slices.Sort(slugs)
	near, ok := problem.Closest(slug, slugs)
	if !ok {
		return nil
	}
	return c.nodes[SellerRef(near)]
}
