package dynamic

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// An indexer serves the search parts of a release. It opens the next index, which takes a
// second or two if it is large, while the previous one answers.
type indexer struct {
	live    search.Live
	options search.Options
	// parted receives a value when the parts may have changed.
	parted chan struct{}
	// unopened is the error of opening the index.
	unopened taskError
	log      *slog.Logger
}

func newIndexer(c Config, public string, record *Record) *indexer {
	return &indexer{
		options: search.Options{
			Removals: record.Register(), Folder: build.SearchFolder(public), Scratch: c.Build.State, Log: c.Log, Cluster: c.Search,
		},
		parted: make(chan struct{}, 1), unopened: taskError{what: "search is behind the release"}, log: c.Log,
	}
}

// OpenIndex reads a content folder and opens its search index. The index is stored in a
// folder of its own, or in memory if that is not writable.
func OpenIndex(ctx context.Context, c build.Config, removals *catalog.Removals, folder string) (*search.Index, error) {
	market, err := build.Read(ctx, c, removals)
	if err != nil {
		return nil, err
	}
	extracted := func() *index.Corpus { return index.Extract(market, document.NewRenderer(market, c.SiteURL)) }
	opened, err := search.Open(ctx, extracted(), search.Options{Folder: folder})
	if err != nil && ctx.Err() == nil {
		return search.Open(ctx, extracted(), search.Options{})
	}
	return opened, err
}

// behindRelease means that search answers from an earlier release.
const behindRelease = "it answers for an earlier release"

// errOpening means that search is being opened.
var errOpening = errors.New("it is being opened")

// begin opens the index, so that search answers from the start. A cluster may take long to
// index it, or be unreachable; search then answers once the cluster is ready.
func (x *indexer) begin(ctx context.Context) {
	if x.options.Cluster == nil {
		x.open(ctx)
		return
	}
	x.unopened.set(ctx, x.log, errOpening)
	signal(x.parted)
}

// run opens the index of each release until ctx ends.
func (x *indexer) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.parted:
			x.open(ctx)
		}
	}
}

// open opens the current search parts, even if they belong to another release: they are
// written a moment after their release.
func (x *indexer) open(ctx context.Context) {
	o := x.options
	o.Previous = x.live.Current()
	opened, err := search.Read(ctx, o)
	if err == nil {
		err = x.live.Swap(opened)
		// Opening takes several times the memory that the index needs.
		debug.FreeOSMemory()
	}
	x.unopened.set(ctx, x.log, err)
}

// retry opens the index once more if that failed.
func (x *indexer) retry() {
	if wrong := x.unopened.now(); wrong != nil && !errors.Is(wrong, errOpening) {
		signal(x.parted)
	}
}

func (x *indexer) close() error { return x.live.Swap(nil) }

// ready returns the state of search for the health check. The causes may contain names of
// folders, so the public does not see them.
func (x *indexer) ready() string {
	switch wrong := x.unopened.now(); {
	case errors.Is(wrong, errOpening):
		return errOpening.Error()
	case x.live.Current() == nil:
		return "it cannot be opened"
	case wrong != nil:
		return behindRelease
	default:
		return web.StatusOK
	}
}
