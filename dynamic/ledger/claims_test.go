//go:build unix

package ledger_test

import (
	"sync"
	"testing"
	"time"
)

func attachmentsEndOnRecord(t *testing.T, fresh func() string) {
	target := fresh()
	m := newMarket(t, target, false)
	id, token := m.claim("acme")
	if _, err := m.VerifyClaim(t.Context(), id, token, "ws-1"); err != nil {
		t.Fatal(err)
	}
	m.claim("zinc")
	record(t, m.ledger, whole("r1", 0, published("acme")))
	attached, pending, err := m.Claims(t.Context())
	if err != nil || len(attached) != 1 || len(pending) != 1 || attached[0].Seller.Slug != "acme" || attached[0].RequesterName != "Jane Doe" || pending[0].Slug != "zinc" {
		t.Fatalf("claims %+v %+v, %v", attached, pending, err)
	}
	// If two programs move the profile at once, neither overwrites the other's change
	// unnoticed.
	m.pass(time.Hour)
	other := newMarket(t, target, false)
	other.pass(time.Hour)
	var wait sync.WaitGroup
	for _, one := range []struct {
		m  *market
		to string
	}{{m, "ws-2"}, {other, "ws-3"}} {
		wait.Go(func() {
			if _, err := one.m.MoveClaim(t.Context(), "acme", one.to, "moved"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	h, err := m.History(t.Context(), "acme")
	if err != nil || len(h.Attachments) != 1 || len(h.Detachments) != 2 {
		t.Fatalf("history %+v, %v", h, err)
	}
	now := h.Attachments[0].Workspace
	between := map[string]string{"ws-2": "ws-3", "ws-3": "ws-2"}[now]
	for _, d := range h.Detachments {
		if d.Reason != "moved" || !d.At.Equal(day.Add(time.Hour)) || d.ClaimID != id ||
			!(d.Workspace == "ws-1" && d.MovedTo == between) && !(d.Workspace == between && d.MovedTo == now) {
			t.Errorf("on record %+v, and it is %s's", d, now)
		}
	}
	if _, err := m.ReleaseClaim(t.Context(), "acme.example", "released"); err != nil {
		t.Fatal(err)
	}
	if attached, _, err := other.Claims(t.Context()); err != nil || len(attached) != 0 {
		t.Errorf("still attached: %+v, %v", attached, err)
	}
	if h, err := other.History(t.Context(), "acme"); err != nil || len(h.Attachments) != 0 || len(h.Detachments) != 3 {
		t.Errorf("history %+v, %v", h, err)
	}
}
