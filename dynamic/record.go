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

// A Record connects builds to the ledger: they read the removals from it, and record in it
// what each release published. Its methods are safe for concurrent use.
type Record struct {
	ledger *ledger.Ledger
	// listed are removals from an exported list, in addition to those in the ledger.
	listed *catalog.Removals
	// read are the removals last read from the ledger; now are those that this process
	// withholds.
	read atomic.Pointer[catalog.Removals]
	now  catalog.Register
	// inRelease are the removals with which the current release was built.
	inRelease atomic.Pointer[catalog.Removals]
	// unrecorded means that the last release is not in the publication history yet.
	unrecorded atomic.Bool
	// ended contains the addresses that releases have removed since the last recorded
	// release.
	ended map[string][]string
}

// NewRecord returns a Record that combines a ledger with a list of removals, which may be
// nil.
func NewRecord(l *ledger.Ledger, listed *catalog.Removals) *Record {
	return &Record{ledger: l, listed: listed, ended: map[string][]string{}}
}

// Register returns the removals that this process knows.
func (r *Record) Register() *catalog.Register { return &r.now }

// Removals reads the removals and updates the Register. If the ledger cannot be read it
// fails, and then nothing must be built. If the ledger was restored to an earlier state, the
// Register keeps the removals that it knows: stubs withhold the documents, but only the
// Register withholds sellers from search.
func (r *Record) Removals(ctx context.Context) (*catalog.Removals, error) {
	set, err := r.ledger.Removals(ctx, r.read.Load(), r.listed)
	if err != nil {
		return nil, fmt.Errorf("read the removals: %w", err)
	}
	r.read.Store(set)
	known := r.now.Now()
	_, _, lost := set.Since(known)
	if next := set.With(lost...); known == nil || known.Revision != next.Revision || known.Key() != next.Key() {
		r.now.Learn(next)
	}
	return set, nil
}

// pending returns the number of recorded removals that the current release was built
// without.
func (r *Record) pending() int {
	added, _, _ := r.read.Load().Since(r.inRelease.Load())
	return len(added)
}

// Released records what a Builder's last build published, unless that is recorded already.
// Call it before the next build.
func (r *Record) Released(ctx context.Context, b *build.Builder, report build.Report, at time.Time) error {
	for id, addresses := range report.Touched.Ended {
		r.ended[id] = append(r.ended[id], addresses...)
	}
	err := r.released(ctx, b, report, at)
	r.unrecorded.Store(err != nil)
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
