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

// An indexer serves the search parts beside a release. The next index is opened on the
// side, which takes a second or two where it is large, while the one before it answers.
type indexer struct {
	live    search.Live
	options search.Options
	// parted has a value when the parts may be others.
	parted chan struct{}
	// unopened is what is wrong with the index.
	unopened trouble
	log      *slog.Logger
}

func newIndexer(c Config, public string, record *Record) *indexer {
	return &indexer{
		options: search.Options{
			Removals: record.Register(), Folder: build.SearchFolder(public), Scratch: c.Build.State, Log: c.Log, Cluster: c.Search,
		},
		parted: make(chan struct{}, 1), unopened: trouble{what: "search is not that of the release"}, log: c.Log,
	}
}

// OpenIndex reads a content folder and opens its search index, which is kept
// in a folder of its own, or in memory where that cannot be written.
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

// behindRelease tells that search answers of another release than the last.
const behindRelease = "it goes on with an earlier release"

// errOpening: search is being opened.
var errOpening = errors.New("it is being opened")

// begin opens the index, so that search answers from the start. A cluster may take long to
// have it, and may not be reached now: search answers once it has it.
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

// open opens the search parts that there are. Those of another release are served too: parts
// follow their release by a moment.
func (x *indexer) open(ctx context.Context) {
	o := x.options
	o.Previous = x.live.Current()
	opened, err := search.Read(ctx, o)
	if err == nil {
		err = x.live.Swap(opened)
		// Opening takes several times the memory that stays.
		debug.FreeOSMemory()
	}
	x.unopened.set(ctx, x.log, err)
}

// again opens the index once more, where that failed.
func (x *indexer) again() {
	if wrong := x.unopened.now(); wrong != nil && !errors.Is(wrong, errOpening) {
		signal(x.parted)
	}
}

func (x *indexer) close() error { return x.live.Swap(nil) }

// ready returns the state of search for health. The causes may name folders of this
// machine, so the public does not see them.
func (x *indexer) ready() string {
	switch wrong := x.unopened.now(); {
	case errors.Is(wrong, errOpening):
		return errOpening.Error()
	case x.live.Current() == nil:
		return "it cannot be opened now"
	case wrong != nil:
		return behindRelease
	default:
		return web.StatusOK
	}
}
