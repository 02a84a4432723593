// Package build is the pipeline on one page: a content folder is read into the
// catalog, the catalog is rendered into public documents, and these become a
// release in the public folder. A Builder keeps what it has read, so that the
// cost of a build depends on what changed. It decides which addresses are gone;
// how anything is read, rendered or written is left to the packages below it.
//
//	Begin    locks the public folder, scans the content          build.go
//	Build    applies clock, removals and content                 next.go
//	         checks the reason of each existing 410 stub         stubs.go
//	         takes removed sellers out of the search parts       search.go
//	         renders what changed and releases it                stage.go
//	         saves what the next process starts from             last.go
//	End      unlocks the public folder
package build

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
	"souk/build/release"
	"souk/build/site"
	"souk/build/source"
)

// Config holds the folders and settings of a build.
type Config struct {
	Content, Public, State string
	// Theme is the folder of the theme, if that is not in Content; or empty.
	Theme string
	// Pages: the pages for people are rendered beside the documents.
	Pages bool
	// Snapshot: all documents are also in the shards of a snapshot.
	Snapshot bool
	// SiteURL overrides the siteURL of the content, for a preview.
	SiteURL string
	// At fixes the moment that decides what is current; if zero, it is the
	// clock's.
	At time.Time
	// Clock is the wall clock.
	Clock       func() time.Time
	Precompress release.Precompress
	// Preview marks the releases, for good, as made for looking at: they cannot be
	// published. Drafts shows what is not current too; only a preview may.
	Preview, Drafts bool
	// Program identifies this version of the program, for the cache.
	Program string
	// LongLived says that the Builder will build many times, and that mistakes
	// in the content must not delay a removal. It keeps the content in memory from the first
	// build on, falls back to the last good content if the first has mistakes, and withholds
	// the owners of unexplained stubs instead of failing.
	LongLived bool
	// Forget lists the addresses, or the companySlugs, whose unexplained stubs
	// may be deleted.
	Forget []string
	// Progress, if set, is called with the number of units rendered so far.
	Progress func(done, total int)
	// Waiting, if set, is called when another build has locked the output folder.
	Waiting func()
	// May, if set, is asked when a build begins, for what is asked right before its
	// release is committed: where that fails, there is none.
	May func() func() error
}

// A Report describes what a build did.
type Report struct {
	release.Result
	// Before is the id of the release before.
	Before string
	// Touched is what changed in what is published of sellers; empty if the
	// release did not change.
	Touched Touched
	// HeldBack lists the mistakes that keep the last changes of the content out
	// of the release, which still shows the content before them.
	HeldBack problem.List
	// Waiting lists those of HeldBack that keep restored sellers out of the release: nothing
	// of the content's changes is held back for them.
	Waiting problem.List
	// Substituted is what the operator's templates failed at, after a removal or
	// with time: the built-in ones rendered these pages.
	Substituted problem.List
	// Unexplained lists the addresses of stubs that no removal on record explains.
	Unexplained []string
	// Next is the next moment at which something becomes or ceases to be current.
	Next time.Time
	// Unsaved is why what was read could not be saved for the next build; the
	// release is valid all the same.
	Unsaved error

	// The rest is set only if the whole content was scanned.

	// Warnings is the number of warnings that `souk check` would report.
	Warnings int
	// Foreign lists files in the public folder that no build wrote.
	Foreign []string
	// Unmatched lists removals that match no seller in the content.
	Unmatched []catalog.Removal
	// Withheld warns of sellers that are withheld, or nearly are, although no
	// removal has their id.
	Withheld problem.List
}

// A Builder builds the same folder repeatedly. Its methods are not safe for
// concurrent use; the Tree may be read at any time.
type Builder struct {
	config  Config
	tree    *release.Tree
	content *content
	// renditions keeps the smaller forms of pictures.
	renditions *rendition.Cache
	// owed is what the last release lacks, so that the next one looks for it again; nil for
	// nothing.
	owed *catalog.Delta
	made made
	// left is the memory as this process left it; nil if there was none.
	left fs.FileInfo
	// loading is held while the content of a release that exists already is read.
	loading sync.Mutex
	// unsearched is what of the last release is not in the search parts.
	unsearched unsearched
	// site renders the pages as of the last release; nil without pages.
	site atomic.Pointer[site.Site]
}

