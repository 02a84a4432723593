package dynamic

import (
	"context"
	"maps"
	"slices"
	"sync"

	"souk/build"
)

// A queue holds what the next builds are to do: who waits for one that begins
// after they asked, and which paths of the content changed. A removal goes
// first, and ends a build of content that is under way.
type queue struct {
	// ready has a value where something was put in.
	ready chan struct{}

	mu      sync.Mutex
	waiting []chan<- error
	paths   map[string]bool
	// interrupt ends the build of content that runs; nil where none does.
	interrupt context.CancelFunc
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1), paths: map[string]bool{}} }

func (q *queue) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// change says that paths of the content changed.
func (q *queue) change(paths ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, path := range paths {
		q.paths[path] = true
	}
	if len(paths) > 0 {
		q.signal()
	}
}

// ask waits for a build that begins after it was asked, and returns how it
// ended. Where ctx ends first, the build goes on.
func (q *queue) ask(ctx context.Context) error {
	answer := make(chan error, 1)
	q.mu.Lock()
	q.waiting = append(q.waiting, answer)
	if q.interrupt != nil {
		q.interrupt()
	}
	q.signal()
	q.mu.Unlock()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// asked takes everybody who waits.
func (q *queue) asked() []chan<- error {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting
	q.waiting = nil
	return all
}

// changed takes the paths that changed, Whole alone where it is among them. It
// returns the context of their build, which ends where somebody asks, until done
// is called; no paths where nothing changed or somebody waits.
func (q *queue) changed(ctx context.Context) (paths []string, part context.Context, done context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.paths) == 0 || len(q.waiting) > 0 {
		return nil, ctx, func() {}
	}
	paths = slices.Sorted(maps.Keys(q.paths))
	if q.paths[build.Whole] {
		paths = []string{build.Whole}
	}
	q.paths = map[string]bool{}
	part, end := context.WithCancel(ctx)
	q.interrupt = end
	return paths, part, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.interrupt = nil
		end()
	}
}

// count returns how many wait.
func (q *queue) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
