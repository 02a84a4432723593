package build

import (
	"iter"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
)

// A Publication is what a release publishes about one seller.
type Publication struct {
	// ID is the seller's canonical id, Domain its official domain.
	ID, Slug, Domain string
	// Addresses are the current and former addresses of the profile, its offers and the pages
	// of its lists, relative to the API.
	Addresses []string
}

// Publications returns what the release publishes about each seller, ordered by canonical id,
// so that a ledger in the same order need only append. Call it before the next Build.
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
	// Whole means that any publication may have changed.
	Whole bool
	// Sellers are the sellers that are published now. Hidden contains the canonical ids of
	// sellers that no longer are.
	Sellers []Publication
	Hidden  []string
	// Ended contains, by canonical id, the addresses that had documents in the previous
	// release and have none in this one.
	Ended map[string][]string
}

// touched returns the sellers that a change touches. Call it before the release, while the
// tree still knows the owners of the addresses.
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
		id := ""
		if n := b.content.catalog.Node(catalog.SellerRef(slug)); n != nil && n.Item() != nil {
			if id = n.Item().(*catalog.Seller).ID; n.Current() {
				t.Sellers = append(t.Sellers, b.publication(n))
			} else {
				t.Hidden = append(t.Hidden, id)
			}
		}
		// Another seller may have had the companySlug in the last release.
		if owner, owned := b.tree.Owner(slug); owned && owner.ID != id {
			t.Hidden = append(t.Hidden, owner.ID)
		}
	}
	t.Hidden = b.notCurrent(t.Hidden)
	return t
}

// ended returns the addresses of files that a release deletes. Call it before the release,
// while the tree still knows their owners.
func (b *Builder) ended(files []string) map[string][]string {
	all := map[string][]string{}
	for _, file := range files {
		_, stub := document.IsGone(file)
		if _, page := document.DocumentOf(file); stub || page || document.CompanyOf(file) == "" {
			continue
		}
		id := b.company(file).ID
		all[id] = append(all[id], document.FileAddress(file))
	}
	return all
}

// notCurrent returns the given canonical ids that no current seller has, each once. A seller
// that only moved to another slug is not hidden.
func (b *Builder) notCurrent(ids []string) []string {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return nil
	}
	current := map[string]bool{}
	b.content.catalog.EachSeller(func(n *catalog.Node) {
		if n.Current() {
			current[n.Item().(*catalog.Seller).ID] = true
		}
	})
	return slices.DeleteFunc(ids, func(id string) bool { return current[id] })
}
