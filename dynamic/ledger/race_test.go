//go:build unix

package ledger_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"souk/dynamic/verification"
)

const many = 100

func oneProofOfMany(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	id, token := m.removal("acme")
	wantTally(t, atOnce(many, func(int) error {
		_, err := m.VerifyRemoval(t.Context(), id, token)
		return err
	}), map[verification.Code]int{"": 1, verification.CodeVerificationUsed: many - 1})
	if list, err := m.ListRemovals(t.Context(), true); err != nil || len(list) != 1 {
		t.Errorf("%d removals, %v", len(list), err)
	}
}

func oneClaimOfMany(t *testing.T, fresh func() string) {
	target := fresh()
	m, other := newMarket(t, target, false), newMarket(t, target, false)
	id, token := m.claim("acme")
	wantTally(t, atOnce(many, func(i int) error {
		p := m.Process
		if i%2 == 1 {
			p = other.Process
		}
		_, err := p.VerifyClaim(t.Context(), id, token, fmt.Sprintf("ws-%d", i))
		return err
	}), map[verification.Code]int{"": 1, verification.CodeVerificationUsed: many - 1})
}

func oneRemovalOfTwo(t *testing.T, fresh func() string) {
	target := fresh()
	m, other := newMarket(t, target, false), newMarket(t, target, false)
	var ids, tokens [10]string
	for i := range ids {
		ids[i], tokens[i] = m.removal("acme")
	}
	wantTally(t, atOnce(len(ids), func(i int) error {
		p := m.Process
		if i%2 == 1 {
			p = other.Process
		}
		_, err := p.VerifyRemoval(t.Context(), ids[i], tokens[i])
		return err
	}), map[verification.Code]int{"": 1, verification.CodeRemoved: len(ids) - 1})
}

func oneStartOfMany(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), true)
	var mu sync.Mutex
	made := map[verification.Started]int{}
	const times = 20
	wantTally(t, atOnce(times, func(int) error {
		s := start("acme")
		s.IdempotencyKey = "once"
		one, err := m.StartClaim(t.Context(), s)
		mu.Lock()
		defer mu.Unlock()
		made[one]++
		return err
	}), map[verification.Code]int{"": times})
	if o, err := m.Outbox(t.Context()); err != nil || len(made) != 1 || o.Waiting != 1 {
		t.Errorf("%d requests, %d mails, %v", len(made), o.Waiting, err)
	}
}

func mailsAreLeasedOnce(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	const count = 24
	for i := range count {
		if _, err := m.StartClaim(t.Context(), start(fmt.Sprintf("seller-%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	held := map[string]verification.Message{}
	wantTally(t, atOnce(count, func(int) error {
		mails, err := m.Lease(t.Context(), 2, time.Minute)
		mu.Lock()
		defer mu.Unlock()
		for _, mail := range mails {
			if _, twice := held[mail.ID]; twice {
				t.Errorf("%s was handed out twice", mail.ID)
			}
			held[mail.ID] = mail
		}
		return err
	}), map[verification.Code]int{"": count})
	if len(held) != count {
		t.Fatalf("%d mails were handed out, want %d", len(held), count)
	}
	settle(t, m, held)
	m.pass(time.Minute)
	again, err := m.Lease(t.Context(), 100, time.Minute)
	if err != nil || len(again) != count-2 {
		t.Fatalf("%d mails are due after the lease, %v", len(again), err)
	}
	for _, mail := range again {
		if mail.Attempt != 2 || mail.Token.Reveal() == held[mail.ID].Token.Reveal() {
			t.Errorf("%s is handed out again as attempt %d", mail.ID, mail.Attempt)
		}
	}
}

// settle accepts one mail late and postpones another.
func settle(t *testing.T, m *market, held map[string]verification.Message) {
	t.Helper()
	n := 0
	for _, mail := range held {
		var err error
		switch n++; n {
		case 1:
			err = m.Accepted(t.Context(), mail)
		case 2:
			err = m.Failed(t.Context(), mail, day.Add(time.Hour), "451 not now, jane@acme.example")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func limitsAreShared(t *testing.T, fresh func() string) {
	target := fresh()
	first, second := newMarket(t, target, true), newMarket(t, target, true)
	if _, err := first.StartClaim(t.Context(), start("acme")); err != nil {
		t.Fatal(err)
	}
	if _, err := second.StartClaim(t.Context(), start("acme")); !has(err, verification.CodeRateLimited) {
		t.Errorf("another process knows nothing of the first: %v", err)
	}
	third := newMarket(t, target, true)
	third.pass(time.Minute)
	if _, err := third.StartClaim(t.Context(), start("acme")); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func begunAtOnce(t *testing.T, fresh func() string) {
	target := fresh()
	wantTally(t, atOnce(4, func(int) error { return openAndRead(t, target) }), map[verification.Code]int{"": 4})
}

func oneClaimOfManyInOneWorkspace(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	id, token := m.claim("acme")
	errs := atOnce(many, func(int) error {
		_, err := m.VerifyClaim(t.Context(), id, token, "ws")
		return err
	})
	// A call that came after all others were done did not take part in the race.
	counts := tally(errs)
	if counts[""] == 0 || counts[""]+counts[verification.CodeVerificationUsed] != many {
		t.Errorf("outcomes %v", counts)
	}
	t.Logf("outcomes %v", counts)
	notices, err := m.Lease(t.Context(), many, time.Minute)
	if err != nil || len(notices) != 1 {
		t.Errorf("%d notices, %v", len(notices), err)
	}
}
