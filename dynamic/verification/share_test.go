package verification_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"souk/dynamic/verification"
)

// slowly marks contexts that make a slow Ledger wait.
type slowly struct{}

// A slow Ledger keeps transactions with a marked context open until the test releases them.
type slow struct {
	verification.Ledger
	entered, letGo chan struct{}
}

func (l slow) View(ctx context.Context, f func(verification.Reader) error) error {
	return l.Ledger.View(ctx, func(r verification.Reader) error {
		if ctx.Value(slowly{}) != nil {
			l.entered <- struct{}{}
			<-l.letGo
		}
		return f(r)
	})
}

// However many strangers wait for the ledger, and whatever they ask for, connections are
// left for mails and for requests with a correct token.
func TestStrangersDoNotBlockVerifiedRemovals(t *testing.T) {
	const strangers = 50
	for what, ask := range map[string]func(context.Context, *market){
		"starts":           func(ctx context.Context, m *market) { _, _ = m.StartRemoval(ctx, jane) },
		"slugs of nobody":  func(ctx context.Context, m *market) { _, _ = m.StartClaim(ctx, by("jane@acme.example", "nobody")) },
		"bearer tokens":    func(ctx context.Context, m *market) { _, _ = m.Authenticate(ctx, "souk_guess") },
		"proofs of claims": func(ctx context.Context, m *market) { _, _ = m.VerifyClaim(ctx, "claim-guess", "guess", "ws") },
	} {
		t.Run(what, func(t *testing.T) {
			l := slow{entered: make(chan struct{}, strangers), letGo: make(chan struct{})}
			m := newMarket(t, func(c *verification.Config) {
				l.Ledger = c.Ledger
				c.Ledger = l
			})
			if _, err := m.StartRemoval(t.Context(), jane); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for range strangers {
				all.Go(func() { ask(context.WithValue(t.Context(), slowly{}, true), m) })
			}
			<-l.entered
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			defer all.Wait()
			defer close(l.letGo)
			mails, err := m.Lease(ctx, 1, time.Minute)
			if err != nil || len(mails) != 1 {
				t.Fatal(mails, err)
			}
			for range 100 { // until all strangers have arrived
				if _, err := m.Outbox(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := m.VerifyRemoval(ctx, mails[0].RequestID, mails[0].Token.Reveal()); err != nil {
				t.Error(err)
			}
		})
	}
}
