// Package build is the pipeline on one page. It reads a content folder into the catalog,
// renders the catalog into public documents, and writes these as a release into the public
// folder. A Builder remembers what it has read, so that the cost of a build depends on what
// changed. It decides which addresses answer 410; how content is read, rendered or written is
// left to the packages below it.
//
//	Begin    locks the public folder, scans the content          build.go
//	Build    applies clock, removals and content                 next.go
//	         checks the reason of each existing 410 stub         stubs.go
//	         takes removed sellers out of the search parts       search.go
//	         renders what changed and releases it                stage.go
//	         saves the state for the next process                last.go
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
	// Theme is the folder of the theme if it is outside Content, or "".
	Theme string
	// Pages renders pages for people beside the documents.
	Pages bool
	// Snapshot also writes all documents into the shards of a snapshot.
	Snapshot bool
	// SiteURL overrides the siteUrl of the content, for a preview.
	SiteURL string
	// At fixes the time that decides what is current. If it is zero, the Clock's time is used.
	At time.Time
	// Clock is the wall clock.
	Clock       func() time.Time
	Precompress release.Precompress
	// Preview marks releases as previews, permanently; Publish refuses them. Drafts also shows
	// items that are not current; it requires Preview.
	Preview, Drafts bool
	// Program identifies this build of the program, for the cache.
	Program string
	// LongLived says that the Builder builds many times and that mistakes in the content must
	// not delay a removal. It keeps the content in memory from the first build on, uses the
	// last good content if the first build finds mistakes, and withholds the owners of
	// unexplained stubs instead of failing.
	LongLived bool
	// Forget lists addresses or companySlugs whose unexplained stubs may be deleted.
	Forget []string
	// Progress, if non-nil, is called with the number of units rendered so far.
	Progress func(done, total int)
	// Waiting, if non-nil, is called when another build has locked the output folder.
	Waiting func()
	// Permit, if non-nil, is called when a build begins. The function it returns runs just before
	// the release is committed; if it fails, nothing is committed.
	Permit func() func() error
}

// A Report describes what a build did.
type Report struct {
	release.Result
	// Before is the id of the previous release.
	Before string
	// Touched describes what changed in the publication of sellers. It is empty if the release
	// did not change.
	Touched Touched
	// HeldBack lists the mistakes that keep the latest content out of the release, which still
	// shows the content before them.
	HeldBack problem.List
	// Waiting lists the mistakes in HeldBack that keep restored sellers out of the release. No
	// other change is held back because of them.
	Waiting problem.List
	// Substituted lists the failures of the operator's templates after a removal or a passed
	// date. The built-in templates rendered these pages.
	Substituted problem.List
	// Unexplained lists the addresses of stubs that no recorded removal explains.
	Unexplained []string
	// Next is the next time at which an item becomes or ceases to be current.
	Next time.Time
	// Unsaved is the error of saving the state for the next build. The release is valid all
	// the same.
	Unsaved error

	// The fields below are set only if the whole content was scanned.

	// Warnings is the number of warnings that 'souk check' would report.
	Warnings int
	// Foreign lists files in the public folder that no build wrote.
	Foreign []string
	// Unmatched lists removals that match no seller in the content.
	Unmatched []catalog.Removal
	// Withheld warns about sellers that are withheld, or nearly so, although no removal has
	// their id.
	Withheld problem.List
}

// A Builder builds the same folder repeatedly. Its methods are not safe for concurrent use,
// but the Tree may be read at any time.
type Builder struct {
	config  Config
	tree    *release.Tree
	content *content
	// shelf stores the smaller renditions of pictures.
	renditions *rendition.Cache
	// retry lists what the last release lacks, so that the next build tries it again, or is
	// nil.
	retry  *catalog.Delta
	inputs buildInputs
	// saved is the memory as this process saved it, or nil if there was none.
	saved fs.FileInfo
	// loading guards reading the content of an existing release.
	loading sync.Mutex
	// unsearched lists the documents of the last release that are not indexed yet.
	unsearched unsearched
	// site renders the pages of the last release. It holds nil if there are no pages.
	site atomic.Pointer[site.Site]
}

// buildInputs describes the inputs of the last release.
type buildInputs struct {
	release string
	// record contains all recorded removals. orphans are removals that only stubs prove.
	// places are the companySlugs of removed sellers that only the previous release knows.
	record  *catalog.Removals
	orphans []orphan
	places  []catalog.Removal
	// retained are restored removals that stay in force because the content has mistakes once
	// these sellers come back.
	retained []catalog.Removal
}

// revision is the revision of the record, which the release announces.
func (m buildInputs) revision() uint64 {
	if m.record == nil {
		return 0
	}
	return m.record.Revision
}

// New returns a Builder. It reads and writes nothing yet.
func New(c Config) (*Builder, error) {
	if err := checkDisjoint(c); err != nil {
		return nil, err
	}
	// A misspelled path must not leave folders behind.
	if err := source.Find(c.Content); err != nil {
		return nil, err
	}
	if c.Drafts && !c.Preview {
		return nil, errors.New("only a preview shows drafts")
	}
	tree, err := release.Open(release.Options{
		Public: c.Public, Precompress: c.Precompress, Now: c.Clock, Waiting: c.Waiting, Ours: document.Ours, Preview: c.Preview,
		Permit: c.Permit,
	})
	if err != nil {
		return nil, err
	}
	renditions := c.renditions()
	return &Builder{config: c, content: newContent(c, renditions), renditions: renditions, tree: tree}, nil
}

// Tree returns the public folder.
func (b *Builder) Tree() *release.Tree { return b.tree }

