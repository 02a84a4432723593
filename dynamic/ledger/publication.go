package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	// Addresses are all addresses of the seller, its offers and the pages of its
	// lists, in any order and in whatever spelling the caller has.
	Addresses []string
}

// sorted returns the addresses once each, in order.
func (p Published) sorted() []string {
	return slices.Compact(slices.Sorted(slices.Values(p.Addresses)))
}

// digest tells two of a seller apart.
func (p Published) digest() string {
	h := sha256.New()
	for _, part := range append([]string{p.SellerID, p.Slug, p.Domain}, p.sorted()...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// A Release is what is recorded of a release that stands.
type Release struct {
	// ID names it; At is when it came to stand.
	ID string
	At time.Time
	// Whole: Sellers are all that are published, and every other is not any
	// more. Otherwise they are those that may have changed.
	Whole   bool
	Sellers iter.Seq[Published]
	// Withdrawn are canonical ids that are not published any more, where the
	// release is not Whole.
	Withdrawn []string
}

// chunk is how many addresses are written in one Update, so that nobody waits
// long for a large release to be recorded.
const chunk = 10_000

// A recording is a release on its way into the history.
type recording struct {
	ledger  *Ledger
	release Release
	// number is that of the release in the history, 0 until something differs.
	number int64
	// standing has the digest of each seller that the history holds for
	// published and that was not met yet.
	standing map[string]string
	batch    []Published
	gone     []string
	weight   int
}

// RecordRelease brings the publication history up to a release. Only
// differences are written; a release that is the last one on record costs one
// query. It may be cut off at any point: the history is then right as far as it
// goes, and the next Whole release completes it. Releases are recorded one
// after the other.
func (l *Ledger) RecordRelease(ctx context.Context, release Release) error {
	rec := &recording{ledger: l, release: release}
	last := ""
	err := l.view(ctx, func(r *records) (err error) {
		if last, err = r.text("SELECT value FROM meta WHERE name = 'release'"); err != nil || last == release.ID && release.Whole {
			return err
		}
		if release.Whole {
			rec.standing, err = r.digests("until_release = 0")
		}
		return err
	})
	if err != nil || last == release.ID && release.Whole {
		return err
	}
	if err := rec.sellers(ctx); err != nil {
		return err
	}
	for _, id := range slices.Concat(slices.Sorted(maps.Keys(rec.standing)), release.Withdrawn) {
		rec.gone = append(rec.gone, id)
		if err := rec.add(ctx, 1); err != nil {
			return err
		}
	}
	return rec.finish(ctx)
}

// LastRelease returns the id of the release that the publication history was last
// brought up to; "" where there is none, or it was cut off.
func (l *Ledger) LastRelease(ctx context.Context) (id string, err error) {
	err = l.view(ctx, func(r *records) (err error) {
		id, err = r.text("SELECT value FROM meta WHERE name = 'release'")
		return err
	})
	return id, err
}

// sellers takes those that differ.
func (rec *recording) sellers(ctx context.Context) error {
	if rec.release.Sellers == nil {
		return nil
	}
	for p := range rec.release.Sellers {
		digest, stands := rec.standing[p.SellerID]
		delete(rec.standing, p.SellerID)
		if stands && digest == p.digest() {
			continue
		}
		rec.batch = append(rec.batch, p)
		if err := rec.add(ctx, 1+len(p.Addresses)); err != nil {
			return err
		}
	}
	return nil
}

// add writes the batch where it is large enough.
func (rec *recording) add(ctx context.Context, weight int) error {
	if rec.weight += weight; rec.weight < chunk {
		return nil
	}
	return rec.write(ctx, false)
}

// finish writes what is left, and that the history is that of the release.
func (rec *recording) finish(ctx context.Context) error {
	if rec.release.Whole || len(rec.batch)+len(rec.gone) > 0 || rec.number != 0 {
		return rec.write(ctx, true)
	}
	return nil
}

// write commits the batch. Until the last one the history is that of no
// release, so that one that is cut off is completed.
func (rec *recording) write(ctx context.Context, last bool) error {
	var number int64
	err := rec.ledger.update(ctx, func(r *records) error {
		number = rec.number
		var added []any
		for _, p := range rec.batch {
			fresh, err := r.publish(rec.release, &number, p)
			if err != nil {
				return err
			}
			added = append(added, fresh...)
		}
		if err := r.addAddresses(added); err != nil {
			return err
		}
		if err := r.learnt(added); err != nil {
			return err
		}
		for _, id := range rec.gone {
			if err := r.withdraw(rec.release, &number, id); err != nil {
				return err
			}
		}
		switch {
		case last && rec.release.Whole:
			return r.one("record a release", "UPDATE meta SET value = ? WHERE name = 'release'", rec.release.ID)
		case last:
			// What was not whole before is not made so by a part.
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

// numbered returns a release its number in the history.
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

// digests returns those of publications by seller.
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

// publish records what is another than before of one seller, but for its new
// addresses: it gives these as addAddresses takes them.
func (r *records) publish(release Release, number *int64, p Published) (added []any, err error) {
	type span struct{ slug, domain, digest string }
	now := span{p.Slug, p.Domain, p.digest()}
	before, stands, err := first(r, "read the history", func(one row) (s span, err error) {
		err = one.Scan(&s.slug, &s.domain, &s.digest)
		return s, err
	}, "SELECT slug, domain, digest FROM publications WHERE seller_id = ? AND until_release = 0", p.SellerID)
	if err != nil || before == now {
		return nil, err
	}
	if err := r.numbered(release, number); err != nil {
		return nil, err
	}
	if stands && before.slug == now.slug && before.domain == now.domain {
		err = r.one("record a publication", "UPDATE publications SET digest = ? WHERE seller_id = ? AND until_release = 0", now.digest, p.SellerID)
	} else {
		err = r.begin(*number, p, stands)
	}
	if err != nil {
		return nil, err
	}
	return r.addresses(*number, p)
}

// begin opens a span of time, and ends the one before.
func (r *records) begin(number int64, p Published, stands bool) error {
	if stands {
		err := r.one("record a publication", "UPDATE publications SET until_release = ? WHERE seller_id = ? AND until_release = 0", number, p.SellerID)
		if err != nil {
			return err
		}
	}
	return r.one("record a publication",
		"INSERT INTO publications (seller_id, slug, domain, from_release, until_release, digest) VALUES (?, ?, ?, ?, 0, ?)",
		p.SellerID, p.Slug, p.Domain, number, p.digest())
}

// addresses records those that are gone and gives those that are new.
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

// addAddresses records new addresses: a seller, an address and the number of a
// release for each.
func (r *records) addAddresses(added []any) error {
	const columns, rowsAtOnce = 3, 500
	for part := range slices.Chunk(added, columns*rowsAtOnce) {
		rows := strings.Repeat(", (?, ?, ?, 0)", len(part)/columns)[2:]
		if _, err := r.exec("record addresses", "INSERT INTO addresses (seller_id, address, from_release, until_release) VALUES "+rows, part...); err != nil {
			return err
		}
	}
	return nil
}

// learnt notes where new addresses are those of somebody who was removed
// meanwhile: another process published them before.
func (r *records) learnt(added []any) error {
	removed, err := r.texts("SELECT seller_id FROM removals WHERE restored_at = 0")
	if err != nil {
		return err
	}
	for row := range slices.Chunk(added, 3) {
		if id, _ := row[0].(string); slices.Contains(removed, id) {
			return r.revise()
		}
	}
	return nil
}

// withdraw records that a seller is not published any more.
func (r *records) withdraw(release Release, number *int64, sellerID string) error {
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

// texts returns the first column.
func (r *records) texts(query string, args ...any) ([]string, error) {
	return all(r, "read the history", func(one row) (text string, err error) {
		err = one.Scan(&text)
		return text, err
	}, query, args...)
}
