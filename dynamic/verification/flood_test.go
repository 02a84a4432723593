package verification_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"testing"
	"time"

	"souk/dynamic/verification"
)

// inOne is a Ledger within one transaction of another, so that thousands of starts are
// fast: none waits for the disk.
type inOne struct{ tx verification.Tx }

func (l inOne) View(_ context.Context, f func(verification.Reader) error) error { return f(l.tx) }
func (l inOne) Update(_ context.Context, f func(verification.Tx) error) error   { return f(l.tx) }

// sendTime is how long the tests' mail server takes to accept a mail.
const sendTime = 100 * time.Millisecond

// A flood is a series of made-up starts of removals.
type flood struct {
	name string
	// more is how many more arrive for each mail that is sent. Some of them arrive between
	// the honest start and the sending of the next mail.
	more int
	// start returns the i-th start.
	start func(i int) verification.Start
	// rest means that rate limits may refuse some, because the flood comes from few
	// origins.
	rest bool
}

func made(i int, slug, client string) verification.Start {
	return from(fmt.Sprintf("made.up%d@%s.example", i, slug), slug, client)
}

// seller returns one of thousands of slugs.
func seller(i int) string { return "seller-" + strconv.Itoa(i) }

// v4 returns an address in a different /16 for each i.
func v4(i int) string { return fmt.Sprintf("%d.%d.%d.9", 20+i%200, i/200%250, i%250) }

var floods = []flood{
	{name: "one address", rest: true, start: func(i int) verification.Start { return made(i, "acme", "192.0.2.1") }},
	{name: "five addresses", rest: true, start: func(i int) verification.Start {
		return made(i, "acme", "192.0.2."+strconv.Itoa(1+i%5))
	}},
	{name: "a /64 after the other of one /48", rest: true, start: func(i int) verification.Start {
		return made(i, "acme", fmt.Sprintf("2001:db8:7:%x::1", i))
	}},
	{name: "a /48 after the other", start: func(i int) verification.Start { return made(i, "acme", fmt.Sprintf("2001:db8:%x::1", i)) }},
	{name: "a /48 after the other, without end", more: 3, start: func(i int) verification.Start {
		return made(i, "acme", fmt.Sprintf("2001:db8:%x::1", i))
	}},
	{name: "ten of each address", start: func(i int) verification.Start { return made(i, "acme", v4(i/10)) }},
	{name: "each address at a seller of its own", start: func(i int) verification.Start { return made(i, seller(i), v4(i)) }},
	{name: "twenty at each seller", start: func(i int) verification.Start { return made(i, seller(i/20), v4(i/2)) }},
	{name: "addresses everywhere at other sellers, without end", more: 3, start: func(i int) verification.Start {
		return made(i, seller(i%10), v4(i))
	}},
}

var floodSize = flag.Int("flood", 1300, "how many mails are made up; 13000 take minutes")

