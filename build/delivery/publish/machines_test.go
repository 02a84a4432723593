package publish

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"souk/build/document"
	"souk/build/kit/twin"
	"souk/build/release"
	"souk/build/release/stub"
)

// publishOnce returns a function that publishes another machine's release the first time it
// is called.
func publishOnce(t *testing.T, a *arrangement, s *shelf) func() {
	done := false
	return func() {
		if !done {
			done = true
			a.publish(t, s)
		}
	}
}

// removedElsewhere returns what one machine has published, and another machine with the
// same content on which acme was removed.
func removedElsewhere(t *testing.T, a *arrangement) (one *shelf, other *arrangement, two *shelf) {
	t.Helper()
	one, two = newShelf(t, filepath.Join(t.TempDir(), "one")), newShelf(t, filepath.Join(t.TempDir(), "two"))
	a.publish(t, one)
	two.remove(t, "acme")
	return one, a.another(t.TempDir()), two
}

// If a machine judged a destination, and another machine then published there first, the
// first one changes nothing.
func TestOneOfTwoMachinesThatStartTogetherChangesNothing(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			one, b, two := removedElsewhere(t, a)
			other := publishOnce(t, b, two)
			one.docs[companies+"acme.json"] = "changed"
			one.build(t)
			a.options.Permit = func() func() error { return func() error { other(); return nil } }
			if r, err := a.publisher(t).Publish(t.Context(), one.tree, nil); !errors.Is(err, errOvertaken) || r.Uploaded+r.Deleted > 0 {
				t.Errorf("it uploads %d, deletes %d and ends with %v", r.Uploaded, r.Deleted, err)
			}
			a.standsAs(t, two)
		})
	}
}

// A machine with older content is publishing when another one publishes a removal.
func TestASellerRemovedByAnotherMachineDuringAPublishStaysRemoved(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			one, b, two := removedElsewhere(t, a)
			other := publishOnce(t, b, two)
			for _, file := range []string{"api/v1/marketplace/articles/news.json", companies + "acme.json", "api/v1/marketplace/articles.json"} {
				one.docs[file] = "changed"
			}
			one.build(t)
			slow := *a
			slow.options.Requests.Parallel = 1
			slow.options.Progress = func(int, int) { other() }
			if _, err := slow.publisher(t).Publish(t.Context(), one.tree, nil); !errors.Is(err, errOvertaken) {
				t.Errorf("it ends with %v", err)
			}
			there := a.stands(t)
			for _, file := range []string{companies + "acme.json", companies + "acme/products/arm.json"} {
				_, back := there[file]
				if _, gone := there[document.GoneFile(file)]; back || !gone {
					t.Errorf("%s is back: %v, has a stub: %v", file, back, gone)
				}
			}
			// The other machine trusts nothing that both wrote.
			b.publish(t, two)
			a.standsAs(t, two)
		})
	}
}

// A newer release may remove a company whose document is being uploaded.
func TestANewerReleaseDoesNotAbortAnUpload(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Parallel: 2, Timeout: 2 * time.Second, Attempts: 1}})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.docs["api/v1/marketplace/articles/news.json"], s.docs[companies+"acme.json"], s.docs[companies+"globex.json"] = "changed", "changed", "changed"
	s.build(t)
	p := a.publisher(t)
	p.store = &slow{store: p.store, key: companies + "acme.json", newer: make(chan struct{}), meanwhile: func() { s.remove(t, "acme") }}
	if _, err := p.Publish(t.Context(), s.tree, nil); !errors.Is(err, ErrNewer) {
		t.Errorf("it ends with %v", err)
	}
	if err := p.store.(*slow).ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the upload of who is removed ends with %v", err)
	}
}

// slow is a store that never finishes writing one key. Meanwhile there is a newer release,
// which others see once it is complete.
type slow struct {
	store
	newer     chan struct{}
	key       string
	meanwhile func()
	ended     error
}

func (s *slow) put(ctx context.Context, o object, b body) error {
	if o.key != s.key {
		<-s.newer
		return s.store.put(ctx, o, b)
	}
	s.meanwhile()
	close(s.newer)
	<-ctx.Done()
	s.ended = ctx.Err()
	return s.ended
}

// The destination was restored from a backup made before a removal, while a different
// problem prevents publishing the release.
func TestARemovalIsPublishedAgainIfTheDestinationChanged(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	backup := newMemory()
	for _, key := range a.memory.keys(t) {
		is, _ := a.memory.look(key)
		backup.set(key, is)
	}
	s.remove(t, "acme")
	a.publish(t, s)
	is, _ := a.memory.look(companies + "acme.gone.json")
	backup.set(companies+"initech.gone.json", is) // which is unexplained
	a.memory = backup
	released := make(chan struct{}, 1)
	released <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	a.publisher(t).Follow(ctx, s.tree, nil, released, func(_ Report, err error) {
		if !errors.As(err, new(*stub.UnexplainedError)) {
			t.Errorf("it ends with %v", err)
		}
		cancel()
	})
	if backup.has(companies + "acme.json") {
		t.Error("who was removed is back, and stays")
	}
}

// standsAs fails if a destination of any kind does not have exactly the documents of a
// release.
func (a *arrangement) standsAs(t *testing.T, s *shelf) {
	t.Helper()
	want, got := map[string]release.Digest{}, a.stands(t)
	s.tree.Each(func(file string, e release.Entry) { want[file] = e.Digest })
	maps.DeleteFunc(got, func(key string, _ release.Digest) bool { return twin.Of(key) != key })
	if !maps.Equal(got, want) {
		t.Errorf("there are %v, and not %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
