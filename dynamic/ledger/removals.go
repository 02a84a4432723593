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

// A Removed is a removal with everything on record about it.
type Removed struct {
	verification.Removal
	// Addresses are all that the seller ever had, sorted, as RecordRelease was given them,
	// except those at which another company was when the seller was removed. It is never
	// nil, since none were public if none are on record.
	Addresses []string
}

// Removed returns every removal, the restored ones included, oldest first. A
// removal concerns its canonical id and whoever had its official domain last: a
// company that once had the domain and now has another is a different company.
func (l *Ledger) Removed(ctx context.Context) (list []Removed, err error) {
	err = l.view(ctx, func(r *records) (err error) {
		list, err = r.removed()
		return err
	})
	return list, err
}

// Removals returns everything on record about who is removed, read at one
// moment, joined with the removals of a list; also may be nil. If nothing has
// changed since known, which may be nil too, it returns known. A build that is
// told to use a ledger fails if this fails.
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
			one := catalog.Removal{ID: m.SellerID, Domain: m.Domain, Slug: m.Slug, Beside: m.Beside, Addresses: m.Addresses, At: m.RemovedAt}
			if m.Restored != nil {
				one.Undone = m.Restored.At
			}
			list = append(list, one)
		}
		for _, one := range also.List() {
			ever, err := r.Addresses(one.ID, one.Domain)
			if err == nil {
				one.Addresses, err = r.apart(one, append(slices.Clone(one.Addresses), ever...))
			}
			if err != nil {
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

// revise makes a revision, for a change of what Removals returns. It is the millisecond of the
// change, or follows the one before: so a database that went back to an earlier state, as
// of a backup, makes none that servers know already with other removals.
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

// latest limits publications p to the last one of each seller.
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
	for _, query := range []string{
		"SELECT r.id, a.address FROM removals r JOIN addresses a ON a.seller_id = r.seller_id",
		"SELECT r.id, a.address FROM removals r JOIN publications p ON p.domain = r.domain AND p.seller_id <> r.seller_id AND " + latest +
			" JOIN addresses a ON a.seller_id = p.seller_id WHERE r.domain <> ''",
	} {
		err := r.each("read addresses", func(one row) error {
			var id, address string
			if err := one.Scan(&id, &address); err != nil {
				return err
			}
			m := &list[at[id]]
			m.Addresses = append(m.Addresses, address)
			return nil
		}, query)
		if err != nil {
			return nil, err
		}
	}
	for i := range list {
		m := &list[i]
		slices.Sort(m.Addresses)
		one := catalog.Removal{ID: m.SellerID, Domain: m.Domain, Slug: m.Slug, At: m.RemovedAt}
		if m.Addresses, err = r.apart(one, slices.Compact(m.Addresses)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// apart returns the addresses of a removed seller without those at which another company
// was when the seller was removed: one that had taken a companySlug which the seller had
// before. A list may not say when that was; then the company that came there last counts.
func (r *records) apart(m catalog.Removal, addresses []string) ([]string, error) {
	// What began by the one and ended after the other was there.
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
				id = ""
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
	return r.texts("SELECT DISTINCT address FROM addresses WHERE seller_id IN "+
		"(SELECT p.seller_id FROM publications p WHERE p.seller_id = ? OR p.domain = ? AND p.domain <> '' AND "+latest+") ORDER BY address",
		sellerID, domain)
}
