package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/problem"
)

// A record is one file as it was last read.
type record struct {
	stamp
	digest string
	// reading is nil until the cache's second half is loaded.
	reading *reading
}

// Folder is a content folder and what was read of it. Its methods are not for
// concurrent use.
type Folder struct {
	root  string
	cache *cache
	files map[string]*record
	// byRef holds the files of each thing, in the order of their paths: more
	// than one is a mistake.
	byRef map[catalog.Ref][]string
	// walked are the problems of folders and links.
	walked problem.List
	// pending are the files that are to be told to the catalog.
	pending map[string]bool
	told    bool
	// looked: the whole folder was looked at once, so that paths of it may be
	// named from then on.
	looked bool
	// loaded: the second half of the cache was brought in.
	loaded bool

	// What is known of all files together is kept up to date file by file, so
	// that one edit costs nothing that grows with the folder.
	sum     uint64
	flawed  map[string]bool
	doubles map[catalog.Ref]bool
	markets []string

	now func() time.Time
}

// Open prepares the reading of a content folder. cacheFile holds what an
// earlier run read, under the same version of the program; it is not trusted
// further than that, and may be missing or broken.
func Open(root, cacheFile, version string, now func() time.Time) *Folder {
	f := &Folder{
		root: root, cache: &cache{file: cacheFile, version: version},
		files: map[string]*record{}, byRef: map[catalog.Ref][]string{}, pending: map[string]bool{}, now: now,
		flawed: map[string]bool{}, doubles: map[catalog.Ref]bool{},
	}
	for path, r := range f.cache.open() {
		f.add(path, r)
	}
	return f
}

// Whole is the path of the whole content folder.
const Whole = "."

// Scan looks at the given paths below the folder, all of it at first, and reads
// what changed. It tells whether anything did since the catalog was last told.
// Where it fails, as when ctx ends, it took in nothing.
func (f *Folder) Scan(ctx context.Context, paths ...string) (changed bool, err error) {
	if !f.looked {
		paths = []string{Whole}
	}
	looks := make([]look, len(paths))
	stamps := map[string]stamp{}
	for i, sub := range paths {
		found, problems, err := walk(f.root, sub)
		if err != nil {
			return false, fmt.Errorf("read the content folder: %w", err)
		}
		looks[i] = look{sub, found, problems}
		maps.Copy(stamps, found)
	}
	var fresh []string
	for path, s := range stamps {
		if known := f.files[path]; known == nil || known.stamp != s {
			fresh = append(fresh, path)
		}
	}
	began := f.now()
	records, err := f.read(ctx, fresh, stamps)
	if err != nil {
		return false, err
	}
	for _, l := range looks {
		f.walked = append(slices.DeleteFunc(f.walked, func(p problem.Problem) bool { return within(p.File, l.sub) }), l.problems...)
		f.dropMissing(l.sub, l.found)
	}
	f.put(fresh, records, began)
	f.looked = true
	return len(f.pending) > 0, nil
}

// Looked reports whether the whole folder was looked at.
func (f *Folder) Looked() bool { return f.looked }

// A look is what lies at a path now.
type look struct {
	sub      string
	found    map[string]stamp
	problems problem.List
}

// dropMissing drops the files at or below a path that are no longer there.
func (f *Folder) dropMissing(sub string, found map[string]stamp) {
	drop := func(path string) {
		if _, stands := found[path]; !stands {
			f.drop(path)
			f.pending[path] = true
		}
	}
	if f.files[sub] != nil {
		drop(sub)
		return
	}
	if _, isFile := found[sub]; isFile {
		return
	}
	for path := range f.files {
		if within(path, sub) {
			drop(path)
		}
	}
}

func within(path, sub string) bool {
	return sub == "." || path == sub || strings.HasPrefix(path, sub+"/")
}

// read reads files, as many at a time as there are processors. A record is nil
// where the file vanished meanwhile.
func (f *Folder) read(ctx context.Context, paths []string, stamps map[string]stamp) ([]*record, error) {
	records := make([]*record, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	const share = 64
	for from := 0; from < len(paths); from += share {
		group.Go(func() error {
			for i := from; i < min(from+share, len(paths)); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				records[i] = f.readFile(paths[i], stamps[paths[i]], f.files[paths[i]])
			}
			return nil
		})
	}
	return records, group.Wait()
}

// put takes in what was read after a moment.
func (f *Folder) put(paths []string, records []*record, began time.Time) {
	for i, path := range paths {
		r := records[i]
		if r == nil {
			continue
		}
		// A file that was written just before may be written again within the
		// same tick of its clock: it is read once more next time.
		if began.UnixNano()-r.ModTime < int64(2*time.Second) {
			r.ModTime = 0
		}
		if known := f.files[path]; known == nil || known.digest != r.digest {
			f.pending[path] = true
		}
		f.add(path, r)
	}
}

