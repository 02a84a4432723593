// Package dynamic is a whole installation in one process: it builds the
// content, serves the release, and keeps both up to date until it is told to
// stop. It wires the parts and owns their goroutines, all of which have ended
// when Run returns. How anything is built or answered is left to the packages
// build and web.
//
// The parts, and who informs whom:
//
//	watch          the content folder -> the paths that changed -> queue
//	verifications  the calls of claims and removals -> verification, ledger -> queue
//	queue          what the next builds have to do
//	builds         owns the Builder: one build at a time; passes each release
//	               to the sellers, the copy, the publication history and search
//	surface        the release without withheld sellers, for web
package dynamic

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/problem"
	"souk/build/publish"
	"souk/dynamic/web"
	"souk/dynamic/web/searchapi"
)

// Config says what is built and served. Build, Listen and Log are required.
type Config struct {
	// Build says what is built. Where its clock is fixed, the passing of time
	// causes no builds.
	Build build.Config
	// Listen is the address, host:port; port 0 takes a free one.
	Listen string
	// Metrics is the address where a Prometheus server scrapes, "" for none. It
	// is not for the public.
	Metrics string
	// Watch makes the server follow the content folder.
	Watch bool
	// Verification configures claims and removals.
	Verification VerificationConfig
	// Publish, where set, copies each release to where the public reads it. Its
	// creator closes it, after Run.
	Publish *publish.Publisher
	// Version is the program's, for health.
	Version string
	Log     *slog.Logger

	// Serving is called once, with the address that the server listens on and
	// the release it serves, empty where there is none.
	Serving func(addr net.Addr, release string)
	// Built is called with the report of the first build.
	Built func(build.Report)
	// Mistakes is called with the mistakes of each build that failed on them.
	Mistakes func(problem.List)

	// After is the timer; default time.After.
	After func(time.Duration) <-chan time.Time
	// RequestID returns the id of a new request; default random.
	RequestID func() string
}

// withDefaults sets every function that is nil.
func (c Config) withDefaults() Config {
	if c.Serving == nil {
		c.Serving = func(net.Addr, string) {}
	}
	if c.Built == nil {
		c.Built = func(build.Report) {}
	}
	if c.Mistakes == nil {
		c.Mistakes = func(problem.List) {}
	}
	if c.After == nil {
		c.After = time.After
	}
	return c
}

// Run builds, then serves until ctx ends; requests in flight then get a grace
// period. It fails where the first build fails, except on mistakes in content
// that is watched: it reports these and serves the last good release, if there
// is one, until they are mended.
func Run(ctx context.Context, c Config) (err error) {
	c = c.withDefaults()
	c.Build.LongLived = true
	builder, err := build.New(c.Build)
	if err != nil {
		return err
	}
	record := NewRecord(c.Verification.Ledger, c.Verification.Removals)
	b := &builds{
		config: c, builder: builder, queue: newQueue(), record: record, sellers: &sellers{},
		index: newIndexer(c, record.Register()), copy: newMirror(c, builder.Tree()),
	}
	v, err := newVerifications(c, b)
	if err != nil {
		return err
	}
	// The parts outlive ctx while requests in flight finish.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	var parts sync.WaitGroup
	unwatch := func() {}
	defer func() {
		stop()
		parts.Wait()
		unwatch()
		err = errors.Join(err, builder.Close(), b.index.close())
	}()
	// The watch starts before the build, so that no change falls between them.
	running := []func(){func() { b.run(work) }, func() { b.copy.run(work) }, func() { b.index.run(work) }}
	if c.Watch {
		w := newWatch(c, systemEvents)
		unwatch = w.close
		running = append(running, func() { w.run(work) }, func() { w.feed(work, b.queue) })
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	monitor := newMonitor(c, v.process, b)
	handler, err := newHandler(c, monitor, v)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	tell, err := monitor.serve(ctx, c)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	running = append(running, func() { tell(work) }, func() { v.dispatcher.Run(work) })
	for _, part := range running {
		parts.Go(part)
	}
	c.Serving(listener.Addr(), builder.Tree().ID())
	return serve(ctx, listener, handler, c.Log)
}

// begin makes the first release. It also finishes any removal that an earlier
// process left half done, before anything is served.
func (b *builds) begin(ctx context.Context) error {
	report, err := b.turn(ctx, build.Whole)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) {
		b.mistaken(mistakes.Mistakes, false)
		b.wait(b.config.Build.Clock().Add(retryMistakes))
		if b.config.Watch {
			return surface{b.builder.Tree(), b.record.Register()}.finished()
		}
	}
	if err != nil {
		return err
	}
	if len(report.HeldBack) > 0 && !b.config.Watch {
		return &problem.Error{Mistakes: report.HeldBack}
	}
	b.built(report, 0, false)
	b.config.Built(report)
	b.follow(ctx, report, nil)
	return b.index.first(ctx, b.builder)
}

// newHandler wires what answers requests.
func newHandler(c Config, m *monitor, v *verifications) (http.Handler, error) {
	handlers := searchapi.Handlers(&v.builds.index.live)
	maps.Copy(handlers, v.handlers())
	handlers[web.HealthID] = web.Health(m.health)
	return web.New(web.Config{
		Release: surface{v.builds.builder.Tree(), v.builds.record.Register()}, Endpoints: document.Endpoints(), Log: c.Log, Now: c.Build.Clock,
		RequestID: c.RequestID, Dynamic: handlers, Answered: m.answered,
	})
}

// listen binds the address.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program listens at %s already: stop it, or listen at another address: %w", address, err)
	}
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", address, err)
	}
	return l, nil
}
