package publish

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A retry tries something until it succeeds, fails for good, or has failed too
// often. size is what is sent, in bytes: large things have longer.
type retry func(ctx context.Context, size int, do func(ctx context.Context) error) error

// retrier returns the retry of a store. permanent reports whether an error will
// not pass by trying again.
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

// deadline returns how long one try may take: slower than 64 KB a second is as
// good as not at all.
func deadline(base time.Duration, size int) time.Duration {
	return base + time.Duration(size>>16)*time.Second
}

// pause returns how long to wait after a failed try, counted from 0: twice as
// long each time, and by chance up to half as much again, so that many that
// failed together do not come back together.
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
