package dynamic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/index"
	"souk/build/kit/journal"
	"souk/build/kit/problem"
	"souk/dynamic/machines/mirror"
	"souk/dynamic/verification"
	"souk/dynamic/web/preview"
)

// builds owns the Builder. All builds go through it, one at a time. Its queue contains what
// to build. After each release it notifies everything that depends on releases.
type builds struct {
	config  Config
	builder *build.Builder
	queue   *queue
	record  *Record
	sellers *sellers
	index   *indexer
	copy    *mirror.Mirror
	// preview shows the result of each build; nil if this is not a preview.
	preview *preview.Preview
	// watch follows the content; nil if that was not requested.
	watch *watch

	// due is when the clock, or a failure, requires the next build; zero for never. Only
	// the goroutine of run uses it.
	due time.Time
	// retry contains the paths of a failed build, which the next build reads again.
	retry []string
	// failed describes the failure of the last build; nil if it succeeded.
	failed atomic.Pointer[failure]
	// unexplained are the stubs in the last warning.
	unexplained []string
	// saveError is the error of saving what was read.
	saveError taskError
	// heard receives a value when another process announced something.
	heard chan struct{}
	// indexed identifies the last state for which search parts were written, or could not
	// be; unwritten is the error of writing them.
	indexed   indexState
	unwritten taskError
}

// An indexState identifies what search parts are written for. It includes the removals,
// since a removal deletes parts even if it does not change the release.
type indexState struct {
	index.State
	removals string
}

func (b *builds) indexState() indexState {
	return indexState{b.builder.SearchState(), b.builder.BuiltFrom().Key()}
}

// A failure describes why the last build, or a part of it, failed.
type failure struct {
	// text is for the public, cause is for the operator.
	text, cause string
	// mistakes means that the content contains mistakes.
	mistakes bool
}

// lookTime is how often to look for due builds and for changes by other processes: a
// release by souk build, or a removal or restore on another machine. A removal verified on
// a server without content waits for this.
const lookTime = 250 * time.Millisecond

// These are the times after which a failed build is retried. Mistakes are for people to
// fix, and the watch reports when they do; other faults may pass by themselves.
const (
	retryMistakes = time.Minute
	retryFault    = 5 * time.Second
)

// run builds what the queue contains until ctx ends. Until then no other goroutine uses the
// Builder.
func (b *builds) run(ctx context.Context) {
	look, again := time.NewTicker(lookTime), time.NewTicker(retryFault)
	defer look.Stop()
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.queue.ready:
		case <-look.C:
			b.tick()
			b.look(ctx)
		case <-again.C:
			b.index.retry()
			// The disk may have been full, or another process may have written the search
			// parts of an earlier release.
			if b.unwritten.now() != nil || b.builder.BuiltFrom() != nil && !b.builder.Searched() {
				b.indexed = indexState{}
			}
		case <-b.heard:
			b.look(ctx)
		}
		b.drain(ctx)
	}
}

// drain builds until the queue is empty, removals first, and then updates everything that
// nobody waits for.
func (b *builds) drain(ctx context.Context) {
	for ctx.Err() == nil {
		if waiting := b.queue.takeWaiting(); len(waiting) > 0 {
			report, err := b.build(ctx)
			for _, answer := range waiting {
				answer <- err
			}
			b.follow(ctx, report, err)
			continue
		}
		paths, part, done := b.queue.changed(ctx)
		if len(paths) == 0 {
			b.followSearch(ctx)
			return
		}
		report, err := b.build(part, paths...)
		if err != nil && part.Err() != nil {
			b.queue.change(paths...) // a removal has priority
		}
		done()
		b.follow(ctx, report, err)
	}
}

// look requests a build if another process changed something or a build was left
// incomplete.
func (b *builds) look(ctx context.Context) {
	set, err := b.record.Removals(ctx)
	if err != nil {
		return // the build will report the error
	}
	// If mistakes in the content prevented a release, only a change can fix them.
	made := b.builder.BuiltFrom()
	if made != nil && set.Key() != made.Key() || b.builder.Overtaken() || b.record.unrecorded.Load() {
		b.queue.need()
	}
}

