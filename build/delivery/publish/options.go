package publish

import (
	"cmp"
	"context"
	"io"
	"time"

	"souk/build/release"
)

// A Source is the release to publish; *release.Tree implements it. It may be rebuilt while
// it is published.
type Source interface {
	// ID identifies the release; empty if there is none.
	ID() string
	// Each calls yield for each file of one release.
	Each(yield func(file string, e release.Entry))
	// Path returns the path of a file.
	Path(file string) string
	// Owner returns the owner of a companySlug's addresses, if known.
	Owner(slug string) (release.Owner, bool)
	// BuiltFrom returns the clock of the release and the revision of the removals that it was
	// built with.
	BuiltFrom() (clock time.Time, revision uint64)
	// EachOwner calls yield for each companySlug whose owner is known.
	EachOwner(yield func(slug string, o release.Owner))
}

// Options are the settings of a Publisher. The zero value of each field except State is its
// default.
type Options struct {
	// State is the folder of this machine's own state. It contains the record of the
	// destination, unless Record names another place.
	State string
	// Record is a folder, or the URL of a bucket, for the record. The record names removed
	// companies and must be private.
	Record string
	// Forget lists addresses and companySlugs whose stubs may be deleted from the
	// destination although no recorded removal explains them.
	Forget []string
	// Adopt lists the destination even if the record is complete: missing objects are
	// uploaded again, and unrecorded files that a build wrote are deleted or kept like all
	// others.
	Adopt bool

	// Extensionless names objects by their address, without .json.
	Extensionless bool
	// Gzip uploads the compressed twins of files that have one. It is for object stores,
	// which do not negotiate encodings; every client must then accept gzip.
	Gzip bool
	// ForServers also publishes what servers need to copy the release. That data is
	// private, and needs a destination that is not the root of a bucket.
	ForServers bool

	Requests Requests
	Host     Host
	Purge    Purge
	IndexNow IndexNow

	// Permit is called when a publish begins. The function it returns is called before each
	// object is written or deleted; if it fails, the publish ends.
	Permit func() func() error
	// Progress is called with the steps done so far, by several goroutines.
	Progress func(done, total int)
	// Waiting is called if another process is publishing to the destination.
	Waiting func()
	// Notice is called with anything that the operator should know besides the result.
	Notice func(text string)
	// Output receives the output of PurgeCommand.
	Output io.Writer
	// Now is the wall clock; Sleep waits, or returns the error of ctx.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Requests configures requests to the destination.
type Requests struct {
	// Parallel is the maximum number of concurrent requests.
	Parallel int
	// Attempts is how often a request is tried.
	Attempts int
	// Timeout limits one attempt of a small request. Large requests have more time,
	// depending on their size.
	Timeout time.Duration
}

// Host describes the web host that serves the destination.
type Host struct {
	// Gone is the status that it answers at a removed address: 410, 404, or 0 if unknown.
	Gone int
	// BaseURL is the public address of the destination. If it is set, the host's answers
	// are checked.
	BaseURL string
	// VerifyTimeout is how long removed addresses may keep answering; by default longer
	// than a cache may keep a document.
	VerifyTimeout time.Duration
}

// Purge says how to notify a cache of changed URLs.
type Purge struct {
	// Command is a shell command that receives the URLs on its standard input, one per
	// line.
	Command string
	// URL is a webhook that receives them as {"urls": […]} in a POST.
	URL string
	// Batch is the maximum number of URLs at a time.
	Batch int
}

// IndexNow announces changed pages to search engines, if Key is set.
type IndexNow struct{ Key, Endpoint string }

// DefaultIndexNowEndpoint forwards to all participating search engines; see
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
	o.Requests.Parallel = cmp.Or(o.Requests.Parallel, DefaultParallel)
	o.Requests.Attempts = cmp.Or(o.Requests.Attempts, DefaultAttempts)
	o.Requests.Timeout = cmp.Or(o.Requests.Timeout, DefaultTimeout)
	o.Host.VerifyTimeout = cmp.Or(o.Host.VerifyTimeout, DefaultVerifyTimeout)
	o.Purge.Batch = cmp.Or(o.Purge.Batch, DefaultPurgeBatch)
	o.IndexNow.Endpoint = cmp.Or(o.IndexNow.Endpoint, DefaultIndexNowEndpoint)
	if o.Permit == nil {
		o.Permit = func() func() error { return func() error { return nil } }
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
