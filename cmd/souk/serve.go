package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/delivery/publish"
	"souk/build/kit/problem"
	"souk/dynamic"
	"souk/dynamic/operator/searches"
)

type serveOptions struct {
	buildOptions
	listen        string
	metrics       string
	watch         bool
	preview       bool
	drafts        bool
	hosts         []string
	logFormat     string
	logLevel      logLevel
	verifications verificationOptions
	publish       publishOptions
	copyTo        string
	from          string
	search        clusterOptions
	searchLog     string
	searchLogMin  int
}

func newServe(w environment) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Build the content and serve it, or serve a release ('servers' lists servers)",
		Long: `Serve builds the content, then answers what a static host would, and also search,
suggestions, claims, removals and /health. It rebuilds when something becomes or ceases to be
current, and with --watch whenever the content changes. If a rebuild finds a mistake, serve
prints it and keeps serving the last good release; removals take effect all the same.

Mail goes to --smtp; without it, mails are written to the folder mail in --state.

--preview builds for the server's own address, with a release, mails and a ledger of its own in
the folder preview in --state. No mail is sent, and the release can never be published. Pages
reload when the content changes and show its mistakes; --drafts adds what is not current.

--from serves a release that 'souk build' or another 'souk serve' makes, and reads no content.
Both need the same ledger: --database postgres://… if they run on several machines. A removal
takes effect at once; its request is answered 200 when the builder has made a release without
the seller, or 503 after 30 seconds, and stays on record either way. --from s3://… copies a
release that 'souk publish --for-servers' put into a bucket, verifies it, and follows it.

--search opensearch://host:9200/index matches, filters, counts and sorts in an OpenSearch
cluster. opensearchs:// uses TLS, ?node=host:9200 names a further node, and ?shards=N sets the
number of shards of a new index. SOUK_OPENSEARCH_USER and SOUK_OPENSEARCH_PASSWORD keep the
password out of the address. If a shard does not answer, search answers 503.

The first interrupt or SIGTERM lets requests finish for up to 10 seconds; a second one ends
the process at once.

Exit codes: 0 stopped by a signal, 1 the content is wrong (without --watch) or the address is
in use or there is no release, 2 the command line is wrong.`,
		Example: "  souk serve --preview --watch\n  souk serve --listen 0.0.0.0:80 --log-format json\n  souk serve --from /srv/market/public --database postgres://souk@db/souk\n  souk serve --content content --search opensearch://search:9200/market",
		Args:    exactArgs(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.checkAddresses(); err != nil {
				return err
			}
			if err := o.search.check(w, cmd.Flags()); err != nil {
				return err
			}
			if err := o.checkSearchLog(); err != nil {
				return err
			}
			run := runServe
			if cmd.Flags().Changed("from") {
				if err := checkFrom(cmd.Flags()); err != nil {
					return err
				}
				run = serveFrom
			}
			err := run(cmd.Context(), w, o)
			if errors.Is(err, context.Canceled) && cmd.Context().Err() != nil {
				return nil // a signal while serving is no error either
			}
			return err
		},
	}
	o.AddFlags(cmd.Flags())
	groupFlags(cmd)
	return cmd
}

