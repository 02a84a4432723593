// Package build is the pipeline as one page: a content folder is read into the
// catalog, the catalog is rendered into public documents, and these become a
// release in the public folder. A Builder keeps what it read, so that a change
// costs what it touches. It decides which addresses are gone; how anything is
// read, rendered or written is left to the packages below it.
package build

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
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
	Clock func() time.Time
	// Withdrawn tells who may appear nowhere; nil where nobody may not. It is
	// asked in each Build, while the public folder is locked.
	Withdrawn   func(context.Context) (Withdrawn, error)
	Precompress release.Precompress
	// Program tells this very program from any other, for the cache.
	Program string
	// Stay: the Builder is to build again, so that it reads everything at once
	// even where nothing changed.
	Stay bool
	// Progress, where set, is told of the units rendered so far.
	Progress func(done, total int)
	// Waiting is called when another build holds the output folder.
	Waiting func()
}

// A Report tells what a build did.
type Report struct {
	release.Result
	// Warnings is the number of warnings that `souk check` would tell.
	Warnings int
	// Foreign are files of the public folder that no build wrote.
	Foreign []string
	// Unmatched are removals that name no seller of the content.
	Unmatched []catalog.Removal
	// CameBack are sellers that stay withheld because of their domain.
	CameBack problem.List
	// Unsaved says why what was read could not be kept for the next build; the
	// release stands all the same.
	Unsaved error
	// Next is when something next becomes or ceases to be current.
	Next time.Time
	// HeldBack are mistakes for whose sake the last changes of the content are
	// not in the release, which is that of the content before them.
	HeldBack problem.List
	// Before is the id of the release before.
	Before string
	// Touched is what changed of what sellers show; nothing where the release
	// is the one before.
	Touched Touched
}

// A Builder builds the same folder again and again. Its methods are not for
// concurrent use; Tree may be read at any time.
type Builder struct {
	config  Config
	folder  *source.Folder
	catalog *catalog.Catalog
	tree    *release.Tree

	// pending is what the catalog was told of but no release shows yet.
	pending *catalog.Delta
	// looked: the whole content folder was looked at once, so that paths alone
	// may be named from then on.
	looked bool
	// id is the release that this Builder made last.
	id string
	// read: the catalog is the content of a release; good: it is without
	// mistakes.
	read, good bool
	// held are changes that brought mistakes, which wait until these are mended.
	held     *catalog.Change
	mistakes problem.List
	// fresh: no release was made since the content was last taken in.
	fresh bool
	// goodContent is the fingerprint of the content that the catalog holds.
	goodContent uint64

	withdrawn Withdrawn
	// former holds the files of all addresses that the withdrawn ever had.
	former map[string]bool
	// rewithdraw: no release was made since withdrawn changed; restored: somebody
	// is no longer among them.
	rewithdraw, restored bool
	// withholds is the Key of those whom the release does not show; nil while that
	// is not known.
	withholds atomic.Pointer[string]
	// shown holds the pictures that each node had published last, and uses how
	// many nodes show each.
	shown map[*catalog.Node][]string
	uses  map[string]int
}

// New makes a Builder; nothing is read or written yet.
func New(c Config) (*Builder, error) {
	if within(c.Content, c.Public) || within(c.Public, c.Content) {
		return nil, fmt.Errorf("%w: --content %s and --public %s must stand apart", ErrFolders, c.Content, c.Public)
	}
	for flag, folder := range map[string]string{"--content": c.Content, "--public": c.Public} {
		if within(c.State, folder) {
			return nil, fmt.Errorf("%w: --state %s must stand outside %s %s", ErrFolders, c.State, flag, folder)
		}
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
	return &Builder{config: c, folder: openFolder(c), catalog: catalog.New(), tree: tree}, nil
}

// ErrFolders says that the folders of a command are within one another.
var ErrFolders = errors.New("the folders are within one another")

// within tells whether a folder is another or below it.
func within(inner, outer string) bool {
	i, o := Resolved(inner), Resolved(outer)
	return i == o || strings.HasPrefix(i, strings.TrimSuffix(o, string(filepath.Separator))+string(filepath.Separator))
}

// Resolved gives a path without links as far as it exists.
func Resolved(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(Resolved(dir), filepath.Base(abs))
	}
	return abs
}

// Tree gives the public folder.
func (b *Builder) Tree() *release.Tree { return b.tree }

// Catalog gives the marketplace as it was last read.
func (b *Builder) Catalog() *catalog.Catalog { return b.catalog }

func (b *Builder) now() time.Time {
	if b.config.At.IsZero() {
		return b.config.Clock().UTC().Truncate(time.Second)
	}
	return b.config.At
}

// ErrUnsure says that the public folder knows of removals, and nobody else does:
// to build would bring the sellers back.
var ErrUnsure = errors.New("the public folder has 410 stubs of removed sellers, and nobody knows of any removal")

