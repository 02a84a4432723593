// Package dynamic is a whole installation in one process: it builds the
// content, serves the release, and keeps both up to date until it is told to
// stop. It wires the parts and owns their goroutines, all of which have ended
// when Run returns; how anything is built or answered is left to the packages
// build and web.
//
// The parts, and who tells whom:
//
//	watch      the content folder -> the paths that changed -> Rebuilder
//	Rebuilder  owns the Builder: one rebuild at a time, for the watch, for the
//	           clock, and for whoever else asks
//	web        the release, as the Builder's tree tells it, over HTTP
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
	// Build says what is built. Where its moment is fixed, nothing is rebuilt
	// for the clock's sake.
	Build build.Config
	// Listen is the address, host:port; port 0 takes a free one.
	Listen string
	// Metrics is the address at which a Prometheus server is answered, "" for
	// none. It is not for the public.
	Metrics string
	// Watch: follow the content folder.
	Watch bool
	// Requests says how claims and removals are taken.
	Requests Requests
	// Publish, where set, brings each release to where the public reads it.
	// Whoever made it closes it, after Run.
	Publish *publish.Publisher
	// Version is that of the program, for health.
	Version string
	Log     *slog.Logger

	// Serving is called once, with the address that is listened at and the
	// release that is served, empty where there is none.
	Serving func(addr net.Addr, release string)
	// Built is called with the report of the first build.
	Built func(build.Report)
	// Mistakes is called with the mistakes of each build that they stopped.
	Mistakes func(problem.List)

	// After is the timer; default time.After.
	After func(time.Duration) <-chan time.Time
	// RequestID names requests; default random.
	RequestID func() string
}

// withDefaults leaves no function nil.
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

// Run builds, then serves until ctx ends; requests in flight are then finished
// within a time of grace. It fails where the first build does, but for mistakes
// of content that is watched: these it tells, and serves the last good release,
// if there is one, until they are mended.
func Run(ctx context.Context, c Config) (err error) {
	c = c.withDefaults()
	c.Build.Stay = true
	indexer := newIndexer(c)
	office, err := newOffice(c, indexer.live.Withheld())
	if err != nil {
		return err
	}
	c.Build.Withdrawn = office.archive.Withdrawn
	builder, err := build.New(c.Build)
	if err != nil {
		return err
	}
	// The parts live on while requests in flight are finished.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	var parts sync.WaitGroup
	unwatch := func() {}
	defer func() {
		stop()
		parts.Wait()
		unwatch()
		err = errors.Join(err, builder.Close(), indexer.close())
	}()
	// The watch begins before the build, so that no change falls between them.
	var changes <-chan []string
	follow := func() {}
	if c.Watch {
		w := newWatch(c, systemEvents)
		changes, follow, unwatch = w.changes, func() { w.run(work) }, w.close
	}
	rebuilder, copier := wire(c, builder, office, indexer)
	if err := begin(ctx, c, rebuilder, office, indexer); err != nil {
		return err
	}
	watcher := newWatcher(c, rebuilder, indexer, office)
	handler, err := newHandler(c, watcher, rebuilder, indexer, office)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	tell, err := watcher.serve(ctx, c)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	for _, part := range []func(){
		follow, func() { tell(work) }, func() { copier.run(work) }, func() { rebuilder.run(work) }, func() { indexer.run(work) }, func() { office.mails.Run(work) },
		func() { rebuildChanges(work, rebuilder, changes) },
	} {
		parts.Go(part)
	}
	c.Serving(listener.Addr(), builder.Tree().ID())
	return serve(ctx, listener, handler, c.Log)
}

// wire makes what rebuilds and what copies releases, and tells the office and
// the indexer of each.
func wire(c Config, b *build.Builder, o *office, x *indexer) (*Rebuilder, *copier) {
	r, copies := newRebuilder(b, c), newCopier(c, b.Tree())
	r.released = func() {
		o.released(b)
		copies.tell()
	}
	r.withhold = func() { o.withhold(b.Tree()) }
	r.outdated = func() bool { return o.outdated() || x.due() }
	r.after = func(ctx context.Context, report build.Report) {
		o.record(ctx, b, report)
		x.tell(extract(b, c.Build.SiteURL))
	}
	o.rebuilder, o.copier = r, copies
	return r, copies
}

// begin makes the first release: with it, what an earlier process left half
// done of a removal is done before anybody is served.
func begin(ctx context.Context, c Config, r *Rebuilder, o *office, x *indexer) error {
	report, err := r.build(ctx, first)
	if err != nil && c.Watch && errors.As(err, new(*problem.Error)) {
		return o.complete(r.builder.Tree())
	}
	if err != nil {
		return err
	}
	if len(report.HeldBack) > 0 && !c.Watch {
		return &problem.Error{Mistakes: report.HeldBack}
	}
	c.Built(report)
	o.record(ctx, r.builder, report)
	return x.index(ctx, extract(r.builder, c.Build.SiteURL))
}

// rebuildChanges has each batch of changes rebuilt. What comes of it the
// Rebuilder tells.
func rebuildChanges(ctx context.Context, r *Rebuilder, changes <-chan []string) {
	for {
		select {
		case <-ctx.Done():
			return
		case paths := <-changes:
			_, _ = r.Rebuild(ctx, paths...)
		}
	}
}

// newHandler wires what answers requests.
func newHandler(c Config, watcher *watcher, r *Rebuilder, x *indexer, o *office) (http.Handler, error) {
	tree := publicTree{r.builder.Tree(), x.live.Withheld()}
	handlers := searchapi.Handlers(&x.live)
	maps.Copy(handlers, o.desk().handlers())
	handlers[web.HealthID] = web.Health(watcher.health)
	return web.New(web.Config{
		Release: tree, Endpoints: document.Endpoints(), Log: c.Log, Now: c.Build.Clock, RequestID: c.RequestID,
		Dynamic: handlers, Answered: watcher.answered,
	})
}

// listen takes the address.
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
