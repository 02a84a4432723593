package publish

import (
	"context"
	"errors"

	"souk/build/release"
)

// A store is where a release is published. Its methods are safe for concurrent use, try
// once, and may be repeated.
type store interface {
	objects
	lister
	// swap is like put, but only replaces the version with a tag, and fails with
	// errOvertaken if another one is there. It returns the tag of the new version. If the
	// new version is already there, the answer to an earlier attempt may have been lost, so
	// swap succeeds.
	swap(ctx context.Context, o object, b body, tag string) (now string, err error)
	// remove deletes a key; a missing one is not an error.
	remove(ctx context.Context, key string) error
	// id identifies the store.
	id() string
	// requests returns the number of requests so far.
	requests() int64
	// permanent reports whether retrying after an error is useless.
	permanent(err error) bool
	close() error
}

// objects reads and writes one object at a time.
type objects interface {
	// put writes an object; b contains the bytes of the object and its twins.
	put(ctx context.Context, o object, b body) error
	// read returns what is at a key, or errAbsent.
	read(ctx context.Context, key string) (version, error)
}

// A lister calls yield for each key, of the release or of the private data next to it.
type lister interface {
	list(ctx context.Context, yield func(key string) error) error
	listPrivate(ctx context.Context, yield func(key string) error) error
}

// A body contains the bytes of the release from which one object is written.
type body struct {
	plain, gzip, brotli []byte
}

// sent returns the bytes of an object for a store without twins.
func (b body) sent(o object) []byte {
	if o.encoding == "gzip" {
		return b.gzip
	}
	return b.plain
}

// A version is what was at a key when it was read: the bytes, and the store's tag, "" if
// there was nothing.
type version struct {
	data []byte
	tag  string
}

// versionOf returns the version for a store whose tags are digests.
func versionOf(data []byte) version { return version{data, release.DigestOf(data).String()} }

// swapAfterLook is the swap of such a store, which has no conditional writes: it reads the
// key immediately before.
func swapAfterLook(ctx context.Context, s objects, o object, b body, tag string) (string, error) {
	is, err := s.read(ctx, o.key)
	now := versionOf(b.plain).tag
	switch {
	case err != nil && !errors.Is(err, errAbsent):
		return "", err
	case is.tag != tag && is.tag != now:
		return "", errOvertaken
	}
	return now, s.put(ctx, o, b)
}

var errAbsent = errors.New("there is nothing there")

// errOvertaken means that somebody else wrote what was to be replaced.
var errOvertaken = errors.New("another publish wrote to this destination in the meantime: run one at a time, and publish again when the other has finished")

// errLong means that an object is longer than possible.
var errLong = errors.New("it is too long")
