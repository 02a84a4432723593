package dynamic

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"souk/build/catalog"
	"souk/build/delivery/publish"
	"souk/build/release"
	"souk/dynamic/ledger"
)

// A mirror publishes each release to where the public reads it, retrying until it succeeds.
// Without a publisher it does nothing.
type mirror struct {
	publisher *publish.Publisher
	tree      *release.Tree
	removals  *catalog.Register
	ledger    *ledger.Ledger
	log       *slog.Logger
	now       func() time.Time
	released  chan struct{}

	mu sync.Mutex
	// done is the release at the destination; at is when it was completed there.
	done string
	at   time.Time
	// advanced is closed and replaced whenever done changes.
	advanced chan struct{}
}

// The states of a copy in the answer to a removal.
const (
	copyDone    = "done"
	copyPending = "pending"
)

func newMirror(c Config, tree *release.Tree, removals *catalog.Register) *mirror {
	return &mirror{
		publisher: c.Publish, tree: tree, removals: removals, ledger: c.Verification.Ledger, log: c.Log, now: c.Build.Clock,
		released: make(chan struct{}, 1), advanced: make(chan struct{}),
	}
}

// notify announces a new release. It never blocks.
func (c *mirror) notify() { signal(c.released) }

// parted announces new search parts. Servers that copy the release get them from the
// destination.
func (c *mirror) parted() {
	if c.publisher != nil && c.publisher.ForServers() {
		signal(c.released)
	}
}

// run publishes until ctx ends.
func (c *mirror) run(ctx context.Context) {
	if c.publisher == nil {
		return
	}
	c.publisher.Follow(ctx, c.tree, c.removals, c.released, func(r publish.Report, err error) {
		switch {
		case errors.Is(err, publish.ErrNoRelease):
		case err != nil:
			c.log.Error("the copy is not up to date: it is tried again", "destination", c.publisher.Name(), "cause", err)
		default:
			c.advance(r)
			// If this fails, servers that copy notice it themselves.
			_ = c.ledger.Announce(ctx)
		}
	})
}

// advance records which release is at the destination.
func (c *mirror) advance(r publish.Report) {
	if r.Uploaded+r.Deleted > 0 {
		c.log.Info("published", "destination", c.publisher.Name(), "release", r.Release, "uploaded", r.Uploaded, "deleted", r.Deleted,
			"requests", r.Requests, "seconds", r.Duration.Seconds())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done, c.at = r.Release, c.now()
	close(c.advanced)
	c.advanced = make(chan struct{})
}

// state returns when the copy was last completed, and whether it is behind.
func (c *mirror) state() (at time.Time, behind bool) {
	if c.publisher == nil {
		return time.Time{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at, c.done != c.tree.ID()
}

// copyPatience is how long the answer to a removal waits for the copy, which may take
// minutes.
const copyPatience = 5 * time.Second

// await waits a while for the copy to be up to date and returns its state; empty if there
// is no copy.
func (c *mirror) await(ctx context.Context) string {
	if c.publisher == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, copyPatience)
	defer cancel()
	for {
		c.mu.Lock()
		up, advanced := c.done == c.tree.ID(), c.advanced
		c.mu.Unlock()
		if up {
			return copyDone
		}
		select {
		case <-ctx.Done():
			return copyPending
		case <-advanced:
		}
	}
}
