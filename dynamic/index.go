package dynamic

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// An indexer keeps the search index up with the releases. What it needs of the
// catalog is copied by the goroutine that owns that; the index is then made off
// to the side, and the one before answers until it is ready.
type indexer struct {
	live    search.Live
	options search.Options
	// next holds the corpus to index, the latest alone.
	next chan job
	log  *slog.Logger
	// failedAt is when the last release could not be indexed; nil where it was.
	failedAt atomic.Pointer[time.Time]
}

type job struct {
	release string
	corpus  *search.Corpus
}

func newIndexer(c Config) *indexer {
	return &indexer{
		options: search.Options{Folder: filepath.Join(c.Build.State, "search"), Program: c.Build.Program, Log: c.Log},
		next:    make(chan job, 1), log: c.Log,
	}
}

// OpenSearch reads a content folder and opens the search index of it, which is
// kept in a folder of its own.
func OpenSearch(ctx context.Context, c build.Config, folder string) (*search.Index, error) {
	market, err := build.Read(ctx, c)
	if err != nil {
		return nil, err
	}
	return search.Open(ctx, search.Extract(market, document.NewRenderer(market, c.SiteURL)), search.Options{
		Folder: folder, Program: c.Program,
	})
}

// extract copies what search needs of the release that a Builder just made.
func extract(b *build.Builder, siteURL string) job {
	return job{b.Tree().ID(), search.Extract(b.Catalog(), document.NewRenderer(b.Catalog(), siteURL))}
}

// tell hands over a release; one that was not begun with yet is forgotten.
func (x *indexer) tell(j job) {
	select {
	case <-x.next:
	default:
	}
	x.next <- j
}

// run indexes until ctx ends.
func (x *indexer) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-x.next:
			err := x.index(ctx, j)
			if err == nil {
				x.failedAt.Store(nil)
			} else if now := time.Now(); x.failedAt.Swap(&now) == nil && ctx.Err() == nil {
				x.log.Error("search goes on with the index of an earlier release", "cause", err)
			}
		}
	}
}

func (x *indexer) index(ctx context.Context, j job) error {
	o := x.options
	o.Release, o.Previous, o.Withheld = j.release, x.live.Current(), x.live.Withheld()
	opened, err := search.Open(ctx, j.corpus, o)
	if err != nil {
		return err
	}
	return x.live.Swap(opened)
}

func (x *indexer) close() error { return x.live.Swap(nil) }

// retryIndex is how soon a release is indexed again that could not be: the disk
// may have been full.
const retryIndex = 5 * time.Second

// due tells whether a release is to be indexed again.
func (x *indexer) due() bool {
	failed := x.failedAt.Load()
	return failed != nil && time.Since(*failed) > retryIndex
}

// ready tells the health of search.
func (x *indexer) ready() string {
	switch {
	case x.live.Current() == nil:
		return "there is no index yet"
	case x.failedAt.Load() != nil:
		return "it goes on with an earlier release"
	default:
		return web.StatusOK
	}
}
