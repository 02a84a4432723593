package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A retry tries something until it succeeds, fails permanently, or has failed too often.
// size is the number of bytes to send: large requests have more time.
type retry func(ctx context.Context, size int, do func(ctx context.Context) error) error

// retrier returns the retry of a store. permanent reports whether retrying after an error
// is useless.
func retrier(o Options, permanent func(error) bool) retry {
	return func(ctx context.Context, size int, do func(ctx context.Context) error) error {
		for try := 0; ; try++ {
			within, cancel := context.WithTimeout(ctx, deadline(o.Requests.Timeout, size))
			err := do(within)
			cancel()
			switch {
			case err == nil || errors.Is(err, errAbsent):
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case permanent(err):
				return err
			case try+1 >= o.Requests.Attempts:
				return fmt.Errorf("%w (tried %d times)", err, o.Requests.Attempts)
			}
			if err := o.Sleep(ctx, pause(try)); err != nil {
				return err
			}
		}
	}
}

// deadline limits one attempt; less than 64 KB per second counts as a failure.
func deadline(base time.Duration, size int) time.Duration {
	return base + time.Duration(size>>16)*time.Second
}

// pause returns how long to wait after a failed attempt, counted from 0. It doubles each
// time, plus up to half of it at random, so that requests that failed together are not
// retried together.
func pause(try int) time.Duration {
	const shortest, longest = 200 * time.Millisecond, 10 * time.Second
	d := min(shortest<<min(try, 10), longest)
	return d + rand.N(d/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