// However many thousands of made-up mails there are, and whatever they have in common, none
// delays an honest one by more than 5 seconds at 10 mails per second.
func TestNoFloodRefusesOrDelaysAnHonestRemoval(t *testing.T) {
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			m := newMarket(t, limited)
			outer := m.config.Ledger
			err := outer.Update(t.Context(), func(tx verification.Tx) error {
				m.within(tx)
				m.flooded(f)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// within runs the market's process within a transaction, with all sellers that the floods
// name.
func (m *market) within(tx verification.Tx) {
	m.t.Helper()
	for i := range 2 * *floodSize {
		m.public(seller(i))
	}
	m.config.Ledger = inOne{tx}
	p, err := verification.New(m.config)
	if err != nil {
		m.t.Fatal(err)
	}
	m.Process = p
}

func (m *market) public(slug string) {
	m.set(verification.Seller{ID: slug, Slug: slug, Name: slug, OfficialDomain: slug + ".example", Current: true})
}

func (m *market) flooded(f flood) {
	m.t.Helper()
	n := 0
	next := func() {
		_, err := m.StartRemoval(m.t.Context(), f.start(n))
		var known *verification.Error
		if err != nil && !(f.rest && errors.As(err, &known) && known.Code == verification.CodeRateLimited) {
			m.t.Fatalf("start %d: %v", n, err)
		}
		n++
		m.pass(time.Microsecond)
	}
	for n < *floodSize {
		next()
	}
	waiting, err := m.Outbox(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	honest, err := m.StartRemoval(m.t.Context(), from("jane@acme.example", "acme", "198.51.100.7"))
	if err != nil {
		m.t.Fatalf("the honest start: %v", err)
	}
	began, sent := m.now(), 0
	for range 20 * f.more {
		next()
	}
	for m.now().Sub(began) <= 5*time.Second {
		mails, err := m.Lease(m.t.Context(), 2, time.Hour)
		if err != nil || len(mails) == 0 {
			m.t.Fatal("no mail is in line", err)
		}
		for _, mail := range mails {
			m.pass(sendTime)
			sent++
			if mail.RequestID == honest.ID {
				m.t.Logf("%d mails wait; the honest one was the %dth to be sent, after %v", waiting.Waiting, sent, m.now().Sub(began))
				return
			}
			if err := m.Accepted(m.t.Context(), mail); err != nil {
				m.t.Fatal(err)
			}
			for range f.more {
				next()
			}
		}
	}
	m.t.Errorf("%d mails wait; the honest one is not among the first %d", waiting.Waiting, sent)
}

// Claims in the owner's name do not use up the limits for removals: neither the mailbox's
// limit nor the limit of the client address that a company shares.
func TestClaimsLeaveRoomForRemovals(t *testing.T) {
	m := newMarket(t, limited)
	for i := range 10 {
		s := from("jane@acme.example", "acme", "192.0.2.7")
		if i >= 5 {
			s = from(fmt.Sprintf("j%d@acme.example", i), "acme", "192.0.2.7")
		}
		if _, err := m.StartClaim(t.Context(), s); err != nil {
			t.Fatalf("claim %d: %v", i+1, err)
		}
		m.pass(time.Minute)
	}
	_, err := m.StartClaim(t.Context(), jane)
	want(t, "an eleventh claim", err, verification.CodeRateLimited)
	_, err = m.StartRemoval(t.Context(), jane)
	want(t, "the owner's removal, from the same address", err, "")
	if mails := m.mails(); len(mails) != 11 || mails[0].Kind != verification.MailRemoval {
		t.Errorf("%d mails, the first about a %s", len(mails), mails[0].Kind)
	}
}

// 40 made-up mailboxes of a company, from five addresses, block nobody there.
func TestMadeUpMailboxesDoNotBlockTheCompany(t *testing.T) {
	m := newMarket(t, limited)
	for i := range 40 {
		for _, start := range []func(context.Context, verification.Start) (verification.Started, error){m.StartClaim, m.StartRemoval} {
			if _, err := start(t.Context(), made(i, "acme", "192.0.2."+strconv.Itoa(i%5))); err != nil {
				t.Fatalf("start %d: %v", i, err)
			}
		}
		m.pass(time.Second)
	}
	honest, err := m.StartRemoval(t.Context(), from("jane@acme.example", "acme", "198.51.100.7"))
	if err != nil {
		t.Fatal(err)
	}
	if mails, err := m.Lease(t.Context(), 2, time.Minute); err != nil || mails[1].RequestID != honest.ID {
		t.Errorf("the honest mail is not among the next two: %+v, %v", mails, err)
	}
}

// A mailbox gets at most five mails per hour for each purpose, and as many again for
// spellings with a plus, which count separately.
func TestMailsToAMailboxAreLimited(t *testing.T) {
	m := newMarket(t, limited)
	made := map[string]int{}
	for i := range 120 {
		for _, local := range []string{"jane+" + strconv.Itoa(i), "jane", "JANE"} {
			s := from(local+"@acme.example", "acme", v4(3*i))
			if _, err := m.StartClaim(t.Context(), s); err == nil {
				made["claims"]++
			}
			if _, err := m.StartRemoval(t.Context(), s); err == nil {
				made["removals"]++
			}
			m.pass(10 * time.Second)
		}
	}
	if made["claims"] > 10 || made["removals"] > 10 || made["claims"] < 5 {
		t.Errorf("in an hour a mailbox is sent %v", made)
	}
	m = newMarket(t, limited)
	for i := range 10 {
		_, err := m.StartRemoval(t.Context(), from("jane+"+strconv.Itoa(i)+"@acme.example", "acme", v4(i)))
		if i < 1 {
			want(t, "the first", err, "")
		}
		m.pass(time.Minute)
	}
	_, err := m.StartRemoval(t.Context(), jane)
	want(t, "the plain spelling", err, "")
}

// A correct token is accepted no matter what was requested before.
func TestNoLimitRefusesACorrectToken(t *testing.T) {
	m := newMarket(t, limited)
	l := m.removal(jane)
	for i := range 60 {
		_, _ = m.StartRemoval(t.Context(), jane)
		_, _ = m.StartRemoval(t.Context(), made(i, "acme", "192.0.2.7"))
		for range 20 {
			want(t, "a guess", m.verifyRemoval(link{l.id, "guess"}), verification.CodeVerificationNotFound)
		}
	}
	want(t, "the right token", m.verifyRemoval(l), "")
}

// This happens if a machine starts with the clock in another time zone until it
// synchronizes the time.
func TestClockThatWasAheadBlocksNoRequests(t *testing.T) {
	m := newMarket(t, limited)
	m.pass(3 * time.Hour)
	for i := range 10 {
		m.claim(by(fmt.Sprintf("jane+%d@acme.example", i), "acme"))
		m.pass(time.Hour)
	}
	m.pass(-13 * time.Hour)
	m.claim(jane)
	_, err := m.StartClaim(t.Context(), jane)
	want(t, "again at once", err, verification.CodeRateLimited)
	m.pass(-time.Second)
	_, err = m.StartClaim(t.Context(), jane)
	want(t, "again a moment before", err, verification.CodeRateLimited)
}
