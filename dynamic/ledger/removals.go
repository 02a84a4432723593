package ledger

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"souk/build/catalog"
	"souk/dynamic/verification"
)

// A Removed is a removal and everything on record about the removed seller.
type Removed struct {
	verification.Removal
	// FormerIDs are the seller's earlier canonical ids, sorted: the ids of all others that
	// had its official domain last when it was removed.
	FormerIDs []string
	// Addresses are all addresses the seller ever had, sorted and as given to
	// RecordRelease, except those that belonged to another company when the seller was
	// removed. It is never nil: if none are on record, none were public.
	Addresses []string
}

// Removed returns every removal, including undone ones, oldest first. A removal applies to
// its canonical id and to all sellers whose last official domain is the same. A company
// that once had the domain and now has another is a different company.
func (l *Ledger) Removed(ctx context.Context) (list []Removed, err error) {
	err = l.view(ctx, func(r *records) (err error) {
		list, err = r.removed()
		return err
	})
	return list, err
}

// Removals returns everything on record about removed sellers, read in one snapshot and
// joined with the removals in also, which may be nil. If nothing has changed since known,
// which may be nil too, it returns known. A build that is told to use a ledger must fail if
// this fails.
func (l *Ledger) Removals(ctx context.Context, known, also *catalog.Removals) (*catalog.Removals, error) {
	set := known
	err := l.view(ctx, func(r *records) error {
		revision, err := r.revision()
		if err != nil || known != nil && known.Revision == revision {
			return err
		}
		removed, err := r.removed()
		if err != nil {
			return err
		}
		list := make([]catalog.Removal, 0, len(removed)+len(also.List()))
		for _, m := range removed {
			one := catalog.Removal{
				ID: m.SellerID, FormerIDs: m.FormerIDs, Domain: m.Domain, Slug: m.Slug, SeparateIDs: m.SeparateIDs, Addresses: m.Addresses, At: m.RemovedAt,
			}
			if m.Restored != nil {
				one.Undone = m.Restored.At
			}
			list = append(list, one)
		}
		for _, one := range also.List() {
			former, ever, err := r.company(one.ID, one.Domain, one.At)
			if err != nil {
				return err
			}
			one.FormerIDs = distinct(append(former, one.FormerIDs...))
			if one.Addresses, err = r.apart(one, append(slices.Clone(one.Addresses), ever...)); err != nil {
				return err
			}
			list = append(list, one)
		}
		set = catalog.NewRemovals(list)
		set.Revision = revision
		return nil
	})
	return set, err
}

func (r *records) revision() (uint64, error) {
	text, err := r.text("SELECT value FROM meta WHERE name = 'revision'")
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(text, 10, 64)
}

// revise adds a revision, because what Removals returns has changed. The revision is the
// time in milliseconds, or the previous one plus one. So a database restored from a backup
// never reuses a revision that servers know with other removals.
func (r *records) revise(at time.Time) error {
	before, err := r.revision()
	if err != nil {
		return err
	}
	next := strconv.FormatUint(max(before+1, uint64(max(0, at.UnixMilli()))), 10)
	if err := r.one("note that removals changed", "UPDATE meta SET value = ? WHERE name = 'revision'", next); err != nil {
		return err
	}
	if r.announce == "" {
		return nil
	}
	_, err = r.exec("tell other servers", r.announce)
	return err
}

// latest limits publications p to each seller's last one.
const latest = "p.from_release = (SELECT MAX(q.from_release) FROM publications q WHERE q.seller_id = p.seller_id)"

func (r *records) removed() ([]Removed, error) {
	removals, err := r.Removals(true)
	if err != nil {
		return nil, err
	}
	list, at := make([]Removed, len(removals)), make(map[string]int, len(removals))
	for i, m := range removals {
		list[i], at[m.ID] = Removed{Removal: m, Addresses: []string{}}, i
	}
	err = r.ofRemoved("removals r", func(id, seller, address string) {
		m := &list[at[id]]
		if m.Addresses = append(m.Addresses, address); seller != m.SellerID {
			m.FormerIDs = append(m.FormerIDs, seller)
		}
	})
	for i := range list {
		if err != nil {
			return nil, err
		}
		m := &list[i]
		m.FormerIDs = distinct(m.FormerIDs)
		m.Addresses, err = r.apart(catalog.Removal{ID: m.SellerID, Domain: m.Domain, Slug: m.Slug, At: m.RemovedAt}, distinct(m.Addresses))
	}
	return list, err
}

