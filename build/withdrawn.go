package build

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
)

// Withdrawn is who may appear nowhere, and where they ever did.
type Withdrawn struct {
	// Removals are the sellers; nil is nobody.
	Removals *catalog.Removals
	// Addresses are those that the sellers ever had, as Publication has them.
	// Those that a release shows need not be among them.
	Addresses []string
	// Recorded: removals are or were on record. Where it is false, and no list
	// is given either, a Build fails with ErrUnsure if it finds stubs of which it
	// does not know that such a list made them.
	Recorded, Listed bool
}

// Listed gives what a Config needs where a list alone tells who is withdrawn.
func Listed(r *catalog.Removals) func(context.Context) (Withdrawn, error) {
	return func(context.Context) (Withdrawn, error) {
		return Withdrawn{Removals: r, Addresses: r.Addresses(), Listed: true}, nil
	}
}

// Key stands for who is withdrawn: where it is another, somebody else is.
func (w Withdrawn) Key() string {
	list := make([]string, 0, len(w.Removals.List()))
	for _, r := range w.Removals.List() {
		list = append(list, r.ID+" "+r.Domain)
	}
	slices.Sort(list)
	return fmt.Sprintf("%d\n%s", len(w.Addresses), strings.Join(list, "\n"))
}

// readWithdrawn asks who is withdrawn. It is asked while the folder is locked:
// whoever commits a removal and builds then finds the folder as a build left it
// that knew of the removal, or that is followed by this one.
func (b *Builder) readWithdrawn(ctx context.Context) error {
	now := Withdrawn{}
	if b.config.Withdrawn != nil {
		var err error
		if now, err = b.config.Withdrawn(ctx); err != nil {
			return fmt.Errorf("read who is removed: %w", err)
		}
	}
	if now.Removals == nil {
		now.Removals = catalog.NewRemovals(nil)
	}
	if b.withdrawn.Removals == nil || now.Key() != b.withdrawn.Key() {
		b.restored = b.restored || b.withdrawn.Removals != nil && !contains(now.Removals, b.withdrawn.Removals)
		b.withholds.Store(nil)
		b.withdrawn, b.rewithdraw = now, true
		b.former = addressFiles(now.Addresses)
	}
	b.withdrawn.Recorded, b.withdrawn.Listed = now.Recorded, now.Listed
	return nil
}

// Withholds gives the Key of those whom the last release does not show; empty
// where it may show some who are withdrawn. It may be asked at any time.
func (b *Builder) Withholds() string {
	if key := b.withholds.Load(); key != nil {
		return *key
	}
	return ""
}

// hidden notes that the release shows nobody who is withdrawn.
func (b *Builder) hidden() {
	key := b.withdrawn.Key()
	b.withholds.Store(&key)
	b.rewithdraw, b.restored = false, false
}

// unsure tells whether the stubs of the public folder may be of removals that
// were forgotten: by a ledger that was lost, with the state folder or alone.
// What a list removed, on this machine, is shown again without the list.
func (b *Builder) unsure(m memo) bool {
	return b.config.Withdrawn != nil && !b.withdrawn.Recorded && !b.withdrawn.Listed &&
		(m.Recorded || !b.tree.Remembers()) && b.tree.Stubs()
}

// contains tells whether all of some removals are among others.
func contains(all, some *catalog.Removals) bool {
	list := all.List()
	return !slices.ContainsFunc(some.List(), func(r catalog.Removal) bool { return !slices.Contains(list, r) })
}

// addressFiles gives the files of addresses as Publication has them.
func addressFiles(addresses []string) map[string]bool {
	files := make(map[string]bool, len(addresses))
	for _, address := range addresses {
		if file, ok := document.AddressFile(address); ok {
			files[file] = true
		}
	}
	return files
}

// formers writes the stubs of addresses that only the history knows, but for
// those that somebody else has now.
func (r *rendering) formers(emit func(document.Output) error) error {
	if !r.pending.All && !r.rewithdraw {
		return nil
	}
	taken := map[string]map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(r.former)) {
		company := document.CompanyOf(file)
		if taken[company] == nil {
			taken[company] = r.standing(company)
		}
		if taken[company][file] {
			continue
		}
		if err := emit(document.Output{File: file, Gone: true}); err != nil {
			return err
		}
	}
	return nil
}

// standing gives the files of the addresses that a companySlug has now.
func (r *rendering) standing(company string) map[string]bool {
	n := r.catalog.Node(catalog.SellerRef(company))
	if n == nil || !n.Current() {
		return map[string]bool{}
	}
	return addressFiles(document.AddressesOf(n))
}
