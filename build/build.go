// Package build is the pipeline as one page: a content folder is read into the
// catalog, the catalog is rendered into public documents, and these become a
// release in the public folder. A Builder keeps what it read, so that a change
// costs what it touches. It decides which addresses are gone; how anything is
// read, rendered or written is left to the packages below it.
//
//	Begin    takes the public folder, looks at the content       build.go
//	Build    takes in clock, removals and content                content.go
//	         judges the 410 stubs that are there                 stubs.go
//	         renders what that touches and releases it           render.go
//	         writes down what the next process begins with       last.go
//	End      lets the public folder go
package build

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/problem"
	"souk/build/release"
	"souk/build/source"
)

// Config says what is built from what.
type Config struct {
	Content, Public, State string
	// SiteURL replaces that of the content, for a preview.
	SiteURL string
	// At fixes the moment that decides what is current; zero is the clock's.
	At time.Time
	// Clock is the wall clock.
	Clock       func() time.Time
	Precompress release.Precompress
	// Program tells this very program from any other, for the cache.
	Program string
	// Stay: the Builder is to build again and again, and holds up no removal for
	// the content's sake. It reads everything at once even where nothing changed,
	// goes on with the last good content where the first has mistakes, and
	// withholds the owners of unexplained stubs where it would else fail.
	Stay bool
	// Forget are the addresses, or the companySlugs, whose unexplained stubs may
	// go.
	Forget []string
	// Progress, where set, is told of the units rendered so far.
	Progress func(done, total int)
	// Waiting is called when another build holds the output folder.
	Waiting func()
}

// A Report tells what a build did.
type Report struct {
	release.Result
	// Before is the id of the release before.
	Before string
	// Touched is what changed of what sellers show; nothing where the release
	// is the one before.
	Touched Touched
	// HeldBack are mistakes for whose sake the last changes of the content are
	// not in the release, which is that of the content before them.
	HeldBack problem.List
	// Unexplained are the addresses of stubs that no removal on record explains.
	Unexplained []string
	// Next is when something next becomes or ceases to be current.
	Next time.Time
	// Unsaved says why what was read could not be kept for the next build; the
	// release stands all the same.
	Unsaved error

	// These are told after the whole content was looked at.

	// Warnings is the number of warnings that `souk check` would tell.
	Warnings int
	// Foreign are files of the public folder that no build wrote.
	Foreign []string
	// Unmatched are removals that name no seller of the content.
	Unmatched []catalog.Removal
	// Withheld warns of sellers that stay withheld, or nearly would, although no
	// removal has their id.
	Withheld problem.List
}

// A Builder builds the same folder again and again. Its methods are not for
// concurrent use; Tree may be read at any time.
type Builder struct {
	config  Config
	tree    *release.Tree
	content *content
	// owed is what the catalog took in and no release shows yet; nil for nothing.
	owed *catalog.Delta
	made made
}

// made is what a release was made from.
type made struct {
	release string
	// record is everything on record about removals, and orphans are those that
	// only stubs tell of.
	record  *catalog.Removals
	orphans []orphan
}

// New makes a Builder; nothing is read or written yet.
func New(c Config) (*Builder, error) {
	if err := apart(c); err != nil {
		return nil, err
	}
	if c.Waiting == nil {
		c.Waiting = func() {}
	}
	tree, err := release.Open(release.Options{
		Public: c.Public, State: c.State, Precompress: c.Precompress, Now: c.Clock, Waiting: c.Waiting, Ours: document.Ours,
	})
	if err != nil {
		return nil, err
	}
	return &Builder{config: c, content: newContent(c), tree: tree}, nil
}

// Tree returns the public folder.
func (b *Builder) Tree() *release.Tree { return b.tree }

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

// A Turn is one build. While it lasts no other process builds into the public
// folder.
type Turn struct {
	*Builder
	paths []string
	// changed: the content did, since the catalog was last told.
	changed bool
}

// Begin takes the public folder and looks at the given paths of the content: at
// all of it the first time, at none where none are given. Who may be withheld
// is to be asked after Begin: whoever puts a removal on record and builds then
// finds the folder as a build left it that knew of the removal, or that is
// followed by this one.
func (b *Builder) Begin(ctx context.Context, paths ...string) (*Turn, error) {
	t := &Turn{Builder: b, paths: paths}
	if !b.content.folder.Looked() {
		t.paths = []string{Whole}
	}
	group, reading := errgroup.WithContext(ctx)
	group.Go(func() error { return b.tree.Lock(reading) })
	group.Go(func() (err error) {
		t.changed, err = b.content.folder.Scan(reading, t.paths...)
		return err
	})
	err := group.Wait()
	if err == nil {
		return t, nil
	}
	if b.tree.Locked() {
		err = errors.Join(err, b.tree.Unlock())
	}
	return nil, err
}

