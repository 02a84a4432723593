package dynamic

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/release"
	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// An Archive ties builds to the ledger: a build asks it who is withdrawn, and
// tells it what each release published. Its methods are safe for concurrent
// use.
type Archive struct {
	ledger *ledger.Ledger
	// also are removals from elsewhere: a list that was exported.
	also *catalog.Removals

	mu sync.Mutex
	// last is what Withdrawn answered, and slugs all that those had.
	last  build.Withdrawn
	slugs []string
}

// NewArchive makes an Archive. The removals of a list, which may be nil, hold
// beside those of the ledger.
func NewArchive(l *ledger.Ledger, also *catalog.Removals) *Archive {
	return &Archive{ledger: l, also: also}
}

// Withdrawn tells who may appear nowhere. It fails where the ledger cannot be
// read: whoever builds then must not.
func (a *Archive) Withdrawn(ctx context.Context) (build.Withdrawn, error) {
	removals, err := a.ledger.Removals(ctx)
	if err != nil {
		return build.Withdrawn{}, err
	}
	recorded, err := a.recorded(ctx)
	if err != nil {
		return build.Withdrawn{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.Concat(removals.List(), a.also.List())
	// What a removed seller had does not change any more.
	if a.last.Removals != nil && slices.Equal(list, a.last.Removals.List()) {
		a.last.Recorded = recorded
		return a.last, nil
	}
	formers, err := a.ledger.Formers(ctx)
	if err != nil {
		return build.Withdrawn{}, err
	}
	a.last, a.slugs = build.Withdrawn{Removals: catalog.NewRemovals(list), Recorded: recorded, Listed: a.also != nil}, nil
	for _, f := range formers {
		a.last.Addresses = append(a.last.Addresses, f.Addresses...)
		a.slugs = append(append(a.slugs, f.Removal.Slug), f.Slugs...)
	}
	return a.last, nil
}

// recorded tells whether the ledger ever knew of a removal; one that does not
// may be a new one in the place of one that was lost.
func (a *Archive) recorded(ctx context.Context) (recorded bool, err error) {
	err = a.ledger.View(ctx, func(r verification.Reader) error {
		ever, err := r.Removals(true)
		recorded = len(ever) > 0
		return err
	})
	return recorded, err
}

// formerSlugs gives every companySlug that those had who were withdrawn when
// that was last asked.
func (a *Archive) formerSlugs() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.slugs)
}

// holds tells whether the owner of a companySlug was withdrawn when that was
// last asked.
func (a *Archive) holds(o release.Owner) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last.Removals.HoldsOwner(o.ID, o.Domains)
}

// Record writes what a Builder's last build published, if that is not on
// record. It is to be called before the next build.
func (a *Archive) Record(ctx context.Context, b *build.Builder, report build.Report, at time.Time) error {
	last, err := a.ledger.LastRelease(ctx)
	if err != nil || last == report.ID {
		return err
	}
	recorded := ledger.Release{ID: report.ID, At: at}
	if t := report.Touched; last == report.Before && last != "" && !t.Whole {
		recorded.Sellers, recorded.Withdrawn = published(slices.Values(t.Sellers)), t.Hidden
	} else {
		all, err := b.Publications(ctx)
		if err != nil {
			return fmt.Errorf("record the release: %w", err)
		}
		recorded.Whole, recorded.Sellers = true, published(all)
	}
	if err := a.ledger.RecordRelease(ctx, recorded); err != nil {
		return fmt.Errorf("record the release: %w", err)
	}
	return nil
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
