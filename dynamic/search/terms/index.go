package terms

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
)

// An Index holds the terms of all listings of a Source. It is read-only and
// safe for concurrent use.
type Index struct {
	segments []*Segment
	// refs counts the readers, plus one while the Index is open.
	refs atomic.Int64
}

// Options say how an Index is opened.
type Options struct {
	// Folder is where the index is kept; empty for memory.
	Folder string
	// Release is the id of the release that the Source describes.
	Release string
	// Schema identifies what Entries are made from, Program this build of the
	// program; a stored index that differs in either is not trusted.
	Schema, Program string
	// Previous is the Index of the previous release, or nil. Its Segments are
	// reused. It stays open.
	Previous *Index
	// Log reports a stored index that could not be used; nil for no log.
	Log *slog.Logger
}

// Open returns the Index of a Source: a stored one if it belongs to the same
// release, otherwise one brought up to date by writing only what changed. An
// index that is damaged, or that another program wrote, is written anew and
// reported in one log line.
//
// The new index is written beside the old one and named by the manifest in one
// step, so that a crash leaves either one or the other.
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

// Acquire keeps the Index open until Release. It returns false if the Index is
// closed.
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

// Release undoes one Acquire or, once, Open. The last one closes the files, and
// deletes those that no other Index uses.
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
