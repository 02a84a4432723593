//go:build unix

package ledger_test

import (
	"errors"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

func claimIsOnRecord(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), true)
	id, token := m.claim("acme")
	read := func() (q verification.Request) {
		err := m.ledger.View(t.Context(), func(r verification.Reader) (err error) {
			q, _, err = r.Request(verification.ForClaim, id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	q := read()
	want := verification.Request{
		ID: id, Purpose: verification.ForClaim, State: verification.Pending, SellerID: "acme", Slug: "acme", SellerName: "The acme",
		Domain: "acme.example", RequesterName: "Jane Doe", Requester: verification.Address{Local: "jane", Domain: "acme.example"},
		CreatedAt: day, ExpiresAt: day.Add(24 * time.Hour),
	}
	if len(q.TokenHashes) != 1 {
		t.Errorf("%d hashes are kept, want one", len(q.TokenHashes))
	}
	q.TokenHashes = nil
	if !same(q, want) {
		t.Errorf("pending:\n got %+v\nwant %+v", q, want)
	}
	m.pass(time.Hour)
	a, err := m.VerifyClaim(t.Context(), id, token, "ws-1")
	if err != nil {
		t.Fatal(err)
	}
	if at := day.Add(time.Hour); !a.AttachedAt.Equal(at) || a.Workspace != "ws-1" || a.ClaimID != id {
		t.Errorf("attached %+v", a)
	}
	if q := read(); q.State != verification.Used || !q.UsedAt.Equal(day.Add(time.Hour)) || q.Workspace != "ws-1" {
		t.Errorf("used %+v", q)
	}
	if h, err := m.History(t.Context(), "acme.example"); err != nil || len(h.Attachments) != 1 || h.Attachments[0].ClaimID != id {
		t.Errorf("history %+v, %v", h, err)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Waiting != 2 || !o.Oldest.Equal(day) || !o.Next.Equal(day.Add(time.Minute)) {
		t.Errorf("outbox %+v, %v", o, err)
	}
}

// same compares Requests without their hashes.
func same(a, b verification.Request) bool {
	return a.ID == b.ID && a.Purpose == b.Purpose && a.State == b.State && a.SellerID == b.SellerID && a.Slug == b.Slug &&
		a.SellerName == b.SellerName && a.Domain == b.Domain && a.RequesterName == b.RequesterName && a.Requester == b.Requester &&
		a.CreatedAt.Equal(b.CreatedAt) && a.ExpiresAt.Equal(b.ExpiresAt) && a.UsedAt.Equal(b.UsedAt) && a.Workspace == b.Workspace
}

func removalOutlivesTheProcess(t *testing.T, fresh func() string) {
	target := fresh()
	m := newMarket(t, target, false)
	id, token := m.removal("acme")
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Fatal(err)
	}
	again := open(t, target)
	removals, err := again.Removals(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []struct {
		company catalog.Company
		held    bool
	}{
		{catalog.Company{ID: "acme"}, true}, {catalog.Company{ID: "other", Domain: "acme.example"}, true}, {catalog.Company{ID: "zinc"}, false},
	} {
		if _, held := removals.Holds(who.company); held != who.held {
			t.Errorf("%+v: held: %t", who.company, held)
		}
	}
}

func failedUpdateLeavesNothing(t *testing.T, fresh func() string) {
	l := open(t, fresh())
	token := verification.APIToken{ID: "token-1", Workspace: "w", Hash: "h", CreatedAt: day}
	mistake := errors.New("a mistake")
	count := func() (n int) {
		err := l.View(t.Context(), func(r verification.Reader) error {
			list, err := r.APITokens()
			n = len(list)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	err := l.Update(t.Context(), func(tx verification.Tx) error {
		return errors.Join(tx.AddAPIToken(token), mistake)
	})
	if !errors.Is(err, mistake) || count() != 0 {
		t.Errorf("%v, and %d records", err, count())
	}
	func() {
		defer func() { _ = recover() }()
		_ = l.Update(t.Context(), func(tx verification.Tx) error {
			_ = tx.AddAPIToken(token)
			panic("half way")
		})
	}()
	if count() != 0 {
		t.Error("a panic left a record")
	}
	if err := l.Update(t.Context(), func(tx verification.Tx) error { return tx.AddAPIToken(token) }); err != nil || count() != 1 {
		t.Errorf("afterwards: %v, and %d records", err, count())
	}
}

// updatesHappenOneAfterTheOther increments a number through two connections, each of which
// reads it first, while a reader watches.
func updatesHappenOneAfterTheOther(t *testing.T, fresh func() string) {
	target := fresh()
	both := []*ledger.Ledger{open(t, target), open(t, target)}
	token := verification.APIToken{ID: "token-1", Workspace: "w", Hash: "h", CreatedAt: day}
	if err := both[0].Update(t.Context(), func(tx verification.Tx) error { return tx.AddAPIToken(token) }); err != nil {
		t.Fatal(err)
	}
	const rounds = 40
	wantTally(t, atOnce(rounds, func(i int) error {
		return both[i%2].Update(t.Context(), func(tx verification.Tx) error {
			list, err := tx.APITokens()
			if err != nil {
				return err
			}
			one := list[0]
			one.LastUsedAt = one.LastUsedAt.Add(time.Second)
			if list[0].LastUsedAt.IsZero() {
				one.LastUsedAt = day
			}
			return tx.ChangeAPIToken(one)
		})
	}), map[verification.Code]int{"": rounds})
	err := both[0].View(t.Context(), func(r verification.Reader) error {
		list, err := r.APITokens()
		if err == nil && !list[0].LastUsedAt.Equal(day.Add((rounds-1)*time.Second)) {
			t.Errorf("%d additions came to %s", rounds, list[0].LastUsedAt.Sub(day))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func restoredAndRemovedAgain(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	for round := 1; round <= 2; round++ {
		id, token := m.removal("acme")
		if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Restore(t.Context(), "acme.example", "a mistake"); err != nil {
			t.Fatal(err)
		}
		if r, err := m.ledger.Removals(t.Context(), nil, nil); err != nil || !r.Empty() {
			t.Errorf("%v, %v", r.List(), err)
		}
		m.pass(time.Hour)
		if all, err := m.ListRemovals(t.Context(), true); err != nil || len(all) != round || all[round-1].Restored.Reason != "a mistake" {
			t.Errorf("%+v, %v", all, err)
		}
	}
}
