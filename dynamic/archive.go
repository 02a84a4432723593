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
	// last is what Withdrawn answered, slugs all that those had, and recorded
	// the release up to which the history was then on record.
	last     build.Withdrawn
	slugs    []string
	recorded string
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
	ever, err := a.ever(ctx)
	if err != nil {
		return build.Withdrawn{}, err
	}
	recorded, err := a.ledger.LastRelease(ctx)
	if err != nil {
		return build.Withdrawn{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.Concat(removals.List(), a.also.List())
	// What a removed seller had does not change any more, but for a release that
	// another process made before the removal and recorded after it.
	if a.last.Removals != nil && slices.Equal(list, a.last.Removals.List()) && recorded == a.recorded && recorded != "" {
		a.last.Recorded = ever
		return a.last, nil
	}
	formers, err := a.ledger.Formers(ctx, a.also.List()...)
	if err != nil {
		return build.Withdrawn{}, err
	}
	a.last, a.slugs, a.recorded = build.Withdrawn{Removals: catalog.NewRemovals(list), Recorded: ever, Listed: a.also != nil}, nil, recorded
	a.last.Addresses = slices.Clone(a.also.Addresses())
	for _, f := range formers {
		a.last.Addresses = append(a.last.Addresses, f.Addresses...)
		if f.Removal.Slug != "" {
			a.slugs = append(a.slugs, f.Removal.Slug)
		}
		a.slugs = append(a.slugs, f.Slugs...)
	}
	return a.last, nil
}

// ever tells whether the ledger ever knew of a removal; one that does not may be
// a new one in the place of one that was lost.
func (a *Archive) ever(ctx context.Context) (known bool, err error) {
	err = a.ledger.View(ctx, func(r verification.Reader) error {
		ever, err := r.Removals(true)
		known = len(ever) > 0
		return err
	})
	return known, err
}

// removals gives who was withdrawn when that was last asked.
func (a *Archive) removals() *catalog.Removals {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last.Removals
}

// formerSlugs gives every companySlug that those had who were withdrawn when
// that was last asked.
func (a *Archive) formerSlugs() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.slugs)
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
	a.mu.Lock()
	defer a.mu.Unlock()
	if last != "" && last == a.recorded {
		// The sellers that were withdrawn are not in it.
		a.recorded = report.ID
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
