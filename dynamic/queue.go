package dynamic

import (
	"context"
	"sync"
)

// A queue holds what the next builds have to do: who waits for a build that
// begins after they asked, and which paths of the content changed. A removal
// has priority, and interrupts a build of content.
type queue struct {
	// ready holds a value after something was put in.
	ready chan struct{}

	mu      sync.Mutex
	waiting []chan<- error
	paths   map[string]bool
	// interrupt cancels what runs and nobody waits for; nil where nothing does. ended is
	// closed when that has ended.
	interrupt context.CancelFunc
	ended     chan struct{}
}

func newQueue() *queue {
	return &queue{ready: make(chan struct{}, 1), paths: map[string]bool{}, ended: make(chan struct{})}
}

// change records that paths of the content changed.
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

// need asks for a build that begins after the call, and returns who is told its result.
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

// ask waits for a build that begins after the call and returns its result.
// Where ctx ends first, the build goes on.
func (q *queue) ask(ctx context.Context) error {
	select {
	case err := <-q.need():
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// asked takes everyone who waits.
func (q *queue) asked() []chan<- error {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting
	q.waiting = nil
	return all
}

// changed takes the paths that changed, Whole alone where it is among them;
// none where nothing changed or somebody waits. The returned context is for
// building them: it ends as soon as somebody asks, or when done is called.
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

// aside returns a context for what nobody waits for: it ends as soon as somebody asks, or
// when done is called.
func (q *queue) aside(ctx context.Context) (part context.Context, done context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	part, done = q.interruptible(ctx)
	if len(q.waiting) > 0 {
		q.interrupt()
	}
	return part, done
}

// interruptible returns a context that ends as soon as somebody asks, or when done is
// called. The queue is locked.
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

// rest waits until the paths that changed were built, or ctx ends.
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
