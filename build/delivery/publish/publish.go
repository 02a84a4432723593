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
	"souk/build/kit/verbatim"
	"souk/build/release"
)

// A Publisher brings one destination up to date, again and again.
type Publisher struct {
	options Options
	// client makes the requests that are not for the store.
	client  *http.Client
	layout  layout
	name    string
	folder  string // of the lock, and of the record unless it is elsewhere
	store   store
	retry   retry
	journal journal

	publishing sync.Mutex
	// may is what May returned for the present publish.
	may func() error

	mu    sync.Mutex
	state *state

	// fault is for tests: it is called before each step that a kill may precede.
	fault func(step string) error
}

// ErrDestination means that a destination, or the place of its record, is invalid.
var ErrDestination = errors.New("the destination is wrong")

// ErrLayout means that a destination cannot have the requested layout.
var ErrLayout = errors.New("the destination cannot have this layout")

// ErrNewer means that the release changed while it was published: what is gone by
// now must not be uploaded any more. The caller publishes again.
var ErrNewer = errors.New("a newer release was built meanwhile")

// ErrNoRelease means that there is nothing to publish.
var ErrNoRelease = errors.New("there is no release to publish: run 'souk build' first")

// Open returns a Publisher for a folder, or for the s3:// URL of a bucket in a
// store that speaks S3. It makes no request. It fails with ErrDestination or
// ErrLayout if the arguments make no sense.
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
		return nil, errors.Join(fmt.Errorf("the place of the record: %w", err), p.store.close())
	case o.Record == "":
		p.journal = &fileJournal{path: filepath.Join(p.folder, "record")}
	case isFolder:
		p.folder = filepath.Join(folder, name)
		p.journal = &fileJournal{path: filepath.Join(p.folder, "record")}
	default:
		bucket, err := openBucket(o.Record)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the place of the record: %w", err), p.store.close())
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
			return fmt.Errorf("%w: a folder cannot hold the file articles and the folder articles at once, so that its keys need .json; the server of the folder maps addresses to files", ErrLayout)
		}
		if p.layout.gzip {
			return fmt.Errorf("%w: beside a folder's files stand compressed twins, which its server chooses from", ErrLayout)
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
		return errors.Join(fmt.Errorf("%w: what is for servers lies beside the release, and nothing lies beside the root of a bucket: publish to s3://%s/public, with the host's root there", ErrLayout, bucket.bucket), bucket.close())
	}
	p.store, p.name = bucket, bucket.name()
	return nil
}

// FolderOf returns the folder that a destination names, if it is one: by its path, or
// by a URL as in file:///srv/market.
func FolderOf(destination string) (folder string, ok bool) {
	if u, err := url.Parse(destination); err == nil && u.Scheme == "file" && u.Host == "" && u.Path != "" {
		return filepath.FromSlash(u.Path), true
	}
	return destination, destination != "" && !strings.Contains(destination, "://")
}

// scheme is what a URL begins with; one letter is a drive's.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// misspelt returns an ErrDestination for what is nearly a URL, and would be taken for
// a folder of that name.
func misspelt(destination string) error {
	folder, is := FolderOf(destination)
	begins := scheme.FindString(destination)
	if !is || begins == "" || folder != destination {
		return nil
	}
	return fmt.Errorf("%w: it begins with %s and not with %s//: a bucket is written s3://bucket/prefix, a folder as its path, and one with a colon in its name ./%s…",
		ErrDestination, begins, begins, begins)
}

// Name returns the destination for messages, without anything secret.
func (p *Publisher) Name() string { return p.name }

// Target identifies the bucket that is published to, from whatever machine, without
// anything secret; "" for a folder.
func (p *Publisher) Target() string {
	if _, folder := p.store.(*folderStore); folder {
		return ""
	}
	return p.store.id()
}

// ForServers reports whether what servers copy is published, too.
func (p *Publisher) ForServers() bool { return p.options.ForServers }

// Close closes the connections.
func (p *Publisher) Close() error {
	err := p.store.close()
	if j, ok := p.journal.(*bucketJournal); ok {
		err = errors.Join(err, j.bucket.close())
	}
	return err
}

