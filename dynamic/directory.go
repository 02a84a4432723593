package dynamic

import (
	"context"
	"errors"
	"sync/atomic"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/verification"
)

// A directory is the marketplace as the process of claims and removals sees
// it: a copy of what it needs of the catalog, made by the goroutine that owns
// that and swapped as a whole.
type directory struct{ now atomic.Pointer[listing] }

// A listing is a directory at one moment.
type listing struct {
	bySlug, byID map[string]verification.Seller
	market       catalog.Marketplace
	site         string
	addresses    document.Addresses
}

var _ verification.Sellers = (*directory)(nil)

// errNoContent: the content has mistakes, and nothing is known of what it was
// before.
var errNoContent = errors.New("the content was not read without mistakes yet")

// renew copies what a Builder holds.
func (d *directory) renew(b *build.Builder, siteURL string) {
	c := b.Catalog()
	r := document.NewRenderer(c, siteURL)
	before := 0
	if last := d.now.Load(); last != nil {
		before = len(last.bySlug)
	}
	l := &listing{
		bySlug: make(map[string]verification.Seller, before), byID: make(map[string]verification.Seller, before),
		market: *c.Market(), site: r.SiteURL(), addresses: r.Addresses(),
	}
	c.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		one := verification.Seller{
			ID: s.ID, Slug: n.Ref().Slug, Name: s.Name, OfficialDomain: s.OfficialDomain, Current: n.Live(), Removed: n.Withheld(),
		}
		l.bySlug[one.Slug], l.byID[one.ID] = one, one
	})
	d.now.Store(l)
}

// link returns the Link to a seller, without the catalog.
func (l *listing) link(s verification.Seller) document.Link {
	return l.addresses.SellerLink(s.Slug, s.Name)
}

func (d *directory) listing() (*listing, error) {
	if l := d.now.Load(); l != nil {
		return l, nil
	}
	return nil, errNoContent
}

// BySlug is that of verification.Sellers.
func (d *directory) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	l, err := d.listing()
	if err != nil {
		return verification.Seller{}, false, err
	}
	s, ok := l.bySlug[slug]
	return s, ok, nil
}

// ByID is that of verification.Sellers.
func (d *directory) ByID(_ context.Context, id string) (verification.Seller, bool, error) {
	l, err := d.listing()
	if err != nil {
		return verification.Seller{}, false, err
	}
	s, ok := l.byID[id]
	return s, ok, nil
}
