package dynamic

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/verification"
	"souk/templates/texts"
)

// A directory finds a marketplace's sellers and returns its metadata.
type directory interface {
	verification.Sellers
	// market returns the current metadata of the marketplace.
	market() (*marketplace, error)
}

// A marketplace is the metadata of a marketplace that answers and mails need.
type marketplace struct {
	name, contact string
	site          string
	// noClaims means that companies cannot claim their profiles.
	noClaims  bool
	texts     *texts.Catalogue
	addresses document.Addresses
}

// sellers is the marketplace for package verification: a copy of the necessary parts of the
// catalog, created by the goroutine that owns the catalog and replaced as a whole.
type sellers struct{ now atomic.Pointer[view] }

// A view contains the sellers at one moment and the metadata of their marketplace.
type view struct {
	marketplace
	// bySlug also finds sellers by their former slugs.
	bySlug, byID map[string]verification.Seller
	// formerly maps a domain, or the address of a profile, to the canonical ids of the
	// sellers that list it among their former domains or their aliases.
	formerly map[string][]string
}

var _ directory = (*sellers)(nil)

// errNoContent means that the content has mistakes and no earlier state is known.
var errNoContent = errors.New("the content has never been read without mistakes")

// renew copies the state of a Builder if its last build touched a seller.
func (s *sellers) renew(b *build.Builder, touched build.Touched, siteURL string) {
	last := s.now.Load()
	if last != nil && !touched.Whole && len(touched.Sellers)+len(touched.Hidden) == 0 {
		return
	}
	c := b.Catalog()
	r := document.NewRenderer(c, siteURL)
	before := 0
	if last != nil {
		before = len(last.bySlug)
	}
	m := viewOf(c, before)
	m.marketplace = marketplace{name: c.Market().Name, contact: c.Market().ContactEmail, noClaims: c.Market().NoClaims, site: r.SiteURL(), texts: r.Texts(), addresses: r.Addresses()}
	s.now.Store(m)
}

// SellersOf returns the current sellers of a catalog for package verification.
func SellersOf(c *catalog.Catalog) verification.Sellers {
	s := &sellers{}
	s.now.Store(viewOf(c, 0))
	return s
}

// viewOf returns the sellers of a catalog; about is their approximate number.
func viewOf(c *catalog.Catalog, about int) *view {
	m := &view{
		bySlug: make(map[string]verification.Seller, about), byID: make(map[string]verification.Seller, about), formerly: map[string][]string{},
	}
	c.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		one := sellerOf(n)
		m.bySlug[one.Slug], m.byID[one.ID] = one, one
		for _, domain := range s.FormerDomains {
			m.formerly[domain] = append(m.formerly[domain], s.ID)
		}
		for _, former := range s.Aliases {
			address := document.Address(document.RefFile(former.Ref))
			m.formerly[address] = append(m.formerly[address], s.ID)
			if c.At(former.Ref) == n && (n.Withheld() || !c.Reserved(former.Ref)) {
				m.bySlug[former.Ref.Slug] = one
			}
		}
	})
	return m
}

// sellerOf converts a seller of a catalog for package verification.
func sellerOf(n *catalog.Node) verification.Seller {
	s := n.Item().(*catalog.Seller)
	return verification.Seller{ID: s.ID, Slug: n.Ref().Slug, Name: s.Name, OfficialDomain: s.OfficialDomain, Current: n.Live(), Removed: n.Withheld()}
}

// link returns the Link to a seller, without needing the catalog.
func (m *marketplace) link(s verification.Seller) document.Link {
	return m.addresses.SellerLink(s.Slug, s.Name)
}

// view returns the current sellers.
func (s *sellers) view() (*view, error) {
	if m := s.now.Load(); m != nil {
		return m, nil
	}
	return nil, errNoContent
}

// market implements directory.
func (s *sellers) market() (*marketplace, error) {
	m, err := s.view()
	if err != nil {
		return nil, err
	}
	return &m.marketplace, nil
}

// BySlug implements verification.Sellers.
func (s *sellers) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	m, err := s.view()
	if err != nil {
		return verification.Seller{}, false, err
	}
	one, ok := m.bySlug[slug]
	return one, ok, nil
}

// ByID implements verification.Sellers.
func (s *sellers) ByID(_ context.Context, id string) (verification.Seller, bool, error) {
	m, err := s.view()
	if err != nil {
		return verification.Seller{}, false, err
	}
	one, ok := m.byID[id]
	return one, ok, nil
}

// Formerly implements verification.Sellers.
func (s *sellers) Formerly(_ context.Context, domain string, addresses []string) ([]string, error) {
	m, err := s.view()
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(m.formerly[domain])
	for _, address := range addresses {
		ids = append(ids, m.formerly[document.APIRoot+address]...)
		if slug, profile := catalog.SlugIn(address); profile && m.bySlug[slug].Slug == slug {
			ids = append(ids, m.bySlug[slug].ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
