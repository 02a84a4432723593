package publish

import (
	"context"
	"errors"

	"souk/build/release"
)

// A store is where a release is published to. Its methods are safe for concurrent
// use, try once, and may be repeated.
type store interface {
	objects
	lister
	// swap is put where the version with a tag is, and fails with errOvertaken where
	// another one is. It returns the tag of the new one. Where that is there already the
	// answer to an earlier try may have been lost, so it is taken for our own.
	swap(ctx context.Context, o object, b body, tag string) (now string, err error)
	// remove deletes a key; a missing one is no error.
	remove(ctx context.Context, key string) error
	// id identifies the store.
	id() string
	// requests returns the number of requests so far.
	requests() int64
	// permanent reports whether an error will not pass by trying again.
	permanent(err error) bool
	close() error
}

// objects reads and writes one object at a time.
type objects interface {
	// put writes an object; b is the object's and its twins' bytes.
	put(ctx context.Context, o object, b body) error
	// read returns what is at a key, or errAbsent.
	read(ctx context.Context, key string) (version, error)
}

// A lister calls yield for each key, of the release or of what lies beside it.
type lister interface {
	list(ctx context.Context, yield func(key string) error) error
	listPrivate(ctx context.Context, yield func(key string) error) error
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

// A version is what a store had at a key when it was read: the bytes, and the tag that
// the store tells them by, "" where nothing was.
type version struct {
	data []byte
	tag  string
}

// versionOf returns the version of a store that tells bytes by their digest.
func versionOf(data []byte) version { return version{data, release.DigestOf(data).String()} }

// swapAfterLook is the swap of such a store, which has no condition for it: it is looked at
// right before.
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

var errAbsent = errors.New("nothing stands there")

// errOvertaken says that somebody else wrote what was to be replaced.
var errOvertaken = errors.New("another publish to this destination wrote there meanwhile: let one run at a time, and publish again when it has ended")

// errLong says that more is there than can be.
var errLong = errors.New("it is longer than it can be")
