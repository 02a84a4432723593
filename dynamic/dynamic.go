// Package dynamic runs a whole installation in one process: it builds the content, or
// follows the releases of another process, serves the release, and keeps everything up to
// date until it is told to stop. It wires the parts and owns their goroutines, all of which
// have ended when Run returns. It leaves building to package build, and answering to
// package web.
//
// The parts, and what they notify:
//
//	watch          the content folder -> the paths that changed -> queue
//	verifications  the calls of claims and removals -> verification, ledger -> queue
//	queue          what the next builds have to do
//	builds         owns the Builder: one build at a time; passes each release
//	               to the sellers, the copy, the publication history and search
//	follower       replaces builds and watch if there is no content: reads
//	               the releases that another process builds
//	leases         which of several servers may answer, and for which a removal waits
//	notify         reads the ledger and tells the operator, in the process that builds
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
	"souk/dynamic/operator/searches"
	"souk/dynamic/search/cluster"
	"souk/dynamic/web"
	"souk/dynamic/web/searchapi"
)

// Config says what to build and serve. Build, Listen and Log are required.
type Config struct {
	// From is a public folder with the releases of another process, to serve instead of
	// building. Of Build, then only Clock and Program are used; Watch and Publish are
	// ignored. Empty if this process builds.
	From string
	// Behind describes, to the public, why From, which is a copy, does not follow the
	// original; empty if it does. Nil if From is not a copy.
	Behind func() string
	// Build configures the builds. If its clock is fixed, time causes no builds. Without a
	// SiteURL, a preview's links lead to the address that the server listens on.
	Build build.Config
	// Listen is the address as host:port; port 0 takes a free one.
	Listen string
	// Metrics is the address for a Prometheus server, which must not be public; "" for
	// none.
	Metrics string
	// Watch makes the server follow the content folder.
	Watch bool
	// SearchLog is the file to which each day's frequent texts are appended; "" for none.
	// SearchLogMin is how often a text must have been searched for.
	SearchLog    string
	SearchLogMin int
	// Search is the cluster that matches, filters, counts and sorts; nil if this process
	// does so itself.
	Search cluster.Cluster
	// Hosts are additional host names of this server, for MCP.
	Hosts []string
	// Verification configures claims and removals.
	Verification VerificationConfig
	// Publish, if set, copies each release to where the public reads it. Its creator closes
	// it after Run.
	Publish *publish.Publisher
	// Version is the program's version, for the health check.
	Version string
	Log     *slog.Logger

	// Listening is called once, before the first build, when connections are accepted. site
	// is the SiteURL of Build; for a preview, it is the server itself.
	Listening func(site string)
	// Serving is called once, when requests are answered.
	Serving func(Served)
	// Built is called with the report of the first build.
	Built func(build.Report)
	// Mistakes is called with the mistakes of each build that they made fail.
	Mistakes func(problem.List)

	// Heard, if set, receives a value, unless it is full, when another server announced a
	// removal or a release.
	Heard chan<- struct{}
	// Ticks returns the time for leases; default lease.Now.
	Ticks func() lease.Instant
	// RequestID returns the id of a new request; default random.
	RequestID func() string
}

// Served says what a server serves.
type Served struct {
	// Addr is the address that the server listens on.
	Addr net.Addr
	// Release is the id of the release; empty if there is none.
	Release string
	// Site is the root of all links in documents and mails; empty if no content was read.
	Site string
	// Begin lists a few working addresses, relative to Site.
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

// Run builds, or opens a release of another process, then serves until ctx ends; pending
// requests then get a grace period. It fails if the first build fails, unless the content
// is watched and has mistakes. In that case it reports the mistakes and serves the last
// good release, if any, until they are fixed.
func Run(ctx context.Context, c Config) (err error) {
	c = c.withDefaults()
	// Bind before the build, so that a port that is in use does not cost a build. Early
	// clients wait for their answer.
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
	// The parts continue after ctx ends, while pending requests finish.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	var parts sync.WaitGroup
	defer func() {
		stop()
		parts.Wait()
		err = errors.Join(err, from.close())
	}()
	leases := newLeases(c, from, at.public.Addr())
	v, err := newVerifications(c, from, leases)
	if err != nil {
		return err
	}
	if err := from.begin(ctx); err != nil {
		return err
	}
	notifier := newNotifier(c, from.sources().sellers)
	log := searches.New(searches.Config{File: c.SearchLog, Min: c.SearchLogMin, Removals: from.sources().removals, Log: c.Log, Now: c.Build.Clock})
	from.sources().live.Counter = log
	monitor := newMonitor(c, v.process, from, leases, notifier, log)
	handler, err := newHandler(c, monitor, v, from.sources())
	if err != nil {
		return err
	}
	leases.begin(ctx)
	v.warnUnprovable(ctx, c)
	own := from.parts()
	if c.From == "" {
		own = append(own, notifier.Run)
	}
	for _, part := range append(append(own, leases.parts()...),
		func(ctx context.Context) { monitor.serve(ctx, at.metrics) }, log.Run, v.dispatcher.Run, func(ctx context.Context) { v.purge(ctx, c.Log) }) {
		parts.Go(func() { part(work) })
	}
	served := from.served()
	served.Addr = at.public.Addr()
	c.Serving(served)
	return serve(ctx, at.public, handler, c.Log)
}

// newOrigin returns the origin for a configuration.
func newOrigin(ctx context.Context, c Config) (origin, error) {
	if c.From != "" {
		return newFollower(c)
	}
	return newBuilds(ctx, c)
}

// newHandler wires the handlers of requests.
func newHandler(c Config, m *monitor, v *verifications, from sources) (http.Handler, error) {
	handlers := searchapi.Handlers(from.live)
	maps.Copy(handlers, v.handlers())
	handlers[web.HealthID] = web.Health(m.health)
	handlers[document.CompareID] = searchapi.Comparison(from)
	pages := confirmations{v, from}.handlers()
	if from.pages != nil {
		maps.Copy(pages, searchapi.Pages(from.live, from.pages))
		pages["GET "+document.ComparePath] = searchapi.ComparisonPage(from, from.pages)
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
