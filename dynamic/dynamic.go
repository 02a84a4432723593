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
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/problem"
	"souk/build/publish"
	"souk/dynamic/preview"
	"souk/dynamic/web"
	"souk/dynamic/web/searchapi"
)

// Config says what is built and served. Build, Listen and Log are required.
type Config struct {
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

	// After is the timer; default time.After.
	After func(time.Duration) <-chan time.Time
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
	// Before the build, so that a port that is taken does not cost one. Who asks
	// meanwhile waits for the answer.
	at, err := bind(ctx, &c)
	if err != nil {
		return err
	}
	defer at.close()
	c.Listening(c.Build.SiteURL)
	builder, err := build.New(c.Build)
	if err != nil {
		return err
	}
	record := NewRecord(c.Verification.Ledger, c.Verification.Removals)
	b := &builds{
		config: c, builder: builder, queue: newQueue(), record: record, sellers: &sellers{},
		index: newIndexer(c, record.Register()), copy: newMirror(c, builder.Tree(), record.Register()),
	}
	if c.Build.Preview {
		b.preview = preview.New(ctx)
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
	running = append(running, func() { monitor.serve(work, at.metrics) }, func() { v.dispatcher.Run(work) }, func() { v.purge(work, c.Log) })
	for _, part := range running {
		parts.Go(part)
	}
	c.Serving(b.served(at.public.Addr()))
	return serve(ctx, at.public, handler, c.Log)
}

// served describes what is served.
func (b *builds) served(addr net.Addr) Served {
	tree := b.builder.Tree()
	s := Served{Addr: addr, Release: tree.ID()}
	m, err := b.sellers.view()
	if err != nil {
		return s
	}
	s.Site = m.site
	for _, page := range []string{"index.html", document.LLMsFile, document.OpenAPIFile} {
		if tree.Has(page) {
			s.Begin = append(s.Begin, "/"+strings.TrimSuffix(page, "index.html"))
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(m.bySlug)) {
		if file := document.SellerFile(slug); tree.Has(file) {
			s.Begin = append(s.Begin, "/"+strings.TrimSuffix(file, ".json"))
			break
		}
	}
	return s
}

// begin makes the first release. It also finishes any removal that an earlier
// process left half done, before anything is served.
func (b *builds) begin(ctx context.Context) error {
	report, err := b.turn(ctx, build.Whole)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) {
		b.mistaken(mistakes.Mistakes, false)
		b.show(mistakes.Mistakes)
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
	pages := map[string]web.Handler{}
	if c.Build.Pages {
		pages["GET "+document.SearchPath] = searchapi.Page(&v.builds.index.live, v.builds.builder.Site())
		maps.Copy(pages, newForms(c, v).handlers())
	}
	shown := surface{v.builds.builder.Tree(), v.builds.record.Register()}
	handler, err := web.New(web.Config{
		Mounted: map[string]http.Handler{document.MCPPath: agentsHandler(c, v.builds, shown)},
		Release: shown, Endpoints: document.Endpoints(), Log: c.Log, Now: c.Build.Clock,
		RequestID: c.RequestID, Dynamic: handlers, Answered: m.answered, Pages: pages,
	})
	if err == nil && v.builds.preview != nil {
		handler = v.builds.preview.Handler(handler)
	}
	return handler, err
}
