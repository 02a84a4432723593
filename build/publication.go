package build

import (
	"iter"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
)

// A Publication is what a release publishes of one seller.
type Publication struct {
	// ID is the canonical id, Domain the official domain.
	ID, Slug, Domain string
	// Addresses are those of the profile, of its offers and of the further pages
	// of its lists, and their former ones, relative to the API.
	Addresses []string
}

// Publications returns what the release publishes of each seller, by canonical id,
// so that a ledger that is ordered by it need only append. Read it before the next
// Build.
func (b *Builder) Publications() (iter.Seq[Publication], error) {
	if err := b.load(); err != nil {
		return nil, err
	}
	var sellers []*catalog.Node
	b.content.catalog.EachSeller(func(n *catalog.Node) {
		if n.Current() {
			sellers = append(sellers, n)
		}
	})
	slices.SortFunc(sellers, func(a, b *catalog.Node) int {
		return strings.Compare(a.Item().(*catalog.Seller).ID, b.Item().(*catalog.Seller).ID)
	})
	return func(yield func(Publication) bool) {
		for _, n := range sellers {
			if !yield(b.publication(n)) {
				return
			}
		}
	}, nil
}

func (b *Builder) publication(n *catalog.Node) Publication {
	s := n.Item().(*catalog.Seller)
	return Publication{
		ID: s.ID, Slug: n.Ref().Slug, Domain: s.OfficialDomain,
		Addresses: append(document.AddressesOf(n), document.FormerAddressesOf(b.content.catalog, n)...),
	}
}

// Touched lists the sellers whose publication a release may have changed.
type Touched struct {
	// Whole means that any of them may have.
	Whole bool
	// Sellers are those that are published now; Hidden has the canonical ids of
	// those that are not.
	Sellers []Publication
	Hidden  []string
}

// touched returns the sellers that a change touches. Call it before the release,
// while the tree still knows who had the addresses.
func (b *Builder) touched(delta *catalog.Delta) Touched {
	if delta.All {
		return Touched{Whole: true}
	}
	var t Touched
	seen := map[string]bool{}
	for n := range delta.Changed {
		slug := n.Ref().Company
		if n.Ref().Kind == catalog.KindSeller {
			slug = n.Ref().Slug
		}
		if slug == "" || seen[slug] {
			continue
		}
		seen[slug] = true
		n := b.content.catalog.Node(catalog.SellerRef(slug))
		owner, owned := b.tree.Owner(slug)
		switch {
		case n != nil && n.Current():
			t.Sellers = append(t.Sellers, b.publication(n))
		case n != nil && n.Item() != nil:
			t.Hidden = append(t.Hidden, n.Item().(*catalog.Seller).ID)
		case owned:
			t.Hidden = append(t.Hidden, owner.ID)
		}
	}
	// A seller that has only moved to another slug is not hidden.
	t.Hidden = slices.DeleteFunc(t.Hidden, func(id string) bool {
		return slices.ContainsFunc(t.Sellers, func(p Publication) bool { return p.ID == id })
	})
	return t
}