// Build brings the public folder up to date with the content: with all of it,
// or, after the first time, with the given paths below the content folder. It
// fails with a *problem.Error where the content has mistakes; nothing is
// written then. A Builder that has made a release, and is to Stay, goes on with
// the content of that one instead: what the clock and the removals ask for is
// done, and the report has the mistakes.
func (b *Builder) Build(ctx context.Context, paths ...string) (report Report, err error) {
	if !b.looked {
		paths = nil
	}
	group, reading := errgroup.WithContext(ctx)
	changed := false
	group.Go(func() error { return b.tree.Lock(reading) })
	group.Go(func() (err error) {
		changed, err = b.folder.Scan(reading, paths...)
		return err
	})
	err = group.Wait()
	if b.tree.Locked() {
		defer func() { err = errors.Join(err, b.tree.Unlock()) }()
	}
	if err == nil {
		err = b.readWithdrawn(ctx)
	}
	memo := b.readMemo()
	if err == nil && b.unsure(memo) {
		err = ErrUnsure
	}
	if err != nil {
		return Report{}, err
	}
	b.looked = true
	report.Before = b.tree.ID()
	if b.pending == nil && !changed && memo.holds(b) {
		report.Result, err = b.conclude(ctx)
		report.Warnings, report.Next, report.Foreign = memo.Warnings, memo.Until, b.tree.Foreign()
		if err == nil && b.config.Stay {
			err = b.settle(ctx)
		}
		return report, err
	}
	if err := b.take(memo); err != nil {
		return Report{}, err
	}
	save := changed && len(paths) == 0
	if !b.good {
		// It stands in the error what is wrong; the next run reads less.
		_ = b.saveCache(save)
		return Report{}, &problem.Error{Mistakes: b.mistakes}
	}
	report.HeldBack, report.Touched = b.heldBack(), b.touched()
	renderer := document.NewRenderer(b.catalog, b.config.SiteURL)
	if report.Result, err = b.render(ctx, renderer); err != nil {
		return Report{}, err
	}
	b.tell(&report, len(paths) == 0)
	report.Unsaved = b.keep(report, memo, save)
	return report, nil
}

// conclude ends a build that found nothing changed.
func (b *Builder) conclude(ctx context.Context) (release.Result, error) {
	plan, err := b.tree.Begin()
	if err != nil {
		return release.Result{}, err
	}
	result, err := plan.Commit(ctx, b.now(), !b.config.At.IsZero())
	result.Unchanged = result.Documents
	return result, err
}

// settle reads the content of a release that stands already, so that the next
// change costs what it touches.
func (b *Builder) settle(ctx context.Context) error {
	if b.withdrawn.Removals == nil {
		if err := b.readWithdrawn(ctx); err != nil {
			return err
		}
	}
	b.id = b.tree.ID()
	if err := b.take(memo{}); err != nil {
		return err
	}
	if !b.good {
		return &problem.Error{Mistakes: b.mistakes}
	}
	b.settled()
	return nil
}

// settled notes that the release shows what the catalog holds.
func (b *Builder) settled() {
	b.pending, b.shown, b.uses = nil, map[*catalog.Node][]string{}, map[string]int{}
	b.hidden()
	b.catalog.Each(func(n *catalog.Node) { b.shows(n, b.shown, b.uses, func(string, string) {}) })
}

// shows counts the pictures that a node has published and calls yield for the
// public name and the file of each.
func (b *Builder) shows(n *catalog.Node, shown map[*catalog.Node][]string, uses map[string]int, yield func(name, file string)) {
	if !n.Current() {
		return
	}
	n.EachPicture(func(file string) {
		if m := b.catalog.Media(file); m != nil {
			shown[n] = append(shown[n], m.Name)
			uses[m.Name]++
			yield(m.Name, file)
		}
	})
}

// problems gives all mistakes and those warnings that cost nothing to find.
func (b *Builder) problems() problem.List {
	list := append(b.folder.Problems(), b.catalog.Problems()...)
	list.Sort()
	return list
}

// Check reads the content and tells everything that is wrong with it or worth
// a look. Nothing is written but the cache.
func Check(ctx context.Context, c Config) (problem.List, error) {
	b, err := read(ctx, c)
	if err != nil {
		return nil, err
	}
	list := append(b.problems(), b.catalog.Warnings()...)
	list.Sort()
	return list, nil
}

// Read gives the marketplace of a content folder without building it. It fails
// with a *problem.Error where the content has mistakes, and gives then what could
// be read. Nothing is written but the cache.
func Read(ctx context.Context, c Config) (*catalog.Catalog, error) {
	b, err := read(ctx, c)
	if err != nil {
		return nil, err
	}
	if mistakes, _ := b.problems().Split(); len(mistakes) > 0 {
		return b.catalog, &problem.Error{Mistakes: mistakes}
	}
	return b.catalog, nil
}

func read(ctx context.Context, c Config) (*Builder, error) {
	b := &Builder{config: c, folder: openFolder(c), catalog: catalog.New()}
	changed, err := b.folder.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.readWithdrawn(ctx); err != nil {
		return nil, err
	}
	change, err := b.folder.Change()
	if err != nil {
		return nil, err
	}
	change.Now, change.Removals = b.now(), b.withdrawn.Removals
	b.catalog.Apply(change)
	return b, b.saveCache(changed)
}

func (b *Builder) saveCache(changed bool) error {
	if !changed {
		return nil
	}
	if err := b.folder.Save(); err != nil {
		return fmt.Errorf("save the cache: %w", err)
	}
	return nil
}

// tell adds to a report what a whole build is asked for.
func (b *Builder) tell(report *Report, whole bool) {
	report.Next = b.catalog.NextTransition()
	report.Foreign = b.tree.Foreign()
	if !whole {
		return
	}
	_, fileWarnings := b.folder.Problems().Split()
	warnings := b.catalog.Warnings()
	report.Warnings = len(fileWarnings) + len(warnings)
	report.CameBack = b.catalog.CameBack()
	for _, r := range b.catalog.Removals().List() {
		if !b.catalog.Removes(r) && !b.tree.Knows(r.ID, r.Domain) {
			report.Unmatched = append(report.Unmatched, r)
		}
	}
	slices.SortFunc(report.Unmatched, func(x, y catalog.Removal) int { return strings.Compare(x.ID+x.Domain, y.ID+y.Domain) })
}
