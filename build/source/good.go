package source

import (
	"souk/build/catalog"
	"souk/build/kit/mapped"
)

// This file maintains what a run knows besides the present content: the memory and the last
// good content.

// load reads the memory, once.
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

// change sets a file to its new record, or removes it if r is nil.
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

// turn exchanges the present and the last good content. A second call undoes it.
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

// Back returns the difference between the last good content and the present one.
func (f *Folder) Back() catalog.Change {
	f.turn()
	defer f.turn()
	return f.Change()
}

// Differs reports whether the content differs from the last good content, or has unreadable
// folders or links.
func (f *Folder) Differs() bool { return len(f.good)+len(f.walked) > 0 }

// Approve marks the present content as good.
func (f *Folder) Approve() { clear(f.good) }

// Save saves for the next run what was read since the last Save, and a release if it is not
// nil.
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

// Released returns the memory's entry about the last release into a public folder.
func (f *Folder) Released(public string) Release { return f.memory.release(public) }

// Lighten replaces what was read by parts of the mapped memory file, to free the heap.
func (f *Folder) Lighten() {
	files, _ := f.memory.load()
	for path, r := range files {
		mine := f.files[path]
		if mine == nil || mine.digest != r.digest {
			continue
		}
		from, packed := r.reading.Item.(*catalog.Packed)
		if to, too := mine.reading.Item.(*catalog.Packed); packed && too {
			*to = *from // the catalog shares these values
		}
	}
	mapped.Leave(f.memory.mapped)
}
