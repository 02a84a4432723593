package verification

import "context"

// A share is a Ledger of which at most some transactions run at once; further
// ones wait for their turn, one after the other. What strangers may ask for goes
// through one, so that however many they are, connections are left for builds,
// mails and proven removals, and these wait for few writers.
type share struct {
	ledger Ledger
	turns  chan struct{}
}

func shareOf(l Ledger, most int) share { return share{l, make(chan struct{}, most)} }

// View implements Ledger.
func (s share) View(ctx context.Context, f func(Reader) error) error {
	return s.turn(ctx, func() error { return s.ledger.View(ctx, f) })
}

// Update implements Ledger.
func (s share) Update(ctx context.Context, f func(Tx) error) error {
	return s.turn(ctx, func() error { return s.ledger.Update(ctx, f) })
}

func (s share) turn(ctx context.Context, f func() error) error {
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.turns }()
	return f()
}
