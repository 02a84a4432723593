package source

import (
	"souk/build/catalog"
)

// await has a file that is about to change wait for the next Change.
func (f *Folder) await(path string) {
	if _, waits := f.was[path]; !waits && !f.told() {
		f.was[path] = f.files[path]
	}
	f.pending[path] = true
}

// Base returns the Fingerprint of the content that the cache's file has, without what
// supplements it; 0 where there is no such file.
func (f *Folder) Base() uint64 { return f.cache.end.totals().content }

// Before returns the content as the cache had it: what its file has as a first Change, and
// what supplements that as the next one. The next call of Change returns only what has
// changed since. ok is false, and Change returns everything, where the cache had content of
// another Fingerprint, not all of it, or where Change was called already.
func (f *Folder) Before(fingerprint uint64) (base, since catalog.Change, ok bool) {
	if f.told() || f.load() != nil {
		return base, since, false
	}
	for _, earlier := range []map[string]*record{f.was, f.base} {
		for _, r := range earlier {
			if r != nil && r.reading == nil {
				return base, since, false
			}
		}
	}
	pending, walked, was := f.pending, f.walked, f.was
	f.walked = nil
	now := f.setAll(was)
	if f.base != nil && f.Fingerprint() == fingerprint {
		supplemented := f.setAll(f.base)
		base = f.first(f.cache.all)
		f.setAll(supplemented)
		for path := range supplemented {
			f.pending[path] = true
		}
		var err error
		since, err = f.Change()
		ok = err == nil
	}
	f.pending, f.walked = pending, walked
	f.setAll(now)
	return base, since, ok
}

// setAll has files be as in records, and returns what they were.
func (f *Folder) setAll(records map[string]*record) (were map[string]*record) {
	were = make(map[string]*record, len(records))
	for path := range records {
		were[path] = f.files[path]
	}
	for path, r := range records {
		f.set(path, r)
	}
	return were
}

// set has a file be as in a record; nil for one that is not there.
func (f *Folder) set(path string, r *record) {
	switch {
	case r != nil:
		f.add(path, r)
	case f.files[path] != nil:
		f.drop(path)
	}
}
