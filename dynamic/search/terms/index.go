package terms

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
)

// An Index holds the terms of all listings of a Source. It is read-only and for
// concurrent use.
type Index struct {
	segments []*Segment
	// refs counts the readers, and one for the Index being open.
	refs atomic.Int64
}

// Options say how an Index is opened.
type Options struct {
	// Folder is where the index is kept; empty for one in memory.
	Folder string
	// Release is the id of the release that the Source describes.
	Release string
	// Schema names what Entries are made of, and Program tells this very program
	// from any other; a stored index of another one is not trusted.
	Schema, Program string
	// Previous is the Index of the release before, or nil. Its Segments are
	// taken over. It stays open.
	Previous *Index
	// Log is told when a stored index could not be used; nil for none.
	Log *slog.Logger
}

// Open returns the Index of a Source: a stored one where it belongs to the same
// release, else one that is brought up to date, of which only what changed is
// written. An index that is damaged, or of another program, is written anew,
// with one line of log.
//
// The new index is written beside the old one and named by the manifest in one
// step, so that a crash leaves either the one or the other.
func Open(ctx context.Context, source Source, o Options) (*Index, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	x := &Index{}
	x.refs.Store(1)
	s := &store{Options: o, source: source, index: x}
	if err := s.provide(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// Segments returns the Segments; a listing is in exactly one of them.
func (x *Index) Segments() []*Segment { return x.segments }

// Acquire keeps the Index open until Release. It reports false where it has
// been closed.
func (x *Index) Acquire() bool {
	for {
		n := x.refs.Load()
		if n <= 0 {
			return false
		}
		if x.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release ends one Acquire, or, once, the Index being open. The last one closes
// the files, and deletes those that no other Index uses.
func (x *Index) Release() error {
	if x.refs.Add(-1) > 0 {
		return nil
	}
	var all []error
	for _, s := range x.segments {
		all = append(all, s.release())
	}
	return errors.Join(all...)
}
