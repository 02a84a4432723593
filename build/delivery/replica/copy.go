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

	"souk/build/kit/durable"
	"souk/build/release"
)

// An Origin is where a release is copied from. Its methods are safe for concurrent use;
// Read and File retry temporary failures.
type Origin interface {
	// Name is the place for messages; ID identifies it.
	Name() string
	ID() string
	// Head returns the head and its version, or ErrUnchanged if version is still current. It
	// tries once.
	Head(ctx context.Context, version string) (data []byte, now string, err error)
	// Read returns what is at a key, of at most that many bytes, or ErrAbsent.
	Read(ctx context.Context, key string, most int64) ([]byte, error)
	// File returns a file of the release, or ErrAbsent. Its bytes may differ from e.
	File(ctx context.Context, file string, e release.Entry, extensionless bool) ([]byte, error)
}

// Options are the settings of a Copy. The zero value of each field except Origin and State
// is its default.
type Options struct {
	Origin Origin
	// State is the folder of this machine's own state, which contains the copy.
	State string
	// Parallel is the maximum number of concurrent requests; default 32.
	Parallel int
	// Every is how often the head is requested; default once per second.
	Every time.Duration
	// Heard receives a value when there may be a new head, which is then requested at once.
	Heard <-chan struct{}
	// Notice is called with what the operator should know.
	Notice func(text string)
	// Now is the wall clock; Sleep waits, or returns the error of ctx.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// The defaults of Options.
const (
	DefaultParallel = 32
	DefaultEvery    = time.Second
)

// A Copy is a public folder, and its release folder, that follow an origin. Only one
// goroutine may call Start, Sync and Follow; any may call Status.
type Copy struct {
	o      Options
	folder string
	unlock func() error

	// here is the current release, nil before the first.
	here *release.Reader

	// head is the head of the current release, once it was compared; version is the
	// origin's version of it.
	head    *Head
	version string
	// files are the files in the release folder, nil before the folders were read.
	files map[string]Blob

	mu     sync.Mutex
	status Status

	// fault is for tests. It is called before each step that a kill may precede.
	fault func(step string) error
}

// A Status is the state of a copy.
type Status struct {
	// Origin is the name of the origin.
	Origin string
	// Release is the id of the current release, or "".
	Release string
	// Seen is when the origin last had that release; zero before.
	Seen time.Time
	// Problem says why the release is not being followed, or "".
	Problem string
}

// Open returns the Copy of an origin below the state folder, which this process then uses
// exclusively. It sends no request.
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
		return nil, fmt.Errorf("create the folder of the copy: %w", err)
	}
	var err error
	c.unlock, err = durable.LockFolder(ctx, c.folder, func() {
		o.Notice("waiting for another process that copies " + o.Origin.Name() + " to " + c.folder)
	})
	if err != nil {
		return nil, fmt.Errorf("lock the folder of the copy: %w", err)
	}
	return c, nil
}

// tree returns a new Tree of the public folder. It is used for one commit, since its
// manifest may be large.
func (c *Copy) tree() (*release.Tree, error) {
	return release.Open(release.Options{
		Public: c.Public(), Now: c.o.Now, Ours: func(string, func() ([]byte, error)) bool { return true },
	})
}

// id returns the id of the current release, or "".
func (c *Copy) id() string {
	if c.here == nil {
		return ""
	}
	return c.here.ID()
}

// look updates here from the folder.
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

// Folder returns the folder of the copy of an origin, given by its ID. It contains public
// and public.release.
func Folder(state, id string) string {
	d := release.DigestOf([]byte(id))
	return filepath.Join(state, fmt.Sprintf("from-%x", d[:8]))
}

// Public returns the public folder of the copy.
func (c *Copy) Public() string { return filepath.Join(c.folder, "public") }

// Close ends this process's use of the copy.
func (c *Copy) Close() (err error) {
	if c.here != nil {
		err = c.here.Close()
	}
	return errors.Join(err, c.unlock())
}

// Status returns the state of the copy.
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
