package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/text"
)

// Options say how an index is opened.
type Options struct {
	// Folder is where the parts are kept; empty for memory.
	Folder string
	// State is what the corpus describes.
	State index.State
	// Previous is the index that is served now, or nil. What has not changed
	// since is reused. It stays open.
	Previous *Index
	// Removals says who must not be found: its changes apply from the next
	// query on, without a new index. Nil withholds no one.
	Removals *catalog.Register
	// Scratch is a folder where what is kept for each listing lies in a file that is
	// mapped; empty for the heap.
	Scratch string
	// Cluster matches, filters, counts and sorts; nil does so in this process. It has
	// the listings before the index is opened.
	Cluster Cluster
	// CacheBytes bounds the memory for decoded postings; 0 is 64 MiB.
	CacheBytes int
	// Log reports parts that could not be used; nil for no log.
	Log *slog.Logger
}

const defaultCacheBytes = 64 << 20

// Open brings the parts of a folder up to a corpus and returns their index. Parts
// that are missing or damaged are written anew and reported in one log line.
func Open(ctx context.Context, corpus *index.Corpus, o Options) (*Index, error) {
	set, err := index.Write(ctx, corpus, index.Options{Folder: o.Folder, State: o.State, Previous: o.Previous.set(), Log: o.Log})
	if err != nil {
		return nil, err
	}
	return newIndex(ctx, set, o)
}

// Read returns the index of the parts of a folder as they are. It fails with
// index.ErrNone where there are none.
func Read(ctx context.Context, o Options) (*Index, error) {
	set, err := index.Read(ctx, o.Folder, o.Previous.set())
	if err != nil {
		return nil, err
	}
	return newIndex(ctx, set, o)
}

// set returns the search parts of an index; nil of none.
func (x *Index) set() *index.Set {
	if x == nil {
		return nil
	}
	return x.corpus.set
}

// newIndex makes the index of a Set, which it closes.
func newIndex(ctx context.Context, set *index.Set, o Options) (*Index, error) {
	corpus, counted := newCorpus(set)
	x := &Index{
		release: set.Release, revision: revisionOf(set), corpus: corpus, engine: embedded{}, language: index.Language(corpus.language), removals: o.Removals,
		cache: newPostingsCache(cmp.Or(o.CacheBytes, defaultCacheBytes)), scratch: newScratchPool(len(corpus.places)),
	}
	x.stems = newStems(x.language)
	var group sync.WaitGroup
	group.Go(func() {
		x.facets = newFacets(corpus, counted)
		x.tallies = newCountPool(len(x.facets.value))
		x.interpreter = newInterpreter(corpus, x.facets, x.language, o.Previous)
	})
	group.Go(func() { x.options = newOptions(corpus) })
	group.Go(func() {
		x.exact = newExactMatches(corpus)
		x.meanings = newMeanings(corpus, x.stems)
		x.nameLengths = corpus.nameLengths()
		x.articles = newArticles(corpus.articles, x.language, o.Previous.articlesBefore(corpus.language))
	})
	group.Wait()
	if o.Scratch != "" {
		if err := x.spill(o.Scratch); err != nil {
			cmp.Or(o.Log, slog.New(slog.DiscardHandler)).Warn("what search keeps for each listing stays in memory", "cause", err)
		}
	}
	if o.Cluster != nil {
		holding, err := o.Cluster.Hold(ctx, &Documents{x})
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
		x.engine = clustered{holding}
	}
	return x, nil
}

// spill moves what is kept for each listing out of the heap.
func (x *Index) spill(folder string) error {
	c, f, g := x.corpus, x.facets, x.options
	s := &c.spilled
	spillList(s, &c.places)
	spillList(s, &c.sellerOf)
	for i := range c.segments {
		spillList(s, &c.segments[i].listings)
	}
	spillList(s, &f.ids)
	spillList(s, &f.from)
	spillList(s, &f.newest)
	spillList(s, &x.nameLengths)
	spillList(s, &g.list)
	spillList(s, &g.occurrences)
	spillList(s, &g.first)
	spillText(s, &g.texts)
	words, ends := g.words.Text()
	spillText(s, &words)
	spillList(s, &ends)
	err := s.move(folder)
	g.words = text.VocabularyIn(words, ends)
	return err
}

// revisionOf is a digest of all that answers depend on.
func revisionOf(set *index.Set) index.Digest {
	data, err := json.Marshal(set.Head)
	if err != nil {
		panic(fmt.Sprintf("a head is texts and numbers: %v", err))
	}
	sum := sha256.Sum256(data)
	return index.Digest(sum[:16])
}

// nameLengths returns the number of words of each name.
func (c *Corpus) nameLengths() []uint8 {
	lengths := make([]uint8, len(c.places))
	c.eachList(func(l *listed) {
		for rank, words := range l.Counts {
			if at := l.listing(rank); at >= 0 {
				lengths[at] = max(1, words)
			}
		}
	})
	return lengths
}
