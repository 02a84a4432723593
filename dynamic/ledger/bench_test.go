//go:build unix

package ledger_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// BenchmarkStart measures durably committed start calls per second.
func BenchmarkStart(b *testing.B) {
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		b.Run(database, func(b *testing.B) {
			m := benchMarket(b, database)
			for b.Loop() {
				if _, err := m.StartRemoval(b.Context(), start("acme")); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "starts/s")
		})
	}
}

// BenchmarkRecordRelease records three releases with 10 addresses per seller: the first
// one, one without known changes, and one with a single edit.
func BenchmarkRecordRelease(b *testing.B) {
	for _, sellers := range []int{1_000, 10_000, 100_000} {
		all := func(yield func(ledger.Published) bool) {
			for i := range sellers {
				p := published(fmt.Sprintf("seller-%d", i))
				for n := range 9 {
					p.Addresses = append(p.Addresses, fmt.Sprintf("companies/seller-%d/products/product-%d", i, n))
				}
				if !yield(p) {
					return
				}
			}
		}
		m := benchMarket(b, "SQLite")
		release := 0
		record := func(b *testing.B, whole bool, changed func(func(ledger.Published) bool)) {
			release++
			r := ledger.Release{ID: fmt.Sprint(release), At: day, Whole: whole, Sellers: changed}
			if err := m.ledger.RecordRelease(b.Context(), r); err != nil {
				b.Fatal(err)
			}
		}
		began := time.Now()
		record(b, true, all)
		b.Logf("%d sellers: the first release took %s", sellers, time.Since(began))
		b.Run(fmt.Sprintf("whole/%d", sellers), func(b *testing.B) {
			for b.Loop() {
				record(b, true, all)
			}
		})
		b.Run(fmt.Sprintf("edit/%d", sellers), func(b *testing.B) {
			for b.Loop() {
				record(b, false, func(yield func(ledger.Published) bool) {
					yield(published("seller-7", fmt.Sprintf("/products/p%d", release)))
				})
			}
		})
	}
}

func benchMarket(b *testing.B, database string) *market {
	b.Helper()
	target := filepath.Join(b.TempDir(), "ledger.db")
	if database == "PostgreSQL" {
		target = postgres(b).Database(b)
	}
	return newMarket(b, target, false)
}

// BenchmarkPurge measures one of the transactions that delete 40,000 expired requests.
func BenchmarkPurge(b *testing.B) {
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		b.Run(database, func(b *testing.B) {
			m := benchMarket(b, database)
			err := m.ledger.Update(b.Context(), func(tx verification.Tx) error {
				for i := range 40_000 {
					err := tx.AddRequest(verification.Request{
						ID: fmt.Sprintf("removal-%d", i), Purpose: verification.ForRemoval, State: verification.Pending,
						CreatedAt: day, ExpiresAt: day.Add(time.Duration(i) * time.Microsecond),
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			m.pass(100 * 24 * time.Hour)
			for b.Loop() {
				if more, err := m.Purge(b.Context()); err != nil || !more {
					b.Fatal("there is no more to purge", err)
				}
			}
		})
	}
}
