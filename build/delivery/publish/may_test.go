package publish

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A publish that loses its lease stops changing anything, and the next one continues.
func TestNothingIsSentWithoutPermissionToPublish(t *testing.T) {
	var steps atomic.Int64
	lost := errors.New("another process publishes")
	a := arrange(t, Options{
		Requests: Requests{Parallel: 1, Attempts: 2}, Sleep: func(context.Context, time.Duration) error { return nil },
		Permit: func() func() error {
			return func() error {
				if steps.Add(-1) < 0 {
					return lost
				}
				return nil
			}
		},
	})
	steps.Store(1 << 30)
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.docs["api/v1/marketplace/articles/news.json"] = "changed"
	s.remove(t, "acme")
	for allowed := range int64(4) {
		p := a.publisher(t)
		d := &diary{store: p.store}
		p.store = d
		steps.Store(allowed)
		if _, err := p.Publish(t.Context(), s.tree, nil); !errors.Is(err, lost) {
			t.Errorf("with %d steps allowed: %v", allowed, err)
		}
		// The mark comes first, followed by stubs, each with the deletion of its document.
		stubs := 0
		for _, line := range d.lines {
			if strings.HasPrefix(line, "put ") {
				stubs++
			}
		}
		if stubs != max(int(allowed)-1, 0) || allowed == 0 && len(d.lines) > 0 || strings.Contains(strings.Join(d.lines, "\n"), "news") {
			t.Errorf("with %d steps allowed it does %q", allowed, d.lines)
		}
	}
	steps.Store(1 << 30)
	if r := a.publish(t, s); r.Release != s.tree.ID() {
		t.Errorf("the next publishes %s", r.Release)
	}
}
