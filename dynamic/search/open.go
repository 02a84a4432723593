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
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"souk/dynamic/search/suggest"
)

// Options are the options for opening an index.
type Options struct {
	// Folder is the folder of the parts, or empty for memory.
	Folder string
	// State is the state of the marketplace that the corpus describes.
	State index.State
	// Previous is the index that is served now, or nil. Unchanged data is reused. It stays
	// open.
	Previous *Index
	// Removals provides the current removals. Changes apply from the next query on, without a
	// new index. Nil withholds no sellers.
	Removals *catalog.Register
	// Scratch is a folder for mapped files with the data of each listing; empty for the heap.
	Scratch string
	// Cluster matches, filters, counts and sorts. It is nil if this process does so. The
	// listings must be in the cluster before the index is opened.
	Cluster cluster.Cluster
	// CacheBytes limits the memory for decoded postings; 0 is 64 MiB.
	CacheBytes int
	// Log reports unusable parts. It may be nil.
	Log *slog.Logger
}

const defaultCacheBytes = 64 << 20

// Open brings the parts of a folder up to a corpus and returns their index. Missing or corrupt
// parts are written again and reported in one log line.
func Open(ctx context.Context, corpus *index.Corpus, o Options) (*Index, error) {
	set, err := index.Write(ctx, corpus, index.Options{Folder: o.Folder, State: o.State, Previous: o.Previous.set(), Log: o.Log})
	if err != nil {
		return nil, err
	}
	return newIndex(ctx, set, o)
}

// Read returns the index of the existing parts of a folder. It returns index.ErrNone if there
// are none.
func Read(ctx context.Context, o Options) (*Index, error) {
	set, err := index.Read(ctx, o.Folder, o.Previous.set())
	if err != nil {
		return nil, err
	}
	return newIndex(ctx, set, o)
}

// set returns the search parts of an index, or nil.
func (x *Index) set() *index.Set {
	if x == nil {
		return nil
	}
	return x.Corpus.Set
}

// newIndex returns the index of a Set, and takes ownership of the Set.
func newIndex(ctx context.Context, set *index.Set, o Options) (*Index, error) {
	c, counted := corpus.NewCorpus(set)
	words := match.NewLexicon(c, cmp.Or(o.CacheBytes, defaultCacheBytes))
	x := &Index{release: set.Release, revision: revisionOf(set), removals: o.Removals}
	inProcess := &engine.Embedded{Lexicon: words}
	var group sync.WaitGroup
	group.Go(func() {
		x.facets = facet.NewFacets(c, counted)
		x.vocabulary = newVocabulary(c, x.facets, o.Previous)
		x.facets.Countries = x.vocabulary.countries
	})
	group.Go(func() { x.suggester = suggest.NewSuggester(c, words.Language) })
	group.Go(func() {
		x.Matcher = match.NewMatcher(words, o.Previous.articlesBefore(c.Language))
		inProcess.NameLengths = c.NameLengths()
	})
	group.Wait()
	inProcess.Facets, x.engine = x.facets, inProcess
	x.companies = x.ofCompanies(o)
	if o.Scratch != "" {
		s := &c.Spilled
		c.Spill(s)
		x.facets.Spill(s)
		corpus.SpillList(s, &inProcess.NameLengths)
		moved := x.suggester.Options.Spill(s)
		err := s.Move(o.Scratch)
		moved()
		if err != nil {
			cmp.Or(o.Log, slog.New(slog.DiscardHandler)).Warn("the search index stays in memory, because it cannot be written to disk", "cause", err)
		}
	}
	if o.Cluster != nil {
		key := fmt.Appendf(nil, "%s\n%x", x.release, x.revision)
		holding, err := o.Cluster.Hold(ctx, &cluster.Documents{Words: words, Facets: x.facets, NameLengths: inProcess.NameLengths, Made: key})
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
		x.engine = &cluster.Engine{Lexicon: words, Facets: x.facets, Holding: holding}
	}
	return x, nil
}

// companyShare is the divisor for the memory of companies' postings, because there are fewer
// companies than listings.
const companyShare = 8

// ofCompanies returns an index of the companies in an index of listings: the same parts, words
// and rules, with companies in place of listings. There are few even in a large market, so
// this process matches them even if a cluster matches listings.
func (x *Index) ofCompanies(o Options) *Index {
	c, counted := x.Corpus.Companies()
	words := match.NewLexicon(c, cmp.Or(o.CacheBytes, defaultCacheBytes)/companyShare)
	of := &Index{release: x.release, revision: x.revision, removals: x.removals, Matcher: x.Matcher.Beside(words), facets: facet.NewFacets(c, counted)}
	before := o.Previous
	if before != nil {
		before = before.companies
	}
	of.vocabulary = newVocabulary(c, of.facets, before)
	of.facets.Countries = of.vocabulary.countries
	of.engine = &engine.Embedded{Lexicon: words, Facets: of.facets, NameLengths: c.NameLengths()}
	return of
}

// revisionOf is a digest of everything that responses depend on.
func revisionOf(set *index.Set) index.Digest {
	data, err := json.Marshal(set.Head)
	if err != nil {
		panic(fmt.Sprintf("a head is texts and numbers: %v", err))
	}
	sum := sha256.Sum256(data)
	return index.Digest(sum[:16])
}
