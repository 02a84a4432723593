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
	"souk/build/kit/picture"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
	"souk/build/kit/rendition"
)

// A record is a file as it was last read.
type record struct {
	stamp
	digest  string
	reading *reading
}

// Folder is a content folder and what was read from it. Its methods are not safe for
// concurrent use.
type Folder struct {
	root string
	// theme is the folder of the theme if it is elsewhere, or "".
	theme  string
	memory *memory
	files  map[string]*record
	// good contains the files that differ in the last good content, as they are there; nil for
	// a file that it does not have.
	good map[string]*record
	// unsaved are the files that differ from the memory.
	unsaved map[string]bool
	// walked contains problems of folders and links.
	walked problem.List
	// links are the paths of links, as of the last Scan.
	links []string
	// scanned means that the whole folder was scanned once, so that Scan may be limited to
	// paths from then on.
	scanned bool
	// imported is the state that imports and renames had left at the last Scan.
	imported journal.State

	// The fields below summarise all files. They are updated file by file, so that the cost of
	// an edit does not grow with the folder.

	// content is the sum of the hashes of all files.
	content uint64
	flawed  map[string]bool
	// doubles are items with two files, which is a mistake.
	doubles map[catalog.Ref]bool
	// The sorted files that describe the marketplace, the operator's texts, the theme, and the
	// operator's own pages.
	markets, wordings, looks, pages []string

	now func() time.Time
	// shelf stores renditions of pictures. reading limits the total size of pictures that are
	// read at the same time.
	renditions *rendition.Cache
	reading    *semaphore.Weighted
}

// Open returns the Folder at root. memoryFile is the file that an earlier run of the same
// version of the program left. It may be missing or corrupt, or "" for none. shelf stores
// renditions of the folder's pictures.
func Open(root, memoryFile, version string, renditions *rendition.Cache, now func() time.Time) *Folder {
	return &Folder{
		root: root, memory: &memory{file: memoryFile, version: version}, now: now,
		renditions: renditions, reading: semaphore.NewWeighted(MaxPicture),
	}
}

// Whole is the path of the whole content folder.
const Whole = "."

// Find returns an error with advice if there is no content folder.
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

// marketFiles are the possible names of the file that describes the marketplace.
var marketFiles = []string{"marketplace.yaml", "marketplace.md"}

// Around returns the content folder, one with a marketplace, that a folder is, lies in or
// directly contains, or "".
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
	below, _ := os.ReadDir(folder) // an unreadable folder is not content
	for _, e := range below {
		if dir := filepath.Join(folder, e.Name()); !e.Type().IsRegular() && is(dir) {
			return dir
		}
	}
	return ""
}

// Scan reads what changed at or below the given paths, or in the whole folder the first time
// and after an import. It never sees an import half done: it returns ErrPending while one is
// running or interrupted. If ctx ends, it changes nothing.
func (f *Folder) Scan(ctx context.Context, paths ...string) error {
	if f.scanned && len(paths) == 0 {
		return f.scan(ctx)
	}
	for {
		before, err := journal.Look(f.root)
		if err != nil {
			return fmt.Errorf("read the content folder: %w: wait until it has finished, or run it again to finish it", err)
		}
		if before != f.imported {
			paths = []string{Whole} // the system may not have reported all of its changes yet
		}
		if err := f.scan(ctx, paths...); err != nil {
			return err
		}
		f.imported = before
		if f.Moved() == nil {
			return nil
		}
	}
}

// Moved returns ErrPending if an import or a rename has changed the content since the last
// Scan, or is changing it.
func (f *Folder) Moved() error {
	now, err := journal.Look(f.root)
	if err == nil && now != f.imported {
		err = journal.ErrPending
	}
	return err
}

func (f *Folder) scan(ctx context.Context, paths ...string) error {
	switch {
	case !f.scanned:
		paths = []string{Whole}
	case len(paths) > 0:
		// The target of a link depends on more than its own path.
		paths = slices.Concat(paths, f.links)
	}
	if err := Find(f.root); err != nil {
		return err
	}
	f.load()
	scans := make([]pathScan, len(paths))
	for i, sub := range paths {
		found, problems, err := f.walk(ctx, sub)
		if err != nil {
			return fmt.Errorf("read the content folder: %w", err)
		}
		scans[i] = pathScan{sub, found, problems}
	}
	found := united(scans)
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
		return err
	}
	f.links = linksOf(found)
	for _, l := range scans {
		f.walked = append(slices.DeleteFunc(f.walked, func(p problem.Problem) bool { return within(p.File, l.sub) }), l.problems...)
	}
	f.walked.Sort()
	if there < len(f.files) {
		f.dropMissing(paths, found)
	}
	f.put(fresh, records, began)
	f.scanned = true
	return nil
}

// Scanned reports whether the whole folder has been scanned.
func (f *Folder) Scanned() bool { return f.scanned }

// A pathScan is the result of a walk from a path.
type pathScan struct {
	sub      string
	found    []stamped
	problems problem.List
}

// united merges the results of several walks, each file once, since one path may be below
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

// dropMissing drops the files at or below paths that a walk did not find.
func (f *Folder) dropMissing(paths []string, found []stamped) {
	there, folders := pathSet(found), map[string]bool{}
	drop := func(file string) {
		if !there[file] {
			f.change(file, nil)
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

// read reads files, as many at a time as there are processors. The record of a file that
// vanished meanwhile is nil.
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
			return ctx.Err()
		})
	}
	return records, group.Wait()
}

// put stores the records of files read since a given time.
func (f *Folder) put(files []stamped, records []*record, began time.Time) {
	for i, one := range files {
		path, r := one.path, records[i]
		if r == nil {
			continue
		}
		// A file written just now may be written again within the same tick of the file
		// system's clock, so it is read again next time.
		if began.UnixNano()-max(r.ModTime, r.Changed) < int64(2*time.Second) {
			r.ModTime, r.Changed = 0, 0
		}
		f.change(path, r)
	}
}

// readFile reads one file. It returns nil if the file vanished meanwhile. A file with the same
// bytes as before keeps its reading. If ctx ends, the result is not used.
func (f *Folder) readFile(ctx context.Context, one stamped, known *record) *record {
	path, s := one.path, one.stamp
	r := &record{stamp: s}
	limit := int64(MaxText)
	what, ref, _ := place(path)
	if what == media || ref.Kind == catalog.KindFile {
		limit = MaxPicture
	}
	if what == media && picture.IsPDF(path) {
		limit = MaxPDF
	}
	if s == refused {
		r.digest, r.reading = "refused", failed(path)
		return r
	}
	if what == ignored || what == stray {
		r.digest, r.reading = "-", read(path, nil, f.renditions)
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
	r.reading = read(path, data, f.renditions)
	if ref.Kind.Offer() && r.reading.Item != nil {
		item := catalog.Pack(r.reading.Item)
		r.reading.Item = &item
	}
	return r
}

// failed returns the reading of an unreadable file. It has an item, so that References to it
// are not reported too.
func failed(path string, problems ...problem.Problem) *reading {
	r := &reading{Item: unread(path), Problems: problems}
	if what, _, _ := place(path); what == media {
		r.Media = &catalog.Media{}
	}
	return r
}

// Problems returns the mistakes and warnings within single files.
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

// straysOf returns a single problem for all files that are stray because of the same folder,
// at the file closest to that folder.
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

// missingMarket says what to do if there is no marketplace: the content may be in a subfolder.
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
