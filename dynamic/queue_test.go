package dynamic

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"souk/build"
)

func TestRemovalInterruptsABuildOfContent(t *testing.T) {
	q := newQueue()
	q.change("b", "a")
	paths, part, done := q.changed(t.Context())
	if !slices.Equal(paths, []string{"a", "b"}) || part.Err() != nil {
		t.Fatalf("the build is of %q, %v", paths, part.Err())
	}
	answered := make(chan error)
	go func() { answered <- q.ask(t.Context()) }()
	<-part.Done() // the removal has interrupted it
	done()
	q.change(paths...)
	if none, _, _ := q.changed(t.Context()); len(none) > 0 {
		t.Errorf("content is built before a removal that waits: %q", none)
	}
	waiting := q.takeWaiting()
	if len(waiting) != 1 {
		t.Fatalf("%d wait", len(waiting))
	}
	waiting[0] <- errors.New("full")
	if err := <-answered; err == nil || err.Error() != "full" {
		t.Errorf("the answer is %v", err)
	}
	if again, _, done := q.changed(t.Context()); !slices.Equal(again, paths) {
		t.Errorf("afterwards the build is of %q", again)
	} else {
		done()
	}
}

func TestQueueIsIdleOnceTheContentIsBuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, rests := newQueue(), false
		q.change("a")
		go func() { q.rest(t.Context()); rests = true }()
		_, _, done := q.changed(t.Context())
		q.change("a") // a removal has ended that build
		done()
		if synctest.Wait(); rests {
			t.Error("it rests with something to build")
		}
		_, _, done = q.changed(t.Context())
		if synctest.Wait(); rests {
			t.Error("it rests while something is built")
		}
		done()
		if synctest.Wait(); !rests {
			t.Error("it never rests")
		}
	})
}

func TestWholeFolderReplacesItsPaths(t *testing.T) {
	q := newQueue()
	q.change("a", build.Whole, "b")
	if paths, _, done := q.changed(t.Context()); !slices.Equal(paths, []string{build.Whole}) {
		t.Errorf("the build is of %q", paths)
	} else {
		done()
	}
}

func TestCanceledWaitersAreNotAnswered(t *testing.T) {
	q := newQueue()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.ask(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the answer is %v", err)
	}
	for _, answer := range q.takeWaiting() {
		answer <- nil // it does not block
	}
}

func TestFailedPathsAreBuiltAgainAfterARemoval(t *testing.T) {
	b, err := newBuilds(t.Context(), newHouse(t).Config.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	b.retry, b.due = []string{"a"}, time.Unix(1, 0)
	b.tick()
	paths, part, done := b.queue.changed(t.Context())
	defer done()
	if !slices.Equal(paths, []string{"a"}) {
		t.Errorf("the build is of %q", paths)
	}
	if b.queue.need(); part.Err() == nil {
		t.Error("a removal waits for it")
	}
}
