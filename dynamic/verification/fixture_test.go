package verification_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// day is the date of all tests.
var day = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// A market is a Process on a new ledger, with sellers and a clock that the test moves.
type market struct {
	*verification.Process
	t      *testing.T
	config verification.Config

	mu      sync.Mutex
	clock   time.Time
	sellers map[string]verification.Seller
	// formerly maps a domain to the ids of the sellers that had it before.
	formerly map[string][]string
}

// newMarket returns a market with the sellers acme and zinc. change, if set, modifies the
// configuration, which has no limits by default.
func newMarket(t *testing.T, change func(*verification.Config)) *market {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	m := &market{t: t, clock: day, sellers: map[string]verification.Seller{}}
	for _, slug := range []string{"acme", "zinc"} {
		m.set(verification.Seller{ID: "id-" + slug, Slug: slug, Name: slug + " Ltd", OfficialDomain: slug + ".example", Current: true})
	}
	m.config = verification.Config{Ledger: l, Sellers: m, Now: m.now, Random: rand.Reader, Unlimited: true}
	if change != nil {
		change(&m.config)
	}
	if m.Process, err = verification.New(m.config); err != nil {
		t.Fatal(err)
	}
	return m
}

func limited(c *verification.Config) { c.Unlimited = false }

func (m *market) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

func (m *market) pass(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock = m.clock.Add(d)
}

// set adds or replaces a seller, by its canonical id.
func (m *market) set(s verification.Seller) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sellers[s.ID] = s
}

func (m *market) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.sellers[slug]; ok && s.Slug == slug {
		return s, true, nil
	}
	for _, s := range m.sellers {
		if s.Slug == slug {
			return s, true, nil
		}
	}
	return verification.Seller{}, false, nil
}

func (m *market) ByID(_ context.Context, id string) (verification.Seller, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.sellers[id]
	return s, ok, nil
}

func (m *market) Formerly(_ context.Context, domain string, _ []string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.formerly[domain], nil
}

func by(email, slug string) verification.Start {
	return verification.Start{Slug: slug, RequesterName: "Jane Doe", RequesterEmail: email, Client: netip.MustParseAddr("192.0.2.7")}
}

var jane = by("jane@acme.example", "acme")

// A link is the content of a mail's link.
type link struct{ id, token string }

func (m *market) claim(s verification.Start) link {
	m.t.Helper()
	made, err := m.StartClaim(m.t.Context(), s)
	if err != nil {
		m.t.Fatal(err)
	}
	return link{made.ID, m.mail(made.ID).Token.Reveal()}
}

func (m *market) removal(s verification.Start) link {
	m.t.Helper()
	made, err := m.StartRemoval(m.t.Context(), s)
	if err != nil {
		m.t.Fatal(err)
	}
	return link{made.ID, m.mail(made.ID).Token.Reveal()}
}

// mail takes and accepts all due mails, and returns the last one about a request.
func (m *market) mail(id string) (found verification.Message) {
	m.t.Helper()
	for _, mail := range m.mails() {
		if mail.RequestID == id {
			found = mail
		}
	}
	if found.ID == "" {
		m.t.Fatalf("there is no mail about %s", id)
	}
	return found
}

func (m *market) mails() []verification.Message {
	m.t.Helper()
	mails, err := m.Lease(m.t.Context(), 1000, time.Minute)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, mail := range mails {
		if err := m.Accepted(m.t.Context(), mail); err != nil {
			m.t.Fatal(err)
		}
	}
	return mails
}

func (m *market) verifyClaim(l link, workspace string) error {
	_, err := m.VerifyClaim(m.t.Context(), l.id, l.token, workspace)
	return err
}

func (m *market) verifyRemoval(l link) error {
	_, err := m.VerifyRemoval(m.t.Context(), l.id, l.token)
	return err
}

// want fails unless err has the code; "" means success.
func want(t *testing.T, what string, err error, code verification.Code) {
	t.Helper()
	var known *verification.Error
	switch {
	case err == nil && code == "":
	case err == nil:
		t.Errorf("%s: succeeded, want %s", what, code)
	case !errors.As(err, &known) || known.Code != code:
		t.Errorf("%s: %v, want %q", what, err, code)
	case known.Detail == "":
		t.Errorf("%s: %s says nothing to people", what, code)
	}
}
