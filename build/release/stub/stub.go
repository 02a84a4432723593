// Package stub decides which addresses answer 410: whether a stub stays, and whether
// a document that goes leaves one. A build decides it for its public folder, a publish
// for its destination, and both decide alike.
//
// It is pure: it refuses to know where stubs are kept, how they are written, and
// how anyone was removed.
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

// A Verdict says what becomes of a stub.
type Verdict int

const (
	// Unexplained: nothing on record explains the stub, as after restoring an old
	// backup of the ledger. Its owner counts as removed.
	Unexplained Verdict = iota
	// Gone: a removal in force explains it, so it stays.
	Gone
	// Free: its removals were restored, or nothing on record explains it and the operator
	// says that it may go.
	Free
)

// Judge returns the verdict on the stub at an address, relative to the API, that is or was
// a company's. The operator's word, forget, has addresses and companySlugs.
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

// LeavesStub reports whether an address at which a company has a document is that of a removed
// seller once the document is deleted, so that a stub takes its place. Of a list that tells
// no addresses, all below a removed companySlug are.
func LeavesStub(record *catalog.Removals, c catalog.Company, address string) bool {
	if record.HoldsAddress(address) {
		return true
	}
	// The profile at a removed companySlug was the removed seller's too, whoever came after.
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

// Forgotten reports whether the operator's word names a company or an address, which may
// be a whole URL.
func Forgotten(forget []string, c catalog.Company, address string) bool {
	return slices.ContainsFunc(forget, func(one string) bool {
		return one == c.Slug || strings.HasSuffix(strings.TrimSuffix(one, "/"), address)
	})
}

// Owner returns what identifies the owner of a companySlug.
func Owner(slug string, o release.Owner) catalog.Company {
	c := catalog.Company{ID: o.ID, Slug: slug, Aliases: o.Aliases, Web: o.Web, ReplacesRemoved: o.Replaces}
	if len(o.Domains) > 0 {
		c.Domain, c.Former = o.Domains[0], o.Domains[1:]
	}
	return c
}

// Unknown returns what identifies a company of which only the companySlug is left.
func Unknown(slug string) catalog.Company { return catalog.Company{ID: slug, Slug: slug} }

// An UnexplainedError means that a place has stubs without a reason: writing
// there could bring removed sellers back.
type UnexplainedError struct {
	// Place is the public folder, or the name of a destination.
	Place string
	// Addresses are those of the stubs, relative to the API, sorted.
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

// A WithdrawnError means that a release shows sellers whom a removal withholds.
type WithdrawnError struct {
	// Sellers are their companySlugs, each with what the removal holds by, sorted.
	Sellers []string
}

func (e *WithdrawnError) Error() string {
	return "the release shows sellers that were removed: " + list(e.Sellers)
}

// A Release is what of a release the judgement needs; *release.Tree is one.
type Release interface {
	// Owner returns the owner that is recorded by a key of document.OwnerKeys.
	Owner(key string) (release.Owner, bool)
}

// Owners returns the companies that have, or last had, the address of a file as a
// release knows it: that of the address itself, then that of the companySlug which
// it is below.
func Owners(r Release, file string) (companies []catalog.Company) {
	for _, key := range document.OwnerKeys(file) {
		if owner, known := r.Owner(key); known {
			companies = append(companies, Owner(document.CompanyOf(file), owner))
		}
	}
	return companies
}

// CompanyOf returns whose address a file's is in a release.
func CompanyOf(r Release, file string) catalog.Company {
	if owners := Owners(r, file); len(owners) > 0 {
		return owners[0]
	}
	return Unknown(document.CompanyOf(file))
}

// CheckShown fails with a *WithdrawnError if a file of a release is a document of a
// seller that is removed on record. Where a release has lost whose an address is,
// the addresses on record decide too.
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