// readFile reads one file; nil where it vanished meanwhile. A file of the same
// bytes as before keeps its reading.
func (f *Folder) readFile(path string, s stamp, known *record) *record {
	r := &record{stamp: s}
	limit := int64(MaxText)
	what, _, _ := place(path)
	if what == media {
		limit = MaxPicture
	}
	if s == refused {
		r.digest, r.reading = "refused", failed(path)
		return r
	}
	if what == ignored || what == stray {
		r.digest, r.reading = "-", read(path, nil)
		return r
	}
	if s.Size > limit {
		r.digest = fmt.Sprint("too large ", s.Size)
		r.reading = failed(path, problem.Problem{File: path,
			Text: fmt.Sprintf("the file is too large: %d MB", s.Size>>20), Meant: fmt.Sprintf("at most %d MB are read", limit>>20)})
		return r
	}
	data, err := os.ReadFile(filepath.Join(f.root, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.digest = "unreadable"
		r.reading = failed(path, problem.Problem{File: path, Text: "the file cannot be read: " + reason(err)})
		return r
	}
	sum := sha256.Sum256(data)
	r.digest = string(sum[:])
	if known != nil && known.digest == r.digest {
		r.reading = known.reading
		return r
	}
	r.reading = read(path, data)
	return r
}

// failed is the reading of a file whose bytes were not read: what names it is
// not wrong as well.
func failed(path string, problems ...problem.Problem) *reading {
	r := &reading{Item: unread(path), Problems: problems}
	if what, _, _ := place(path); what == media {
		r.Media = &catalog.Media{}
	}
	return r
}

// Change tells what became of the content since the last call: all of it at
// the first. The clock and the removals are the caller's to add.
func (f *Folder) Change() (catalog.Change, error) {
	if err := f.load(); err != nil {
		return catalog.Change{}, err
	}
	paths := f.pending
	if !f.told {
		paths = make(map[string]bool, len(f.files))
		for path := range f.files {
			paths[path] = true
		}
	}
	ch := catalog.Change{Media: map[string]*catalog.Media{}}
	refs := map[catalog.Ref]bool{}
	for path := range paths {
		r := f.files[path]
		switch what, ref, _ := place(path); what {
		case marketplace:
			if r != nil && r.reading.Market != nil {
				ch.Marketplace = r.reading.Market
			}
		case media:
			if ch.Media[path] = nil; r != nil {
				ch.Media[path] = r.reading.Media
			}
		case thing:
			refs[ref] = true
		}
	}
	for ref := range refs {
		if item := f.item(ref); item != nil {
			ch.Put = append(ch.Put, item)
		} else {
			ch.Delete = append(ch.Delete, ref)
		}
	}
	f.pending, f.told = map[string]bool{}, true
	return ch, nil
}

// item returns the thing of a Reference from the first of its files that holds
// one.
func (f *Folder) item(ref catalog.Ref) catalog.Item {
	for _, path := range f.byRef[ref] {
		if r := f.files[path]; r.reading.Item != nil {
			return r.reading.Item
		}
	}
	return nil
}

// Problems returns what is wrong with the files one by one.
func (f *Folder) Problems() problem.List {
	list := slices.Clone(f.walked)
	for path := range f.flawed {
		list = append(list, f.files[path].reading.Problems...)
	}
	if len(f.markets) == 0 {
		list = append(list, problem.Problem{File: "marketplace.yaml", Text: "the file is missing", Meant: "souk init writes a new marketplace"})
	} else if len(f.markets) > 1 {
		list = append(list, problem.Problem{File: f.markets[1], Text: "the marketplace stands twice", Meant: "see " + f.markets[0]})
	}
	for ref := range f.doubles {
		paths := f.byRef[ref]
		for _, path := range paths[1:] {
			list = append(list, problem.Problem{File: path, Text: ref.String() + " stands twice", Meant: "see " + paths[0]})
		}
	}
	list.Sort()
	return list
}

// load brings in the second half of the cache.
func (f *Folder) load() error {
	if f.loaded {
		return nil
	}
	f.loaded = true
	var missing []string
	for path, r := range f.files {
		if r.reading == nil {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	readings := f.cache.readings()
	stamps := map[string]stamp{}
	var lost []string
	for _, path := range missing {
		if reading := readings[path]; reading != nil {
			f.files[path].reading = reading
			f.flaw(path, f.files[path])
			continue
		}
		lost = append(lost, path)
		stamps[path] = f.files[path].stamp
		f.sum -= f.files[path].hash(path)
		f.files[path].digest = ""
		f.sum += f.files[path].hash(path)
	}
	began := f.now()
	records, err := f.read(context.Background(), lost, stamps)
	f.put(lost, records, began)
	return err
}

// Remember keeps the cache that was saved last as that of good content, for
// Recall. It stays although later ones are saved.
func (f *Folder) Remember() error {
	good := f.cache.file + goodSuffix
	if err := os.Remove(good + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(f.cache.file, good+".new"); err != nil {
		return err
	}
	return os.Rename(good+".new", good)
}

const goodSuffix = ".good"

// Recall returns the content that was remembered, as a first Change; ok is false
// where nothing was, by this version of the program, or it is not whole.
func (f *Folder) Recall() (ch catalog.Change, ok bool) {
	before := Folder{cache: &cache{file: f.cache.file + goodSuffix, version: f.cache.version}, files: map[string]*record{}, byRef: map[catalog.Ref][]string{}, pending: map[string]bool{}, flawed: map[string]bool{}, doubles: map[catalog.Ref]bool{}, now: f.now}
	for path, r := range before.cache.open() {
		before.add(path, r)
	}
	readings := before.cache.readings()
	for path, r := range before.files {
		if r.reading = readings[path]; r.reading == nil {
			return catalog.Change{}, false
		}
	}
	before.loaded = true
	ch, err := before.Change()
	return ch, err == nil && len(before.files) > 0
}

// Save writes the cache for the next run.
func (f *Folder) Save() error {
	if err := f.load(); err != nil {
		return err
	}
	return f.cache.save(f.files)
}
