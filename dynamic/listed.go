package dynamic

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// listed finds the sellers of a release, for a server without content. The manifest says
// which seller an address belongs to. A seller is current if its document exists.
type listed struct {
	release  manifest
	removals *catalog.Register
	now      atomic.Pointer[marketplace]
}

var _ directory = (*listed)(nil)

// market implements directory.
func (l *listed) market() (*marketplace, error) {
	if m := l.now.Load(); m != nil {
		return m, nil
	}
	return nil, errNoContent
}

// BySlug implements verification.Sellers.
func (l *listed) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	owner, known := l.release.Owner(slug)
	if !known || strings.Contains(slug, "/") {
		return verification.Seller{}, false, nil
	}
	s, err := l.seller(slug, owner)
	return s, err == nil, err
}

// ByID implements verification.Sellers.
func (l *listed) ByID(_ context.Context, id string) (verification.Seller, bool, error) {
	// A renamed seller has several companySlugs, and a document contains the current one.
	// Usually the id is the companySlug.
	slug := id
	owner, known := l.release.Owner(id)
	if !known || owner.ID != id || !l.release.Has(document.SellerFile(id)) {
		owners := map[string]release.Owner{}
		l.release.EachOwner(func(key string, o release.Owner) {
			if o.ID == id && !strings.Contains(key, "/") {
				owners[key] = o
			}
		})
		slug = ""
		for one := range owners {
			there, best := l.release.Has(document.SellerFile(one)), l.release.Has(document.SellerFile(slug))
			if slug == "" || there && !best || there == best && one < slug {
				slug = one
			}
		}
		if slug == "" {
			return verification.Seller{}, false, nil
		}
		owner = owners[slug]
	}
	s, err := l.seller(slug, owner)
	return s, err == nil, err
}

// seller returns the seller that has a companySlug or had it last.
func (l *listed) seller(slug string, owner release.Owner) (verification.Seller, error) {
	company := stub.Owner(slug, owner)
	_, held := l.removals.Now().Holds(company)
	s := verification.Seller{ID: company.ID, Slug: slug, OfficialDomain: company.Domain, Removed: held}
	if held {
		return s, nil // its document may be about to be removed
	}
	body, _, err := web.Read(l.release, document.SellerFile(slug))
	if err != nil || body == nil {
		return s, err
	}
	// A former address has a copy of the document, which contains the current slug.
	var profile struct{ Slug, Name string }
	if err := json.Unmarshal(body, &profile); err != nil || profile.Slug == "" {
		return s, fmt.Errorf("read the profile of %s: %w", slug, err)
	}
	s.Slug, s.Name, s.Current = profile.Slug, profile.Name, true
	return s, nil
}

// Formerly implements verification.Sellers.
func (l *listed) Formerly(_ context.Context, domain string, addresses []string) (ids []string, err error) {
	found := map[string]string{}
	l.release.EachOwner(func(key string, o release.Owner) {
		company := stub.Owner(key, o)
		listsAddress := slices.ContainsFunc(append(company.Aliases, key), func(slug string) bool {
			address := strings.TrimPrefix(document.Address(document.SellerFile(slug)), document.APIRoot)
			return slices.Contains(addresses, address)
		})
		if !strings.Contains(key, "/") && (slices.Contains(company.Former, domain) || listsAddress) {
			found[key] = o.ID
		}
	})
	for slug, id := range found {
		if l.release.Has(document.SellerFile(slug)) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
