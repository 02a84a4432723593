//go:build unix

package ledger_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/dynamic/verification"
)

const month = 30 * 24 * time.Hour

// counts returns the number of rows in each table, without those that a query excludes.
func (m *market) counts(t *testing.T, target string, tables ...string) (all []int) {
	t.Helper()
	for _, table := range tables {
		var n int
		if err := raw(t, target).QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// purge lets processes purge in turn until nothing is left, and returns the number of
// rounds.
func purge(t *testing.T, both ...*market) (times int) {
	t.Helper()
	for {
		more, err := both[times%len(both)].Purge(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if times++; !more {
			return times
		}
	}
}

// expiredIsPurged tests that unverified requests and their requesters are deleted after a
// month, while verified ones, the history and the counts stay.
func expiredIsPurged(t *testing.T, fresh func() string) {
	target := fresh()
	m, other := newMarket(t, target, false), newMarket(t, target, false)
	claim, token := m.claim("acme")
	if _, err := m.VerifyClaim(t.Context(), claim, token, "ws"); err != nil {
		t.Fatal(err)
	}
	removal, token := m.removal("zinc")
	if _, err := m.VerifyRemoval(t.Context(), removal, token); err != nil {
		t.Fatal(err)
	}
	const unproven = 450
	var late string
	err := m.ledger.Update(t.Context(), func(tx verification.Tx) error {
		for i := range unproven {
			q := verification.Request{
				ID: fmt.Sprintf("removal-%d", i), Purpose: verification.ForRemoval, State: verification.Pending, SellerID: "tin", Slug: "tin",
				RequesterName: "Mallory", Requester: verification.Address{Local: "secret.mallory", Domain: "tin.example"},
				CreatedAt: day, ExpiresAt: day.Add(24 * time.Hour),
			}
			mail := verification.Message{ID: q.ID, Kind: verification.MailRemoval, To: q.Requester, RequestID: q.ID, CreatedAt: day, ExpiresAt: q.ExpiresAt}
			if err := tx.AddRequest(q); err != nil {
				return err
			}
			if err := tx.AddMessage(mail); err != nil {
				return err
			}
			if err := tx.EndMessage(mail.ID, verification.Accepted, day, ""); err != nil {
				return err
			}
		}
		return tx.AddRecent([]verification.Hash{"h"}, day)
	})
	if err != nil {
		t.Fatal(err)
	}
	late, token = m.claim("tin")
	m.pass(24*time.Hour + month - time.Microsecond)
	other.pass(24*time.Hour + month - time.Microsecond)
	purge(t, m, other)
	// The links have expired; opening one reports that.
	if _, err := m.VerifyClaim(t.Context(), late, token, "ws"); !has(err, verification.CodeVerificationExpired) {
		t.Errorf("a late click: %v", err)
	}
	if got := fmt.Sprint(m.counts(t, target, "removal_requests", "rate_events")); got != "[451 0]" {
		t.Errorf("before their time, rows are left: %s", got)
	}
	for _, mail := range []string{"claim." + claim, "removal." + removal, "attached." + claim, "removed." + removal, "claim." + late} {
		if err := m.ledger.Update(t.Context(), func(tx verification.Tx) error {
			return tx.EndMessage(mail, verification.Dropped, m.now(), "late")
		}); err != nil {
			t.Fatal(err)
		}
	}
	m.pass(time.Microsecond)
	other.pass(time.Microsecond)
	if times := purge(t, m, other); times != 3 {
		t.Errorf("%d requests of a sort were purged in %d turns", unproven, times)
	}
	if got := fmt.Sprint(m.counts(t, target, "claims", "removal_requests", "messages", "idempotency", "rate_events")); got != "[1 1 0 0 0]" {
		t.Errorf("rows left: %s", got)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o != (verification.OutboxState{Accepted: unproven, Dropped: 5}) {
		t.Errorf("counted %+v, %v", o, err)
	}
	for _, name := range []string{"acme", "zinc"} {
		if h, err := m.History(t.Context(), name); err != nil || len(h.Attachments)+len(h.Removals) != 1 {
			t.Errorf("%s: the history is %+v, %v", name, h, err)
		}
	}
	if _, err := m.VerifyClaim(t.Context(), claim, "guess", "ws"); !has(err, verification.CodeVerificationNotFound) {
		t.Errorf("a proven claim: %v", err)
	}
}

// nothingIsCounted tests that the stored state of the outbox equals a count.
func nothingIsCounted(t *testing.T, fresh func() string) {
	target := fresh()
	m := newMarket(t, target, false)
	for i := range 12 {
		m.claim(fmt.Sprintf("seller-%d", i))
	}
	m.pass(time.Hour)
	mails, err := m.Lease(t.Context(), 9, time.Minute)
	if err != nil || len(mails) != 9 {
		t.Fatal(len(mails), err)
	}
	for i, mail := range mails {
		err := []func() error{
			func() error { return m.Accepted(t.Context(), mail) },
			func() error { return m.GiveUp(t.Context(), mail, "550") },
			func() error { return m.Failed(t.Context(), mail, m.now(), "451") },
		}[i%3]()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Accepted(t.Context(), mails[0]); err != nil { // a second time
			t.Fatal(err)
		}
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Waiting != 6 || o.Accepted != 3 || o.Dropped != 3 {
		t.Errorf("kept %+v, %v", o, err)
	}
	if got := fmt.Sprint(m.counts(t, target, "messages WHERE state = 'waiting'", "messages WHERE state = 'accepted'")); got != "[6 3]" {
		t.Errorf("counted %s", got)
	}
	// Rows changed by hand are not noticed, since nothing is counted.
	if _, err := raw(t, target).Exec("UPDATE messages SET state = 'dropped' WHERE state = 'accepted'"); err != nil {
		t.Fatal(err)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Accepted != 3 {
		t.Errorf("kept %+v, %v", o, err)
	}
}

// Purged data is overwritten in the file, too.
func TestPurgedAddressesAreGoneFromTheFile(t *testing.T) {
	target := filepath.Join(t.TempDir(), "ledger.db")
	m := newMarket(t, target, false)
	s := start("acme")
	s.RequesterEmail = "whoever.asked@acme.example"
	if _, err := m.StartRemoval(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	holds := func() bool {
		// Move the log into the file.
		if _, err := raw(t, target).Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(data, []byte("whoever.asked"))
	}
	if !holds() {
		t.Fatal("the address is not in the file to begin with")
	}
	m.pass(24*time.Hour + month)
	if mails, err := m.Lease(t.Context(), 1, time.Minute); err != nil || len(mails) != 0 {
		t.Fatal(mails, err)
	}
	purge(t, m)
	if holds() {
		t.Error("the address is still in the file")
	}
}
