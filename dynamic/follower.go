package dynamic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"souk/build/document"
	"souk/build/release"
	releaseMarket "souk/build/release/market"
	"souk/build/site"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// A follower is the origin of a server without content. It reads the releases of another
// process, and the ledger that both share.
type follower struct {
	config  Config
	reader  *release.Reader
	record  *Record
	sellers *listed
	pages   atomic.Pointer[site.Site]
	index   *indexer
	// seen is the last seen state of the release's files. Only the goroutine of run uses
	// it.
	seen []fs.FileInfo
	// These are the errors of reading the removals and the release.
	unread, releaseError taskError
	// heard receives a value when another process announced something; newer receives one
	// when the release has changed.
	heard, newer chan struct{}

	mu sync.Mutex
	// looked is closed and replaced whenever the release was looked at.
	looked chan struct{}
}

var _ origin = (*follower)(nil)

// followTime is how often a follower looks for a new release, which takes a stat of five
// files.
const followTime = 50 * time.Millisecond

func newFollower(c Config) (*follower, error) {
	reader, err := release.Follow(c.From)
	if err != nil {
		if errors.Is(err, release.ErrNoRelease) {
			err = fmt.Errorf("%w\n  make one on the machine with the content: run 'souk build --public %s' or 'souk serve --content … --public %s'", err, c.From, c.From)
		}
		return nil, err
	}
	f := &follower{
		config: c, reader: reader, record: NewRecord(c.Verification.Ledger, c.Verification.Removals), looked: make(chan struct{}),
		heard: make(chan struct{}, 1), newer: make(chan struct{}, 1),
	}
	f.unread.what, f.releaseError.what = "the removals cannot be read", "new releases are not followed"
	f.index = newIndexer(c, c.From, f.record)
	f.sellers = &listed{release: reader, removals: f.record.Register()}
	return f, nil
}

// begin implements origin.
func (f *follower) begin(ctx context.Context) error {
	if _, err := f.record.Removals(ctx); err != nil {
		return err
	}
	f.seen = f.releaseFiles()
	f.place()
	if err := f.readMarket(); err != nil {
		return err
	}
	f.index.begin(ctx)
	return nil
}

// readMarket reads the market's metadata and creates the renderer of its pages.
func (f *follower) readMarket() error {
	m, err := releaseMarket.Read(f.config.From)
	if err != nil {
		return err
	}
	pages, err := m.Site()
	if err != nil {
		return fmt.Errorf("create the market's pages for %s: %w", f.config.From, err)
	}
	f.pages.Store(pages)
	f.sellers.now.Store(&marketplace{name: m.Name, contact: m.ContactEmail, noClaims: m.NoClaims, site: m.SiteURL, texts: m.Catalogue(), addresses: m.Addresses()})
	return nil
}

// parts implements origin. Neither the removals nor the release wait for search.
func (f *follower) parts() []func(context.Context) {
	return []func(context.Context){f.run, f.index.run}
}

// run follows the release until ctx ends.
func (f *follower) run(ctx context.Context) {
	look, again := time.NewTicker(followTime), time.NewTicker(retryFault)
	defer look.Stop()
	defer again.Stop()
	for {
		retry := false
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		case <-f.heard:
		case <-again.C:
			retry = f.releaseError.now() != nil
			f.index.retry()
		}
		f.look(ctx, retry)
		f.mu.Lock()
		close(f.looked)
		f.looked = make(chan struct{})
		f.mu.Unlock()
	}
}

// look reads the release if it has changed. again forces it to read everything again.
func (f *follower) look(ctx context.Context, again bool) {
	before, now := f.seen, f.releaseFiles()
	_, was := f.reader.BuiltFrom()
	err := f.reader.Refresh()
	if _, is := f.reader.BuiltFrom(); is != was {
		signal(f.newer) // it is in place, which none of these files shows
	}
	f.place()
	changed := !slices.EqualFunc(before, now, sameFile)
	if err != nil || !changed && !again {
		if err != nil {
			f.releaseError.set(ctx, f.config.Log, err)
		}
		return
	}
	f.seen = now
	signal(f.newer)
	f.releaseError.set(ctx, f.config.Log, f.readMarket())
	signal(f.index.parted)
}

// place records which removals the current release was built with, if these are all that
// are known here.
func (f *follower) place() {
	if now := f.record.now.Now(); now != nil && f.builtWith(now.Revision) {
		f.record.inRelease.Store(now)
	}
}

// builtWith reports whether the current release was built with at least this revision of the
// removals.
func (f *follower) builtWith(revision uint64) bool {
	_, made := f.reader.BuiltFrom()
	return made >= revision
}

// learn implements origin.
func (f *follower) learn(ctx context.Context) error {
	_, err := f.record.Removals(ctx)
	f.unread.set(ctx, f.config.Log, err)
	return err
}

// signals implements origin.
func (f *follower) signals() (heard chan<- struct{}, newer <-chan struct{}) { return f.heard, f.newer }

// signal sends a value to a channel unless it is full.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// releaseFiles returns the state of the files that identify a release.
func (f *follower) releaseFiles() (all []fs.FileInfo) {
	for _, name := range []string{"log", "market", "search/head"} {
		info, err := os.Stat(filepath.Join(release.Folder(f.config.From), filepath.FromSlash(name)))
		if err != nil {
			info = nil // their reader will report the error
		}
		all = append(all, info)
	}
	return all
}

// sameFile reports whether a file is unchanged.
func sameFile(was, is fs.FileInfo) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	return os.SameFile(was, is) && was.Size() == is.Size() && was.ModTime().Equal(is.ModTime())
}

// sources implements origin.
func (f *follower) sources() sources {
	s := sources{surface: surface{f.reader, f.record.Register()}, sellers: f.sellers, live: &f.index.live}
	if f.pages.Load() != nil {
		s.pages = &f.pages
	}
	return s
}

// served implements origin.
func (f *follower) served() Served {
	s := Served{Release: f.reader.ID()}
	if m := f.sellers.now.Load(); m != nil {
		s.Site = m.site
	}
	return s
}

// copied implements origin. The process that builds also publishes.
func (f *follower) copied(context.Context) string { return "" }

// state implements origin.
func (f *follower) state() state {
	s := state{pending: f.record.pending(), checks: map[string]string{"release": web.StatusOK, "search": f.index.ready()}}
	// The causes may contain names of folders, so the public does not see them.
	if f.releaseError.now() != nil || f.unread.now() != nil {
		s.checks["release"] = "new releases are not followed"
	}
	if f.config.Behind != nil {
		s.checks["origin"] = cmp.Or(f.config.Behind(), web.StatusOK)
	}
	return s
}

// remove implements origin. The process that builds with the same ledger makes the release.
func (f *follower) remove(ctx context.Context, removal verification.Removal) error {
	set, err := f.record.Removals(ctx)
	if err != nil {
		return fmt.Errorf("the removal is recorded but not yet in effect here: %w", err)
	}
	for {
		f.mu.Lock()
		looked := f.looked
		f.mu.Unlock()
		if f.contains(removal.Slug, set.Revision) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the removal is recorded and in effect here, but the builder has not made a release with it: %w", context.Cause(ctx))
		case <-looked:
		}
	}
}

// contains reports whether the release was built with a revision of removals and does not
// show the removed seller.
func (f *follower) contains(slug string, revision uint64) bool {
	if !f.builtWith(revision) {
		return false
	}
	file := document.SellerFile(slug)
	return !f.reader.Has(file) || !f.sources().withholds(file)
}

// close implements origin.
func (f *follower) close() error {
	return errors.Join(f.index.close(), f.reader.Close())
}
