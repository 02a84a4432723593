package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"souk/build/catalog"
	"souk/build/internal/smallfile"
	"souk/build/kit/journal"
	"souk/build/kit/mapped"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
	"souk/build/kit/rendition"
)

// A record is a file as it was last read.
type record struct {
	stamp
	digest string
	// reading is nil until the cache's second half is loaded.
	reading *reading
}

// Folder is a content folder and what was read of it. Its methods are not safe
// for concurrent use.
type Folder struct {
	root string
	// theme is where the theme is, if that is not in the folder; or "".
	theme string
	cache *cache
	files map[string]*record
	// walked has the problems of folders and links.
	walked problem.List
	// links are the paths of links, as of the last Scan.
	links []string
	// pending has the files that the catalog does not know of yet.
	pending map[string]bool
	// was has the records of pending files as the cache had them, nil for a file that was
	// not there. It is nil itself once a Change has told the whole content: see told.
	was map[string]*record
	// base has, of each file that may differ from the cache's file, the record there, nil
	// where it has none; it is nil itself where any may.
	base map[string]*record
	// scanned: the whole folder was scanned once, so that Scan may be given single
	// paths from then on.
	scanned bool
	held    held

	// What concerns all files together is kept up to date file by file, so that
	// the cost of an edit does not grow with the folder.
	totals
	flawed map[string]bool
	// doubles are items with two files, which is a mistake.
	doubles map[catalog.Ref]bool
	// Sorted: the files that tell of the marketplace, of the operator's texts, of the
	// theme, and of the operator's own pages.
	markets, wordings, looks, pages []string

	now func() time.Time
	// shelf keeps the smaller forms of pictures. reading has as many bytes as all
	// pictures that are read at the same time may have.
	shelf   *rendition.Shelf
	reading *semaphore.Weighted
}

// held is how much of the files is in memory; what is not, the cache has.
type held int

const (
	// inCache is nothing, or the few files that Fold leaves.
	inCache held = iota
	// indexed is a record of each file, and what was read of those that differ from the
	// cache's file.
	indexed
	// loaded is all that was read.
	loaded
)

// told reports whether a Change has told the whole content.
func (f *Folder) told() bool { return f.was == nil }

// Open returns the Folder at root. cacheFile is what an earlier run of the same
// version of the program read; it may be missing or damaged, or "" for none. shelf keeps
// the smaller forms of its pictures.
func Open(root, cacheFile, version string, shelf *rendition.Shelf, now func() time.Time) *Folder {
	f := &Folder{
		root: root, cache: &cache{file: cacheFile, version: version},
		files: map[string]*record{}, pending: map[string]bool{}, was: map[string]*record{}, now: now,
		flawed: map[string]bool{}, doubles: map[catalog.Ref]bool{},
		shelf: shelf, reading: semaphore.NewWeighted(MaxPicture),
	}
	var cached bool
	if f.totals, cached = f.cache.begin(); !cached {
		f.held = indexed
	}
	return f
}

// Whole is the path of the whole content folder.
const Whole = "."

// Leave says that items are not asked for in a while, so that what was read of their file
// counts no more as memory of the process.
func (f *Folder) Leave() { mapped.Leave(f.cache.mapped) }

// Leaving does so each second, until stop is called.
func (f *Folder) Leaving() (stop func()) {
	items, done := f.cache.mapped, make(chan struct{})
	go func() {
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for {
			select {
			case <-done:
				return
			case <-second.C:
				mapped.Leave(items)
			}
		}
	}()
	return func() { close(done) }
}

// Find returns an error that says how to have a content folder, if there is none.
func Find(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read the content folder: %s: %s (--content names the folder, souk init writes a new one)", folder, reason(err))
	case err != nil:
		return fmt.Errorf("read the content folder: %s: %s", folder, reason(err))
	case !info.IsDir():
		return fmt.Errorf("read the content folder: %s is not a folder", folder)
	}
	return nil
}