func (o *serveOptions) AddFlags(flags *pflag.FlagSet) {
	o.add(flags)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "the address to listen on; port 0 picks a free one")
	flags.StringVar(&o.from, "from", "", "serve a release that another process builds: a folder, or s3://… or file://… as 'souk publish --for-servers' writes it")
	o.search.add(flags)
	flags.StringVar(&o.searchLog, "search-log", "", "append the most frequent search texts to this file each day; keep it private (default: off)")
	flags.IntVar(&o.searchLogMin, "search-log-min", 5, "with --search-log, how often a text must have been searched for on a day")
	flags.BoolVar(&o.watch, "watch", false, "watch the content folder and rebuild on changes")
	flags.BoolVar(&o.preview, "preview", false, "build for this server's own address, into the folder preview in --state; never published")
	flags.BoolVar(&o.drafts, "drafts", false, "with --preview, also show drafts and content that has not begun or has ended")
	flags.StringVar(&o.metrics, "metrics-listen", "", "serve Prometheus metrics at /metrics on this address; keep it private (default: off)")
	flags.StringArrayVar(&o.hosts, "mcp-host", nil, "a further host name under which agents may use MCP; may repeat")
	o.verifications.add(flags)
	flags.StringVar(&o.copyTo, "publish", "", "publish each release to this folder or bucket, as 'souk publish' does")
	o.publish.add(flags)
	flags.StringVar(&o.logFormat, "log-format", "text", "the log format on stderr: text, or json with one object per line")
	flags.Var(&o.logLevel, "log-level", "the lowest level to log: debug, info, warn or error; requests are logged at info")
}

// How many bytes a small heap may grow before a collection. With content, changes leave much
// garbage; when serving a release only responses do, and its heap is so small that a
// collection takes a twentieth of a second.
const (
	roomWithContent = 100 << 20
	roomOfRelease   = 30 << 20
)

// littleGarbage returns memory to the system after the first build and limits how far the heap
// may grow before a collection, since most of it stays and responses leave little garbage.
// GOGC or GOMEMLIMIT take precedence if set.
func littleGarbage(w environment, room uint64) {
	debug.FreeOSMemory()
	if w.getenv("GOGC") == "" && w.getenv("GOMEMLIMIT") == "" {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		debug.SetGCPercent(growth(m.HeapAlloc, room))
	}
}

// spareThreads is how many more threads than processors serve requests. Requests wait in a
// queue for each thread. If other programs run too, the kernel suspends a thread for
// milliseconds together with its queue, until an idle thread takes over some of it. With one
// thread for each processor no thread is idle, and one request in a hundred takes three times
// as long.
const spareThreads = 6

// threads uses more threads than processors, unless GOMAXPROCS is set. It does nothing if a
// cgroup limits the processors: more threads would use up the quota sooner and then all be
// suspended.
func threads(w environment) {
	if have := runtime.NumCPU(); w.getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) == have {
		runtime.GOMAXPROCS(have + spareThreads)
	}
}

// growth returns by how many percent a heap may grow: a quarter for a large one, to save
// memory; for a smaller one as much as room allows, so that collections are rare.
func growth(heap, room uint64) int {
	return int(min(max(room*100/max(heap, 1), 25), 200))
}

// checkAddresses rejects malformed addresses to listen on.
func (o *serveOptions) checkAddresses() error {
	if err := checkListen("--listen", o.listen); err != nil {
		return err
	}
	if o.metrics != "" {
		if err := checkListen("--metrics-listen", o.metrics); err != nil {
			return err
		}
	}
	return nil
}

// checkSearchLog refuses a log that hosts may serve or that cannot be written.
func (o *serveOptions) checkSearchLog() error {
	if o.searchLogMin < 1 {
		return usagef("--search-log-min is at least 1, not %d", o.searchLogMin)
	}
	if o.searchLog == "" {
		return nil
	}
	for _, served := range []string{o.public, o.from} {
		if served != "" && isWithin(o.searchLog, served) {
			return usagef("--search-log %s must be outside %s, which hosts serve", o.searchLog, served)
		}
	}
	if err := searches.Open(o.searchLog); err != nil {
		return fmt.Errorf("--search-log: %w", err)
	}
	return nil
}

