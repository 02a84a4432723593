package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"souk/build/release"
)

// An Origin is where a release is copied from. Its methods are safe for concurrent
// use; Read and File try again what may pass.
type Origin interface {
	// Name is the place for messages; ID identifies it.
	Name() string
	ID() string
	// Head returns the head and its version, or ErrSame if it has the version
	// that is known. It tries once.
	Head(ctx context.Context, version string) (data []byte, now string, err error)
	// Read returns what is at a key, of at most that many bytes, or ErrAbsent.
	Read(ctx context.Context, key string, most int64) ([]byte, error)
	// File returns a file of the release, or ErrAbsent. What it returns may be
	// another's bytes.
	File(ctx context.Context, file string, e release.Entry, extensionless bool) ([]byte, error)
}

// Options are the settings of a Copy. The zero value of each is its default, but
// of Origin and State.
type Options struct {
	Origin Origin
	// State is the folder of this machine's own state, in which the copy is.
	State string
	// Parallel is the most requests at a time; 32.
	Parallel int
	// Every is how often the head is asked for; a second.
	Every time.Duration
	// Heard has a value when there may be another head: then it is asked for at once.
	Heard <-chan struct{}
	// Notice is called with what the operator should know.
	Notice func(text string)
	// Now is the wall clock; Sleep waits, or fails as ctx does.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// The defaults of Options.
const (
	DefaultParallel = 32
	DefaultEvery    = time.Second
)

// A Copy is a public folder, and the folder beside it, that follow an origin. One
// goroutine may call Start, Sync and Follow; any may call Status.
type Copy struct {
	o      Options
	folder string
	unlock func() error

	// here is the release in place, nil before the first.
	here *release.Reader

	// head is that of the release that is in place, once it was compared; version
	// is that under which the origin knows it.
	head    *Head
	version string
	// files are those in the release folder, nil before the folders were looked at.
	files map[string]Blob

	mu     sync.Mutex
	status Status

	// fault is for tests: it is called before each step that a kill may precede.
	fault func(step string) error
}

// A Status says how a copy stands.
type Status struct {
	// Origin is the name of where it is copied from.
	Origin string
	// Release is the id of the release in place, or "".
	Release string
	// Seen is when the origin last had just that; zero before.
	Seen time.Time
	// Trouble says why the release is not followed, or "".
	Trouble string
}

// Open returns the Copy of an origin below the state folder, which this process
// then has alone. It makes no request.
func Open(ctx context.Context, o Options) (*Copy, error) {
	o.Parallel, o.Every = cmp.Or(o.Parallel, DefaultParallel), cmp.Or(o.Every, DefaultEvery)
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = func(ctx context.Context, d time.Duration) error { return sleep(ctx, d, o.Heard) }
	}
	c := &Copy{o: o, folder: Folder(o.State, o.Origin.ID()), fault: func(string) error { return nil }}
	c.status.Origin = o.Origin.Name()
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the copy: %w", err)
	}
	var err error
	c.unlock, err = release.LockFolder(ctx, c.folder, func() {
		o.Notice("another process copies " + o.Origin.Name() + " to " + c.folder + ": waiting for it")
	})
	if err != nil {
		return nil, fmt.Errorf("lock the folder of the copy: %w", err)
	}
	return c, nil
}

// tree returns a new Tree of the public folder. It is used for one commit: its
// manifest may be whole.
func (c *Copy) tree() (*release.Tree, error) {
	return release.Open(release.Options{
		Public: c.Public(), Now: c.o.Now, Ours: func(string, func() ([]byte, error)) bool { return true },
	})
}

// id returns that of the release in place, or "".
func (c *Copy) id() string {
	if c.here == nil {
		return ""
	}
	return c.here.ID()
}

// look brings here up to date with the folder.
func (c *Copy) look() (err error) {
	if c.here != nil {
		return c.here.Refresh()
	}
	here, err := release.Follow(c.Public())
	switch {
	case errors.Is(err, release.ErrNoRelease):
		return nil
	case err != nil:
		return err
	}
	c.here = here
	return nil
}

// Folder returns the folder of the copy of an origin, which its ID names: public and
// public.release are below it.
func Folder(state, id string) string {
	d := release.DigestOf([]byte(id))
	return filepath.Join(state, fmt.Sprintf("from-%x", d[:8]))
}

// Public returns the public folder of the copy.
func (c *Copy) Public() string { return filepath.Join(c.folder, "public") }

// Close ends the copy for this process.
func (c *Copy) Close() (err error) {
	if c.here != nil {
		err = c.here.Close()
	}
	return errors.Join(err, c.unlock())
}

// Status returns how the copy stands.
func (c *Copy) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

func (c *Copy) set(change func(s *Status)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.status)
}