// tick queues a build that is due. It compares with the wall clock, which may have been
// set.
func (b *builds) tick() {
	if b.due.IsZero() || b.config.Build.Clock().Before(b.due) {
		return
	}
	b.due = time.Time{}
	if len(b.retry) == 0 {
		b.queue.need()
		return
	}
	b.queue.change(b.retry...) // after all removals
	b.retry = nil
}

// build builds the given paths, reports the result, and schedules the next build.
// Everything that people wait for is done when it returns.
func (b *builds) build(ctx context.Context, paths ...string) (build.Report, error) {
	began := b.config.Build.Clock()
	report, err := b.turn(ctx, paths...)
	now := b.config.Build.Clock()
	var mistakes *problem.Error
	switch {
	case err == nil:
		b.built(report, now.Sub(began), len(paths) > 0)
		// Servers that miss the announcement look for the release themselves.
		_ = b.config.Verification.Ledger.Announce(ctx)
		return report, nil
	case ctx.Err() != nil:
		return report, err
	case errors.As(err, &mistakes):
		b.mistaken(mistakes.Mistakes, len(paths) > 0)
		b.show(mistakes.Mistakes)
		b.due = now.Add(retryMistakes)
	case errors.Is(err, journal.ErrPending):
		b.due = now.Add(b.importing())
	default:
		b.fault(err)
		b.due = now.Add(retryFault)
	}
	b.retry = append(b.retry, paths...)
	return report, err
}

// learn implements origin.
func (b *builds) learn(ctx context.Context) error {
	_, err := b.record.Removals(ctx)
	return err
}

// signals implements origin. heard announces releases.
func (b *builds) signals() (heard chan<- struct{}, newer <-chan struct{}) { return b.heard, nil }

// turn runs one build. It reads the removals while the public folder is locked.
func (b *builds) turn(ctx context.Context, paths ...string) (report build.Report, err error) {
	turn, err := b.builder.Begin(ctx, paths...)
	if err != nil {
		return report, err
	}
	removals, err := b.record.Removals(ctx)
	if err == nil {
		if report, err = turn.Build(ctx, removals); err == nil {
			b.saveError.set(ctx, b.config.Log, report.Unsaved)
		}
	}
	return report, errors.Join(err, turn.End())
}

// built logs a successful build.
func (b *builds) built(report build.Report, took time.Duration, awaited bool) {
	if report.Written+report.Removed > 0 {
		b.config.Log.Info("rebuilt", "release", report.ID, "written", report.Written, "unchanged", report.Unchanged,
			"removed", report.Removed, "seconds", took.Seconds())
	}
	b.record.inRelease.Store(b.builder.BuiltFrom())
	b.due = b.next(report)
	if len(report.HeldBack) > 0 {
		b.mistaken(report.HeldBack, awaited)
	} else if was := b.failed.Swap(nil); was != nil && was.mistakes {
		b.config.Log.Info("the content has no mistakes any more", "release", report.ID)
	}
	for _, p := range report.Substituted {
		b.config.Log.Warn("a template of the theme fails; pages use the built-in one", "at", p.String())
	}
	b.warnOf(report.Unexplained)
	b.show(report.HeldBack)
	b.copy.Notify()
	b.queue.change(b.retry...)
	b.retry = nil
}

// follow updates what depends on a release and delays nobody: the sellers for claims and
// removals, which read the ledger too, and the publication history. Search follows once the
// queue is empty.
func (b *builds) follow(ctx context.Context, report build.Report, err error) {
	if err != nil {
		return
	}
	b.sellers.renew(b.builder, report.Touched, b.config.Build.SiteURL)
	if err := b.record.Released(ctx, b.builder, report, b.config.Build.Clock()); err != nil && ctx.Err() == nil {
		b.config.Log.Error("the release is served, but not yet recorded in the history", "cause", err)
	}
}

