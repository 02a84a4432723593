package build

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
)

// A stub answers 410 at an address that is gone for good. The answer of an address without a
// document depends on the record of removals and on the last release:
//
//	the record contains the address, as a removed seller's     410
//	a stub that a removal in force explains                    410
//	a stub whose removals were restored, or to be forgotten    404
//	a stub without a reason: an orphan                         410
//	a document that was a removed seller's                     410
//	anything else                                              404
//
// An orphan's owner is withheld as if the removal were recorded, as after restoring an old
// backup of the ledger. A build that is not LongLived fails, so that the orphan is noticed.

// An orphan is a stub that nothing explains, and the removal inferred from it.
type orphan struct {
	address string
	removal catalog.Removal
}

// from returns the inputs of the next release, as far as the record and the last release
// determine them.
func (t *Turn) from(record *catalog.Removals) buildInputs {
	from := t.inputs
	from.record, from.retained = record, nil
	if !t.settled(record) {
		from.places = t.places(record)
	}
	return from
}

// settled reports whether this Builder made the present release from the same record, so that
// its removals are the same too.
func (b *Builder) settled(record *catalog.Removals) bool {
	return b.inputs.record != nil && b.inputs.record.Key() == record.Key() && b.inputs.release == b.tree.ID() && !b.tree.Altered()
}

// withheld returns the removals to build with: the recorded ones, those inferred from the last
// release, and restored ones that must wait.
func (m buildInputs) withheld() *catalog.Removals {
	inferred := slices.Concat(m.places, m.retained)
	seen := map[[3]string]bool{}
	for _, o := range m.orphans {
		if r := o.removal; !seen[[3]string{r.ID, r.Domain, r.Slug}] {
			seen[[3]string{r.ID, r.Domain, r.Slug}] = true
			inferred = append(inferred, r)
		}
	}
	return m.record.With(inferred...)
}

// places returns the companySlugs of removed sellers that are known only from the last
// release, with the sellers' canonical ids. A handwritten list has no addresses, and other
// sellers must not take these slugs either.
func (b *Builder) places(record *catalog.Removals) (list []catalog.Removal) {
	b.tree.EachOwner(func(slug string, o release.Owner) {
		if strings.Contains(slug, "/") || record.HoldsSlug(slug) {
			return
		}
		for hold := range record.Holding(stub.Owner(slug, o)) {
			if hold.Own() && hold.Removal.Addresses == nil {
				list = append(list, catalog.Removal{ID: o.ID, Slug: slug})
				return
			}
		}
	})
	slices.SortFunc(list, func(x, y catalog.Removal) int { return strings.Compare(x.Slug, y.Slug) })
	return list
}

// orphans checks each stub in the public folder, and the removals of the last release.
func (b *Builder) orphans(record *catalog.Removals) (list []orphan) {
	for _, file := range b.tree.Stubs() {
		c, address := b.company(file), document.FileAddress(file)
		if stub.Judge(record, b.config.Forget, c, address) != stub.Unexplained {
			continue
		}
		r := catalog.Removal{ID: c.ID, Domain: c.Domain, Slug: c.Slug}
		if c.ReplacesRemoved {
			// The stub belongs to the seller that was replaced.
			r = catalog.Removal{Slug: c.Slug}
		}
		list = append(list, orphan{address, r})
	}
	for _, r := range b.lost(record) {
		list = append(list, orphan{document.FileAddress(document.SellerFile(r.Slug)), r})
	}
	slices.SortStableFunc(list, func(x, y orphan) int { return strings.Compare(x.address, y.address) })
	return list
}

// company returns the owner of a file's address: the one known from the last releases; if that
// is lost, the Seller that has the address in the content; otherwise what the address itself
// says.
func (b *Builder) company(file string) catalog.Company {
	slug := document.CompanyOf(file)
	if owners := stub.Owners(b.tree, file); len(owners) > 0 {
		return owners[0]
	}
	if n := b.owned(file); n != nil {
		company := n.Item().(*catalog.Seller).Company()
		company.Slug = slug
		return company
	}
	return stub.Unknown(slug)
}

// owned returns the Seller that has or had the address of a file in the content.
func (b *Builder) owned(file string) *catalog.Node {
	c := b.content.catalog
	if at, ok := document.ParseFile(document.Plain(file)); ok {
		if n := c.At(at.Ref); n != nil && n.Seller() != nil && n.Seller().Item() != nil {
			return n.Seller()
		}
	}
	return c.At(catalog.SellerRef(document.CompanyOf(file)))
}

// unexplained returns the addresses of orphans whose companySlug has not passed to a seller
// that replaces the removed one.
func (b *Builder) unexplained(orphans []orphan) (addresses []string) {
	for _, o := range orphans {
		if b.content.catalog.Withholds(o.removal.Slug) {
			addresses = append(addresses, o.address)
		}
	}
	return slices.Compact(addresses) // a document and its pages have one
}

// staysGone reports whether an address was a removed seller's, according to the record and the
// last release. No alias then leads from it to another document, and it answers 410 unless a
// document is published there.
func (r *staging) staysGone(file string) bool {
	address := document.FileAddress(file)
	switch {
	case document.CompanyOf(file) == "":
		return false
	case r.tree.Has(document.GoneFile(file)):
		return stub.Judge(r.withheld, r.config.Forget, r.company(file), address) != stub.Free
	case r.tree.Has(file):
		return stub.LeavesStub(r.withheld, r.company(file), address)
	}
	return r.withheld.HoldsAddress(address)
}

// recordedStubs writes the stubs of addresses that only the record knows, except addresses
// that another seller has now. It covers removals that are new since the last release, or all
// of them in a full build.
func (r *staging) recordedStubs(w *release.Writer) error {
	removals, _, _ := r.withheld.Since(r.inputs.record)
	if r.delta.All {
		removals = r.withheld.List()
	}
	current := map[string]map[string]bool{}
	for _, one := range removals {
		if one.Restored() {
			continue
		}
		for _, address := range one.Addresses {
			file, ok := document.AddressFile(address)
			if !ok {
				continue
			}
			company := document.CompanyOf(file)
			if current[company] == nil {
				current[company] = r.current(company)
			}
			if current[company][address] {
				continue
			}
			if err := r.gone(w, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// current returns the addresses that a companySlug has now.
func (r *staging) current(company string) map[string]bool {
	all := map[string]bool{}
	if n := r.content.catalog.Node(catalog.SellerRef(company)); n != nil && n.Current() {
		for _, address := range document.AddressesOf(n) {
			all[address] = true
		}
	}
	return all
}