func runServe(ctx context.Context, w environment, o serveOptions) (err error) {
	if err := o.checkPreview(); err != nil {
		return err
	}
	log, w, err := logging(w, o.logFormat, o.logLevel.Level)
	if err != nil {
		return err
	}
	verifications, unlock, err := o.apart(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	config, err := o.config(w)
	if err != nil {
		return err
	}
	config.Preview, config.Drafts = o.preview, o.drafts
	config.Waiting = func() {
		fmt.Fprintf(w.stderr, "souk: waiting for another build that is writing to %s\n", o.public)
	}
	var held building
	config.Permit = held.begin
	// Check the command line before creating a ledger.
	if _, err := build.New(config); err != nil {
		return err
	}
	publisher, err := o.publisher(w, held.begin)
	if err != nil {
		return err
	}
	if publisher != nil {
		defer func() { err = errors.Join(err, publisher.Close()) }()
	}
	if verifications.Ledger, err = o.openOrCreate(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, verifications.Ledger.Close()) }()
	defer held.close()
	if err := held.folder(ctx, w, verifications.Ledger, config.Public); err != nil {
		return err
	}
	if err := held.destination(ctx, w, verifications.Ledger, publisher); err != nil {
		return err
	}
	err = dynamic.Run(ctx, dynamic.Config{
		Build: config, Verification: verifications, Publish: publisher, Listen: o.listen, Metrics: o.metrics, Watch: o.watch, Hosts: o.hosts, Version: version(), Log: log,
		Search: o.search.cluster(log), SearchLog: o.searchLog, SearchLogMin: o.searchLogMin,
		Built: func(r build.Report) {
			notices(w, &o.buildOptions, r)
			if !o.preview {
				warnPlaceholders(w, o.public)
			}
		},
		Mistakes: func(list problem.List) {
			_ = printProblems(w, w.stderr, located(o.content, o.theme, list))
		},
		Listening: func(site string) { o.lead(w, site) },
		Serving: func(s dynamic.Served) {
			littleGarbage(w, roomWithContent)
			threads(w)
			o.tell(w, s)
		},
	})
	var mistakes *problem.Error
	switch {
	case errors.As(err, &mistakes):
		fmt.Fprintf(w.stderr, "souk: %v: nothing was written\n", err)
		return errReported
	default:
		return o.unexplained(err)
	}
}

// publisher opens the Publisher to --publish, or returns nil.
func (o *serveOptions) publisher(w environment, may func() func() error) (*publish.Publisher, error) {
	if o.copyTo == "" {
		return nil, nil
	}
	config, err := o.publish.config(w, o.state, o.public, o.copyTo)
	if err != nil {
		return nil, err
	}
	config.Forget, config.Permit = o.forget, may
	if isWithin(o.copyTo, o.public) || isWithin(o.public, o.copyTo) {
		return nil, usagef("--publish %s and --public %s must not contain one another", o.copyTo, o.public)
	}
	return openPublisher(o.copyTo, config)
}

// checkListen rejects a malformed address to listen on.
func checkListen(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return usagef("%s %q is not a host:port, as in 127.0.0.1:8080", flag, address)
	}
	return nil
}

// logging returns the log, and the environment with a stderr in the same format.
func logging(w environment, format string, level slog.Level) (*slog.Logger, environment, error) {
	options := &slog.HandlerOptions{Level: level}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w.stderr, options)), w, nil
	case "json":
		log := slog.New(slog.NewJSONHandler(w.stderr, options))
		// Messages to the operator appear at every level.
		w.stderr = logLines{slog.New(slog.NewJSONHandler(w.stderr, nil))}
		return log, w, nil
	default:
		return nil, w, usagef("--log-format is text or json, not %q", format)
	}
}

// logLevel is a flag that takes the name of a level.
type logLevel struct{ slog.Level }

func (l *logLevel) Type() string   { return "level" }
func (l *logLevel) String() string { return strings.ToLower(l.Level.String()) }

func (l *logLevel) Set(text string) error {
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, text) {
		return fmt.Errorf("%q is not debug, info, warn or error", text)
	}
	return l.Level.UnmarshalText([]byte(text))
}

// logLines logs each line written to it as one record.
type logLines struct{ log *slog.Logger }

var _ io.Writer = logLines{}

func (l logLines) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		l.log.Info(string(bytes.TrimPrefix(bytes.TrimRight(line, "\n"), []byte("souk: "))))
	}
	return len(p), nil
}
