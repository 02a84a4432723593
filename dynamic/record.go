package dynamic

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/dynamic/ledger"
)

// A Record is the ledger as builds use it: they read from it who is removed,
// and write to it what each release published. Its methods are safe for
// concurrent use.
type Record struct {
	ledger *ledger.Ledger
	// listed are removals from an exported list, beside those of the ledger.
	listed *catalog.Removals
	// read are those that the ledger had last, now those that this process withholds.
	read atomic.Pointer[catalog.Removals]
	now  catalog.Register
	// placed are the removals that the release in place was made with.
	placed atomic.Pointer[catalog.Removals]
	// behind: the last release is not in the publication history yet.
	behind atomic.Bool
	// ended has the addresses that releases took away since the last one on record.
	ended map[string][]string
}

// NewRecord makes a Record of a ledger and a list of removals, which hold
// together; the list may be nil.
func NewRecord(l *ledger.Ledger, listed *catalog.Removals) *Record {
	return &Record{ledger: l, listed: listed, ended: map[string][]string{}}
}

// Register returns the removals that this process knows of.
func (r *Record) Register() *catalog.Register { return &r.now }

// Removals reads who is removed and updates the Register. It fails where the
// ledger cannot be read; then nothing must be built. What the Register knows stays there
// where the ledger went back to an earlier state, as of a backup: the documents stay
// withheld by their stubs, and search has nothing else that says so.
func (r *Record) Removals(ctx context.Context) (*catalog.Removals, error) {
	set, err := r.ledger.Removals(ctx, r.read.Load(), r.listed)
	if err != nil {
		return nil, fmt.Errorf("read who is removed: %w", err)
	}
	r.read.Store(set)
	known := r.now.Now()
	_, lost := set.Since(known)
	lost = slices.DeleteFunc(lost, set.Accounts)
	if next := set.With(lost...); known == nil || known.Revision != next.Revision || known.Key() != next.Key() {
		r.now.Learn(next)
	}
	return set, nil
}

// pending counts the removals on record that no release in place was made with.
func (r *Record) pending() int {
	added, _ := r.read.Load().Since(r.placed.Load())
	return len(added)
}

// Released records what a Builder's last build published, unless it is on
// record already. Call it before the next build.
func (r *Record) Released(ctx context.Context, b *build.Builder, report build.Report, at time.Time) error {
	for id, addresses := range report.Touched.Ended {
		r.ended[id] = append(r.ended[id], addresses...)
	}
	err := r.released(ctx, b, report, at)
	r.behind.Store(err != nil)
	if err != nil {
		return fmt.Errorf("record the release: %w", err)
	}
	clear(r.ended)
	return nil
}

func (r *Record) released(ctx context.Context, b *build.Builder, report build.Report, at time.Time) error {
	last, err := r.ledger.LastRelease(ctx)
	if err != nil || last == report.ID {
		return err
	}
	recorded := ledger.Release{ID: report.ID, At: at}
	if t := report.Touched; last == report.Before && last != "" && !t.Whole {
		recorded.Sellers, recorded.Withdrawn = published(slices.Values(t.Sellers)), t.Hidden
	} else {
		all, err := b.Publications()
		if err != nil {
			return err
		}
		recorded.Whole, recorded.Sellers, recorded.Ended = true, published(all), r.ended
	}
	return r.ledger.RecordRelease(ctx, recorded)
}

func published(all iter.Seq[build.Publication]) iter.Seq[ledger.Published] {
	return func(yield func(ledger.Published) bool) {
		for p := range all {
			if !yield(ledger.Published{SellerID: p.ID, Slug: p.Slug, Domain: p.Domain, Addresses: p.Addresses}) {
				return
			}
		}
	}
}
