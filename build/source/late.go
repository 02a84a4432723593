package source

import (
	"context"
	"maps"
	"slices"

	"souk/build/catalog"
)

// This file reads of the cache what a run needs, as late as it needs it, and saves it.

// unchanged reports whether the cache has the stamps that were found.
func (f *Folder) unchanged(found []stamped) bool {
	var now totals
	for _, one := range found {
		now.stamp(one.path, one.stamp)
	}
	return now.stamps == f.totals.stamps
}

// unfold takes in all files of the cache without a look at each. Where the cache is gone
// since, they are read.
func (f *Folder) unfold() error {
	if !f.folded {
		return nil
	}
	if known := f.cache.open(); known != nil {
		f.know(known)
		return nil
	}
	found, problems, err := f.walk(Whole)
	if err != nil {
		return err
	}
	f.know(map[string]*record{})
	f.walked, f.totals = problems, totals{}
	return f.reread(byPath(found))
}

// know has the files be those of the cache.
func (f *Folder) know(files map[string]*record) {
	f.folded, f.files, f.byRef = false, files, make(map[catalog.Ref][]string, len(files))
	f.flawed, f.doubles, f.markets, f.wordings, f.looks = map[string]bool{}, map[catalog.Ref]bool{}, nil, nil, nil
	for path, r := range files {
		f.place(path, r)
	}
}

// reread reads files with these stamps, whatever is known of them.
func (f *Folder) reread(stamps map[string]stamp) error {
	paths := slices.Collect(maps.Keys(stamps))
	began := f.now()
	records, err := f.read(context.Background(), paths, stamps)
	f.put(paths, records, began)
	return err
}

// load reads the second half of the cache.
func (f *Folder) load() error {
	if f.loaded {
		return nil
	}
	if err := f.unfold(); err != nil {
		return err
	}
	f.loaded = true
	var missing []string
	for path, r := range f.files {
		if r.reading == nil {
			missing = append(missing, path)
		}
	}
	if len(missing)+len(f.was) == 0 {
		return nil
	}
	readings := f.cache.readings()
	for path, r := range f.was {
		if r != nil && r.reading == nil {
			r.reading = readings[path]
		}
	}
	lost := map[string]stamp{}
	for _, path := range missing {
		if reading := readings[path]; reading != nil {
			f.files[path].reading = reading
			f.flaw(path, f.files[path])
			continue
		}
		lost[path] = f.files[path].stamp
		f.totals.drop(path, f.files[path])
		f.files[path].digest = ""
		f.totals.add(path, f.files[path])
	}
	return f.reread(lost)
}

// Save writes the cache for the next run, unless it is that already.
func (f *Folder) Save() error {
	if f.cache.holds(f.totals) {
		return nil
	}
	if err := f.load(); err != nil {
		return err
	}
	return f.cache.save(f.files, f.totals)
}

// Restamp saves the cache after a Scan that found files with another time and the same
// bytes, and nothing else, so that the next run needs not read them again.
func (f *Folder) Restamp() error {
	if len(f.pending) > 0 || f.cache.holds(f.totals) {
		return nil
	}
	if err := f.unfold(); err != nil {
		return err
	}
	return f.cache.save(f.files, f.totals)
}

// Fold saves the cache and lets go of the files, which are read from there when they are
// asked for again: all but the few that tell of the marketplace as a whole, that have
// something wrong, or that are the operator's pages. Where the cache is gone by then, the
// content is read anew, and a Change tells no file that went meanwhile.
func (f *Folder) Fold() error {
	if err := f.Save(); err != nil || f.folded {
		return err
	}
	files, byRef := map[string]*record{}, map[catalog.Ref][]string{}
	for _, path := range slices.Concat(f.markets, f.wordings, f.looks, slices.Collect(maps.Keys(f.flawed))) {
		files[path] = f.files[path]
	}
	for ref, paths := range f.byRef {
		if len(paths) > 1 || ref.Kind == catalog.KindPage {
			byRef[ref] = paths
		}
	}
	f.files, f.byRef, f.folded, f.loaded = files, byRef, true, false
	return nil
}
