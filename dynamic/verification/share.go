package verification

import "context"

// A share is a Ledger that runs a limited number of transactions at once; others wait for
// their turn. Requests by strangers go through a share, so that however many they are,
// connections are left for builds, mails and verified removals, which wait for only a few
// writers.
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
