package source

import (
	"context"
	"maps"
	"slices"

	"souk/build/catalog"
)

// This file reads of the cache what a run needs, as late as it needs it, and saves it.

// unchanged reports whether the cache has the stamps that were found.
func (f *Folder) unchanged() bool {
	var now totals
	for _, one := range f.found {
		now.stamp(one.path, one.stamp)
	}
	return now.stamps == f.totals.stamps
}

// unfold takes in the files of the cache that the first Scan found unchanged without a
// look at each. Where the cache is gone since, they are read.
func (f *Folder) unfold() error {
	if !f.folded {
		return nil
	}
	f.folded = false
	if known := f.cache.open(); known != nil {
		f.files, f.byRef = known, make(map[catalog.Ref][]string, len(known))
		for path, r := range known {
			f.place(path, r)
		}
		return nil
	}
	f.totals = totals{}
	stamps := byPath(f.found)
	lost := slices.Collect(maps.Keys(stamps))
	began := f.now()
	records, err := f.read(context.Background(), lost, stamps)
	f.put(lost, records, began)
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
	f.found, f.loaded = nil, true
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
		f.totals.drop(path, f.files[path])
		f.files[path].digest = ""
		f.totals.add(path, f.files[path])
	}
	began := f.now()
	records, err := f.read(context.Background(), lost, stamps)
	f.put(lost, records, began)
	return err
}

// Save writes the cache for the next run.
func (f *Folder) Save() error {
	if err := f.load(); err != nil {
		return err
	}
	f.restamped = false
	return f.cache.save(f.files, f.totals)
}

// Restamp saves the cache after a Scan that found files with another time and the same
// bytes, and nothing else, so that the next run needs not read them again.
func (f *Folder) Restamp() error {
	if !f.restamped || len(f.pending) > 0 {
		return nil
	}
	f.restamped = false
	return f.cache.save(f.files, f.totals)
}
