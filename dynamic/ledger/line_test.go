//go:build unix

package ledger_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// mailsLeaveInTurn tests the order: removals before claims, then by origin, then the
// smallest crowd and the newest mail in turn.
func mailsLeaveInTurn(t *testing.T, fresh func() string) {
	target := fresh()
	m, other := newMarket(t, target, true), newMarket(t, target, true)
	make := func(process *verification.Process, slug, local, client string, removal bool) {
		t.Helper()
		s := start(slug)
		s.RequesterEmail, s.Client = local+"@"+slug+".example", netip.MustParseAddr(client)
		begin := process.StartClaim
		if removal {
			begin = process.StartRemoval
		}
		if _, err := begin(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		m.pass(time.Second)
		other.pass(time.Second)
	}
	make(m.Process, "acme", "claim", "192.0.2.1", false)
	for i := range 4 { // alternating between the servers
		p := []*verification.Process{m.Process, other.Process}[i%2]
		make(p, "acme", fmt.Sprint("made.up", i), "192.0.2.1", true)
	}
	make(m.Process, "acme", "second", "198.51.100.1", true)
	make(m.Process, "zinc", "jane", "203.0.113.7", true)
	make(m.Process, "acme", "third", "198.51.100.2", true)
	var got []string
	for range 8 {
		mails, err := m.Lease(t.Context(), 2, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range mails {
			got = append(got, one.To.Local)
		}
	}
	const order = "[made.up0 third jane second made.up1 made.up2 made.up3 claim]"
	if fmt.Sprint(got) != order {
		t.Errorf("sent in the order %v, want %s", got, order)
	}
}

// A ledger of version 1 keeps its mails and their classes.
func olderKeepsItsMails(t *testing.T, fresh func() string) {
	target := fresh()
	old, err := ledger.OpenWith(t.Context(), target, steps(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	const insert = `INSERT INTO messages (id, kind, state, to_local, to_domain, name, request_id, seller_id, slug, seller_name, domain,
		workspace, created_at, expires_at, attempts, next_try, accepted_at, last_error)
		VALUES ('%s', '%s', '%s', 'jane', 'acme.example', 'Jane', 'r', 'acme', 'acme', 'Acme', 'acme.example', '', %d, 0, 0, %d, 0, '')`
	db, at := raw(t, target), day.UnixMicro()
	for i, one := range [][3]string{
		{"first", "attached", "waiting"}, {"second", "removed", "waiting"}, {"third", "removed", "accepted"}, {"fourth", "removed", "dropped"},
	} {
		if _, err := db.Exec(fmt.Sprintf(insert, one[0], one[1], one[2], at+int64(i), at+int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	m := newMarket(t, target, true)
	m.pass(time.Minute)
	mails, err := m.Lease(t.Context(), 10, time.Minute)
	if err != nil || len(mails) != 2 || mails[0].ID != "second" || mails[1].ID != "first" {
		t.Errorf("handed out %+v, %v", mails, err)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Waiting != 2 || o.Accepted != 1 || o.Dropped != 1 || !o.Oldest.Equal(day.Truncate(time.Microsecond)) {
		t.Errorf("counted %+v, %v", o, err)
	}
}
