package search

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"slices"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/dynamic/search/terms"
	"souk/dynamic/search/text"
)

// schema identifies what this code puts into an index. It is part of every
// digest, so that changing it makes every listing a changed one.
const schema = "souk search 3"

// Options say how an index is opened.
type Options struct {
	// Folder is where the index is kept; empty for memory.
	Folder string
	// Release is the id of the release that the corpus describes.
	Release string
	// Program identifies this build of the program; an index written by another
	// one is not trusted.
	Program string
	// Previous is the index that is served now, or nil. What has not changed
	// since is reused. It stays open.
	Previous *Index
	// Removals says who must not be found: its changes apply from the next
	// query on, without a new index. Nil withholds no one.
	Removals *catalog.Register
	// CacheBytes bounds the memory for decoded postings; 0 is 64 MiB.
	CacheBytes int
	// Log reports a stored index that could not be used; nil for no log.
	Log *slog.Logger
}

const defaultCacheBytes = 64 << 20

// Open returns the index of a corpus: a stored one if it belongs to the same
// release, otherwise one brought up to date by writing only what changed. An
// index that is damaged, or that another program wrote, is written anew and
// reported in one log line. Open takes ownership of the corpus.
//
// The new index is written beside the old one and named by the folder's
// manifest in one step, so that a crash leaves either one or the other.
func Open(ctx context.Context, corpus *Corpus, o Options) (*Index, error) {
	corpus.sort()
	corpus.pin()
	x := &Index{
		release: o.Release, corpus: corpus, language: text.NewLanguage(terms.Stemming(corpus.language)).AskIn(corpus.language), removals: o.Removals,
		cache: newPostingsCache(cmp.Or(o.CacheBytes, defaultCacheBytes)), scratch: newScratchPool(len(corpus.listings)),
	}
	x.stems = newStems(x.language)
	var group errgroup.Group
	group.Go(func() error {
		x.facets = newFacets(corpus)
		x.tallies = newCountPool(len(x.facets.value))
		x.exact = newExactMatches(corpus)
		x.meanings = newMeanings(corpus, x.stems)
		x.suggest = newSuggester(corpus)
		x.nameLengths = corpus.nameLengths()
		x.interpreter = newInterpreter(corpus, x.facets, x.language, o.Previous)
		x.articles = newArticles(corpus.articles, x.language, o.Previous.articlesBefore(corpus.language))
		return nil
	})
	err := x.openTerms(ctx, o)
	_ = group.Wait() // it only computes and cannot fail
	if err != nil {
		return nil, fmt.Errorf("make the search index: %w", err)
	}
	return x, nil
}

// openTerms opens the terms of the corpus, reusing what is left of those
// before.
func (x *Index) openTerms(ctx context.Context, o Options) (err error) {
	var previous *terms.Index
	if o.Previous != nil {
		previous = o.Previous.terms
	}
	digests := x.digest(o.Previous)
	x.revision = x.corpus.revision(digests)
	source := terms.Source{Digests: digests, Analyser: func() func(int32) terms.Entry {
		return newAnalyser(x.corpus, x.language).entry
	}}
	x.terms, err = terms.Open(ctx, source, terms.Options{
		Folder: o.Folder, Release: o.Release, Schema: schema, Program: o.Program, Previous: previous, Log: o.Log,
	})
	return err
}

// sort puts the listings into the order of lists: so the number of a listing
// breaks ties of score.
func (c *Corpus) sort() {
	// Sort places, not listings, which are large, and compare the first eight
	// bytes of the name before the name itself, which is elsewhere in memory.
	type place struct {
		first uint64
		at    int32
	}
	order := make([]place, len(c.listings))
	for i := range c.listings {
		var first [8]byte
		copy(first[:], c.listings[i].key)
		order[i] = place{binary.BigEndian.Uint64(first[:]), int32(i)}
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		x, y := &c.listings[a.at], &c.listings[b.at]
		return catalog.CompareListed(x.key, x.offer.Ref, y.key, y.offer.Ref)
	})
	sorted := make([]listing, len(order))
	for i, p := range order {
		sorted[i] = c.listings[p.at]
	}
	c.listings = sorted
}

// nameLengths counts the words of each name.
func (c *Corpus) nameLengths() []uint8 {
	lengths := make([]uint8, len(c.listings))
	var list []text.Token
	for i := range c.listings {
		list = text.Tokens(list[:0], c.listings[i].offer.Name)
		lengths[i] = uint8(max(1, min(len(list), 255)))
	}
	return lengths
}
