package search

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/index"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"souk/dynamic/search/suggest"
)

// ErrClosed means that an index was used after it was closed.
var ErrClosed = errors.New("the search index is closed")

// An Index answers for one release. It is read-only and safe for concurrent
// use.
type Index struct {
	*match.Matcher
	release string
	// revision tells apart the corpora of one release: not all that is searched is
	// in a document.
	revision index.Digest
	// companies is the index of the companies; nil in itself.
	companies  *Index
	engine     engine.Engine
	facets     *facet.Facets
	suggester  *suggest.Suggester
	vocabulary *vocabulary
	removals   *catalog.Register
	visibility atomic.Pointer[corpus.Visibility]
}

// Close closes the index. Queries in progress finish first; the last one gives up the
// parts that no other index uses.
func (x *Index) Close() error { return x.Corpus.Release() }

// Release returns the id of the release that the index was made from.
func (x *Index) Release() string { return x.release }

// visibleNow returns the current visibility, for one query.
func (x *Index) visibleNow() *corpus.Visibility {
	before := x.visibility.Load()
	v := x.Corpus.Visible(x.removals.Now(), before)
	if v != nil && v != before {
		x.visibility.Store(v)
	}
	return v
}

// articlesBefore returns what an index knows of articles, or nil where it reads
// another language.
func (x *Index) articlesBefore(language string) *match.Articles {
	if x == nil || x.Corpus.Language != language {
		return nil
	}
	return x.Articles
}

// Suggest answers from the parts, and for categories and sellers from memory. It fails
// with an *InvalidError, ErrClosed or the error of the context.
func (x *Index) Suggest(ctx context.Context, q suggest.Query) (*Suggestions, error) {
	if !x.Corpus.Acquire() {
		return nil, ErrClosed
	}
	defer x.Corpus.Release()
	if err := cmp.Or(q.Check(), ctx.Err()); err != nil {
		return nil, err
	}
	return x.suggester.Suggest(q, x.visibleNow()), nil
}
