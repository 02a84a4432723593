package publish

import (
	"cmp"
	"context"
	"io"
	"time"

	"souk/build/release"
)

// A Source is the release to publish; *release.Tree is one. It may be rebuilt
// while it is published.
type Source interface {
	// ID identifies the release; empty if there is none.
	ID() string
	// Each calls yield for each file of one release.
	Each(yield func(file string, e release.Entry))
	// Path returns the path of a file.
	Path(file string) string
	// Owner returns whose the addresses of a companySlug are, if it is known.
	Owner(slug string) (release.Owner, bool)
	// Made returns the clock of the release, and the revision of the removals that
	// it was made with.
	Made() (clock time.Time, revision uint64)
	// EachOwner calls yield for each companySlug whose owner is known.
	EachOwner(yield func(slug string, o release.Owner))
}

// Options are the settings of a Publisher. The zero value of each field but State
// is its default.
type Options struct {
	// State is the folder of this machine's own state. It has the record of the
	// destination, unless Record names another place.
	State string
	// Record is a folder, or the URL of a bucket, for the record, which names
	// removed companies and has to be private.
	Record string
	// Forget has the addresses and companySlugs whose stubs may go from the
	// destination although no removal on record explains them.
	Forget []string
	// Adopt lists the destination although the record tells what is there: what is missing
	// there is uploaded again, and what a build wrote and the record does not have goes or
	// stays like the rest.
	Adopt bool

	// Parallel is the most requests at a time; 16.
	Parallel int
	// Attempts is how often a request is tried; 6.
	Attempts int
	// Timeout is how long one try of a small request may take; a minute. Large
	// requests have more time, by their size.
	Timeout time.Duration

	// Extensionless: keys are addresses, without .json.
	Extensionless bool
	// Gzip uploads what has a compressed twin in that form. It is for object
	// stores, which do not negotiate; clients then have to accept gzip.
	Gzip bool

	// ForServers publishes, beside the release, what servers need to copy it. It is
	// private, and needs a destination that is not the root of a bucket.
	ForServers bool

	// Gone is the status that the host answers at a removed address: 410, 404, or
	// 0 if that is not known.
	Gone int
	// BaseURL is the public address of the destination; if it is set, the host is
	// asked what it answers.
	BaseURL string
	// VerifyTimeout is how long removed addresses may still answer; 3 minutes,
	// which is longer than a cache may keep a document.
	VerifyTimeout time.Duration

	// PurgeCommand is a shell command that gets changed URLs on its standard
	// input, one a line; PurgeURL gets them as {"urls": […]} in a POST.
	PurgeCommand, PurgeURL string
	// PurgeBatch is the most URLs at a time; 500.
	PurgeBatch int
	// IndexNowKey, if set, announces changed pages to IndexNow at
	// IndexNowEndpoint.
	IndexNowKey, IndexNowEndpoint string

	// May is asked when a publish begins, for what is asked before each object is written
	// or deleted: where that fails, the publish ends.
	May func() func() error
	// Progress is called with the steps done so far, by many goroutines.
	Progress func(done, total int)
	// Waiting is called when another process publishes to the destination.
	Waiting func()
	// Notice is called with what the operator should know besides the result.
	Notice func(text string)
	// Output gets what PurgeCommand prints.
	Output io.Writer
	// Now is the wall clock; Sleep waits, or fails as ctx does.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// DefaultIndexNowEndpoint forwards to all engines that take part; see
// https://www.indexnow.org/documentation.
const DefaultIndexNowEndpoint = "https://api.indexnow.org/indexnow"

// The defaults of Options.
const (
	DefaultParallel      = 16
	DefaultAttempts      = 6
	DefaultTimeout       = time.Minute
	DefaultVerifyTimeout = 3 * time.Minute
	DefaultPurgeBatch    = 500
)

func (o Options) withDefaults() Options {
	o.Parallel = cmp.Or(o.Parallel, DefaultParallel)
	o.Attempts = cmp.Or(o.Attempts, DefaultAttempts)
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.VerifyTimeout = cmp.Or(o.VerifyTimeout, DefaultVerifyTimeout)
	o.PurgeBatch = cmp.Or(o.PurgeBatch, DefaultPurgeBatch)
	o.IndexNowEndpoint = cmp.Or(o.IndexNowEndpoint, DefaultIndexNowEndpoint)
	if o.May == nil {
		o.May = func() func() error { return func() error { return nil } }
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	if o.Waiting == nil {
		o.Waiting = func() {}
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}
