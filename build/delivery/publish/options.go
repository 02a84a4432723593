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

	// Extensionless names objects by their address, without .json.
	Extensionless bool
	// Gzip uploads the compressed twins of files that have one. It is for object
	// stores, which do not negotiate; every client then has to accept gzip.
	Gzip bool
	// ForServers publishes, beside the release, what servers need to copy it. It is
	// private, and needs a destination that is not the root of a bucket.
	ForServers bool

	Requests Requests
	Host     Host
	Purge    Purge
	IndexNow IndexNow

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

// Requests says how a destination is spoken to.
type Requests struct {
	// Parallel is the most requests at a time.
	Parallel int
	// Attempts is how often a request is tried.
	Attempts int
	// Timeout is how long one try of a small request may take. Large requests have
	// more time, by their size.
	Timeout time.Duration
}

// Host is the web host that serves the destination.
type Host struct {
	// Gone is the status that it answers at a removed address: 410, 404, or 0 if
	// that is not known.
	Gone int
	// BaseURL is the public address of the destination; if it is set, the host is
	// asked what it answers.
	BaseURL string
	// VerifyTimeout is how long removed addresses may keep answering; by default
	// longer than a cache may keep a document.
	VerifyTimeout time.Duration
}

// Purge says which cache has to be told of changed URLs, and how.
type Purge struct {
	// Command is a shell command that gets the URLs on its standard input, one a line.
	Command string
	// URL is a webhook that gets them as {"urls": […]} in a POST.
	URL string
	// Batch is the most URLs at a time.
	Batch int
}

// IndexNow announces changed pages to search engines, if Key is set.
type IndexNow struct{ Key, Endpoint string }

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
	o.Requests.Parallel = cmp.Or(o.Requests.Parallel, DefaultParallel)
	o.Requests.Attempts = cmp.Or(o.Requests.Attempts, DefaultAttempts)
	o.Requests.Timeout = cmp.Or(o.Requests.Timeout, DefaultTimeout)
	o.Host.VerifyTimeout = cmp.Or(o.Host.VerifyTimeout, DefaultVerifyTimeout)
	o.Purge.Batch = cmp.Or(o.Purge.Batch, DefaultPurgeBatch)
	o.IndexNow.Endpoint = cmp.Or(o.IndexNow.Endpoint, DefaultIndexNowEndpoint)
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
