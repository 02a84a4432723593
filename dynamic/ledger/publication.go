package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Published is what a release publishes of one seller.
type Published struct {
	// SellerID is the canonical id.
	SellerID, Slug, Domain string
	// Addresses are all addresses of the seller, its offers and the pages of its lists, in
	// any order and in the caller's spelling.
	Addresses []string
}

// sorted returns the addresses sorted and without duplicates.
func (p Published) sorted() []string {
	return slices.Compact(slices.Sorted(slices.Values(p.Addresses)))
}

// digest identifies the state of a seller's publication.
func (p Published) digest() string {
	h := sha256.New()
	for _, part := range append([]string{p.SellerID, p.Slug, p.Domain}, p.sorted()...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// A Release is what the history records of a committed release.
type Release struct {
	// ID names the release; At is when it was committed.
	ID string
	At time.Time
	// Whole means that Sellers lists all published sellers, so that all others are no
	// longer published. Otherwise Sellers lists those that may have changed.
	Whole   bool
	Sellers iter.Seq[Published]
	// Withdrawn lists the canonical ids that are no longer published; only used if Whole is
	// not set.
	Withdrawn []string
	// Ended lists, by canonical id, addresses of earlier releases that may be missing from
	// the history because their builder was killed before recording them; only used if
	// Whole is set.
	Ended map[string][]string
}

// chunk is how many addresses one Update writes, so that recording a large release does not
// block other writers for long.
const chunk = 10_000

// A recording is the state of writing one release into the history.
type recording struct {
	ledger  *Ledger
	release Release
	// number is the release's number in the history; 0 until something differs.
	number int64
	// published maps each seller that the history lists as published, and that the release
	// has not named yet, to its digest.
	published map[string]string
	batch     []Published
	gone      []string
	weight    int
}

// RecordRelease updates the publication history to a release. It writes only differences;
// if the release is already the last on record, it costs one query. It may be interrupted
// at any point: what is recorded is then right, and the next Whole release completes it.
// Releases must be recorded one after the other.
func (l *Ledger) RecordRelease(ctx context.Context, release Release) error {
	rec := &recording{ledger: l, release: release}
	last := ""
	err := l.view(ctx, func(r *records) (err error) {
		if last, err = r.text("SELECT value FROM meta WHERE name = 'release'"); err != nil || last == release.ID && release.Whole {
			return err
		}
		if release.Whole {
			rec.published, err = r.digests("until_release = 0")
		}
		return err
	})
	if err != nil || last == release.ID && release.Whole {
		return err
	}
	if err := rec.sellers(ctx); err != nil {
		return err
	}
	if err := rec.ended(ctx); err != nil {
		return err
	}
	for _, id := range slices.Concat(slices.Sorted(maps.Keys(rec.published)), release.Withdrawn) {
		rec.gone = append(rec.gone, id)
		if err := rec.add(ctx, 1); err != nil {
			return err
		}
	}
	return rec.finish(ctx)
}

// LastRelease returns the id of the release that the publication history describes, or ""
// if there is none or recording was interrupted.
func (l *Ledger) LastRelease(ctx context.Context) (id string, err error) {
	err = l.view(ctx, func(r *records) (err error) {
		id, err = r.text("SELECT value FROM meta WHERE name = 'release'")
		return err
	})
	return id, err
}

// sellers records the sellers that differ.
func (rec *recording) sellers(ctx context.Context) error {
	if rec.release.Sellers == nil {
		return nil
	}
	for p := range rec.release.Sellers {
		digest, exists := rec.published[p.SellerID]
		delete(rec.published, p.SellerID)
		if exists && digest == p.digest() {
			continue
		}
		rec.batch = append(rec.batch, p)
		if err := rec.add(ctx, 1+len(p.Addresses)); err != nil {
			return err
		}
	}
	return nil
}

// ended records those addresses of earlier releases that are not on record yet.
func (rec *recording) ended(ctx context.Context) error {
	if len(rec.release.Ended) == 0 {
		return nil
	}
	if err := rec.write(ctx, false); err != nil { // so that the published addresses are on record
		return err
	}
	var number int64
	err := rec.ledger.update(ctx, func(r *records) error {
		number = rec.number
		var added []any
		var grown []Published
		for _, id := range slices.Sorted(maps.Keys(rec.release.Ended)) {
			known, err := r.texts("SELECT DISTINCT address FROM addresses WHERE seller_id = ?", id)
			if err != nil {
				return err
			}
			missing := slices.DeleteFunc(Published{Addresses: rec.release.Ended[id]}.sorted(), func(one string) bool { return slices.Contains(known, one) })
			if len(missing) == 0 {
				continue
			}
			if err := r.numbered(rec.release, &number); err != nil {
				return err
			}
			added = append(added, fresh(number, id, missing)...)
			domains, err := r.texts("SELECT DISTINCT domain FROM publications WHERE seller_id = ?", id)
			if err != nil {
				return err
			}
			for _, domain := range append(domains, "") {
				grown = append(grown, Published{SellerID: id, Domain: domain})
			}
		}
		return errors.Join(r.addAddresses(added, number), r.reviseIfRemoved(grown, rec.release.At))
	})
	rec.number = number
	return err
}

// add writes the batch once it is large enough.
func (rec *recording) add(ctx context.Context, weight int) error {
	if rec.weight += weight; rec.weight < chunk {
		return nil
	}
	return rec.write(ctx, false)
}

// finish writes the rest and records that the history describes the release.
func (rec *recording) finish(ctx context.Context) error {
	if rec.release.Whole || len(rec.batch)+len(rec.gone) > 0 || rec.number != 0 {
		return rec.write(ctx, true)
	}
	return nil
}

// write commits the batch. Until the last batch the history describes no release, so that
// an interrupted recording is completed later.
func (rec *recording) write(ctx context.Context, last bool) error {
	var number int64
	err := rec.ledger.update(ctx, func(r *records) error {
		number = rec.number
		var added []any
		var grown []Published
		for _, p := range rec.batch {
			more, err := r.publish(rec.release, &number, p)
			if err != nil {
				return err
			}
			if added = append(added, more...); len(more) > 0 {
				grown = append(grown, p)
			}
		}
		if err := r.addAddresses(added, 0); err != nil {
			return err
		}
		if err := r.reviseIfRemoved(grown, rec.release.At); err != nil {
			return err
		}
		for _, id := range rec.gone {
			if err := r.unpublish(rec.release, &number, id); err != nil {
				return err
			}
		}
		switch {
		case last && rec.release.Whole:
			return r.one("record a release", "UPDATE meta SET value = ? WHERE name = 'release'", rec.release.ID)
		case last:
			// A partial release cannot complete an incomplete history.
			_, err := r.exec("record a release", "UPDATE meta SET value = ? WHERE name = 'release' AND value <> ''", rec.release.ID)
			return err
		default:
			return r.one("record a release", "UPDATE meta SET value = '' WHERE name = 'release'")
		}
	})
	if err == nil {
		rec.number, rec.batch, rec.gone, rec.weight = number, nil, nil, 0
	}
	return err
}

// numbered assigns the release its number in the history, unless it has one.
func (r *records) numbered(release Release, number *int64) error {
	if *number != 0 {
		return nil
	}
	err := r.each("number a release", func(one row) error { return one.Scan(number) },
		"SELECT COALESCE(MAX(number), 0) + 1 FROM releases")
	if err != nil {
		return err
	}
	return r.one("record a release", "INSERT INTO releases (number, id, at) VALUES (?, ?, ?)", *number, release.ID, micros(release.At))
}

// digests returns the digests of the selected publications, by seller.
func (r *records) digests(where string, args ...any) (map[string]string, error) {
	found := map[string]string{}
	err := r.each("read the history", func(one row) error {
		var id, digest string
		err := one.Scan(&id, &digest)
		found[id] = digest
		return err
	}, "SELECT seller_id, digest FROM publications WHERE "+where, args...)
	return found, err
}

// publish records what has changed about one seller, except its new addresses, which it
// returns in the form that addAddresses takes.
func (r *records) publish(release Release, number *int64, p Published) (added []any, err error) {
	type span struct{ slug, domain, digest string }
	now := span{p.Slug, p.Domain, p.digest()}
	before, exists, err := first(r, "read the history", func(one row) (s span, err error) {
		err = one.Scan(&s.slug, &s.domain, &s.digest)
		return s, err
	}, "SELECT slug, domain, digest FROM publications WHERE seller_id = ? AND until_release = 0", p.SellerID)
	if err != nil || before == now {
		return nil, err
	}
	if err := r.numbered(release, number); err != nil {
		return nil, err
	}
	if exists && before.slug == now.slug && before.domain == now.domain {
		err = r.one("record a publication", "UPDATE publications SET digest = ? WHERE seller_id = ? AND until_release = 0", now.digest, p.SellerID)
	} else {
		err = r.openSpan(*number, p, exists)
	}
	if err != nil {
		return nil, err
	}
	if !exists {
		return fresh(*number, p.SellerID, p.sorted()), nil // no address is on record either
	}
	return r.addresses(*number, p)
}

// fresh returns addresses in the form that addAddresses takes.
func fresh(number int64, sellerID string, addresses []string) (added []any) {
	for _, address := range addresses {
		added = append(added, sellerID, address, number)
	}
	return added
}

// openSpan ends the seller's current publication, if any, and starts a new one.
func (r *records) openSpan(number int64, p Published, exists bool) error {
	if exists {
		err := r.one("record a publication", "UPDATE publications SET until_release = ? WHERE seller_id = ? AND until_release = 0", number, p.SellerID)
		if err != nil {
			return err
		}
	}
	return r.one("record a publication",
		"INSERT INTO publications (seller_id, slug, domain, from_release, until_release, digest) VALUES (?, ?, ?, ?, 0, ?)",
		p.SellerID, p.Slug, p.Domain, number, p.digest())
}

// addresses records which addresses are no longer published and returns the new ones.
func (r *records) addresses(number int64, p Published) (added []any, err error) {
	old := map[string]bool{}
	err = r.each("read addresses", func(one row) error {
		var address string
		err := one.Scan(&address)
		old[address] = true
		return err
	}, "SELECT address FROM addresses WHERE seller_id = ? AND until_release = 0", p.SellerID)
	if err != nil {
		return nil, err
	}
	for _, address := range p.sorted() {
		if old[address] {
			delete(old, address)
			continue
		}
		added = append(added, p.SellerID, address, number)
	}
	for _, address := range slices.Sorted(maps.Keys(old)) {
		err := r.one("record an address", "UPDATE addresses SET until_release = ? WHERE seller_id = ? AND address = ? AND until_release = 0",
			number, p.SellerID, address)
		if err != nil {
			return nil, err
		}
	}
	return added, nil
}

// addAddresses records new addresses, each given as a seller, an address and the number of
// a release. until is the number of the release that ended them, or 0 if they are still
// published.
func (r *records) addAddresses(added []any, until int64) error {
	const columns, rowsAtOnce = 3, 500
	for part := range slices.Chunk(added, columns*rowsAtOnce) {
		rows := strings.Repeat(fmt.Sprintf(", (?, ?, ?, %d)", until), len(part)/columns)[2:]
		if _, err := r.exec("record addresses", "INSERT INTO addresses (seller_id, address, from_release, until_release) VALUES "+rows, part...); err != nil {
			return err
		}
	}
	return nil
}

// reviseIfRemoved adds a revision if a seller with new addresses has meanwhile been
// removed, so that another process published those addresses before.
func (r *records) reviseIfRemoved(grown []Published, at time.Time) error {
	concerned := false
	err := r.each("read removals", func(one row) error {
		var id, domain string
		err := one.Scan(&id, &domain)
		concerned = concerned || slices.ContainsFunc(grown, func(p Published) bool {
			return p.SellerID == id || p.Domain == domain && domain != ""
		})
		return err
	}, "SELECT seller_id, domain FROM removals WHERE restored_at = 0")
	if err != nil || !concerned {
		return err
	}
	return r.revise(at)
}

// unpublish records that a seller is no longer published.
func (r *records) unpublish(release Release, number *int64, sellerID string) error {
	standing, err := r.digests("seller_id = ? AND until_release = 0", sellerID)
	if err != nil || len(standing) == 0 {
		return err
	}
	if err := r.numbered(release, number); err != nil {
		return err
	}
	for _, table := range []string{"publications", "addresses"} {
		_, err := r.exec("record a publication", "UPDATE "+table+" SET until_release = ? WHERE seller_id = ? AND until_release = 0", *number, sellerID)
		if err != nil {
			return err
		}
	}
	return nil
}

// texts returns the first column of all rows.
func (r *records) texts(query string, args ...any) ([]string, error) {
	return all(r, "read the history", func(one row) (text string, err error) {
		err = one.Scan(&text)
		return text, err
	}, query, args...)
}
