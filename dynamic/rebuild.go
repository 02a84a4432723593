package dynamic

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/problem"
)

// A Rebuilder owns a Builder: all rebuilds go through it, one at a time, those
// that are asked for and those that the clock makes due. Its exported methods
// are safe for concurrent use.
type Rebuilder struct {
	config   Config
	builder  *build.Builder
	requests chan request

	// due is when the clock asks for a rebuild, and wake ends the wait for it
	// or a part of the wait. Both are the owner's alone.
	due  time.Time
	wake <-chan time.Time
	// faulty: the last rebuild failed, and not by mistakes: it may not have
	// seen all that it was told of.
	faulty bool
	// released is called after each build, before anybody is told of it, and
	// after once they were; withhold where it is known who is withdrawn and no
	// release shows it yet. All are called by the goroutine that owns the Builder.
	released func()
	withhold func()
	after    func(ctx context.Context, report build.Report)
	// outdated tells whether a release was made that this Builder does not know.
	outdated func() bool
	// told is the failure that was last told.
	told string

	failed atomic.Pointer[string]
}

type request struct {
	paths []string
	// withdrawal: the release need not be a new one if it shows nobody already.
	withdrawal bool
	answer     chan<- outcome
}

type outcome struct {
	report build.Report
	err    error
}

func newRebuilder(b *build.Builder, c Config) *Rebuilder {
	return &Rebuilder{config: c, builder: b, requests: make(chan request), released: func() {}, withhold: func() {}, after: func(context.Context, build.Report) {}, outdated: func() bool { return false }}
}

// Withdraw brings the release up to date with who is withdrawn. When it returns
// nil nothing shows them.
func (r *Rebuilder) Withdraw(ctx context.Context) error {
	if r.hides(ctx) {
		return nil
	}
	_, err := r.ask(ctx, request{paths: []string{clockOnly}, withdrawal: true})
	return err
}

// hides tells whether the last release shows nobody who is withdrawn by now. A
// build that another process began before it is not to be feared: that waited
// for the folder, and asks only then who is withdrawn.
func (r *Rebuilder) hides(ctx context.Context) bool {
	shown := r.builder.Withholds()
	if shown == "" || r.config.Build.Withdrawn == nil {
		return false
	}
	// Who is shown may be another by the time that the ledger has answered.
	now, err := r.config.Build.Withdrawn(ctx)
	return err == nil && now.Key() == shown && r.builder.Withholds() == shown
}

// Rebuild brings the release up to date with the content, or with the given
// paths of it, and gives what a build of it gives once it is done. Where ctx
// ends first nobody is told, but the rebuild goes on.
func (r *Rebuilder) Rebuild(ctx context.Context, paths ...string) (build.Report, error) {
	return r.ask(ctx, request{paths: paths})
}

func (r *Rebuilder) ask(ctx context.Context, q request) (build.Report, error) {
	answer := make(chan outcome, 1)
	q.answer = answer
	select {
	case r.requests <- q:
	case <-ctx.Done():
		return build.Report{}, ctx.Err()
	}
	select {
	case o := <-answer:
		return o.report, o.err
	case <-ctx.Done():
		return build.Report{}, ctx.Err()
	}
}

// clockOnly is the path of a rebuild for the clock's sake: one file that is
// always there is looked at, so that without a watch no change of the content
// becomes public halfway.
const clockOnly = "marketplace.yaml"

// run does the rebuilds until ctx ends. It is the only goroutine that touches
// the Builder then.
func (r *Rebuilder) run(ctx context.Context) {
	look := time.After(lookTime)
	for {
		select {
		case <-ctx.Done():
			return
		case q := <-r.requests:
			r.answer(ctx, q)
		case <-r.wake:
			r.tick(ctx)
		case <-look:
			r.look(ctx)
			look = time.After(lookTime)
		}
	}
}

func (r *Rebuilder) answer(ctx context.Context, q request) {
	if q.withdrawal && r.hides(ctx) {
		// The one before it in the queue was built when both were on record.
		q.answer <- outcome{}
		return
	}
	report, err := r.build(ctx, asked, q.paths...)
	q.answer <- outcome{report, err}
	r.conclude(ctx, report, err)
}

// lookTime is how often is looked for what other processes did: a release by
// souk build, or a removal, or its undoing, by another machine.
const lookTime = 2 * time.Second

// look rebuilds where another process did something.
func (r *Rebuilder) look(ctx context.Context) {
	if r.outdated() || r.builder.Outdated(ctx) {
		r.withhold()
		report, err := r.build(ctx, unasked, clockOnly)
		r.conclude(ctx, report, err)
	}
}

