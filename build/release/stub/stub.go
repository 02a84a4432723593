// Package stub decides which addresses answer 410: whether a stub stays, and whether a stub
// replaces a deleted document. A build decides this for its public folder and a publish for its
// destination, by the same rules.
//
// The package is pure: it does not know where stubs are stored, how they are written, or how
// sellers are removed.
package stub

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
)

// A Verdict says whether a stub stays.
type Verdict int

const (
	// Unexplained: nothing recorded explains the stub, as after restoring an old backup of the
	// ledger. Its owner counts as removed.
	Unexplained Verdict = iota
	// Gone: a removal in force explains it, so it stays.
	Gone
	// Free: its removals were restored, or nothing recorded explains it and the operator allows
	// it to be deleted.
	Free
)

// Judge returns the verdict on the stub at an address, relative to the API, that is or was a
// company's. forget lists addresses and companySlugs that the operator allows to be deleted.
func Judge(record *catalog.Removals, forget []string, c catalog.Company, address string) Verdict {
	if !record.Explains(c, address) {
		if Forgotten(forget, c, address) {
			return Free
		}
		return Unexplained
	}
	c.ReplacesRemoved = false // the stub was there before
	if _, held := record.Holds(c); held || record.HoldsAddress(address) {
		return Gone
	}
	return Free
}

// Left reports whether an address of a company's document belongs to a removed seller once the
// document is deleted, so that a stub must replace it. If a list has no addresses, all
// addresses below a removed companySlug count.
func LeavesStub(record *catalog.Removals, c catalog.Company, address string) bool {
	if record.HoldsAddress(address) {
		return true
	}
	// The profile at a removed companySlug belonged to the removed seller too, whoever came
	// after.
	if address == document.FileAddress(document.SellerFile(c.Slug)) && record.HoldsSlug(c.Slug) {
		return true
	}
	for hold := range record.Holding(c) {
		if hold.Own() || hold.By == catalog.BySlug && hold.Removal.Addresses == nil {
			return true
		}
	}
	return false
}

// Forgets reports whether forget contains a company or an address, which may be a full URL.
func Forgotten(forget []string, c catalog.Company, address string) bool {
	return slices.ContainsFunc(forget, func(one string) bool {
		return one == c.Slug || strings.HasSuffix(strings.TrimSuffix(one, "/"), address)
	})
}

// Owner returns the identity of the owner of a companySlug.
func Owner(slug string, o release.Owner) catalog.Company {
	c := catalog.Company{ID: o.ID, Slug: slug, Aliases: o.Aliases, Web: o.Web, ReplacesRemoved: o.Replaces}
	if len(o.Domains) > 0 {
		c.Domain, c.Former = o.Domains[0], o.Domains[1:]
	}
	return c
}

// Unknown returns the identity of a company of which only the companySlug is known.
func Unknown(slug string) catalog.Company { return catalog.Company{ID: slug, Slug: slug} }

// An UnexplainedError means that a place has stubs without a reason: writing there could bring
// removed sellers back.
type UnexplainedError struct {
	// Place is the public folder, or the name of a destination.
	Place string
	// Addresses are the addresses of the stubs, relative to the API, sorted.
	Addresses []string
}

func (e *UnexplainedError) Error() string {
	return e.Place + " has 410 stubs that no removal on record explains: " + list(e.Addresses)
}

// list joins the first few of several names.
func list(all []string) string {
	const most = 5
	text := strings.Join(all[:min(len(all), most)], ", ")
	if n := len(all); n > most {
		text += fmt.Sprintf(" and %d more", n-most)
	}
	return text
}

// A WithdrawnError means that a release shows sellers that a removal withholds.
type WithdrawnError struct {
	// Sellers are their companySlugs, each with the rule that matches, sorted.
	Sellers []string
}

func (e *WithdrawnError) Error() string {
	return "the release shows sellers that were removed: " + list(e.Sellers)
}

// A Release is the part of a release that judging needs. *release.Tree implements it.
type Release interface {
	// Owner returns the owner recorded under a key of document.OwnerKeys.
	Owner(key string) (release.Owner, bool)
}

// Owners returns the companies that have, or last had, the address of a file in a release:
// first the owner of the address itself, then that of the companySlug above it.
func Owners(r Release, file string) (companies []catalog.Company) {
	for _, key := range document.OwnerKeys(file) {
		if owner, known := r.Owner(key); known {
			companies = append(companies, Owner(document.CompanyOf(file), owner))
		}
	}
	return companies
}

// CompanyOf returns the owner of a file's address in a release.
func CompanyOf(r Release, file string) catalog.Company {
	if owners := Owners(r, file); len(owners) > 0 {
		return owners[0]
	}
	return Unknown(document.CompanyOf(file))
}

// Compare returns a *WithdrawnError if a file of a release is a document of a seller whose
// removal is recorded. If a release no longer knows the owner of an address, the recorded
// addresses decide too.
func CheckShown[T any](record *catalog.Removals, r Release, files map[string]T) error {
	if record.Empty() {
		return nil
	}
	shown := map[string]string{}
	for file := range files {
		slug := document.CompanyOf(file)
		if _, gone := document.IsGone(file); gone || slug == "" || shown[slug] != "" {
			continue
		}
		owners := Owners(r, file)
		if len(owners) == 0 {
			owners = []catalog.Company{Unknown(slug)}
			if record.HoldsAddress(document.FileAddress(file)) {
				shown[slug] = slug + " (its address is a removed seller's)"
				continue
			}
		}
		for _, owner := range owners {
			if hold, held := record.Holds(owner); held {
				shown[slug] = fmt.Sprintf("%s (by its %s)", slug, hold.By)
			}
		}
	}
	if len(shown) == 0 {
		return nil
	}
	return &WithdrawnError{slices.Sorted(maps.Values(shown))}
}
