package search

import (
	"context"
	"errors"
	"sync/atomic"

	"souk/build/index"
	"souk/dynamic/search/suggest"
)

// Live is the index that is served now. The zero value has none yet.
type Live struct {
	current atomic.Pointer[Index]
	// Counter, if non-nil, counts the first page of each search. Set it before the first search.
	Counter interface{ Asked(text string, found bool) }
}

// count counts a search that requested the first results.
func (l *Live) count(q Query, total int) {
	if l.Counter != nil && q.Limit > 0 && q.Offset == 0 {
		l.Counter.Asked(q.Text, total > 0)
	}
}

// ErrNotReady means that there is no index yet.
var ErrNotReady = errors.New("there is no search index yet")

// Current returns the index that is served now, or nil.
func (l *Live) Current() *Index { return l.current.Load() }

// Parts returns the open search parts, or nil if there are none. They stay open until done is
// called.
func (l *Live) Parts() (open *index.Set, done func()) {
	for {
		x := l.Current()
		switch {
		case x == nil:
			return nil, func() {}
		case x.Corpus.Acquire():
			return x.Corpus.Set, func() { _ = x.Corpus.Release() } // closing the index reports errors
		}
	}
}

// Swap replaces the served index and closes the old one, which finishes its queries. Nil
// serves none.
func (l *Live) Swap(x *Index) error {
	if old := l.current.Swap(x); old != nil && old != x {
		return old.Close()
	}
	return nil
}

// Version identifies the data that responses are made from: the release, searched content that
// is in no document, the withheld sellers, and the schema of the index.
func (l *Live) Version() string {
	x := l.Current()
	if x == nil {
		return ""
	}
	return x.release + "\n" + string(x.revision[:]) + x.removals.Now().Key()
}

// Search queries the index that is served now. It fails like Index.Search, and with
// ErrNotReady.
func (l *Live) Search(ctx context.Context, q Query) (*Result, error) {
	r, err := ask(l, func(x *Index) (*Result, error) { return x.Search(ctx, q) })
	if err == nil {
		l.count(q, r.Total)
	}
	return r, err
}

// Companies queries the index that is served now for companies. It fails like Index.Companies,
// and with ErrNotReady.
func (l *Live) Companies(ctx context.Context, q Query) (*CompanyResult, error) {
	r, err := ask(l, func(x *Index) (*CompanyResult, error) { return x.Companies(ctx, q) })
	if err == nil {
		l.count(q, r.Total)
	}
	return r, err
}

// Suggest queries the index that is served now. It fails like Index.Suggest, and with
// ErrNotReady.
func (l *Live) Suggest(ctx context.Context, q suggest.Query) (*Suggestions, error) {
	return ask(l, func(x *Index) (*Suggestions, error) { return x.Suggest(ctx, q) })
}

// ask retries if the index was swapped between the two steps.
func ask[T any](l *Live, one func(x *Index) (*T, error)) (*T, error) {
	for {
		x := l.current.Load()
		if x == nil {
			return nil, ErrNotReady
		}
		answer, err := one(x)
		if !errors.Is(err, ErrClosed) || l.current.Load() == x {
			return answer, err
		}
	}
}