// marketFiles are those of which a content folder has one.
var marketFiles = []string{"marketplace.yaml", "marketplace.md"}

// Around returns a content folder, one with a marketplace in it, that a folder is, lies
// in or has directly below; "" where there is none.
func Around(folder string) string {
	is := func(dir string) bool {
		for _, name := range marketFiles {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
		return false
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if is(dir) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	below, _ := os.ReadDir(folder) // what cannot be read is no content
	for _, e := range below {
		if dir := filepath.Join(folder, e.Name()); !e.Type().IsRegular() && is(dir) {
			return dir
		}
	}
	return ""
}

// Scan reads what changed at or below the given paths, or in the whole folder the
// first time. It reports whether anything has changed since the last Change, or what
// cannot be read since the last Scan. It reads the content before an import or after it,
// and fails while one is under way. If ctx ends, it changes nothing.
func (f *Folder) Scan(ctx context.Context, paths ...string) (changed bool, err error) {
	if f.scanned && len(paths) == 0 {
		return f.scan(ctx)
	}
	for {
		before, err := journal.Look(f.root)
		if err != nil {
			return false, fmt.Errorf("read the content folder: %w: wait until it has finished, or run it again, which finishes it", err)
		}
		more, err := f.scan(ctx, paths...)
		if err != nil {
			return false, err
		}
		changed = changed || more
		if after, err := journal.Look(f.root); err == nil && after == before {
			return changed, nil
		}
		paths = []string{Whole}
	}
}

func (f *Folder) scan(ctx context.Context, paths ...string) (changed bool, err error) {
	switch {
	case !f.scanned:
		paths = []string{Whole}
	case len(paths) > 0:
		// What a link leads to depends on more than its own path.
		paths = slices.Concat(paths, f.links)
	}
	if err := Find(f.root); err != nil {
		return false, err
	}
	scans := make([]pathScan, len(paths))
	for i, sub := range paths {
		found, problems, err := f.walk(ctx, sub)
		if err != nil {
			return false, fmt.Errorf("read the content folder: %w", err)
		}
		if f.held == inCache && !f.scanned && len(problems) == 0 && f.unchanged(found) {
			f.scanned, f.links = true, linksOf(found)
			return false, nil
		}
		scans[i] = pathScan{sub, found, problems}
	}
	if err := f.unfold(); err != nil {
		return false, err
	}
	found := united(scans)
	f.links = linksOf(found)
	var fresh []stamped
	there := 0
	for _, one := range found {
		known := f.files[one.path]
		if known == nil || known.stamp != one.stamp {
			fresh = append(fresh, one)
		}
		if known != nil {
			there++
		}
	}
	began := f.now()
	records, err := f.read(ctx, fresh)
	if err != nil {
		return false, err
	}
	walked := slices.Clone(f.walked)
	for _, l := range scans {
		f.walked = append(slices.DeleteFunc(f.walked, func(p problem.Problem) bool { return within(p.File, l.sub) }), l.problems...)
	}
	f.walked.Sort()
	if there < len(f.files) {
		f.dropMissing(paths, found)
	}
	f.put(fresh, records, began)
	f.scanned = true
	return len(f.pending) > 0 || !slices.Equal(f.walked, walked), nil
}

// Scanned reports whether the whole folder has been scanned.
func (f *Folder) Scanned() bool { return f.scanned }

// A pathScan is what a walk found at a path.
type pathScan struct {
	sub      string
	found    []stamped
	problems problem.List
}

// united returns what several walks found, each file once: one of the paths may be below
// another.
func united(scans []pathScan) (found []stamped) {
	if len(scans) == 1 {
		return scans[0].found
	}
	met := map[string]bool{}
	for _, l := range scans {
		for _, one := range l.found {
			if !met[one.path] {
				met[one.path] = true
				found = append(found, one)
			}
		}
	}
	return found
}

// linksOf returns the paths of links.
func linksOf(found []stamped) (links []string) {
	for _, one := range found {
		if one.link {
			links = append(links, one.path)
		}
	}
	return links
}

// dropMissing drops the files at or below paths where a walk did not find them.
func (f *Folder) dropMissing(paths []string, found []stamped) {
	there, folders := pathSet(found), map[string]bool{}
	drop := func(file string) {
		if !there[file] {
			f.await(file)
			f.drop(file)
		}
	}
	for _, at := range paths {
		if f.files[at] != nil {
			drop(at)
		} else {
			folders[at] = true // a folder, even if a file is there now
		}
	}
	if len(folders) == 0 {
		return
	}
	for file := range f.files {
		at := file
		for at != Whole && !folders[at] {
			at = path.Dir(at)
		}
		if folders[at] {
			drop(file)
		}
	}
}

func within(path, sub string) bool {
	rest, inside := strings.CutPrefix(path, sub)
	return sub == "." || inside && (rest == "" || rest[0] == '/')
}

// read reads files, as many at a time as there are processors. A record is nil if
// the file vanished meanwhile.
func (f *Folder) read(ctx context.Context, files []stamped) ([]*record, error) {
	records := make([]*record, len(files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(processors.Count())
	const share = 64
	for from := 0; from < len(files); from += share {
		group.Go(func() error {
			to := min(from+share, len(files))
			for i, one := range files[from:to] {
				if err := ctx.Err(); err != nil {
					return err
				}
				records[from+i] = f.readFile(ctx, one, f.files[one.path])
			}
			gather(records[from:to])
			return ctx.Err()
		})
	}
	return records, group.Wait()
}

// gather lays what was read of some files side by side: what was needed to read them
// leaves no gaps between them, and the garbage collector finds few things instead of many.
func gather(records []*record) {
	all, readings, items := make([]record, len(records)), make([]reading, len(records)), make([]catalog.Packed, len(records))
	var digests, texts strings.Builder
	digestsSize, textsSize := 0, 0
	for i, r := range records {
		if r == nil {
			continue
		}
		digestsSize += len(r.digest)
		if r.reading != nil { // else it is still in the cache
			if item, packed := r.reading.Item.(*catalog.Packed); packed {
				items[i] = *item
				textsSize += len(items[i])
			}
		}
	}
	digests.Grow(digestsSize)
	texts.Grow(textsSize)
	for i, r := range records {
		if r == nil {
			continue
		}
		all[i] = *r
		records[i], all[i].digest = &all[i], appended(&digests, r.digest)
		if r.reading == nil {
			continue
		}
		readings[i] = *r.reading
		all[i].reading = &readings[i]
		if items[i] != "" {
			items[i] = catalog.Packed(appended(&texts, string(items[i])))
			readings[i].Item = &items[i]
		}
	}
}

// appended appends a text to others and returns it as a part of these, for which there is
// room.
func appended(all *strings.Builder, text string) string {
	all.WriteString(text)
	return all.String()[all.Len()-len(text):]
}

// put stores the records of a reading that began at a given moment.
func (f *Folder) put(files []stamped, records []*record, began time.Time) {
	for i, one := range files {
		path, r := one.path, records[i]
		if r == nil {
			continue
		}
		// A file that was written a moment ago may be written again within the
		// same tick of the file system's clock, so it is read again next time.
		if began.UnixNano()-max(r.ModTime, r.Changed) < int64(2*time.Second) {
			r.ModTime, r.Changed = 0, 0
		}
		if known := f.files[path]; known == nil || known.digest != r.digest {
			f.await(path)
		}
		f.add(path, r)
	}
}

// readFile reads one file; it returns nil if the file vanished meanwhile. A file
// with the same bytes as before keeps its reading. If ctx ends, nothing comes of it.
func (f *Folder) readFile(ctx context.Context, one stamped, known *record) *record {
	path, s := one.path, one.stamp
	r := &record{stamp: s}
	limit := int64(MaxText)
	what, ref, _ := place(path)
	if what == media || ref.Kind == catalog.KindFile {
		limit = MaxPicture
	}
	if s == refused {
		r.digest, r.reading = "refused", failed(path)
		return r
	}
	if what == ignored || what == stray {
		r.digest, r.reading = "-", read(path, nil, f.shelf)
		return r
	}
	if s.Size > limit {
		r.digest = fmt.Sprint("too large ", s.Size)
		r.reading = failed(path, problem.Problem{File: path,
			Text: fmt.Sprintf("the file is too large: %d MB", s.Size>>20), Meant: fmt.Sprintf("at most %d MB are read", limit>>20)})
		return r
	}
	if what == media {
		if f.reading.Acquire(ctx, s.Size) != nil {
			return nil
		}
		defer f.reading.Release(s.Size)
	}
	data, err := smallfile.Read(f.at(path), s.Size)
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
	r.reading = read(path, data, f.shelf)
	if ref.Kind.Offer() && r.reading.Item != nil {
		item := catalog.Pack(r.reading.Item)
		r.reading.Item = &item
	}
	return r
}

// failed returns the reading of a file that could not be read; it has an item, so
// that References to it are not reported as well.
func failed(path string, problems ...problem.Problem) *reading {
	r := &reading{Item: unread(path), Problems: problems}
	if what, _, _ := place(path); what == media {
		r.Media = &catalog.Media{}
	}
	return r
}

// Problems returns the mistakes and warnings within single files, after a Change.
func (f *Folder) Problems() problem.List {
	list := slices.Clone(f.walked)
	strays := map[string][]string{}
	for path := range f.flawed {
		if what, _, p := place(path); what == stray {
			if folder := strayFolder(path); folder != "" {
				kind := fmt.Sprint(p.Warning, folder)
				strays[kind] = append(strays[kind], path)
				continue
			}
		}
		list = append(list, f.files[path].reading.Problems...)
	}
	for _, paths := range strays {
		list = append(list, straysOf(paths))
	}
	if len(f.markets) == 0 && !slices.ContainsFunc(list, func(p problem.Problem) bool {
		return !p.Warning && !strings.Contains(p.File, "/") && asSlug(p.File) == "marketplace"
	}) {
		list = append(list, problem.Problem{File: "marketplace.yaml", Text: "the file is missing", Meant: f.missingMarket()})
	} else if len(f.markets) > 1 {
		list = append(list, problem.Problem{File: f.markets[1], Text: "the marketplace is defined twice", See: f.markets[0]})
	}
	list = append(list, f.wordingProblems()...)
	for ref := range f.doubles {
		paths := pathsOf(ref)
		list = append(list, problem.Problem{File: paths[1], Text: ref.String() + " is defined twice", See: paths[0]})
	}
	list.Sort()
	return list
}

// straysOf returns one problem for all files that are stray by the same folder: it is one
// mistake, and is mended at once. It is of the file that is closest to the folder.
func straysOf(paths []string) problem.Problem {
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	_, _, p := place(paths[0])
	switch more := len(paths) - 1; {
	case more == 1:
		p.Text += "; also 1 more file in " + strayFolder(paths[0])
	case more > 1:
		p.Text += fmt.Sprintf("; also %d more files in %s", more, strayFolder(paths[0]))
	}
	return *p
}

// missingMarket says what to do where there is no marketplace: perhaps the content is in a
// folder below.
func (f *Folder) missingMarket() string {
	within := ""
	for file := range f.files {
		if dir, name := path.Split(file); slices.Contains(marketFiles, name) && (within == "" || dir < within) {
			within = dir
		}
	}
	if within != "" {
		return "there is one in " + within + ": --content names the folder"
	}
	return "souk init writes a new marketplace"
}
