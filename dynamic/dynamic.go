// Package dynamic is a whole installation in one process: it builds the
// content, or follows the releases of a process that does, serves the release, and
// keeps both up to date until it is told to stop. It wires the parts and owns their goroutines, all of which have ended
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
//	follower       in the place of builds and watch where there is no content: reads
//	               the releases that another process makes
//	leases         which servers of several may answer, and whom a removal waits for
//	surface        the release without withheld sellers, for web
package dynamic

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"sync"

	"souk/build"
	"souk/build/delivery/publish"
	"souk/build/document"
	"souk/build/kit/problem"
	"souk/dynamic/machines/lease"
	"souk/dynamic/search/cluster"
	"souk/dynamic/web"
	"souk/dynamic/web/searchapi"
)

// Config says what is built and served. Build, Listen and Log are required.
type Config struct {
	// From is a public folder whose release another process makes, to serve that
	// instead of building; of Build then only the Clock and the Program count, and
	// Watch and Publish do not. Empty where this process builds.
	From string
	// Behind tells what keeps From, where that is a copy, from following what it is
	// of, in words for the public; empty where nothing does. Nil where it is none.
	Behind func() string
	// Build says what is built. Where its clock is fixed, the passing of time
	// causes no builds. The links of a preview without a SiteURL lead to the
	// address that the server listens on.
	Build build.Config
	// Listen is the address, host:port; port 0 takes a free one.
	Listen string
	// Metrics is the address where a Prometheus server scrapes, "" for none. It
	// is not for the public.
	Metrics string
	// Watch makes the server follow the content folder.
	Watch bool
	// Search is the cluster that matches, filters, counts and sorts; nil where this
	// process does.
	Search cluster.Cluster
	// Hosts are names of this server beside that of the SiteURL, for MCP.
	Hosts []string
	// Verification configures claims and removals.
	Verification VerificationConfig
	// Publish, where set, copies each release to where the public reads it. Its
	// creator closes it, after Run.
	Publish *publish.Publisher
	// Version is the program's, for health.
	Version string
	Log     *slog.Logger

	// Listening is called once, before the first build, when requests are taken:
	// with the SiteURL of Build, which for a preview is the server itself.
	Listening func(site string)
	// Serving is called once, when requests are answered.
	Serving func(Served)
	// Built is called with the report of the first build.
	Built func(build.Report)
	// Mistakes is called with the mistakes of each build that failed on them.
	Mistakes func(problem.List)

	// Heard gets a value, where there is room, when another server announced a removal or
	// a release; or nil.
	Heard chan<- struct{}
	// Ticks is the clocks that a lease runs by; default lease.Now.
	Ticks func() lease.Instant
	// RequestID returns the id of a new request; default random.
	RequestID func() string
}

// Served says what a server serves.
type Served struct {
	// Addr is the address that it listens on.
	Addr net.Addr
	// Release is the id of the release, empty where there is none.
	Release string
	// Site is the root of all links, in documents and in mails; empty where no
	// content was read.
	Site string
	// Begin are a few addresses below Site, relative to it, that answer.
	Begin []string
}

// withDefaults sets every function that is nil.
func (c Config) withDefaults() Config {
	if c.Listening == nil {
		c.Listening = func(string) {}
	}
	if c.Serving == nil {
		c.Serving = func(Served) {}
	}
	if c.Built == nil {
		c.Built = func(build.Report) {}
	}
	if c.Mistakes == nil {
		c.Mistakes = func(problem.List) {}
	}
	if c.Ticks == nil {
		c.Ticks = lease.Now
	}
	return c
}

// Run builds, or opens a release that another process makes, then serves until ctx
// ends; requests in flight then get a grace period. It fails where the first build
// fails, except on mistakes in content that is watched: it reports these and serves
// the last good release, if there is one, until they are mended.
func Run(ctx context.Context, c Config) (err error) {
	c = c.withDefaults()
	// Before the build, so that a port that is taken does not cost one. Who asks
	// meanwhile waits for the answer.
	at, err := bind(ctx, &c)
	if err != nil {
		return err
	}
	defer at.close()
	c.Listening(c.Build.SiteURL)
	from, err := newOrigin(ctx, c)
	if err != nil {
		return err
	}
	// The parts outlive ctx while requests in flight finish.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	var parts sync.WaitGroup
	defer func() {
		stop()
		parts.Wait()
		err = errors.Join(err, from.close())
	}()
	held := newLeases(c, from, at.public.Addr())
	v, err := newVerifications(c, from, held)
	if err != nil {
		return err
	}
	if err := from.begin(ctx); err != nil {
		return err
	}
	monitor := newMonitor(c, v.process, from, held)
	handler, err := newHandler(c, monitor, v, from.shown())
	if err != nil {
		return err
	}
	held.begin(ctx)
	for _, part := range append(append(from.parts(), held.parts()...),
		func(ctx context.Context) { monitor.serve(ctx, at.metrics) }, v.dispatcher.Run, func(ctx context.Context) { v.purge(ctx, c.Log) }) {
		parts.Go(func() { part(work) })
	}
	served := from.served()
	served.Addr = at.public.Addr()
	c.Serving(served)
	return serve(ctx, at.public, handler, c.Log)
}

// newOrigin returns where the releases of a configuration come from.
func newOrigin(ctx context.Context, c Config) (origin, error) {
	if c.From != "" {
		return newFollower(c)
	}
	return newBuilds(ctx, c)
}

// newHandler wires what answers requests.
func newHandler(c Config, m *monitor, v *verifications, from shown) (http.Handler, error) {
	handlers := searchapi.Handlers(from.live)
	maps.Copy(handlers, v.handlers())
	handlers[web.HealthID] = web.Health(m.health)
	pages := confirmations{v, from}.handlers()
	if from.pages != nil {
		pages["GET "+document.SearchPath] = searchapi.Page(from.live, from.pages)
		maps.Copy(pages, newForms(c, v, from.pages).handlers())
	}
	handler, err := web.New(web.Config{
		Mounted: map[string]http.Handler{document.MCPPath: agentsHandler(c, from)},
		Release: from, Endpoints: document.Endpoints(), Log: c.Log, Now: c.Build.Clock,
		RequestID: c.RequestID, Dynamic: handlers, Answered: m.answered, Pages: pages,
		Ready: v.leases.ready, Addresses: from.addresses,
	})
	if err != nil {
		return nil, err
	}
	if from.preview != nil {
		handler = toThisMachine(c, from.preview.Handler(handler))
	}
	return handler, nil
}