// distinct sorts texts and removes duplicates.
func distinct(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// ofRemoved calls yield with each address of removed sellers and the canonical id that the
// address belongs to. removed selects rows with an id, seller_id, domain and removed_at. A
// removed seller includes all others that had its official domain last by that time, or at
// any time if nothing was on record of them by then, since another process may have
// recorded late.
func (r *records) ofRemoved(removed string, yield func(id, seller, address string), args ...any) error {
	const (
		lastOf = "(SELECT MAX(q.from_release) FROM publications q JOIN releases g ON g.number = q.from_release WHERE q.seller_id = p.seller_id"
		by     = " AND g.at <= r.removed_at)"
	)
	for _, joined := range []string{
		"JOIN addresses a ON a.seller_id = r.seller_id",
		"JOIN publications p ON p.domain = r.domain AND p.domain <> '' AND p.seller_id <> r.seller_id " +
			"AND p.from_release = COALESCE(" + lastOf + by + ", " + lastOf + ")) JOIN releases f ON f.number = p.from_release " +
			"JOIN addresses a ON a.seller_id = p.seller_id JOIN releases e ON e.number = a.from_release AND (e.at <= r.removed_at OR f.at > r.removed_at)",
	} {
		err := r.each("read addresses", func(one row) error {
			var id, seller, address string
			err := one.Scan(&id, &seller, &address)
			yield(id, seller, address)
			return err
		}, "SELECT r.id, a.seller_id, a.address FROM "+removed+" "+joined, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// company returns a company's other canonical ids, as of a time, and every address that it
// ever had. The company is known by an id or by its official domain; a zero time means now.
func (r *records) company(sellerID, domain string, at time.Time) (former, addresses []string, err error) {
	const one = "(SELECT '' AS id, CAST(? AS TEXT) AS seller_id, CAST(? AS TEXT) AS domain, CAST(? AS BIGINT) AS removed_at) r"
	by := int64(math.MaxInt64)
	if !at.IsZero() {
		by = micros(at)
	}
	err = r.ofRemoved(one, func(_, seller, address string) {
		if addresses = append(addresses, address); seller != sellerID {
			former = append(former, seller)
		}
	}, sellerID, domain, by)
	return distinct(former), distinct(addresses), err
}

// apart returns the addresses of a removed seller without those that belonged to another
// company when the seller was removed, because that company had taken an earlier
// companySlug of the seller. If a list does not say when that was, the company that came
// last counts.
func (r *records) apart(m catalog.Removal, addresses []string) ([]string, error) {
	// A publication existed at the time if it began by the first bound and ended after the
	// second.
	begun, ended := micros(m.At), micros(m.At)
	if m.At.IsZero() {
		begun = math.MaxInt64
	}
	const there = "f.at <= ? AND COALESCE(u.at > ?, TRUE)"
	const joined = " JOIN releases f ON f.number = h.from_release LEFT JOIN releases u ON u.number = h.until_release "
	theirs, known := map[string]bool{}, map[string]bool{"": true, m.Slug: true}
	for _, address := range addresses {
		slug, _ := catalog.SlugIn(address)
		if known[slug] {
			continue
		}
		known[slug] = true
		id := ""
		err := r.each("read the history", func(one row) error {
			var domain string
			err := one.Scan(&id, &domain)
			if id == m.ID || domain == m.Domain && domain != "" {
				id = "" // the seller itself
			}
			return err
		}, "SELECT h.seller_id, h.domain FROM publications h"+joined+"WHERE h.slug = ? AND "+there+" ORDER BY h.from_release", slug, begun, ended)
		if err != nil {
			return nil, err
		}
		other, err := r.texts("SELECT h.address FROM addresses h"+joined+"WHERE h.seller_id = ? AND "+there, id, begun, ended)
		if err != nil {
			return nil, err
		}
		for _, one := range other {
			theirs[one] = true
		}
	}
	return slices.DeleteFunc(addresses, func(one string) bool { return theirs[one] }), nil
}

// Addresses returns every address that a company ever had.
func (r *records) Addresses(sellerID, domain string) ([]string, error) {
	_, addresses, err := r.company(sellerID, domain, time.Time{})
	return addresses, err
}