// made is what a release was made from.
type made struct {
	release string
	// record is everything on record about removals; orphans are the removals
	// that only stubs bear witness to, places the companySlugs of removed sellers
	// that only the release before tells.
	record  *catalog.Removals
	orphans []orphan
	places  []catalog.Removal
	// kept are restored removals that stay in force, because the content has mistakes with
	// the sellers who would come back.
	kept []catalog.Removal
}

// revision is that of the record, which the release tells others.
func (m made) revision() uint64 {
	if m.record == nil {
		return 0
	}
	return m.record.Revision
}

// New returns a Builder; nothing is read or written yet.
func New(c Config) (*Builder, error) {
	if err := apart(c); err != nil {
		return nil, err
	}
	// A slip in its path must not leave folders behind.
	if err := source.Find(c.Content); err != nil {
		return nil, err
	}
	if c.Drafts && !c.Preview {
		return nil, errors.New("drafts are shown in a preview alone")
	}
	tree, err := release.Open(release.Options{
		Public: c.Public, Precompress: c.Precompress, Now: c.Clock, Waiting: c.Waiting, Ours: document.Ours, Preview: c.Preview,
		May: c.May,
	})
	if err != nil {
		return nil, err
	}
	renditions := c.renditions()
	return &Builder{config: c, content: newContent(c, renditions), renditions: renditions, tree: tree}, nil
}

// Tree returns the public folder.
func (b *Builder) Tree() *release.Tree { return b.tree }

// Site returns what renders the pages; its value is nil without pages and before
// the first release. It may be read at any time.
func (b *Builder) Site() *atomic.Pointer[site.Site] { return &b.site }

// Catalog returns the marketplace as it was last read.
func (b *Builder) Catalog() *catalog.Catalog { return b.content.catalog }

func (c Config) now() time.Time {
	if c.At.IsZero() {
		return c.Clock().UTC().Truncate(time.Second)
	}
	return c.At
}

// Whole is the path of the whole content folder.
const Whole = source.Whole

// A Turn is one build, during which no other process builds into the public
// folder.
type Turn struct {
	*Builder
	paths []string
	// last is what the memory has of the last release.
	last last
}

// Begin locks the public folder and scans the given paths of the content: all
// of it the first time, and where another process released content that may be
// newer; nothing if no paths are given. Read who is withheld only
// after Begin: a process that records a removal and then builds must find that
// either the build before it knew of the removal, or this one will.
func (b *Builder) Begin(ctx context.Context, paths ...string) (*Turn, error) {
	if err := b.tree.Lock(ctx); err != nil {
		return nil, err
	}
	t := &Turn{Builder: b, paths: paths, last: b.readLast()}
	if b.left = b.recorded(); !b.content.folder.Scanned() || b.outdated(t.last) {
		t.paths = []string{Whole}
	}
	if err := b.content.folder.Scan(ctx, t.paths...); err != nil {
		return nil, errors.Join(err, b.tree.Unlock())
	}
	return t, nil
}

// outdated reports whether another process made the release that is there, or the same
// one, of other content than what was good here last.
func (b *Builder) outdated(l last) bool {
	switch {
	case b.made.release == "":
		return false
	case l.Release == b.tree.ID():
		return l.Content != b.content.folder.GoodFingerprint()
	}
	return b.made.release != b.tree.ID()
}

// End unlocks the public folder for other processes.
func (t *Turn) End() error { return t.tree.Unlock() }

// Build runs a whole Turn, for removals that cannot change meanwhile, such as
// those of a list.
func (b *Builder) Build(ctx context.Context, removals *catalog.Removals, paths ...string) (report Report, err error) {
	t, err := b.Begin(ctx, paths...)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, t.End()) }()
	return t.Build(ctx, removals)
}

