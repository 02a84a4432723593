// Package mirror keeps a published copy of each release up to date, and reports how far it
// is. It refuses to know how a release is made, how it is uploaded, and HTTP.
package mirror

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"souk/build/catalog"
	"souk/build/delivery/publish"
	"souk/build/release"
)

// A Mirror publishes each release to where the public reads it, retrying until it succeeds.
// Without a Publisher it does nothing. It is safe for concurrent use.
type Mirror struct {
	config   Config
	released chan struct{}

	mu sync.Mutex
	// done is the release at the destination; at is when it was completed there.
	done string
	at   time.Time
	// advanced is closed and replaced whenever done changes.
	advanced chan struct{}
}

// The states of a copy in the answer to a removal.
const (
	Done    = "done"
	Pending = "pending"
)

// A Config is what a Mirror needs. Publisher may be nil.
type Config struct {
	Publisher *publish.Publisher
	Tree      *release.Tree
	Removals  *catalog.Register
	// Announce tells servers that copy the release of a new one.
	Announce func(context.Context) error
	Log      *slog.Logger
	Now      func() time.Time
}

// New returns a Mirror. Run makes it publish.
func New(c Config) *Mirror {
	return &Mirror{config: c, released: make(chan struct{}, 1), advanced: make(chan struct{})}
}

// Notify announces a new release. It never blocks.
func (m *Mirror) Notify() {
	select {
	case m.released <- struct{}{}:
	default:
	}
}

// NotifySearchParts announces new search parts. Servers that copy the release get them from the
// destination.
func (m *Mirror) NotifySearchParts() {
	if m.config.Publisher != nil && m.config.Publisher.ForServers() {
		m.Notify()
	}
}

// Run publishes until ctx ends.
func (m *Mirror) Run(ctx context.Context) {
	if m.config.Publisher == nil {
		return
	}
	m.config.Publisher.Follow(ctx, m.config.Tree, m.config.Removals, m.released, func(r publish.Report, err error) {
		switch {
		case errors.Is(err, publish.ErrNoRelease):
		case err != nil:
			m.config.Log.Error("the published copy is not up to date; trying again", "destination", m.config.Publisher.Name(), "cause", err)
		default:
			m.advance(r)
			// If this fails, servers that copy notice it themselves.
			_ = m.config.Announce(ctx)
		}
	})
}

// advance records which release is at the destination.
func (m *Mirror) advance(r publish.Report) {
	if r.Uploaded+r.Deleted > 0 {
		m.config.Log.Info("published", "destination", m.config.Publisher.Name(), "release", r.Release, "uploaded", r.Uploaded, "deleted", r.Deleted,
			"requests", r.Requests, "seconds", r.Duration.Seconds())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done, m.at = r.Release, m.config.Now()
	close(m.advanced)
	m.advanced = make(chan struct{})
}

// State returns when the copy was last completed, and whether it is behind.
func (m *Mirror) State() (at time.Time, behind bool) {
	if m.config.Publisher == nil {
		return time.Time{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at, m.done != m.config.Tree.ID()
}

// Patience is how long the answer to a removal waits for the copy, which may take
// minutes.
const Patience = 5 * time.Second

// Await waits a while for the copy to be up to date and returns its state; empty if there
// is no copy.
func (m *Mirror) Await(ctx context.Context) string {
	if m.config.Publisher == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	for {
		m.mu.Lock()
		up, advanced := m.done == m.config.Tree.ID(), m.advanced
		m.mu.Unlock()
		if up {
			return Done
		}
		select {
		case <-ctx.Done():
			return Pending
		case <-advanced:
		}
	}
}
