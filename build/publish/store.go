package publish

import (
	"context"
	"errors"
)

// A store is where a release is published to. Its methods are safe for concurrent
// use, try once, and may be repeated.
type store interface {
	// put writes an object; b is the object's and its twins' bytes.
	put(ctx context.Context, o object, b body) error
	// remove deletes a key; a missing one is no error.
	remove(ctx context.Context, key string) error
	// read returns the bytes of a key, or errAbsent.
	read(ctx context.Context, key string) ([]byte, error)
	// list calls yield for each key.
	list(ctx context.Context, yield func(key string) error) error
	// listPrivate is list for the keys of what lies beside the release.
	listPrivate(ctx context.Context, yield func(key string) error) error
	// id identifies the store.
	id() string
	// requests returns the number of requests so far.
	requests() int64
	// permanent reports whether an error will not pass by trying again.
	permanent(err error) bool
	close() error
}

// A body is what is read of the release to write one object.
type body struct {
	plain, gzip, brotli []byte
}

// sent returns the bytes of an object at a store without twins.
func (b body) sent(o object) []byte {
	if o.encoding == "gzip" {
		return b.gzip
	}
	return b.plain
}

var errAbsent = errors.New("nothing stands there")

// errLong says that more is there than can be.
var errLong = errors.New("it is longer than it can be")
