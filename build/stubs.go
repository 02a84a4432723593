package build

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
)

// A stub answers 410 for an address that is gone for good. Each has a reason: a
// removal on record; a restored removal, which allows it to be deleted; a seller
// that declares that it replaces the removed one; or the operator's decision to
// forget it. Without any of these, as after restoring an old backup of the
// ledger, the stub is an orphan: its owner is withheld as if the removal were on
// record.

// An orphan is a stub without a reason, and the removal inferred from it.
type orphan struct {
	address string
	removal catalog.Removal
}

// from returns what the next release is made of, as far as the record and the last one tell.
func (t *Turn) from(record *catalog.Removals) made {
	from := made{record: record, orphans: t.made.orphans, places: t.made.places}
	if t.made.record == nil || t.made.record.Key() != record.Key() {
		from.places = t.places(record)
	}
	return from
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
	if m.record == nil {
		return catalog.NewRemovals(inferred)
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
// release. If this Builder made the release from the same record, its orphans are the same as then.
func (b *Builder) orphans(record *catalog.Removals) []orphan {
	if b.made.record != nil && b.made.release == b.tree.ID() && b.made.record.Key() == record.Key() && !b.tree.Altered() {
		return b.made.orphans
	}
	var list []orphan
	for _, one := range b.tree.Stubs() {
		file, _ := document.IsGone(one)
		c, address := b.company(file), document.FileAddress(file)
		switch stub.Judge(record, b.config.Forget, c, address) {
		case stub.Removed, stub.Restored, stub.Forgotten:
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
	// A document and its pages have one address.
	return slices.CompactFunc(list, func(x, y orphan) bool {
		return x.address == y.address && x.removal.ID == y.removal.ID && x.removal.Domain == y.removal.Domain
	})
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
		n := b.content.catalog.Node(catalog.SellerRef(o.removal.Slug))
		if n == nil || n.Item() == nil || n.Withheld() {
			addresses = append(addresses, o.address)
		}
	}
	return slices.Compact(addresses)
}

// keepsStub reports whether there is a stub that may not be deleted, so that its address
// leads to nobody else.
func (r *staging) keepsStub(file string) bool {
	return document.CompanyOf(file) != "" && r.tree.Has(document.GoneFile(file)) && !r.reason(file).MayGo()
}

// reason returns why a stub is at the address of a file, or would be.
func (r *staging) reason(file string) stub.Reason {
	return stub.Judge(r.withheld, r.config.Forget, r.company(file), document.FileAddress(file))
}

// staysGone reports whether the address of a deleted document belongs to a
// removed seller, so that a stub has to take its place.
func (r *staging) staysGone(file string) bool {
	owners := stub.Owners(r.tree, file)
	switch address := document.FileAddress(file); {
	case document.CompanyOf(file) == "":
		return false
	case r.withheld.HoldsAddress(address), r.keepsStub(file):
		return true
	case r.tree.Has(document.GoneFile(file)), !r.tree.Has(file):
		return false
	case len(owners) > 0:
		// A document was its owner's in the last release, whoever has the companySlug now.
		return stub.Left(r.withheld, owners[0], address)
	default:
		return r.reason(file) == stub.Removed
	}
}

// recordedStubs writes the stubs of addresses that only the record knows, except
// those that another seller has now. It covers the removals that the last
// release did not know, or all of them in a full build.
func (r *staging) recordedStubs(w *release.Writer) error {
	removals, _ := r.withheld.Since(r.made.record)
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
