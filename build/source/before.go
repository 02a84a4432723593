package source

import (
	"souk/build/catalog"
)

// await has a file that is about to change wait for the next Change.
func (f *Folder) await(path string) {
	if _, waits := f.was[path]; !waits && !f.reported {
		f.was[path] = f.files[path]
	}
	f.pending[path] = true
}

// Before returns the content as the cache had it, as a first Change, so that the
// next call of Change returns only what has changed since. ok is false, and
// Change returns everything, where the cache had content of another Fingerprint,
// not all of it, or where Change was called already.
func (f *Folder) Before(fingerprint uint64) (ch catalog.Change, ok bool) {
	if f.reported || f.load() != nil {
		return ch, false
	}
	pending, now, walked := f.pending, map[string]*record{}, f.walked
	for path, old := range f.was {
		if old != nil && old.reading == nil {
			return ch, false
		}
		now[path] = f.files[path]
	}
	for path, old := range f.was {
		f.set(path, old)
	}
	f.walked = nil
	if f.Fingerprint() == fingerprint {
		var err error
		ch, err = f.changed()
		ok = err == nil
	}
	f.pending, f.walked = pending, walked
	for path, r := range now {
		f.set(path, r)
	}
	return ch, ok
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
