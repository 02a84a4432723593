package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/kit/verbatim"
	"souk/build/release"
)

// A Publisher repeatedly updates one destination.
type Publisher struct {
	options Options
	// client sends the requests that are not for the store.
	client  *http.Client
	layout  layout
	name    string
	folder  string // of the lock, and of the record unless that is elsewhere
	store   store
	retry   retry
	journal journal

	publishing sync.Mutex
	// permit is the result of May for the current publish.
	permit func() error

	mu    sync.Mutex
	state *state

	// fault is for tests. It is called before each step that a kill may precede.
	fault func(step string) error
}

// ErrDestination means that a destination, or the place of its record, is invalid.
var ErrDestination = errors.New("the destination is wrong")

// ErrLayout means that a destination cannot have the requested layout.
var ErrLayout = errors.New("the destination does not support this layout")

// ErrNewer means that the release changed while it was published. Removed documents must
// not be uploaded any more, so the caller should publish again.
var ErrNewer = errors.New("a newer release was built in the meantime")

// ErrNoRelease means that there is nothing to publish.
var ErrNoRelease = errors.New("there is no release to publish: run 'souk build' first")

// Open returns a Publisher for a folder, or for the s3:// URL of a bucket in an
// S3-compatible store. It sends no request. It fails with ErrDestination or ErrLayout if
// the arguments make no sense.
func Open(destination string, o Options) (*Publisher, error) {
	o = o.withDefaults()
	p := &Publisher{options: o, client: verbatim.Client(o.Requests.Timeout), fault: func(string) error { return nil }}
	p.layout = layout{extensionless: o.Extensionless, gzip: o.Gzip}
	if err := p.open(destination); err != nil {
		return nil, err
	}
	p.retry = retrier(o, p.store.permanent)
	sum := sha256.Sum256([]byte(p.store.id()))
	name := "publish-" + hex.EncodeToString(sum[:8])
	p.folder = filepath.Join(o.State, name)
	folder, isFolder := FolderOf(o.Record)
	switch err := misspelt(o.Record); {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("open the record: %w", err), p.store.close())
	case o.Record == "":
		p.journal = &fileJournal{path: filepath.Join(p.folder, "record")}
	case isFolder:
		p.folder = filepath.Join(folder, name)
		p.journal = &fileJournal{path: filepath.Join(p.folder, "record")}
	default:
		bucket, err := openBucket(o.Record)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open the record: %w", err), p.store.close())
		}
		p.journal = &bucketJournal{bucket: bucket, key: name, now: o.Now, retry: retrier(o, bucket.permanent)}
	}
	return p, nil
}

// open opens the store.
func (p *Publisher) open(destination string) error {
	if err := misspelt(destination); err != nil {
		return err
	}
	if folder, ok := FolderOf(destination); ok {
		root, err := filepath.Abs(folder)
		if err != nil {
			return err
		}
		if p.layout.extensionless {
			return fmt.Errorf("%w: a folder cannot contain a file and a folder both named articles, so its files need .json; its web server maps addresses to files", ErrLayout)
		}
		if p.layout.gzip {
			return fmt.Errorf("%w: a folder contains compressed copies of its files, and its web server chooses between them", ErrLayout)
		}
		p.layout.twins = true
		p.store, p.name = &folderStore{root: root}, folder
		return nil
	}
	bucket, err := openBucket(destination)
	if err != nil {
		return err
	}
	if p.options.ForServers && bucket.prefix == "" {
		return errors.Join(fmt.Errorf("%w: the data for servers is stored beside the release, which the root of a bucket does not allow: publish to s3://%s/public, and make that the host's root", ErrLayout, bucket.bucket), bucket.close())
	}
	p.store, p.name = bucket, bucket.name()
	return nil
}

// FolderOf returns the folder that a destination names, if it is one: by its path, or by a
// URL such as file:///srv/market.
func FolderOf(destination string) (folder string, ok bool) {
	if u, err := url.Parse(destination); err == nil && u.Scheme == "file" && u.Host == "" && u.Path != "" {
		return filepath.FromSlash(u.Path), true
	}
	return destination, destination != "" && !strings.Contains(destination, "://")
}

// scheme matches the start of a URL; a single letter is a drive.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// misspelt returns an ErrDestination for a text that is almost a URL, and would otherwise
// be taken for a folder name.
func misspelt(destination string) error {
	folder, is := FolderOf(destination)
	begins := scheme.FindString(destination)
	if !is || begins == "" || folder != destination {
		return nil
	}
	return fmt.Errorf("%w: it begins with %s and not with %s//: write a bucket as s3://bucket/prefix, a folder as its path, and a folder with a colon in its name as ./%s…",
		ErrDestination, begins, begins, begins)
}

// Name returns the destination for messages, without secrets.
func (p *Publisher) Name() string { return p.name }

