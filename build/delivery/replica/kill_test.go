package replica_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"souk/build/release"
)

// errKilled imitates a kill.
var errKilled = errors.New("killed")

func TestAKilledCopyContinuesWithTheFilesItHas(t *testing.T) {
	server, destination := bucket(t)
	var asked atomic.Int64
	server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			asked.Add(1)
		}
		return false
	})
	m := newMarket(t, t.TempDir(), destination)
	m.publish(t)
	m.removeAndEdit(t, 0)
	asked.Store(0)
	whole := m.follower(t, t.TempDir())
	follow(t, whole)
	most := asked.Load()
	state := t.TempDir()
	for n, done := 1, false; !done; n++ {
		c := m.follower(t, state)
		steps := 0
		c.Fault(func(string) error {
			if steps++; steps >= 3 {
				return errKilled
			}
			return nil
		})
		err := c.Start(killedContext(t, &steps))
		done = err == nil
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if n > 100 {
			t.Fatal("it never ends")
		}
	}
	c := m.follower(t, state)
	asked.Store(0)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.holds(t, c)
	if asked.Load() != 0 {
		t.Errorf("what is whole takes %d requests of at most %d", asked.Load(), most)
	}
}

// killedContext returns a context that ends with the third step.
func killedContext(t *testing.T, steps *int) context.Context {
	return stepContext{t.Context(), steps}
}

type stepContext struct {
	context.Context
	steps *int
}

func (c stepContext) Err() error {
	if *c.steps >= 3 {
		return errKilled
	}
	return c.Context.Err()
}

// removeAndEdit builds and publishes a release with a removal and an edit.
func (m *market) removeAndEdit(t fatal, n int) {
	m.add(fmt.Sprintf("fresh%d", n))
	m.remove("acme")
	m.docs[companies+"globex.json"] += " "
	m.build(t)
	m.publish(t)
}

func TestAKillAtAnyStepOfARemovalLosesNothing(t *testing.T) {
	for n := 1; ; n++ {
		m := newMarket(t, t.TempDir(), filepath.Join(t.TempDir(), "out", "public"))
		m.publish(t)
		state := t.TempDir()
		c := m.follower(t, state)
		follow(t, c)
		m.removeAndEdit(t, n)
		steps, last := 0, ""
		c.Fault(func(step string) error {
			if step == "commit" {
				part := filepath.Join(release.Folder(c.Public()), "search", release.DigestOf([]byte("words of acme")).String())
				if _, err := os.Stat(part); err == nil {
					t.Error("the part of a removed seller is there when the rest is committed")
				}
			}
			if steps++; steps >= n {
				last = step
				return errKilled
			}
			return nil
		})
		_, err := c.Sync(t.Context())
		if err == nil {
			t.Logf("%d steps", n-1)
			m.holds(t, c)
			return
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		// A completely fetched release is put in place without the store.
		if last != "fetch" {
			if err := os.Rename(m.destination+".release", m.destination+".away"); err != nil {
				t.Fatal(err)
			}
		}
		again := m.follower(t, state)
		if err := again.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if last == "fetch" {
			follow(t, again)
		}
		m.holds(t, again)
	}
}
