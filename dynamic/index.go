package dynamic

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// An indexer keeps the search index up to date with the releases. The goroutine
// that owns the catalog copies what search needs of it; the new index is then
// made on the side, while the old one keeps answering.
type indexer struct {
	live    search.Live
	options search.Options
	// told is what was handed over last.
	told index.State
	// next holds the corpus to index; only the latest one counts.
	next chan job
	log  *slog.Logger
	// failedAt is when indexing the last release failed; nil where it
	// succeeded.
	failedAt atomic.Pointer[time.Time]
}

// A job is what to index; without a corpus, the parts that are there.
type job struct {
	state  index.State
	corpus *index.Corpus
}

func newIndexer(c Config, record *Record) *indexer {
	return &indexer{
		options: search.Options{
			Removals: record.Register(), Removed: record.Removals, Folder: build.SearchFolder(c.Build.Public), Scratch: c.Build.State, Log: c.Log,
			Cluster: c.Search,
		},
		next: make(chan job, 1), log: c.Log,
	}
}

// OpenSearch reads a content folder and opens its search index, which is kept
// in a folder of its own, or in memory where that cannot be written.
func OpenSearch(ctx context.Context, c build.Config, removals *catalog.Removals, folder string) (*search.Index, error) {
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

// tell hands over what a Builder released, unless it was the last that was handed
// over; it replaces one that is still waiting. Only the goroutine that owns the
// Builder calls it.
func (x *indexer) tell(b *build.Builder) {
	if b.SearchState() == x.told {
		return
	}
	x.told = b.SearchState()
	select {
	case <-x.next:
	default:
	}
	x.next <- job{x.told, b.Corpus()}
}

// first opens the index of the first release, so that search answers from the start:
// the parts that are there, if they are of it. A cluster may take long to have it, and may
// not be reached now: search answers once it has it.
func (x *indexer) first(ctx context.Context, b *build.Builder) error {
	x.told = b.SearchState()
	holds := index.Holds(x.options.Folder, x.told)
	if x.options.Cluster != nil {
		j := job{state: x.told}
		if !holds {
			j.corpus = b.Corpus()
		}
		x.next <- j
		return nil
	}
	if holds {
		if opened, err := search.Read(ctx, x.options); err == nil {
			return x.live.Swap(opened)
		}
	}
	err := x.index(ctx, job{x.told, b.Corpus()})
	if errors.Is(err, index.ErrRemoved) {
		x.told = index.State{} // search answers once the release without it is there
		return nil
	}
	return err
}

// retry makes the next call of tell hand the release over again if indexing it
// failed: the disk may have been full.
func (x *indexer) retry() {
	const wait = 5 * time.Second
	if failed := x.failedAt.Load(); failed != nil && time.Since(*failed) > wait {
		x.told = index.State{}
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
			switch now := time.Now(); {
			case err == nil:
				x.failedAt.Store(nil)
			case errors.Is(err, index.ErrRemoved):
				// The release without it is on its way.
			case x.failedAt.Swap(&now) == nil && ctx.Err() == nil:
				x.failed(err)
			}
		}
	}
}

func (x *indexer) failed(err error) {
	if x.live.Current() == nil {
		x.log.Error("search cannot answer yet: it is tried again", "cause", err)
		return
	}
	x.log.Error("search goes on with the index of an earlier release", "cause", err)
}

func (x *indexer) index(ctx context.Context, j job) error {
	o := x.options
	o.State, o.Previous = j.state, x.live.Current()
	var opened *search.Index
	var err error
	if j.corpus == nil {
		opened, err = search.Read(ctx, o)
	} else {
		opened, err = search.Open(ctx, j.corpus, o)
	}
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