// Target identifies the destination bucket across machines, without secrets; "" for a
// folder.
func (p *Publisher) Target() string {
	if _, folder := p.store.(*folderStore); folder {
		return ""
	}
	return p.store.id()
}

// ForServers reports whether data for servers that copy the release is published, too.
func (p *Publisher) ForServers() bool { return p.options.ForServers }

// Close closes the connections.
func (p *Publisher) Close() error {
	err := p.store.close()
	if j, ok := p.journal.(*bucketJournal); ok {
		err = errors.Join(err, j.bucket.close())
	}
	return err
}

// A Report describes the result of a publish.
type Report struct {
	// Release is the id of the release at the destination.
	Release string
	// Uploaded, Deleted and Unchanged are numbers of objects.
	Uploaded, Deleted, Unchanged int
	// Bytes is the number of uploaded bytes; Requests is the number of requests to the
	// store and the record. For a folder, requests are files.
	Bytes, Requests int64
	// Changed are the public URLs whose answers changed, sorted.
	Changed []string
	// Removed are the addresses that are gone from now on, as files of the tree.
	Removed []string
	// Purged, Verified and Announced are numbers of URLs: purged from caches, confirmed to
	// be gone, and announced to search engines.
	Purged, Verified, Announced int
	Duration                    time.Duration
}

// Plan returns what Publish would do, as far as the record knows, and fails like Publish if
// the release would make a removed seller public again or a removal would not take effect.
// It writes nothing. It sends requests only if the record is in a bucket, the destination
// is a folder or is to be listed, or the host's answers are to be checked.
func (p *Publisher) Plan(ctx context.Context, src Source, removals *catalog.Removals) (Plan, error) {
	p.publishing.Lock()
	defer p.publishing.Unlock()
	if err := p.learn(ctx); err != nil {
		return Plan{}, err
	}
	e := editionOf(src)
	if err := e.check(removals); err != nil {
		return Plan{}, err
	}
	sites, err := p.sitesOf(e)
	if err != nil {
		return Plan{}, err
	}
	if err := p.refuse(ctx, sites, p.layout.compare(e.entries, p.state, nil)); err != nil {
		return Plan{}, err
	}
	known, is := complete, version{}
	_, folder := p.store.(*folderStore)
	switch {
	case folder || p.options.Adopt:
		if known, is, err = p.check(ctx); err != nil {
			return Plan{}, err
		}
	case !p.state.known:
		p.options.Notice("there is no record of " + p.name + ": a publish would first check the removed addresses there")
	}
	if p.options.ForServers {
		beside, err := p.layout.gather(e, 0)
		if err == nil && p.options.Adopt {
			err = p.findCompanion(ctx, true)
		}
		if err != nil {
			return Plan{}, err
		}
		maps.Copy(e.entries, beside.entries)
	}
	d, err := p.difference(ctx, e, removals, known, is)
	if err != nil {
		return Plan{}, err
	}
	return d.plan(e.id, p.layout), nil
}

// Publish updates the destination to a release. It may be called from any goroutine; only
// one call at a time does its work, also across processes.
//
// removals are all recorded removals, or nil without a record. Before changing anything,
// Publish fails with a *stub.WithdrawnError if the release shows a seller that a removal
// withholds, and with a *stub.UnexplainedError if nothing explains why stubs at the
// destination would be deleted.
//
// It also fails with a *release.ForeignError before changing anything if it would overwrite
// files that no build wrote, except that it still carries out the removals if the
// destination has a record.
//
// It fails with ErrAltered, and changes nothing, if the public folder is not what was
// built; with ErrNewer if the release changes meanwhile; with a *RefusedError if a removal
// would not take effect; with an *IncompleteError if the store fails permanently; and with
// a *NotGoneError if a removed address still answers. After any error, the next call
// continues where this one ended.
func (p *Publisher) Publish(ctx context.Context, src Source, removals *catalog.Removals) (Report, error) {
	return p.exclusively(ctx, func() (Report, error) { return p.publish(ctx, src, removals) })
}

// withdraw publishes only the removals of a release, if the release as a whole is refused,
// so that removals need not wait until the cause is fixed.
func (p *Publisher) withdraw(ctx context.Context, src Source) (Report, error) {
	return p.exclusively(ctx, func() (Report, error) {
		e := editionOf(src)
		sites, err := p.sitesOf(e)
		if err != nil {
			return Report{}, err
		}
		known, is, err := p.check(ctx)
		if err != nil {
			return Report{}, err
		}
		beside, err := p.companionOf(ctx, e, known)
		if err != nil {
			return Report{}, err
		}
		maps.Copy(e.entries, beside.entries)
		d := p.layout.compare(e.entries, p.state, nil).removals()
		if err := p.refuse(ctx, sites, d); err != nil {
			return Report{}, err
		}
		return (&run{publisher: p, edition: e, difference: d, sites: sites, companion: beside}).carryOut(ctx, is)
	})
}

