package dynamic

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// An indexer keeps the search index up to date with the releases. The goroutine
// that owns the catalog copies what search needs of it; the new index is then
// made on the side, while the old one keeps answering.
type indexer struct {
	live    search.Live
	options search.Options
	siteURL string
	// told is what was handed over last.
	told corpusID
	// next holds the corpus to index; only the latest one counts.
	next chan job
	log  *slog.Logger
	// failedAt is when indexing the last release failed; nil where it
	// succeeded.
	failedAt atomic.Pointer[time.Time]
}

// A corpusID identifies what is searched: the content as well as the release, since
// keywords, pins and synonyms are in no document.
type corpusID struct {
	release string
	content uint64
}

func idOf(b *build.Builder) corpusID { return corpusID{b.Tree().ID(), b.Fingerprint()} }

type job struct {
	release string
	corpus  *search.Corpus
}

func newIndexer(c Config, removals *catalog.Register) *indexer {
	return &indexer{
		options: search.Options{Removals: removals, Folder: filepath.Join(c.Build.State, "search"), Program: c.Build.Program, Log: c.Log},
		siteURL: c.Build.SiteURL, next: make(chan job, 1), log: c.Log,
	}
}

// OpenSearch reads a content folder and opens its search index, which is kept
// in a folder of its own, or in memory where that cannot be written.
func OpenSearch(ctx context.Context, c build.Config, removals *catalog.Removals, folder string) (*search.Index, error) {
	market, err := build.Read(ctx, c, removals)
	if err != nil {
		return nil, err
	}
	extracted := func() *search.Corpus { return search.Extract(market, document.NewRenderer(market, c.SiteURL)) }
	index, err := search.Open(ctx, extracted(), search.Options{Folder: folder, Program: c.Program})
	if err != nil && ctx.Err() == nil {
		return search.Open(ctx, extracted(), search.Options{Program: c.Program})
	}
	return index, err
}

// extract copies what search needs of the release that a Builder has just made.
func extract(b *build.Builder, siteURL string) job {
	return job{b.Tree().ID(), search.Extract(b.Catalog(), document.NewRenderer(b.Catalog(), siteURL))}
}

// tell hands over what a Builder released, unless it was the last that was handed
// over; it replaces one that is still waiting. Only the goroutine that owns the
// Builder calls it.
func (x *indexer) tell(b *build.Builder) {
	if idOf(b) == x.told {
		return
	}
	x.told = idOf(b)
	select {
	case <-x.next:
	default:
	}
	x.next <- extract(b, x.siteURL)
}

// first indexes the first release, so that search answers from the start.
func (x *indexer) first(ctx context.Context, b *build.Builder) error {
	x.told = idOf(b)
	return x.index(ctx, extract(b, x.siteURL))
}

// retry makes the next call of tell hand the release over again if indexing it
// failed: the disk may have been full.
func (x *indexer) retry() {
	const wait = 5 * time.Second
	if failed := x.failedAt.Load(); failed != nil && time.Since(*failed) > wait {
		x.told = corpusID{}
	}
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
	o.Release, o.Previous = j.release, x.live.Current()
	opened, err := search.Open(ctx, j.corpus, o)
	if err != nil {
		return err
	}
	return x.live.Swap(opened)
}

func (x *indexer) close() error { return x.live.Swap(nil) }

// ready returns the state of search for health.
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