// conclude does what nobody waits for.
func (r *Rebuilder) conclude(ctx context.Context, report build.Report, err error) {
	if err == nil {
		r.after(ctx, report)
	}
}

// tick rebuilds where it is due. A wait is cut into parts, so that it ends in
// time although the clock was set or the machine slept.
func (r *Rebuilder) tick(ctx context.Context) {
	if r.config.Build.Clock().Before(r.due) {
		r.wait(r.due)
		return
	}
	paths := []string{clockOnly}
	if r.faulty && r.config.Watch {
		paths = nil
	}
	report, err := r.build(ctx, unasked, paths...) // build tells of it
	r.conclude(ctx, report, err)
}

// wait sets the timer; the zero moment stops it.
func (r *Rebuilder) wait(until time.Time) {
	const longest = time.Minute
	r.due, r.wake = until, nil
	if !until.IsZero() {
		r.wake = r.config.After(min(until.Sub(r.config.Build.Clock()), longest))
	}
}

// How long after a failed rebuild the next is tried unasked. Mistakes are for
// people to mend, and the watch tells of that; other faults may pass by
// themselves.
const (
	retryMistakes = time.Minute
	retryFault    = 5 * time.Second
)

// Why a rebuild is done.
type reason uint8

const (
	// first: before anything is served; the caller tells of a failure.
	first reason = iota
	asked
	unasked
)

// build builds, tells of it, and sets the timer for the next time.
func (r *Rebuilder) build(ctx context.Context, why reason, paths ...string) (build.Report, error) {
	began := r.config.Build.Clock()
	report, err := r.builder.Build(ctx, paths...)
	now := r.config.Build.Clock()
	var mistakes *problem.Error
	stopped := errors.As(err, &mistakes)
	r.faulty = err != nil && !stopped && ctx.Err() == nil
	if err != nil {
		r.withhold()
	}
	switch {
	case err == nil:
		r.tell(report, now.Sub(began))
		r.released()
		r.wait(r.next(report))
		if len(report.HeldBack) > 0 {
			r.mistaken(report.HeldBack, why == asked && len(paths) > 0)
		} else {
			r.failed.Store(nil)
			r.told = ""
		}
	case ctx.Err() != nil:
	case stopped:
		r.mistaken(mistakes.Mistakes, why == asked && len(paths) > 0)
		r.wait(now.Add(retryMistakes))
	default:
		r.fault(err, why)
		r.wait(now.Add(retryFault))
	}
	return report, err
}

// next gives the moment of the next rebuild; never where the clock is fixed.
func (r *Rebuilder) next(report build.Report) time.Time {
	if !r.config.Build.At.IsZero() {
		return time.Time{}
	}
	return report.Next
}

// mistaken tells of mistakes; of the same ones again only where somebody
// changed something, who waits for an answer.
func (r *Rebuilder) mistaken(list problem.List, awaited bool) {
	count := problem.Count(len(list), "mistake")
	told := r.news(fmt.Sprint(list)) || awaited
	if told {
		r.config.Mistakes(list)
	}
	if told && r.config.Watch {
		r.config.Log.Error("not rebuilt: the content has "+count, "release", r.builder.Tree().ID())
	}
	r.fail("the last rebuild failed: " + count)
}

// fault tells of any other failure. The cause may name folders of this machine
// and is not for the public.
func (r *Rebuilder) fault(err error, why reason) {
	if r.news(err.Error()) && why != first {
		r.config.Log.Error("not rebuilt", "cause", err, "release", r.builder.Tree().ID())
	}
	r.fail("the last rebuild failed")
}

// news tells whether a failure is another than the last.
func (r *Rebuilder) news(text string) bool {
	same := text == r.told
	r.told = text
	return !same
}

func (r *Rebuilder) fail(text string) { r.failed.Store(&text) }

// failure tells what is wrong with the last rebuild; empty where nothing is.
func (r *Rebuilder) failure() string {
	if text := r.failed.Load(); text != nil {
		return *text
	}
	return ""
}

// tell logs what a rebuild did, if anything.
func (r *Rebuilder) tell(report build.Report, took time.Duration) {
	if report.Written+report.Removed == 0 {
		return
	}
	r.config.Log.Info("rebuilt", "release", report.ID, "written", report.Written, "unchanged", report.Unchanged,
		"removed", report.Removed, "seconds", took.Seconds())
}
