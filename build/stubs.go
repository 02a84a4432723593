package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
)

// A stub says for good that an address is gone. Each has a reason: a removal on
// record; a restored one, which lets it go; a seller that says it replaces the
// removed one; or the operator's word that it may be forgotten. Where none of
// them is there, as with an old backup of the ledger, the stub is an orphan: its
// owner is withheld as if the removal were on record.

// An orphan is a stub without a reason, and the removal that it tells of.
type orphan struct {
	address string
	removal catalog.Removal
}

// An UnexplainedError says that the public folder has stubs without a reason: to
// build would bring sellers back.
type UnexplainedError struct {
	// Addresses are those of the stubs, relative to the API, in order.
	Addresses []string
}

func (e *UnexplainedError) Error() string {
	const most = 5
	list := strings.Join(e.Addresses[:min(len(e.Addresses), most)], ", ")
	if n := len(e.Addresses); n > most {
		list += fmt.Sprintf(" and %d more", n-most)
	}
	return "the public folder has 410 stubs that no removal on record explains: " + list
}

// withheld returns the removals by which to build: those on record and those
// that orphans tell of.
func (m made) withheld() *catalog.Removals {
	bySlug := map[string]catalog.Removal{}
	for _, o := range m.orphans {
		bySlug[o.removal.Slug] = o.removal
	}
	if m.record == nil {
		return catalog.NewRemovals(slices.Collect(maps.Values(bySlug)))
	}
	return m.record.With(slices.Collect(maps.Values(bySlug))...)
}

// orphans judges each stub of the public folder by itself. A release that this
// Builder made from the same record has no others than it had then.
func (b *Builder) orphans(record *catalog.Removals) []orphan {
	if b.made.release != "" && b.made.release == b.tree.ID() && b.made.record.Key() == record.Key() && !b.tree.Altered() {
		return b.made.orphans
	}
	var list []orphan
	for _, stub := range b.tree.Stubs() {
		file, _ := document.IsGone(stub)
		c, address := b.company(file), document.FileAddress(file)
		if record.Explains(c, address) || b.forgotten(c, address) {
			continue
		}
		r := catalog.Removal{ID: c.ID, Domain: c.Domain, Slug: c.Slug}
		if c.ReplacesRemoved {
			// The stub is that of whoever was replaced.
			r = catalog.Removal{Slug: c.Slug}
		}
		list = append(list, orphan{address, r})
	}
	slices.SortFunc(list, func(x, y orphan) int { return strings.Compare(x.address, y.address) })
	return list
}

// company returns whose address a file's is or was: the owner as the last
// releases knew it; where they are forgotten, the Seller that has the address in
// the content; or else by the address alone.
func (b *Builder) company(file string) catalog.Company {
	slug := document.CompanyOf(file)
	if owner, known := b.tree.Owner(slug); known {
		return OwnerCompany(slug, owner)
	}
	if n := b.content.catalog.Node(catalog.SellerRef(slug)); n != nil && n.Item() != nil {
		return n.Item().(*catalog.Seller).Company()
	}
	return catalog.Company{ID: slug, Slug: slug}
}

// OwnerCompany returns what the owner of a companySlug can be known again by.
func OwnerCompany(slug string, o release.Owner) catalog.Company {
	c := catalog.Company{ID: o.ID, Slug: slug, ReplacesRemoved: o.Replaces}
	if len(o.Domains) > 0 {
		c.Domain, c.Former = o.Domains[0], o.Domains[1:]
	}
	return c
}

// forgotten reports whether the operator says that the stub of an address may go.
func (b *Builder) forgotten(c catalog.Company, address string) bool {
	return slices.ContainsFunc(b.config.Forget, func(one string) bool {
		return one == c.Slug || strings.HasSuffix(strings.TrimSuffix(one, "/"), address)
	})
}

// mayGo reports whether a stub may go: its removal was restored and no other
// holds, or no removal is known of it and the operator says so.
func (r *rendering) mayGo(file string) bool {
	company, address := r.company(file), document.FileAddress(file)
	if !r.record.Explains(company, address) {
		return r.forgotten(company, address)
	}
	_, held := r.record.Holds(company)
	return !held && !r.record.HoldsAddress(address)
}

// unexplained returns the addresses of orphans whose companySlug no one has who
// replaces the removed seller.
func (b *Builder) unexplained(orphans []orphan) (addresses []string) {
	for _, o := range orphans {
		n := b.content.catalog.Node(catalog.SellerRef(o.removal.Slug))
		if n == nil || n.Item() == nil || n.Withheld() {
			addresses = append(addresses, o.address)
		}
	}
	return addresses
}

// staysGone reports whether the address of a document that is no longer there is
// a removed seller's: a stub is there then.
func (r *rendering) staysGone(file string) bool {
	slug := document.CompanyOf(file)
	if slug == "" {
		return false
	}
	if r.withheld.HoldsAddress(document.FileAddress(file)) {
		return true
	}
	stub := r.tree.Stands(document.GoneFile(file))
	if !stub && !r.tree.Stands(file) {
		return false
	}
	if n := r.content.catalog.Node(catalog.SellerRef(slug)); n != nil && n.Item() != nil && n.Withheld() {
		return true
	}
	if _, held := r.withheld.Holds(r.company(file)); held {
		return true
	}
	return stub && !r.mayGo(file)
}

// history writes the stubs of addresses that only the record knows, but for
// those that somebody else has now: of the removals that the last release was
// made without, or of all.
func (r *rendering) history(emit func(document.Output) error) error {
	removals, _ := r.withheld.Since(r.made.record)
	if r.delta.All {
		removals = r.withheld.List()
	}
	current := map[string]map[string]bool{}
	for _, one := range removals {
		if one.Restored {
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
			if err := emit(document.Output{File: file, Gone: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// current returns the addresses that a companySlug has now.
func (r *rendering) current(company string) map[string]bool {
	all := map[string]bool{}
	if n := r.content.catalog.Node(catalog.SellerRef(company)); n != nil && n.Current() {
		for _, address := range document.AddressesOf(n) {
			all[address] = true
		}
	}
	return all
}
