package publish

import (
	"context"
	"errors"
	"testing"
	"time"

	"souk/build/document"
)

func TestFollowingPublishesTheNewestReleaseAndTriesAgainWhatFailed(t *testing.T) {
	a := arrange(t, Options{Parallel: 1, Attempts: 1})
	s := newShelf(t, t.TempDir())
	waited := make(chan time.Duration, 10)
	a.options.Sleep = func(ctx context.Context, d time.Duration) error {
		waited <- d
		return ctx.Err()
	}
	removed := false
	a.options.Progress = func(int, int) {
		if !removed {
			removed = true
			s.remove(t, "globex")
		}
	}
	p := a.publisher(t)
	broken := true
	p.fault = func(string) error {
		if broken {
			broken = false
			return errors.New("the store is away")
		}
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	released, ended := make(chan struct{}, 1), make(chan struct{})
	outcomes := make(chan error, 10)
	go func() {
		defer close(ended)
		p.Follow(ctx, s.tree, released, func(r Report, err error) {
			if err == nil && r.Release != s.tree.ID() {
				err = errors.New("another release was published")
			}
			outcomes <- err
		})
	}()
	released <- struct{}{}
	if err := <-outcomes; !errors.As(err, new(*IncompleteError)) {
		t.Errorf("the first publish ends with %v", err)
	}
	if d := <-waited; d != retryAfter {
		t.Errorf("it is tried again after %v", d)
	}
	if err := <-outcomes; err != nil {
		t.Errorf("in the end it ends with %v", err)
	}
	a.holds(t, s)
	if d := <-waited; d >= retryAfter {
		t.Errorf("a newer release waits %v", d)
	}
	s.docs[document.HealthFile] = "{}"
	s.build(t)
	released <- struct{}{}
	if err := <-outcomes; err != nil {
		t.Errorf("the next release ends with %v", err)
	}
	a.holds(t, s)
	cancel()
	<-ended
}
