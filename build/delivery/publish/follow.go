package publish

import (
	"context"
	"errors"
	"time"

	"souk/build/catalog"
	"souk/build/release/stub"
)

// A failed publish is retried automatically: quickly at first, since a removal may be
// waiting for it, and after soonTries every retryAfter.
const (
	soonTries  = 6
	retryAfter = time.Minute
)

// Follow publishes a release whenever released announces one, until ctx ends. It retries a
// failed publish, at first immediately, then with growing pauses of up to a minute. If a
// new release appears while another is being published, it abandons that one and publishes
// the newest. If a release must not be published because it would make removed sellers
// public again or its folder was altered, it still publishes the removals. done is called,
// by the same goroutine, after each publish that was not abandoned. released should have a
// buffer of one.
func (p *Publisher) Follow(ctx context.Context, src Source, removals *catalog.Register, released <-chan struct{}, done func(Report, error)) {
	again := make(chan struct{}, 1)
	try := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-released:
		case <-again:
		}
		report, err := p.Publish(ctx, src, removals.Now())
		if errors.As(err, new(*stub.UnexplainedError)) || errors.As(err, new(*stub.WithdrawnError)) || errors.Is(err, ErrAltered) {
			_, withdrawing := p.withdraw(ctx, src)
			err = errors.Join(err, withdrawing)
		}
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrNewer):
			// The newer one may not be completely in place yet.
		case err == nil:
			try = 0
			done(report, nil)
			continue
		default:
			done(report, err)
		}
		wait := pause(try)
		if try++; try > soonTries && !errors.Is(err, ErrNewer) {
			wait = retryAfter
		}
		go func() {
			if p.options.Sleep(ctx, wait) == nil {
				select {
				case again <- struct{}{}:
				default:
				}
			}
		}()
	}
}