// Build brings the public folder up to date with what Begin found, the clock
// and the removals. It fails with a *problem.Error if the first content has
// mistakes, and with a *stub.UnexplainedError if stubs have no reason; it then
// writes nothing. Later content with mistakes is held back: the release keeps
// the content before, and the report has the mistakes. If it fails otherwise,
// or ctx ends, nothing changes, and the next Build starts from the same release.
func (t *Turn) Build(ctx context.Context, record *catalog.Removals) (Report, error) {
	c, first := t.content, t.made.release == ""
	from := t.from(record)
	right := t.owed == nil && t.holds(from)
	if first {
		t.unsearched = unsearchedSince(index.State{Release: t.tree.ID(), Content: t.last.Content})
	}
	if right && !c.known {
		c.folder.Approve()
		if !t.config.LongLived {
			return t.conclude(ctx, from)
		}
	}
	stays := t.config.LongLived && t.last.Release != "" || !first
	if !c.known && !t.takeUp() {
		t.takeUpAnew(ctx)
	}
	for _, a := range t.attempts(from, stays, right) {
		run, err := t.next(ctx, a, from, right)
		if mistakes := new(problem.Error); errors.As(err, &mistakes) {
			t.content.reject(a, mistakes.Mistakes)
			continue
		}
		if err != nil {
			return Report{}, errors.Join(err, c.folder.Moved()) // pictures are read only now
		}
		return t.complete(run, first), nil
	}
	_ = t.store(nil) // the mistakes are what matters; the next run reads less
	return Report{}, &problem.Error{Mistakes: t.content.mistakes}
}

// conclude ends a build of a release that is right already and whose content nobody asked for.
func (t *Turn) conclude(ctx context.Context, from made) (Report, error) {
	report := Report{Before: t.tree.ID(), Warnings: t.last.Warnings, Next: t.last.Until, Foreign: t.tree.Foreign()}
	plan, err := t.tree.Begin()
	if err != nil {
		return Report{}, err
	}
	plan.SetRevision(from.revision())
	report.Result, err = plan.Commit(ctx, t.config.now(), !t.config.At.IsZero())
	t.made = from
	t.made.release = t.tree.ID()
	report.Unsaved = t.store(nil)
	return report, err
}

// load reads the content of a release that exists already. Several goroutines may ask for it.
func (b *Builder) load() error {
	b.loading.Lock()
	defer b.loading.Unlock()
	if t := (&Turn{Builder: b, last: b.readLast()}); !b.content.known && !t.takeUp() {
		return errors.New("the content of the release that is there is not known: build again")
	}
	return nil
}

// complete saves what the next process starts from, and reports a build.
func (t *Turn) complete(run *staging, first bool) Report {
	c := t.content
	report := Report{
		Result: run.Result, Before: run.previous, Touched: run.touched, Substituted: run.broken.List, HeldBack: c.heldBack(run.lacking.problems()),
		Waiting: c.waiting, Unexplained: t.unexplained(t.made.orphans), Foreign: t.tree.Foreign(), Next: c.catalog.NextTransition(),
	}
	report.Touched.Whole = report.Touched.Whole || first && t.config.LongLived && !run.right
	t.unsearched.add(run.delta)
	if t.whole() {
		_, fileWarnings := c.problems().Split()
		report.Warnings = len(fileWarnings) + len(c.catalog.Warnings())
		report.Withheld = c.catalog.Withheld()
		report.Unmatched = c.catalog.Unmatched(func(r catalog.Removal) bool { return t.tree.Knows(r.ID, r.Domain) })
	}
	if run.right {
		report.Unsaved = t.store(nil)
		return report
	}
	if report.Unsaved = t.tellMarket(); report.Unsaved == nil { // else the next build tells
		report.Unsaved = errors.Join(t.save(report), t.purge())
	}
	if first && t.config.LongLived {
		c.folder.Lighten()
	}
	return report
}

// whole reports whether the whole content was scanned.
func (t *Turn) whole() bool { return len(t.paths) == 1 && t.paths[0] == Whole }

// Overtaken reports whether another process built here since the last Turn.
func (b *Builder) Overtaken() bool {
	now := b.recorded()
	return b.tree.Overtaken() || now != nil && (b.left == nil || !os.SameFile(now, b.left) || !now.ModTime().Equal(b.left.ModTime()))
}

// Outdated reports whether the release that is there is another process's, of other
// content than the Builder's.
func (b *Builder) Outdated() bool { return b.outdated(b.readLast()) }

// BuiltFrom returns the record of removals that the last release was made from, or
// nil before the first.
func (b *Builder) BuiltFrom() *catalog.Removals { return b.made.record }