// followSearch updates the search parts to the last release, and search to the parts,
// unless somebody asks for a build. The parts for another process's release are left to
// that process.
func (b *builds) followSearch(ctx context.Context) {
	if b.builder.BuiltFrom() == nil || b.indexState() == b.indexed || b.builder.Outdated() {
		return
	}
	aside, done := b.queue.background(ctx)
	defer done()
	err := b.writeSearch(aside)
	b.unwritten.set(aside, b.config.Log, err)
	if err == nil {
		signal(b.index.parted)
		b.copy.NotifySearchParts()
	}
}

// writeSearch updates the search parts to the last release, unless ctx ends. Contents of
// parts that a removal deleted are taken from the open index.
func (b *builds) writeSearch(ctx context.Context) error {
	now := b.indexState()
	open, done := b.index.live.Parts()
	defer done()
	err := b.builder.WriteSearch(ctx, index.Options{Removals: b.record.Removals, Previous: open, Log: b.config.Log})
	if err != nil && ctx.Err() != nil {
		return err
	}
	b.indexed = now
	if errors.Is(err, index.ErrRemoved) {
		return nil // the release without the seller is on its way
	}
	return err
}

// next returns the time of the next build; zero if the clock is fixed.
func (b *builds) next(report build.Report) time.Time {
	if !b.config.Build.At.IsZero() {
		return time.Time{}
	}
	return report.Next
}

// warnOf warns of stubs that no removal on record explains, if they have changed since the
// last warning.
func (b *builds) warnOf(unexplained []string) {
	if len(unexplained) > 0 && !slices.Equal(unexplained, b.unexplained) {
		b.config.Log.Warn("removed addresses without a recorded removal: their sellers stay hidden. Restore the right ledger, or drop them with --forget",
			"stubs", len(unexplained), "first", unexplained[0])
	}
	b.unexplained = unexplained
}

// mistaken reports mistakes. It repeats the same mistakes only if somebody has changed
// something and waits for an answer.
func (b *builds) mistaken(list problem.List, awaited bool) {
	count := problem.Count(len(list), "mistake")
	if news := b.fail(failure{"the last rebuild failed: " + count, fmt.Sprint(list), true}); !news && !awaited {
		return
	}
	b.config.Mistakes(list)
	if b.config.Watch {
		b.config.Log.Error("not rebuilt: the content has "+count, "release", b.builder.Tree().ID())
	}
}

// importing returns when to look again at content that an import or a rename is changing.
// Only one that was killed is a failure.
func (b *builds) importing() time.Duration {
	if !journal.Interrupted(b.config.Build.Content) {
		return lookTime
	}
	if b.fail(failure{text: "an import or a rename was interrupted", cause: journal.ErrPending.Error()}) {
		b.config.Log.Error("not rebuilt: an import or a rename was interrupted; run it again, which finishes it", "release", b.builder.Tree().ID())
	}
	return retryFault
}

// fault reports any other failure. The cause may contain names of folders, so the public
// does not see it.
func (b *builds) fault(err error) {
	if b.fail(failure{text: "the last rebuild failed", cause: err.Error()}) {
		b.config.Log.Error("not rebuilt", "cause", err, "release", b.builder.Tree().ID())
	}
}

// fail stores the failure of the last build, and reports whether it is new.
func (b *builds) fail(f failure) bool {
	was := b.failed.Swap(&f)
	return was == nil || was.cause != f.cause
}

// failure describes the failure of the last build; empty if it succeeded.
func (b *builds) failure() string {
	if failed := b.failed.Load(); failed != nil {
		return failed.text
	}
	return ""
}

// remove implements origin.
func (b *builds) remove(ctx context.Context, _ verification.Removal) error {
	// Withhold the seller at once: a build of content may still be running.
	_, _ = b.record.Removals(ctx)
	for began := time.Now(); ; {
		err := b.queue.ask(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || time.Since(began) > retriesFor {
			return fmt.Errorf("the removal is recorded but not yet rendered: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryRemoval):
		}
	}
}
