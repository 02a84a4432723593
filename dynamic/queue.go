package dynamic

import (
	"context"
	"sync"
)

// A queue contains what the next builds have to do: the callers that wait for a build that
// starts after their request, and the changed paths of the content. Removals have priority
// and interrupt a build of content.
type queue struct {
	// ready receives a value after something was added.
	ready chan struct{}

	mu      sync.Mutex
	waiting []chan<- error
	paths   map[string]bool
	// interrupt cancels the running work if nobody waits for it; nil if there is none.
	// ended is closed when that work has ended.
	interrupt context.CancelFunc
	ended     chan struct{}
}

func newQueue() *queue {
	return &queue{ready: make(chan struct{}, 1), paths: map[string]bool{}, ended: make(chan struct{})}
}

// change records changed paths of the content.
func (q *queue) change(paths ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, path := range paths {
		q.paths[path] = true
	}
	if len(paths) > 0 {
		signal(q.ready)
	}
}

// need requests a build that starts after the call, and returns a channel for its result.
func (q *queue) need() <-chan error {
	answer := make(chan error, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, answer)
	if q.interrupt != nil {
		q.interrupt()
	}
	signal(q.ready)
	return answer
}

// ask waits for a build that starts after the call and returns its result. If ctx ends
// first, the build continues.
func (q *queue) ask(ctx context.Context) error {
	select {
	case err := <-q.need():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeWaiting removes and returns all who wait.
func (q *queue) takeWaiting() []chan<- error {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting
	q.waiting = nil
	return all
}

// changed removes and returns the changed paths, or only Whole if it is among them. It
// returns none if nothing changed or somebody waits. The returned context is for building
// them: it ends as soon as somebody asks, or when done is called.
func (q *queue) changed(ctx context.Context) (paths []string, part context.Context, done context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.paths) == 0 || len(q.waiting) > 0 {
		return nil, ctx, func() {}
	}
	paths = batch(q.paths)
	q.paths = map[string]bool{}
	part, done = q.interruptible(ctx)
	return paths, part, done
}

// background returns a context for work that nobody waits for: it ends as soon as somebody asks,
// or when done is called.
func (q *queue) background(ctx context.Context) (part context.Context, done context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	part, done = q.interruptible(ctx)
	if len(q.waiting) > 0 {
		q.interrupt()
	}
	return part, done
}

// interruptible returns a context that ends as soon as somebody asks, or when done is
// called. The queue must be locked.
func (q *queue) interruptible(ctx context.Context) (part context.Context, done context.CancelFunc) {
	part, end := context.WithCancel(ctx)
	q.interrupt = end
	return part, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.interrupt = nil
		end()
		close(q.ended)
		q.ended = make(chan struct{})
	}
}

// rest waits until all changed paths are built, or ctx ends.
func (q *queue) rest(ctx context.Context) {
	for {
		q.mu.Lock()
		rests, ended := len(q.paths) == 0 && q.interrupt == nil, q.ended
		q.mu.Unlock()
		if rests {
			return
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return
		}
	}
}
