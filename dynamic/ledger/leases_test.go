//go:build unix

package ledger_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/dynamic/ledger"
)

// listen opens a session that is closed when the test ends.
func listen(t *testing.T, l *ledger.Ledger) *ledger.Session {
	t.Helper()
	s, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the database may be gone
	return s
}

func renew(t *testing.T, s *ledger.Session, id string, withheld, made uint64) ledger.Grant {
	t.Helper()
	g, err := s.Renew(t.Context(), id, "server "+id, ledger.ServerState{Withheld: withheld, Built: made, Release: "r"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func settled(t *testing.T, l *ledger.Ledger, revision uint64) []string {
	t.Helper()
	behind, err := l.Settle(t.Context(), revision)
	if err != nil {
		t.Fatal(err)
	}
	return behind
}

func TestRevisionIsSettledOnceEveryLeaseHasIt(t *testing.T) {
	l := open(t, postgres(t).Database(t))
	one, two := listen(t, l), listen(t, l)
	if !renew(t, one, "one", 0, 0).Valid || !renew(t, two, "two", 0, 0).Valid {
		t.Fatal("nothing is settled, and there is no lease")
	}
	renew(t, one, "one", 1, 1)
	renew(t, two, "two", 1, 0)
	if behind := settled(t, l, 1); len(behind) != 1 || behind[0] != "server two" {
		t.Errorf("behind are %q", behind)
	}
	if g := renew(t, two, "two", 1, 0); !g.Valid || g.Settled != 0 {
		t.Errorf("what is not settled ends no lease: %+v", g)
	}
	renew(t, two, "two", 1, 1)
	if behind := settled(t, l, 1); behind != nil {
		t.Errorf("behind are %q", behind)
	}
	for _, less := range []ledger.ServerState{{Withheld: 1}, {Built: 1}, {}} {
		if g := renew(t, two, "late", less.Withheld, less.Built); g.Valid || g.Settled != 1 {
			t.Errorf("with %+v it is %+v", less, g)
		}
	}
	all, err := l.Servers(t.Context())
	if err != nil || all.Settled != 1 || all.Revision != 0 || len(all.Servers) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, s := range all.Servers {
		if s.Name != "server "+s.ID || s.Remaining > ledger.LeaseTime || (s.Remaining > 0) == (s.ID == "late") || s.Release != "r" {
			t.Errorf("on record is %+v", s)
		}
	}
	// A lease that was ended or has expired is not waited for.
	if err := one.End(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for settled(t, l, 2) != nil {
	}
	if took := time.Since(began); took > 2*ledger.LeaseTime {
		t.Errorf("a lease that ran out was waited for %s", took)
	}
}

// Renewals race with Settle. No server may ever hold a lease that was granted with less
// than the revision settled before.
func TestGrantsAndSettlingsAreSerialized(t *testing.T) {
	l := open(t, postgres(t).Database(t))
	var known atomic.Uint64
	var group sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for i := range 4 {
		s := listen(t, l)
		group.Go(func() {
			has := uint64(0)
			for n := 0; ctx.Err() == nil; n++ {
				before := known.Load()
				g, err := s.Renew(ctx, fmt.Sprint(i), fmt.Sprint(i), ledger.ServerState{Withheld: has, Built: has})
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				if g.Valid && has < before {
					t.Errorf("a server with %d was granted a lease after %d was settled", has, before)
					return
				}
				// The server catches up eventually.
				if n%(i+2) == 0 {
					has++
				}
			}
		})
	}
	const enough = 30
	most := uint64(0)
	for ctx.Err() == nil && most < enough {
		behind, err := l.Settle(ctx, most+1)
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		if err == nil && behind == nil {
			most++
			known.Store(most)
		}
	}
	stop()
	group.Wait()
	if most < enough {
		t.Errorf("only %d revisions were settled", most)
	}
}

func TestAnnouncementsReachAllSessions(t *testing.T) {
	target := postgres(t).Database(t)
	l, other := open(t, target), open(t, target)
	s := listen(t, l)
	if heard, err := s.Await(t.Context(), 10*time.Millisecond); heard || err != nil {
		t.Errorf("heard %t of nothing, %v", heard, err)
	}
	for range 3 {
		if err := other.Announce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if heard, err := s.Await(t.Context(), time.Minute); !heard || err != nil {
		t.Errorf("heard %t, %v", heard, err)
	}
	// The connection still works after a wait that timed out.
	renew(t, s, "one", 0, 0)
	m := newMarket(t, target, false)
	id, token := m.removal("acme")
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Fatal(err)
	}
	if heard, err := s.Await(t.Context(), time.Minute); !heard || err != nil {
		t.Errorf("of a removal it heard %t, %v", heard, err)
	}
	if g := renew(t, s, "one", 0, 0); g.Revision != uint64(day.UnixMilli()) {
		t.Errorf("the revision is %d", g.Revision)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Await(gone, time.Minute); err == nil {
		t.Error("the end is not told")
	}
	if open(t, t.TempDir()+"/ledger.db").Shared() || !l.Shared() {
		t.Error("a ledger in SQLite is shared, or one in PostgreSQL is not")
	}
}
