package verification_test

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

func TestStartCreatesARequestAndItsMail(t *testing.T) {
	m := newMarket(t, nil)
	s := jane
	s.RequesterEmail = "Jane.Doe@ACME.example"
	made, err := m.StartRemoval(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if made.SentTo != "J***@acme.example" || !made.ExpiresAt.Equal(day.Add(24*time.Hour)) || made.Seller.Slug != "acme" || made.Seller.Name != "acme Ltd" {
		t.Errorf("answered %+v", made)
	}
	mails := m.mails()
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	mail := mails[0]
	if mail.Kind != verification.MailRemoval || mail.To.Mailbox() != "Jane.Doe@acme.example" || mail.Name != "Jane Doe" ||
		mail.RequestID != made.ID || mail.Slug != "acme" || mail.Domain != "acme.example" || !mail.ExpiresAt.Equal(made.ExpiresAt) {
		t.Errorf("the mail is %+v", mail)
	}
}

func TestInvalidStartsAreRefused(t *testing.T) {
	m := newMarket(t, nil)
	m.set(verification.Seller{ID: "draft", Slug: "draft", OfficialDomain: "draft.example"})
	m.set(verification.Seller{ID: "gone", Slug: "gone", OfficialDomain: "gone.example", Removed: true})
	for _, c := range []struct {
		what string
		s    verification.Start
		code verification.Code
	}{
		{"nobody's slug", by("jane@acme.example", "nobody"), verification.CodeNotFound},
		{"a slug that is none", by("jane@acme.example", "\x00'; --"), verification.CodeNotFound},
		{"an unpublished seller", by("jane@draft.example", "draft"), verification.CodeNotFound},
		{"a seller withheld by another list", by("jane@gone.example", "gone"), verification.CodeRemoved},
		{"another's domain", by("jane@zinc.example", "acme"), verification.CodeDomainMismatch},
		{"a sub-domain", by("jane@mail.acme.example", "acme"), verification.CodeDomainMismatch},
		{"no address", by("jane", "acme"), verification.CodeInvalidField},
		{"no name", verification.Start{Slug: "acme", RequesterName: "  ", RequesterEmail: "jane@acme.example"}, verification.CodeInvalidField},
		{"a name of two lines", named("Jane\nDoe"), verification.CodeInvalidField},
		{"a name that turns the text around", named("Jane\u202eeoD"), verification.CodeInvalidField},
		{"a name with an address", named("see https://evil.example"), verification.CodeInvalidField},
		{"a long name", named(strings.Repeat("é", 101)), verification.CodeInvalidField},
		{"a name that is no text", named("\xff"), verification.CodeInvalidField},
		{"a name of many letters", named("Zoë O’Neill-Łukasz می\u200cخواهم 王 (CEO/Founder)"), ""},
	} {
		for flow, start := range map[string]func() error{
			"claim":   func() error { _, err := m.StartClaim(t.Context(), c.s); return err },
			"removal": func() error { _, err := m.StartRemoval(t.Context(), c.s); return err },
		} {
			want(t, flow+" of "+c.what, start(), c.code)
		}
	}
	_, err := m.StartClaim(t.Context(), verification.Start{Slug: "acme"})
	var known *verification.Error
	if !errors.As(err, &known) || len(known.Fields) != 2 {
		t.Errorf("two faults are told as %+v", known)
	}
}

func named(name string) verification.Start {
	s := jane
	s.RequesterName = name
	return s
}

func TestStartsDoNotRevealWhetherAProfileIsClaimed(t *testing.T) {
	m := newMarket(t, nil)
	before, err := m.StartClaim(t.Context(), jane)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the claim", m.verifyClaim(link{before.ID, m.mail(before.ID).Token.Reveal()}, "ws"), "")
	after, err := m.StartClaim(t.Context(), jane)
	if err != nil {
		t.Fatal(err)
	}
	before.ID = after.ID
	if before != after {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

func TestIdempotencyKeyMakesRepeatedStartsOne(t *testing.T) {
	m := newMarket(t, limited)
	keyed := jane
	keyed.IdempotencyKey = "k-1"
	first, err := m.StartClaim(t.Context(), keyed)
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Second)
	for range 10 {
		again, err := m.StartClaim(t.Context(), keyed)
		if err != nil || again != first {
			t.Fatalf("%+v, %v, want %+v", again, err, first)
		}
	}
	if mails := m.mails(); len(mails) != 1 {
		t.Errorf("%d mails for one start", len(mails))
	}
	other := keyed
	other.RequesterEmail = "joe@acme.example"
	_, err = m.StartClaim(t.Context(), other)
	want(t, "another body", err, verification.CodeInvalidField)
	_, err = m.StartRemoval(t.Context(), other)
	want(t, "another flow", err, "")
	elsewhere := by("jane@zinc.example", "zinc")
	elsewhere.IdempotencyKey = "k-1"
	_, err = m.StartClaim(t.Context(), elsewhere)
	want(t, "another seller", err, "")
	m.pass(24 * time.Hour)
	later, err := m.StartClaim(t.Context(), keyed)
	if err != nil || later.ID == first.ID {
		t.Errorf("a day later it is still the same: %+v, %v", later, err)
	}
	keyed.IdempotencyKey = strings.Repeat("k", 256)
	_, err = m.StartClaim(t.Context(), keyed)
	want(t, "a long key", err, verification.CodeInvalidField)
}

// A key repeats a start only as long as its link works.
func TestIdempotencyKeyStartsOverOnceItsLinkExpired(t *testing.T) {
	m := newMarket(t, func(c *verification.Config) { c.LinkLifetime = time.Hour })
	keyed := jane
	keyed.IdempotencyKey = "k-1"
	first, err := m.StartRemoval(t.Context(), keyed)
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Hour - time.Microsecond)
	if again, err := m.StartRemoval(t.Context(), keyed); err != nil || again != first {
		t.Errorf("while the link works: %+v, %v", again, err)
	}
	m.mails() // settle its mail
	m.pass(time.Microsecond)
	second, err := m.StartRemoval(t.Context(), keyed)
	if err != nil || second.ID == first.ID || !second.ExpiresAt.Equal(m.now().Add(time.Hour)) {
		t.Fatalf("once it expired: %+v, %v", second, err)
	}
	if again, err := m.StartRemoval(t.Context(), keyed); err != nil || again != second {
		t.Errorf("and then: %+v, %v", again, err)
	}
	want(t, "the new link", m.verifyRemoval(link{second.ID, m.mail(second.ID).Token.Reveal()}), "")
	// A link that a restore expired is useless too.
	if _, err := m.Restore(t.Context(), "acme", "a mistake"); err != nil {
		t.Fatal(err)
	}
	keyed.IdempotencyKey = "k-2"
	third, err := m.StartRemoval(t.Context(), keyed)
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Hour)
	keyed.RequesterEmail = "joe@acme.example"
	if fourth, err := m.StartRemoval(t.Context(), keyed); err != nil || fourth.ID == third.ID {
		t.Errorf("with another body: %+v, %v", fourth, err)
	}
}

