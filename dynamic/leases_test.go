//go:build unix

package dynamic

import (
	"context"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/ledger"
	"souk/dynamic/machines/lease"
)

// between is an origin whose release lacks a removal that it already withholds.
type between struct {
	origin
	manifest
	removals catalog.Register
}

func (b *between) sources() sources               { return sources{surface: surface{b, &b.removals}} }
func (b *between) ID() string                     { return "release" }
func (b *between) BuiltFrom() (time.Time, uint64) { return time.Time{}, 1 }
func (b *between) has(revision uint64) *between {
	set := catalog.NewRemovals([]catalog.Removal{{ID: "one"}, {ID: "two"}})
	set.Revision = revision
	b.removals.Learn(set)
	return b
}

// Two sellers are removed, the second once no release contains the first.
func TestAnswerToARemovalDoesNotWaitForLaterRemovals(t *testing.T) {
	l, err := ledger.Open(t.Context(), postgres(t).Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	held := &leases{ledger: l, from: new(between).has(2), keeper: lease.New(lease.Options{})}
	if grant, err := s.Renew(t.Context(), "this", "this", held.state()); err != nil || !grant.Valid {
		t.Fatalf("%+v, %v", grant, err)
	}
	soon, cancel := context.WithTimeout(t.Context(), ledger.LeaseTime/2)
	defer cancel()
	if err := held.settle(soon); err != nil {
		t.Error(err)
	}
}