// A Report describes what a publish did.
type Report struct {
	// Release is the id of the release at the destination.
	Release string
	// Uploaded, Deleted and Unchanged count objects.
	Uploaded, Deleted, Unchanged int
	// Bytes were uploaded, in Requests to the store and to that of the record;
	// for a folder both count files.
	Bytes, Requests int64
	// Changed are the public URLs whose answers changed, sorted.
	Changed []string
	// Removed are the addresses that are gone from now on, as files of the tree.
	Removed []string
	// Purged, Verified and Announced count URLs: purged from caches, seen to be
	// gone, and announced to search engines.
	Purged, Verified, Announced int
	Duration                    time.Duration
}

// Plan returns what Publish would do, as far as the record knows, and fails as
// Publish would if the release brings somebody back or a removal would not show.
// Nothing is written and no request is made, unless the record is in a bucket, the
// destination is a folder or to be listed, or the host is to be asked what it answers for removals.
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
		p.options.Notice("there is no record of what stands at " + p.name + ": its 410 stubs were not looked at, which a publish does first")
	}
	if p.options.ForServers {
		beside, err := p.layout.gather(e, 0)
		if err == nil && p.options.Adopt {
			err = p.findBeside(ctx, true)
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

// Publish brings the destination up to date with a release. It may be called
// from any goroutine; one at a time does its work, also among processes.
//
// The removals are everything on record, or nil without a record. Before anything
// is changed, it fails with a *stub.WithdrawnError if the release shows a seller
// that a removal withholds, and with a *stub.UnexplainedError if stubs at the
// destination have no reason to go.
//
// Before that it fails with a *release.ForeignError, too, if it would write over what no
// build wrote: of a destination on record the removals are carried out all the same.
//
// It fails with ErrAltered, and changes nothing, if the public folder is not what was
// built, with ErrNewer if the release changes meanwhile, with a *RefusedError if
// a removal would not show, with an *IncompleteError if the store fails for good,
// and with a *NotGoneError if a removed address still answers. Whatever the
// error, the next call continues where this one ended.
func (p *Publisher) Publish(ctx context.Context, src Source, removals *catalog.Removals) (Report, error) {
	return p.alone(ctx, func() (Report, error) { return p.publish(ctx, src, removals) })
}

// withdraw publishes the removals of a release and nothing else, while a publish
// of the whole is refused: no removal waits until the reason is found.
func (p *Publisher) withdraw(ctx context.Context, src Source) (Report, error) {
	return p.alone(ctx, func() (Report, error) {
		e := editionOf(src)
		sites, err := p.sitesOf(e)
		if err != nil {
			return Report{}, err
		}
		known, is, err := p.check(ctx)
		if err != nil {
			return Report{}, err
		}
		beside, err := p.besideOf(ctx, e, known)
		if err != nil {
			return Report{}, err
		}
		maps.Copy(e.entries, beside.entries)
		d := p.layout.compare(e.entries, p.state, nil).removals()
		if err := p.refuse(ctx, sites, d); err != nil {
			return Report{}, err
		}
		return (&run{publisher: p, edition: e, difference: d, sites: sites, beside: beside}).carryOut(ctx, is)
	})
}

// alone runs one publish at a time, also among processes, with the record loaded.
func (p *Publisher) alone(ctx context.Context, publish func() (Report, error)) (report Report, err error) {
	p.publishing.Lock()
	defer p.publishing.Unlock()
	began, asked := p.options.Now(), p.requests()
	defer func() {
		report.Duration, report.Requests = p.options.Now().Sub(began), p.requests()-asked
	}()
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return report, err
	}
	unlock, err := release.LockFolder(ctx, p.folder, p.options.Waiting)
	if err != nil {
		return report, fmt.Errorf("lock the record of %s: %w", p.name, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	p.may = p.options.May()
	if err := p.learn(ctx); err != nil {
		return report, err
	}
	defer func() {
		// A publish that was overtaken fails here as well; one message is enough.
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

// publish does a publish, with the record loaded.
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
	if !recorded { // then nothing is asked of the destination before
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
		p.options.Notice("there is no record of what stands at " + p.name +
			": everything is uploaded, and what a build wrote there and this release does not have is deleted")
	}
	beside, err := p.besideOf(ctx, e, known)
	if err != nil {
		return report, err
	}
	maps.Copy(e.entries, beside.entries)
	d, err := p.difference(ctx, e, removals, known, is)
	r := &run{publisher: p, edition: e, difference: d, sites: sites, beside: beside}
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

// begin records what is about to be done, and says at the destination that it is.
// It returns what its store tells that by.
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
	// What was there before is there again only if another machine puts it there.
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
