package publish

import (
	"context"
	"errors"
	"time"

	"souk/build/catalog"
	"souk/build/release/stub"
)

// A publish that failed is tried again unasked: soon at first, since a removal may wait
// for it, and from soonTries on after retryAfter.
const (
	soonTries  = 6
	retryAfter = time.Minute
)

// Follow publishes a release whenever released announces one, until ctx ends, and
// again after a publish that failed: at once, then later and later, at least every minute. When a release appears while
// another is being published, that one is abandoned and the newest is published. Of a release that would bring somebody back, or
// whose folder was altered, the removals are published all the same. done is called, by the same goroutine,
// after each publish that was not abandoned; released should have room for one.
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
			// The newer one may not be wholly in place yet.
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