// End lets other processes have the public folder.
func (t *Turn) End() error { return t.tree.Unlock() }

// Build is a whole Turn, for removals that no one changes meanwhile, as those
// of a list.
func (b *Builder) Build(ctx context.Context, removals *catalog.Removals, paths ...string) (report Report, err error) {
	t, err := b.Begin(ctx, paths...)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, t.End()) }()
	return t.Build(ctx, removals)
}

// Build brings the public folder up to date with what Begin found, the clock
// and the removals. It fails with a *problem.Error where the first content has
// mistakes, and with an *UnexplainedError where stubs have no reason; nothing is
// written then. Content that later brings mistakes is held back: the release is
// that of the content before, and the report has the mistakes. Where it fails
// otherwise, or ctx ends, what it read is taken in by the next Build.
func (t *Turn) Build(ctx context.Context, record *catalog.Removals) (Report, error) {
	last, report := t.readLast(), Report{Before: t.tree.ID()}
	from := made{record: record, orphans: t.made.orphans}
	if t.owed == nil && !t.changed && last.holds(t.Builder, from) {
		return t.conclude(ctx, report, last, from)
	}
	trial, err := t.take(&from, last)
	if err != nil {
		return Report{}, err
	}
	if report.Unexplained = t.unexplained(from.orphans); len(report.Unexplained) > 0 && !t.config.Stay {
		return Report{}, &UnexplainedError{report.Unexplained}
	}
	delta := t.touches(trial)
	report.HeldBack, report.Touched = t.content.heldBack(), t.touched(delta)
	report.Result, err = t.render(ctx, delta, from)
	if err != nil && !errors.As(err, new(*release.UnfinishedError)) {
		t.content.end(trial, false)
		return Report{}, err
	}
	t.content.end(trial, true)
	if err != nil {
		return Report{}, err
	}
	t.owed, t.made = nil, from
	t.made.release = t.tree.ID()
	t.tell(&report)
	report.Unsaved = t.keep(report, last)
	return report, nil
}

// conclude ends a build that found nothing changed.
func (t *Turn) conclude(ctx context.Context, report Report, last last, from made) (Report, error) {
	plan, err := t.tree.Begin()
	if err != nil {
		return Report{}, err
	}
	report.Result, err = plan.Commit(ctx, t.config.now(), !t.config.At.IsZero())
	report.Unchanged = report.Documents
	report.Warnings, report.Next, report.Foreign, report.Unexplained = last.Warnings, last.Until, t.tree.Foreign(), t.unexplained(from.orphans)
	t.made = from
	t.made.release = t.tree.ID()
	if err == nil && t.config.Stay {
		err = t.settle()
	}
	return report, err
}

// settle reads the content of a release that stands already, so that the next
// change costs what it touches.
func (b *Builder) settle() error {
	if b.content.good {
		return nil
	}
	from := b.made
	if _, err := b.take(&from, last{}); err != nil {
		return err
	}
	b.owed = nil
	return nil
}

// tell adds to a report what a whole look at the content is asked for.
func (t *Turn) tell(report *Report) {
	c := t.content.catalog
	report.Next, report.Foreign = c.NextTransition(), t.tree.Foreign()
	if !t.whole() {
		return
	}
	_, fileWarnings := t.content.folder.Problems().Split()
	report.Warnings = len(fileWarnings) + len(c.Warnings())
	report.Withheld = c.Withheld()
	report.Unmatched = c.Unmatched(func(r catalog.Removal) bool { return t.tree.Knows(r.ID, r.Domain) })
}

// whole reports whether the whole content was looked at.
func (t *Turn) whole() bool { return len(t.paths) == 1 && t.paths[0] == Whole }

// Overtaken reports whether another process made a release here.
func (b *Builder) Overtaken() bool { return b.tree.Overtaken() }

// Made returns the record of removals that the last release was made from; nil
// before the first.
func (b *Builder) Made() *catalog.Removals { return b.made.record }
