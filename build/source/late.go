package source

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

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
	if f.held > inCache {
		return nil
	}
	if known, base := f.cache.open(); known != nil {
		f.know(known, base)
		return nil
	}
	found, problems, err := f.walk(context.Background(), Whole)
	if err != nil {
		return err
	}
	f.know(map[string]*record{}, nil)
	f.walked, f.totals = problems, totals{}
	return f.reread(found)
}

// know has the files be those of the cache, of which base differ from its file.
func (f *Folder) know(files, base map[string]*record) {
	f.held, f.files, f.base = indexed, files, base
	f.flawed, f.doubles, f.markets, f.wordings, f.looks, f.pages = map[string]bool{}, map[catalog.Ref]bool{}, nil, nil, nil, nil
	for path, r := range files {
		// Nearly all are of sellers. Of these an item has two files only where one is in
		// YAML, and none is on a list.
		if !strings.HasPrefix(path, "sellers/") || strings.HasSuffix(path, ".yaml") {
			f.place(path, r)
		}
	}
	for path := range base {
		if r := files[path]; r != nil {
			f.flaw(path, r)
		}
	}
}

// reread reads files with these stamps, whatever is known of them.
func (f *Folder) reread(files []stamped) error {
	began := f.now()
	records, err := f.read(context.Background(), files)
	f.put(files, records, began)
	return err
}

// load reads the second half of the cache.
func (f *Folder) load() error {
	if f.held == loaded {
		return nil
	}
	if err := f.unfold(); err != nil {
		return err
	}
	return f.reread(f.take())
}

// take takes in the readings of the cache. What it returns of are lost, and to be read anew.
func (f *Folder) take() (lost []stamped) {
	f.held = loaded
	judge := func(path string, r *record) {
		switch {
		case f.files[path] != r: // it is an earlier one
		case r.reading != nil:
			f.flaw(path, r)
		default:
			lost = append(lost, stamped{path: path, stamp: r.stamp})
			f.totals.drop(path, r)
			r.digest = ""
			f.totals.add(path, r)
		}
	}
	f.cache.read()
	for path, r := range f.cache.all {
		judge(path, r)
	}
	// Where a file has another time and the same bytes, its reading is that before.
	for path, old := range f.base {
		for _, r := range []*record{f.was[path], f.files[path]} {
			if r != nil && r.reading == nil && old != nil && r.digest == old.digest {
				r.reading = old.reading
			}
		}
		if r := f.files[path]; r != nil && r != old {
			judge(path, r)
		}
	}
	return lost
}

// Save writes the cache for the next run, unless it is that already: what differs from
// its file alone, where that is little.
func (f *Folder) Save() error {
	if f.cache.holds(f.totals) {
		return nil
	}
	if err := f.unfold(); err != nil {
		return err
	}
	if f.Supplements() {
		if err := f.cache.supplement(f.base, f.files, f.totals); !errors.Is(err, errBroken) {
			return err
		}
	}
	return f.saveWhole()
}

// SaveApart is Save of content that no release shows. Where little differs from what the
// cache has, it stays as it is: the next release goes on from there, and reads that anew.
func (f *Folder) SaveApart() error {
	if f.apart() {
		return nil
	}
	return f.Save()
}

// apart reports whether little differs from what the cache has.
func (f *Folder) apart() bool {
	return f.held > inCache && f.Supplements() && !f.cache.holds(f.totals)
}

// Supplements reports whether Save writes no more than what differs from the cache's file,
// as long as that is there.
func (f *Folder) Supplements() bool {
	return f.held == inCache || f.base != nil && len(f.base) <= 16+len(f.files)/256
}

// SaveWhole writes all of the cache into its file, so that nothing supplements it.
func (f *Folder) SaveWhole() error {
	if f.cache.holds(f.totals) && f.cache.later == nil {
		return nil
	}
	return f.saveWhole()
}

func (f *Folder) saveWhole() error {
	if err := f.load(); err != nil {
		return err
	}
	if err := f.cache.save(f.files, f.totals); err != nil {
		return err
	}
	if f.base = map[string]*record{}; f.told() {
		f.cache.paths, f.cache.records = nil, nil // nobody asks for them any more
	}
	return nil
}

// Restamp saves the cache after a Scan that found files with another time and the same
// bytes, and nothing else, so that the next run needs not read them again.
func (f *Folder) Restamp() error {
	if len(f.pending) > 0 {
		return nil
	}
	return f.Save()
}

// Fold saves the cache and lets go of the files, which are read from there when they are
// asked for again: all but the few that tell of the marketplace as a whole, or that have
// something wrong. Where the cache cannot be saved all stays in memory. Where it is gone
// by then, the content is read anew, and a Change tells no file that went meanwhile.
func (f *Folder) Fold() error {
	if err := f.Save(); err != nil || f.held == inCache {
		return err
	}
	files := map[string]*record{}
	for _, path := range slices.Concat(f.markets, f.wordings, f.looks, slices.Collect(maps.Keys(f.flawed))) {
		files[path] = f.files[path]
	}
	f.files, f.held = files, inCache
	f.cache.paths, f.cache.records = nil, nil
	return nil
}

// FoldApart is Fold of content that no release shows: where SaveApart saves nothing, all
// stays in memory.
func (f *Folder) FoldApart() error {
	if f.apart() {
		return nil
	}
	return f.Fold()
}
