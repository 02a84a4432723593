package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ErrNoRelease means that there is no release with its manifest.
var ErrNoRelease = errors.New("there is no release")

// A Reader is a release that other processes make, to read only. Its manifest is
// the log, mapped, and what was recorded since in memory, so that it takes next to
// no memory beside the page cache. Its methods are safe for concurrent use; each
// answers from one release.
type Reader struct {
	public, own string

	// refreshing is held by who reads what is new, mu while it is put in its place.
	refreshing sync.Mutex
	mu         sync.RWMutex
	now        reading
	// builtWith is the revision of the removals that what is in place was made with.
	builtWith uint64
}

// A reading is a log as far as it was read.
type reading struct {
	// log is nil before the first.
	log *opened
	// info is that of the file when it was read, up to end; last is where the last
	// record begins, whose head is lastHead.
	info      fs.FileInfo
	last, end int64
	lastHead  [chunkHead]byte
	// newest is the last record; after the first one, changed and owned have what
	// the later ones say.
	newest  *flat
	changed map[string]place
	owned   map[string]place
}

// A place is where something is told: in a record, or, where that is nil, nowhere
// any more.
type place struct {
	in *flat
	at int
}

// Follow opens the release in a public folder. It fails with ErrNoRelease where
// there is none, or its manifest is not beside it.
func Follow(public string) (*Reader, error) {
	r := &Reader{public: public, own: Folder(public)}
	if err := r.Refresh(); err != nil {
		return nil, err
	}
	return r, nil
}

// Refresh reads what was recorded since the last call. Where it fails, the release
// stays what it was. Where nothing is new, it only looks at the file, and whether what
// was staged is in place.
func (r *Reader) Refresh() error {
	r.refreshing.Lock()
	defer r.refreshing.Unlock()
	if err := r.read(); err != nil {
		return err
	}
	r.settle()
	return nil
}

