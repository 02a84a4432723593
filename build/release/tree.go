package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"souk/build/kit/durable"
)

// Options are the settings of a Tree.
type Options struct {
	// Public is the output folder.
	Public      string
	Precompress Precompress
	// Now is the wall clock, for modification times.
	Now func() time.Time
	// Waiting, if non-nil, is called when another process has locked the folder.
	Waiting func()
	// Permit, if non-nil, is called when the folder is locked. The function it returns runs just
	// before each commit until the folder is unlocked; if it fails, nothing is committed.
	Permit func() func() error
	// Preview marks the release as a preview, in its description.
	Preview bool
	// Ours reports whether a release wrote a file. It is used if the log is lost; other files
	// are left alone.
	Ours func(file string, body func() ([]byte, error)) bool
}

// A Tree is the public folder. One goroutine at a time may change it, between Lock and Unlock;
// Lookup may be called by any goroutine at any time.
type Tree struct {
	options Options
	// own is the Folder of the output folder.
	own    string
	log    log
	unlock func() error
	// permit is the function that May returned for the present lock.
	permit func() error

	mu       sync.RWMutex
	manifest *Manifest
	// partial means that the manifest has only the files that a plan may change.
	partial bool
	// moving is a committed release that is not completely in place yet, or nil.
	moving atomic.Pointer[moving]

	// altered means that the folder differs from the log. The next record then writes the log
	// again.
	altered bool
	// described is the release id in the folder's description.
	described string
	foreign   []string
	// stale are leftovers to delete with the next commit.
	stale []string
	// plans counts the plans begun, so that each has its own mark.
	plans uint64
	// stages is the path prefix of stage folders whose files can be renamed into place, or ""
	// until it is known.
	stages string

	// fault is for tests. It is called before each step that may fail.
	fault func(step string) error
	// syncFolders syncs folders. Tests replace it to record which.
	syncFolders func(folders []string) error
}

// A moving is a release that is being moved into place file by file.
type moving struct {
	// stage is the folder that its files come from.
	stage string
	// before is the revision of the removals of the release that it replaces.
	before uint64
}

// Open returns a Tree. It reads nothing before Lock.
func Open(o Options) (*Tree, error) {
	public, err := filepath.Abs(o.Public)
	if err != nil {
		return nil, err
	}
	if o.Waiting == nil {
		o.Waiting = func() {}
	}
	if o.Permit == nil {
		o.Permit = func() func() error { return func() error { return nil } }
	}
	t := &Tree{options: o, manifest: newManifest(), fault: func(string) error { return nil }, syncFolders: durable.SyncFolders}
	t.own = Folder(public)
	t.log.path = filepath.Join(t.own, logName)
	return t, nil
}

// Lock locks the folder for this process, finishes or discards the unfinished work of another
// process, and brings the manifest up to date. It waits while another process has the lock.
func (t *Tree) Lock(ctx context.Context) error { return t.lock(ctx, t.refresh) }

// lock locks the folder, then opens it.
func (t *Tree) lock(ctx context.Context, open func() error) error {
	if err := t.makeFolders(); err != nil {
		return err
	}
	unlock, err := durable.LockFolder(ctx, t.options.Public, t.options.Waiting)
	if err != nil {
		return fmt.Errorf("lock the output folder: %w", err)
	}
	t.unlock, t.permit = unlock, t.options.Permit()
	if err := open(); err != nil {
		return errors.Join(fmt.Errorf("open the output folder: %w", err), t.Unlock())
	}
	return nil
}

// Unlock unlocks the folder for other processes.
func (t *Tree) Unlock() error {
	unlock := t.unlock
	t.unlock = nil
	return unlock()
}