// Site returns the renderer of the pages. It holds nil if there are no pages, and before the
// first release. It may be loaded at any time.
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

// A Turn is one build, during which no other process builds into the public folder.
type Turn struct {
	*Builder
	paths []string
	// last is the memory's entry about the last release.
	last last
}

// Begin locks the public folder and scans the given content paths: all of the content the
// first time and after another process released content that may be newer, and nothing if no
// paths are given. Read the removals only after Begin: a process that records a removal and
// then builds must be sure that either the build before it knew of the removal, or its own
// will.
func (b *Builder) Begin(ctx context.Context, paths ...string) (*Turn, error) {
	if err := b.tree.Lock(ctx); err != nil {
		return nil, err
	}
	t := &Turn{Builder: b, paths: paths, last: b.readLast()}
	if b.saved = b.recorded(); !b.content.folder.Scanned() || b.outdated(t.last) {
		t.paths = []string{Whole}
	}
	if err := b.content.folder.Scan(ctx, t.paths...); err != nil {
		return nil, errors.Join(err, b.tree.Unlock())
	}
	return t, nil
}

// outdated reports whether another process made the current release from other content than
// the last good content here.
func (b *Builder) outdated(l last) bool {
	switch {
	case b.inputs.release == "":
		return false
	case l.Release == b.tree.ID():
		return l.Content != b.content.folder.GoodFingerprint()
	}
	return b.inputs.release != b.tree.ID()
}

// End unlocks the public folder for other processes.
func (t *Turn) End() error { return t.tree.Unlock() }

// Build runs a whole Turn, for removals that cannot change in the meantime, such as a list.
func (b *Builder) Build(ctx context.Context, removals *catalog.Removals, paths ...string) (report Report, err error) {
	t, err := b.Begin(ctx, paths...)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, t.End()) }()
	return t.Build(ctx, removals)
}

// Build brings the public folder up to date with the scanned content, the clock and the
// removals. If the first content has mistakes, it returns a *problem.Error; if stubs have no
// reason, a *stub.UnexplainedError; in both cases it writes nothing. Later content with
// mistakes is held back: the release keeps the previous content, and the report lists the
// mistakes. If it fails otherwise, or ctx ends, nothing changes, and the next Build starts
// from the same release.
func (t *Turn) Build(ctx context.Context, record *catalog.Removals) (Report, error) {
	c, first := t.content, t.inputs.release == ""
	from := t.from(record)
	right := t.retry == nil && t.holds(from)
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
	_ = t.store(nil) // without it, the next run only reads more
	return Report{}, &problem.Error{Mistakes: t.content.mistakes}
}

// conclude ends a build whose release is already right and whose content nobody needs.
func (t *Turn) conclude(ctx context.Context, from buildInputs) (Report, error) {
	report := Report{Before: t.tree.ID(), Warnings: t.last.Warnings, Next: t.last.Until, Foreign: t.tree.Foreign()}
	plan, err := t.tree.Begin()
	if err != nil {
		return Report{}, err
	}
	plan.SetRevision(from.revision())
	report.Result, err = plan.Commit(ctx, t.config.now(), !t.config.At.IsZero())
	t.inputs = from
	t.inputs.release = t.tree.ID()
	report.Unsaved = t.store(nil)
	return report, err
}

// load reads the content of an existing release. Several goroutines may call it.
func (b *Builder) load() error {
	b.loading.Lock()
	defer b.loading.Unlock()
	if t := (&Turn{Builder: b, last: b.readLast()}); !b.content.known && !t.takeUp() {
		return errors.New("the content of the last release is unknown: build again")
	}
	return nil
}

// complete saves the state for the next process and reports a build.
func (t *Turn) complete(run *staging, first bool) Report {
	c := t.content
	report := Report{
		Result: run.Result, Before: run.previous, Touched: run.touched, Substituted: run.broken.List, HeldBack: c.heldBack(run.unreadable.problems()),
		Waiting: c.waiting, Unexplained: t.unexplained(t.inputs.orphans), Foreign: t.tree.Foreign(), Next: c.catalog.NextTransition(),
	}
	report.Touched.Whole = report.Touched.Whole || first && t.config.LongLived && !run.right
	t.unsearched.add(run.delta)
	if t.isFull() {
		_, fileWarnings := c.problems().Split()
		report.Warnings = len(fileWarnings) + len(c.catalog.Warnings())
		report.Withheld = c.catalog.Withheld()
		report.Unmatched = c.catalog.Unmatched(func(r catalog.Removal) bool { return t.tree.Knows(r.ID, r.Domain) })
	}
	if run.right {
		report.Unsaved = t.store(nil)
		return report
	}
	if report.Unsaved = t.tellMarket(); report.Unsaved == nil { // else the next build writes it
		report.Unsaved = errors.Join(t.save(report), t.purge())
	}
	if first && t.config.LongLived {
		c.folder.Lighten()
	}
	return report
}

// isFull reports whether the whole content was scanned.
func (t *Turn) isFull() bool { return len(t.paths) == 1 && t.paths[0] == Whole }

// Overtaken reports whether another process built here since the last Turn.
func (b *Builder) Overtaken() bool {
	now := b.recorded()
	return b.tree.Overtaken() || now != nil && (b.saved == nil || !os.SameFile(now, b.saved) || !now.ModTime().Equal(b.saved.ModTime()))
}

// Outdated reports whether another process made the current release from other content than
// the Builder's.
func (b *Builder) Outdated() bool { return b.outdated(b.readLast()) }

// Made returns the removals that the last release was made with, or nil before the first
// release.
func (b *Builder) BuiltFrom() *catalog.Removals { return b.inputs.record }