// exclusively runs one publish at a time, also across processes, with the record loaded.
func (p *Publisher) exclusively(ctx context.Context, publish func() (Report, error)) (report Report, err error) {
	p.publishing.Lock()
	defer p.publishing.Unlock()
	began, asked := p.options.Now(), p.requests()
	defer func() {
		report.Duration, report.Requests = p.options.Now().Sub(began), p.requests()-asked
	}()
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return report, err
	}
	unlock, err := durable.LockFolder(ctx, p.folder, p.options.Waiting)
	if err != nil {
		return report, fmt.Errorf("lock the record of %s: %w", p.name, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	p.permit = p.options.Permit()
	if err := p.learn(ctx); err != nil {
		return report, err
	}
	defer func() {
		// An overtaken publish fails here as well; one message is enough.
		if closing := p.journal.close(ctx, p.state); !errors.Is(err, errOvertaken) {
			err = errors.Join(err, closing)
		}
	}()
	return publish()
}

func (p *Publisher) requests() int64 {
	n := p.store.requests()
	if j, ok := p.journal.(*bucketJournal); ok {
		n += j.bucket.requests()
	}
	return n
}

// publish publishes, with the record loaded.
func (p *Publisher) publish(ctx context.Context, src Source, removals *catalog.Removals) (report Report, err error) {
	e := editionOf(src)
	if err := e.check(removals); err != nil {
		return report, err
	}
	sites, err := p.sitesOf(e)
	if err != nil {
		return report, err
	}
	refuse := func() error { return p.refuse(ctx, sites, p.layout.compare(e.entries, p.state, nil)) }
	recorded := p.state.known
	if !recorded { // then the destination has not been read before
		if err := refuse(); err != nil {
			return report, err
		}
	}
	known, is, err := p.check(ctx)
	if err != nil {
		return report, p.unbegun(p.layout.compare(e.entries, p.state, nil), err)
	}
	if recorded {
		if err := refuse(); err != nil {
			return report, err
		}
	}
	if !p.state.known {
		p.options.Notice("there is no record of " + p.name +
			": everything is uploaded, and files that souk wrote and this release does not have are deleted")
	}
	beside, err := p.companionOf(ctx, e, known)
	if err != nil {
		return report, err
	}
	maps.Copy(e.entries, beside.entries)
	d, err := p.difference(ctx, e, removals, known, is)
	r := &run{publisher: p, edition: e, difference: d, sites: sites, companion: beside}
	if recorded && errors.As(err, new(*release.ForeignError)) {
		r.difference = d.removals()
		report, withdrawing := r.carryOut(ctx, is)
		return report, errors.Join(err, withdrawing)
	}
	if err != nil {
		return report, err
	}
	return r.carryOut(ctx, is)
}

// learn loads the record, which another process may have written since.
func (p *Publisher) learn(ctx context.Context) error {
	s, err := p.journal.load(ctx)
	if err != nil {
		return err
	}
	p.state = s
	return nil
}

// begin records what is about to be done, and marks it at the destination. It returns the
// store's tag of the mark.
func (p *Publisher) begin(ctx context.Context, d *difference, is version) (tag string, err error) {
	mark, err := marked(is.data)
	if err != nil {
		return "", err
	}
	described := []string{release.DigestOf(mark).String()}
	for _, j := range d.jobs[phaseDescription] {
		if j.put != nil {
			described = append(described, j.put.entry.Digest.String())
		}
	}
	key := p.layout.keyOf(document.ReleaseFile)
	before := p.state.described
	if was := p.state.keys[key]; was.certain {
		before = []string{was.digest.String()}
	}
	notes := []note{{Described: slices.Concat(before, described), Begin: []string{key}}}
	notes = append(notes, inBatches(d.begin(), func(part []string) note { return note{Begin: part} })...)
	if len(d.removed) > 0 {
		notes = append(notes, note{Removing: new(true)})
	}
	owe := func(t task, files []string) {
		notes = append(notes, inBatches(files, func(part []string) note { return note{Task: t, Owe: part} })...)
	}
	if p.options.Purge.Command != "" || p.options.Purge.URL != "" {
		owe(taskPurge, d.changed())
	}
	if p.options.Host.BaseURL != "" {
		owe(taskVerify, d.removed)
	}
	if p.options.IndexNow.Key != "" {
		owe(taskAnnounce, slices.DeleteFunc(d.changed(), func(file string) bool { return pageOf(file) == "" }))
	}
	if err := p.note(ctx, true, notes...); err != nil {
		return "", err
	}
	if tag, err = p.mark(ctx, is, mark); err != nil {
		return "", err
	}
	// The previous state can only return if another machine restores it.
	return tag, p.note(ctx, false, note{Described: described})
}

// note records notes and applies them.
func (p *Publisher) note(ctx context.Context, durable bool, notes ...note) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range notes {
		p.state.apply(n)
	}
	return p.journal.add(ctx, p.state, durable, notes...)
}
