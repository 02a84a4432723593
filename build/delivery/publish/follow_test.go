package publish

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"souk/build/document"
	"souk/build/release/stub"
)

func TestFollowingPublishesTheNewestReleaseAndRetriesFailures(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Parallel: 1, Attempts: 1}})
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
	failures := soonTries + 1
	p.fault = func(string) error {
		if failures > 0 {
			failures--
			return errors.New("the store is away")
		}
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	released, ended := make(chan struct{}, 1), make(chan struct{})
	outcomes := make(chan error, 10)
	go func() {
		defer close(ended)
		p.Follow(ctx, s.tree, nil, released, func(r Report, err error) {
			if err == nil && r.Release != s.tree.ID() {
				err = errors.New("another release was published")
			}
			outcomes <- err
		})
	}()
	released <- struct{}{}
	for try := range soonTries + 1 {
		if err := <-outcomes; !errors.As(err, new(*IncompleteError)) {
			t.Errorf("a publish to a store that is away ends with %v", err)
		}
		if d := <-waited; d == retryAfter != (try == soonTries) {
			t.Errorf("it is tried again after %v", d)
		}
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

func TestARemovalIsPublishedDespiteAnUnexplainedStub(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Parallel: 1, Attempts: 1}})
	other := newShelf(t, t.TempDir())
	other.remove(t, "acme")
	a.publish(t, other)
	s := newShelf(t, t.TempDir())
	s.remove(t, "globex")
	a.options.State = t.TempDir()
	p := a.publisher(t)
	ctx, cancel := context.WithCancel(t.Context())
	released, ended := make(chan struct{}, 1), make(chan struct{})
	outcomes := make(chan error, 1)
	go func() {
		defer close(ended)
		p.Follow(ctx, s.tree, nil, released, func(_ Report, err error) {
			outcomes <- err
			cancel()
		})
	}()
	released <- struct{}{}
	if err := <-outcomes; !errors.As(err, new(*stub.UnexplainedError)) {
		t.Errorf("it ends with %v", err)
	}
	<-ended
	for _, file := range []string{companies + "globex.json", companies + "globex/products/arm.json"} {
		if a.memory.has(file) || !a.memory.has(document.GoneFile(file)) {
			t.Errorf("%s is there, or has no stub", file)
		}
	}
	if a.memory.has(companies+"acme.json") || !a.memory.has(companies+"acme.gone.json") {
		t.Error("the stub of the other gave way")
	}
}

func TestOnlyRemovalsOfAnAlteredFolderArePublished(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Parallel: 1, Attempts: 1}})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.remove(t, "globex")
	if err := os.Remove(s.tree.Path(companies + "acme.json")); err != nil {
		t.Fatal(err)
	}
	altered := s.open(t)
	p := a.publisher(t)
	if _, err := p.Publish(t.Context(), altered, nil); !errors.Is(err, ErrAltered) {
		t.Errorf("a publish of it ends with %v", err)
	}
	if !a.memory.has(companies + "globex.json") {
		t.Error("and changed something")
	}
	ctx, cancel := context.WithCancel(t.Context())
	released := make(chan struct{}, 1)
	released <- struct{}{}
	p.Follow(ctx, altered, nil, released, func(_ Report, err error) {
		if !errors.Is(err, ErrAltered) {
			t.Errorf("following it ends with %v", err)
		}
		cancel()
	})
	if a.memory.has(companies+"globex.json") || !a.memory.has(companies+"globex.gone.json") {
		t.Error("a removal is not published")
	}
	if !a.memory.has(companies + "acme.json") {
		t.Error("what is missing was deleted")
	}
}
