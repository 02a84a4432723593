package build

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
)

// A stub answers 410 for an address that is gone for good. What an address answers that
// shows nothing now depends on the record of removals and on the last release:
//
//	the record has the address as a removed seller's           410
//	a stub is there, and a removal in force explains it        410
//	a stub whose removals were restored, or to be forgotten    404
//	a stub that nothing explains: an orphan                    410
//	a document that was a removed seller's                     410
//	anything else                                              404
//
// An orphan's owner is withheld as if the removal were on record, as after restoring an old
// backup of the ledger; a build that does not stay fails, so that nobody overlooks it.

// An orphan is a stub that nothing explains, and the removal inferred from it.
type orphan struct {
	address string
	removal catalog.Removal
}

// from returns what the next release is made of, as far as the record and the last one tell.
func (t *Turn) from(record *catalog.Removals) made {
	from := t.made
	from.record, from.kept = record, nil
	if !t.settled(record) {
		from.places = t.places(record)
	}
	return from
}

// settled reports whether the release that is there is this Builder's, made from the same record,
// so that what it shows of removals is the same too.
func (b *Builder) settled(record *catalog.Removals) bool {
	return b.made.record != nil && b.made.record.Key() == record.Key() && b.made.release == b.tree.ID() && !b.tree.Altered()
}

// withheld returns the removals to build with: those on record, those inferred from the
// last release, and those that were restored and have to wait.
func (m made) withheld() *catalog.Removals {
	inferred := slices.Concat(m.places, m.kept)
	seen := map[[3]string]bool{}
	for _, o := range m.orphans {
		if r := o.removal; !seen[[3]string{r.ID, r.Domain, r.Slug}] {
			seen[[3]string{r.ID, r.Domain, r.Slug}] = true
			inferred = append(inferred, r)
		}
	}
	return m.record.With(inferred...)
}

// places returns companySlugs of removed sellers that are not on record, but known from the
// last release, with the canonical ids that the sellers had there: a list that is written by
// hand has no addresses, and no other seller may take these either.
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

// orphans checks each stub in the public folder separately, and the removals of the last
// release.
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

// company returns whose address a file's is or was: the owner as the last
// releases knew it; where they are forgotten, the Seller that has the address in
// the content; or else by the address alone.
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

// owned returns the Seller that has the address of a file in the content, now or
// before.
func (b *Builder) owned(file string) *catalog.Node {
	c := b.content.catalog
	if at, ok := document.ParseFile(document.Plain(file)); ok {
		if n := c.At(at.Ref); n != nil && n.Seller() != nil && n.Seller().Item() != nil {
			return n.Seller()
		}
	}
	return c.At(catalog.SellerRef(document.CompanyOf(file)))
}

// unexplained returns the addresses of the orphans whose companySlug has not
// passed to a seller that replaces the removed one.
func (b *Builder) unexplained(orphans []orphan) (addresses []string) {
	for _, o := range orphans {
		if b.content.catalog.Withholds(o.removal.Slug) {
			addresses = append(addresses, o.address)
		}
	}
	return slices.Compact(addresses) // a document and its pages have one
}

// staysGone reports whether an address was a removed seller's, by the record and by what the
// last release has there. It then leads to nobody else by an alias, and answers 410 unless
// something is published there.
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

// recordedStubs writes the stubs of addresses that only the record knows, except
// those that another seller has now. It covers the removals that the last
// release did not know, or all of them in a full build.
func (r *staging) recordedStubs(w *release.Writer) error {
	removals, _, _ := r.withheld.Since(r.made.record)
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
