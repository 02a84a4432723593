package source

import (
	"souk/build/catalog"
	"souk/build/kit/mapped"
)

// This file is what a run knows of the content beyond the present one: what the memory has of
// it, and the last good content.

// load takes in what the memory has, once.
func (f *Folder) load() {
	if f.files != nil {
		return
	}
	f.files, f.flawed, f.doubles, f.unsaved = map[string]*record{}, map[string]bool{}, map[catalog.Ref]bool{}, map[string]bool{}
	files, good := f.memory.load()
	f.good = good
	for path, r := range files {
		f.set(path, r)
	}
}

// change has a file be as it was just read; nil for one that is not there.
func (f *Folder) change(path string, r *record) {
	good, differs := f.good[path]
	if !differs {
		good = f.files[path]
	}
	if same := r == good || r != nil && good != nil && r.digest == good.digest; same {
		delete(f.good, path)
	} else {
		f.good[path] = good
	}
	f.set(path, r)
	f.unsaved[path] = true
}

// turn exchanges the present content and the last good one; a second call undoes it.
func (f *Folder) turn() {
	for path, r := range f.good {
		f.good[path] = f.files[path]
		f.set(path, r)
	}
}

// Good returns all of the last good content.
func (f *Folder) Good() catalog.Change {
	f.turn()
	defer f.turn()
	return f.All()
}

// Back returns how the last good content differs from the present one.
func (f *Folder) Back() catalog.Change {
	f.turn()
	defer f.turn()
	return f.Change()
}

// Differs reports whether the content differs from the last good one, or has folders or links
// that cannot be read.
func (f *Folder) Differs() bool { return len(f.good)+len(f.walked) > 0 }

// Approve says that the present content is good.
func (f *Folder) Approve() { clear(f.good) }

// Save leaves to the next run what was read since the last Save, and a release if it is not nil.
func (f *Folder) Save(release *Release) error {
	if len(f.unsaved) == 0 && release == nil {
		return nil
	}
	err := f.memory.save(f.files, f.good, f.unsaved, release)
	if err == nil {
		clear(f.unsaved)
	}
	return err
}

// Released returns what the memory has of the last release into a public folder.
func (f *Folder) Released(public string) Release { return f.memory.release(public) }

// Lighten has what was read be parts of the memory, which is mapped, and not of the heap, until
// it changes.
func (f *Folder) Lighten() {
	files, _ := f.memory.load()
	for path, r := range files {
		mine := f.files[path]
		if mine == nil || mine.digest != r.digest {
			continue
		}
		from, packed := r.reading.Item.(*catalog.Packed)
		if to, too := mine.reading.Item.(*catalog.Packed); packed && too {
			*to = *from // the catalog has the same
		}
	}
	mapped.Leave(f.memory.mapped)
}
