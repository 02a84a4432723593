package publish

import (
	"context"
	"errors"
	"time"
)

// retryAfter is how long after a publish that failed the next is tried unasked.
const retryAfter = time.Minute

// Follow publishes a release each time that released tells of one, until ctx
// ends, and once more a minute after a publish that failed. A release that
// comes while another is published is not waited for: that one is left where it
// is and the newest published. done is told of each publish that ended
// otherwise, by the same goroutine; released should have room for one.
func (p *Publisher) Follow(ctx context.Context, src Source, released <-chan struct{}, done func(Report, error)) {
	again := make(chan struct{}, 1)
	try := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-released:
		case <-again:
		}
		report, err := p.Publish(ctx, src)
		wait := retryAfter
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrNewer):
			// The newer one may not be wholly in place yet.
			wait = pause(try)
			try++
		case err == nil:
			try = 0
			done(report, nil)
			continue
		default:
			done(report, err)
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