// refresh reads the log unless it is as this process left it.
func (t *Tree) refresh() (err error) {
	defer func() {
		if err != nil {
			t.log.written = nil // the next Lock finishes it
		}
	}()
	info, err := os.Stat(t.log.path)
	if err == nil && t.log.same(info) {
		// Files staged by a killed process must not become part of the next release.
		return t.recover(nil)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.log = log{path: t.log.path}
	records, err := t.log.read()
	if err != nil {
		return err
	}
	m := newManifest()
	for _, r := range records {
		m.apply(r)
	}
	if err := t.recover(records); err != nil {
		return fmt.Errorf("finish the last release: %w", err)
	}
	t.moving.Store(nil)
	t.log.cut()
	logged := t.log.size > 0
	if m.boot != "" && m.boot != bootID() {
		m.distrust()
		logged = false // so that the log is written again
	}
	t.altered, t.foreign, t.stale = !logged, nil, nil
	t.described = m.ID()
	if err := t.verify(m); err != nil {
		return err
	}
	if !logged {
		d := t.description()
		t.described = d.ID
		m.Clock, _ = time.Parse(time.RFC3339Nano, d.Clock)
	}
	t.mu.Lock()
	t.manifest, t.partial = m, false
	t.mu.Unlock()
	return nil
}

// description returns the description of the release in the folder, or the zero value.
func (t *Tree) description() (d description) {
	data, err := os.ReadFile(t.Path(DescriptionFile))
	if err != nil || json.Unmarshal(data, &d) != nil {
		return description{}
	}
	return d
}

// Altered reports whether the folder differs from the state that the last release left, so
// that every document has to be compared.
func (t *Tree) Altered() bool { return t.altered }

// Foreign returns the files that no release wrote and that are left alone.
func (t *Tree) Foreign() []string { return t.foreign }

// Lookup returns the entry of a file of the release.
func (t *Tree) Lookup(file string) (Entry, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if e := t.manifest.entries[file]; e != nil {
		return e.unmarked(), true
	}
	return Entry{}, false
}

// Has reports whether a file is in the release.
func (t *Tree) Has(file string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.manifest.entries[file] != nil
}

// Owner returns the present or last owner of a key that was passed to Plan.Own.
func (t *Tree) Owner(key string) (Owner, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	o, known := t.manifest.owners[key]
	return o, known
}

// EachOwner calls yield for each companySlug with a known owner, in no particular
// order.
func (t *Tree) EachOwner(yield func(slug string, o Owner)) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for slug, o := range t.manifest.owners {
		yield(slug, o)
	}
}

// ID returns the id of the current release, or "" before the first.
func (t *Tree) ID() string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.manifest.entries) == 0 {
		return ""
	}
	return t.manifest.ID()
}

// Made returns the clock of the release, and the revision of the removals that it was made
// with. While the release is not completely in place, it returns the previous revision,
// because another host that serves the folder may still show the previous files.
func (t *Tree) BuiltFrom() (clock time.Time, revision uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	revision = t.manifest.Revision
	if m := t.moving.Load(); m != nil {
		revision = m.before
	}
	return t.manifest.Clock, revision
}

// Summary returns the number of documents and their total size.
func (t *Tree) Summary() (documents int, bytes int64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.manifest.Documents()
}

// Each calls yield for each file of the release, in no particular order.
func (t *Tree) Each(yield func(file string, e Entry)) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for file, e := range t.manifest.entries {
		yield(file, e.unmarked())
	}
}

// Path returns the path of a file of the release.
func (t *Tree) Path(file string) string {
	return filepath.Join(t.options.Public, filepath.FromSlash(file))
}

// OpenFile opens a file of the release, or a twin. This works even if the committed release is
// not in place yet.
func (t *Tree) OpenFile(file string) (*os.File, error) {
	stage := ""
	if m := t.moving.Load(); m != nil {
		stage = m.stage
	}
	return openFile(t.options.Public, stage, file)
}

// openFile opens a file in the stage, if there is one, or else in the public folder. The stage
// comes first: the public folder may still have the previous release's file, which may show a
// seller that was removed since.
func openFile(public, stage, file string) (*os.File, error) {
	path := filepath.FromSlash(file)
	if stage != "" {
		f, err := os.Open(filepath.Join(stage, path))
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return os.Open(filepath.Join(public, path))
}

// Knows reports whether a present or former owner of addresses has a canonical id or a domain.
func (t *Tree) Knows(id, domain string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, o := range t.manifest.owners {
		if id != "" && o.ID == id || domain != "" && slices.Contains(o.Domains, domain) {
			return true
		}
	}
	return false
}

// Locked reports whether this process has the lock.
func (t *Tree) Locked() bool { return t.unlock != nil }

// Remembers reports whether there is a log of earlier releases. The tree must be locked.
func (t *Tree) HasLog() bool { return t.log.size > 0 }

// Stubs returns the 410 stubs of the release, in no particular order.
func (t *Tree) Stubs() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Collect(maps.Keys(t.manifest.stubs))
}

// Overtaken reports whether another process made a release since this one last read or wrote
// the log. Only the goroutine that locks the tree may call it.
func (t *Tree) Overtaken() bool {
	info, err := os.Stat(t.log.path)
	return err != nil && t.log.size > 0 || err == nil && !t.log.same(info)
}