// settle notes that the release is in place, where it is: then its stage is gone. So is
// that of a record that was taken back, but only after the record.
func (r *Reader) settle() {
	if stage := r.stage(); stage != "" {
		if _, err := os.Lstat(stage); !errors.Is(err, fs.ErrNotExist) || !r.now.goesOn() {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.builtWith = r.now.newest.revision()
}

// read reads what was recorded since it was called last.
func (r *Reader) read() error {
	path := filepath.Join(r.own, logName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s: %s is missing", ErrNoRelease, r.public, path)
	}
	if err != nil {
		return err
	}
	if now := &r.now; now.log != nil && os.SameFile(info, now.info) {
		if info.Size() == now.end && info.ModTime().Equal(now.info.ModTime()) {
			return nil
		}
		if now.goesOn() {
			r.extend(info)
			return nil
		}
	}
	next, err := openReading(path)
	if err != nil {
		return err
	}
	r.mu.Lock()
	before := r.now
	r.now = next
	r.mu.Unlock()
	if before.log != nil {
		err = before.log.close() // no reader holds it any more
	}
	return err
}

// goesOn reports whether the file still has the last record that was read: one that
// could not be synced is taken back.
func (n *reading) goesOn() bool {
	var head [chunkHead]byte
	_, err := n.log.file.ReadAt(head[:], n.last)
	return err == nil && head == n.lastHead
}

// openReading reads a whole log.
func openReading(path string) (n reading, err error) {
	log, err := openLog(path)
	if err != nil {
		return n, fmt.Errorf("read the manifest: %w", err)
	}
	if log == nil {
		return n, fmt.Errorf("%w that can be read: %s is corrupt, or another version wrote it: run 'souk build' to write it again", ErrNoRelease, path)
	}
	n = reading{log: log, newest: log.first, changed: map[string]place{}, owned: map[string]place{}, last: int64(len(logMagic)), end: int64(len(log.mapped))}
	if n.info, err = log.file.Stat(); err != nil {
		return n, errors.Join(err, log.close())
	}
	copy(n.lastHead[:], log.mapped[n.last:])
	n.take(n.records(n.info.Size()))
	return n, nil
}

// extend reads the records after those that were read.
func (r *Reader) extend(info fs.FileInfo) {
	more := r.now.records(info.Size())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.info = info
	r.now.take(more)
}

// A logRecord is a record, with its head, and where it begins and ends.
type logRecord struct {
	*flat
	head     [chunkHead]byte
	from, to int64
}

// records returns the whole records that follow in a file of a size.
func (n *reading) records(size int64) (all []logRecord) {
	for from := n.end; ; {
		one := n.log.next(from, size)
		if one.flat == nil {
			return all
		}
		all, from = append(all, one), one.to
	}
}

// take applies records.
func (n *reading) take(all []logRecord) {
	for _, one := range all {
		for i := range one.files.len() {
			n.changed[string(one.files.at(i))] = place{one.flat, i}
		}
		for i := range one.deleted.len() {
			n.changed[string(one.deleted.at(i))] = place{}
		}
		for i := range one.keys.len() {
			n.owned[string(one.keys.at(i))] = place{one.flat, i}
		}
		n.newest, n.last, n.end = one.flat, one.from, one.to
		n.lastHead = one.head
	}
}

// find returns where a file is told of.
func (n *reading) find(file string) (place, bool) {
	if p, later := n.changed[file]; later {
		return p, p.in != nil
	}
	i, there := n.log.first.files.find(file)
	return place{n.log.first, i}, there
}

// Lookup returns the entry of a file of the release.
func (r *Reader) Lookup(file string) (Entry, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	p, there := r.now.find(file)
	if !there {
		return Entry{}, false
	}
	return p.in.entry(p.at), true
}

// Has reports whether a file is in the release.
func (r *Reader) Has(file string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, there := r.now.find(file)
	return there
}

// Owner returns the present or last owner of what Plan.Own was given.
func (r *Reader) Owner(key string) (Owner, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if p, later := r.now.owned[key]; later {
		return p.in.owner(p.at), true
	}
	first := r.now.log.first
	i, known := first.keys.find(key)
	if !known {
		return Owner{}, false
	}
	return first.owner(i), true
}

// EachOwner calls yield for each key with a known owner, in no particular order. It
// must not call the Reader.
func (r *Reader) EachOwner(yield func(key string, o Owner)) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for key, p := range r.now.owned {
		yield(key, p.in.owner(p.at))
	}
	first := r.now.log.first
	for i := range first.keys.len() {
		key := string(first.keys.at(i))
		if _, later := r.now.owned[key]; !later {
			yield(key, first.owner(i))
		}
	}
}

// Each calls yield for each file of the release, in no particular order. It must
// not call the Reader.
func (r *Reader) Each(yield func(file string, e Entry)) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for file, p := range r.now.changed {
		if p.in != nil {
			yield(file, p.in.entry(p.at))
		}
	}
	first := r.now.log.first
	for i := range first.files.len() {
		file := string(first.files.at(i))
		if _, later := r.now.changed[file]; !later {
			yield(file, first.entry(i))
		}
	}
}

// ID returns the id of the release.
func (r *Reader) ID() string { return r.after().ID() }

// Summary returns the number of documents and their total size.
func (r *Reader) Summary() (documents int, bytes int64) { return r.after().Documents() }

func (r *Reader) after() totals {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now.newest.after()
}

// BuiltFrom returns the clock of the release, and the revision of the removals that it
// was made with; until a Refresh found all of it in place, the one before, since until
// then another host that serves the folder shows what was there.
func (r *Reader) BuiltFrom() (clock time.Time, revision uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now.newest.clock(), r.builtWith
}

// Path returns the path of a file of the release.
func (r *Reader) Path(file string) string { return filepath.Join(r.public, filepath.FromSlash(file)) }

// OpenFile opens a file of the release, or a twin, even if it is not in place yet
// although the release is committed.
func (r *Reader) OpenFile(file string) (*os.File, error) {
	f, err := openFile(r.public, r.stage(), file)
	if errors.Is(err, fs.ErrNotExist) {
		// It was deleted by a release that is new: the next Lookup knows of it. Where
		// that cannot be read, it is missing all the same.
		_ = r.Refresh()
	}
	return f, err
}

// stage returns the folder from which the release may still be moved into place; ""
// where there was none.
func (r *Reader) stage() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	stage := r.now.newest.stage()
	switch {
	case strings.ContainsAny(stage, `/\`):
		return "" // no builder wrote that
	case strings.HasPrefix(stage, withinPrefix):
		return filepath.Join(r.public, stage)
	case strings.HasPrefix(stage, stagePrefix):
		return filepath.Join(r.own, stage)
	}
	return ""
}

// Close lets go of the manifest. No other method may be called after it.
func (r *Reader) Close() error { return r.now.log.close() }