// at returns a start in the name of a mailbox from a client address.
func at(email, client string) verification.Start { return from(email, "acme", client) }

// from returns a start for a seller.
func from(email, slug, client string) verification.Start {
	s := by(email, slug)
	s.Client = netip.MustParseAddr(client)
	return s
}

// exhaust makes as many starts as are allowed, a minute apart, then retries one more until
// it is accepted. It returns how long the refused start was told to wait.
func exhaust(t *testing.T, most int, start func(i int) verification.Start) time.Duration {
	t.Helper()
	m := newMarket(t, limited)
	for i := range most {
		if _, err := m.StartClaim(t.Context(), start(i)); err != nil {
			t.Fatalf("start %d: %v", i+1, err)
		}
		m.pass(time.Minute)
	}
	_, err := m.StartClaim(t.Context(), start(most))
	var known *verification.Error
	if !errors.As(err, &known) || known.Code != verification.CodeRateLimited {
		t.Fatalf("start %d: %v", most+1, err)
	}
	m.pass(known.RetryAfter - time.Second)
	_, err = m.StartClaim(t.Context(), start(most))
	want(t, "a second before", err, verification.CodeRateLimited)
	m.pass(time.Second)
	_, err = m.StartClaim(t.Context(), start(most))
	want(t, "after the time that was told", err, "")
	return known.RetryAfter
}

func TestStartsAreLimitedByMailboxAndByOrigin(t *testing.T) {
	byMailbox := exhaust(t, 5, func(i int) verification.Start {
		return at("Jane+"+strconv.Itoa(i)+"@acme.example", "192.0.2."+strconv.Itoa(i))
	})
	byClient := exhaust(t, 10, func(i int) verification.Start {
		return at("j"+strconv.Itoa(i)+"@acme.example", "2001:db8::"+strconv.Itoa(i))
	})
	byNetwork := exhaust(t, 40, func(i int) verification.Start {
		return at("j"+strconv.Itoa(i)+"@acme.example", "2001:db8:0:"+strconv.Itoa(i)+"::1")
	})
	if byMailbox != 55*time.Minute || byClient != 50*time.Minute || byNetwork != 20*time.Minute {
		t.Errorf("told to wait %s, %s and %s", byMailbox, byClient, byNetwork)
	}
}

func TestRepeatedStartIsLimitedToOneAMinute(t *testing.T) {
	m := newMarket(t, limited)
	if _, err := m.StartClaim(t.Context(), jane); err != nil {
		t.Fatal(err)
	}
	_, err := m.StartRemoval(t.Context(), jane)
	want(t, "another flow at once", err, "")
	m.pass(59*time.Second + time.Millisecond)
	_, err = m.StartClaim(t.Context(), jane)
	var known *verification.Error
	if !errors.As(err, &known) || known.RetryAfter != time.Second {
		t.Errorf("told to wait: %+v", known)
	}
}

func TestLimitsCanBeDisabled(t *testing.T) {
	m := newMarket(t, nil)
	for range 30 {
		if _, err := m.StartClaim(t.Context(), jane); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRefusedStartsAreNotCounted(t *testing.T) {
	m := newMarket(t, limited)
	for range 50 {
		_, err := m.StartClaim(t.Context(), by("jane@mail.acme.example", "acme"))
		want(t, "a sub-domain", err, verification.CodeDomainMismatch)
	}
	_, err := m.StartClaim(t.Context(), jane)
	want(t, "the right domain", err, "")
	if o, err := m.Outbox(t.Context()); err != nil || o.Waiting != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}
