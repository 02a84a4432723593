package source

import (
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/processors"
)

// Change returns the difference between the content and the last good content. The caller adds
// the clock and the removals.
func (f *Folder) Change() catalog.Change {
	ch := catalog.Change{Media: map[string]*catalog.Media{}}
	refs := map[catalog.Ref]bool{}
	for path := range f.good {
		r := f.files[path]
		switch what, ref, _ := place(path); what {
		case marketplace, wordingFile, themeFile:
			ch.Marketplace = f.market()
		case synonymsFile:
			ch.Synonyms = f.synonyms()
		case media:
			if ch.Media[path] = nil; r != nil {
				ch.Media[path] = r.reading.Media
			}
		case itemFile:
			refs[ref] = true
		case stray:
			if ref, known := meantRef(path); known {
				refs[ref] = true
			}
		}
	}
	for ref := range refs {
		f.putItem(&ch, ref)
	}
	return ch
}

// All returns the whole content, as a change from nothing.
func (f *Folder) All() catalog.Change {
	ch := catalog.Change{Media: map[string]*catalog.Media{}, Put: make([]catalog.Item, 0, len(f.files))}
	if len(f.markets)+len(f.wordings)+len(f.looks) > 0 {
		ch.Marketplace = f.market()
	}
	ch.Synonyms = f.synonyms()
	// Adding items in the order of their files places their nodes next to each other in
	// memory.
	paths := slices.Collect(maps.Keys(f.files))
	processors.Sort(paths, strings.Compare)
	for _, path := range paths {
		r := f.files[path]
		if r.reading.Media != nil {
			ch.Media[path] = r.reading.Media
		}
		if r.reading.Item != nil && !f.doubled(path) {
			ch.Put = append(ch.Put, r.reading.Item)
		}
	}
	for ref := range f.doubles {
		f.putItem(&ch, ref)
	}
	refs := map[catalog.Ref]bool{}
	for path := range f.flawed {
		if ref, known := meantRef(path); known && !slices.ContainsFunc(pathsOf(ref), func(path string) bool { return f.files[path] != nil }) {
			refs[ref] = true
		}
	}
	for ref := range refs {
		f.putItem(&ch, ref)
	}
	return ch
}

// putItem adds the present item of a Reference to a Change.
func (f *Folder) putItem(ch *catalog.Change, ref catalog.Ref) {
	if item := f.item(ref); item != nil {
		ch.Put = append(ch.Put, item)
	} else {
		ch.Delete = append(ch.Delete, ref)
	}
}

// item returns the item of a Reference from the first of its files that has one.
func (f *Folder) item(ref catalog.Ref) catalog.Item {
	for _, path := range pathsOf(ref) {
		if r := f.files[path]; r != nil && r.reading.Item != nil {
			return r.reading.Item
		}
	}
	return f.standIn(ref)
}

// standIn returns an empty item for a Reference whose file has a wrong name, so that mentions
// of it are not reported too, or nil if there is no such file.
func (f *Folder) standIn(ref catalog.Ref) catalog.Item {
	first := ""
	for path := range f.flawed {
		if meant, known := meantRef(path); known && meant == ref && (first == "" || path < first) {
			first = path
		}
	}
	if first == "" {
		return nil
	}
	item := emptyItem(first, ref)
	if ref.Kind.Offer() {
		packed := catalog.Pack(item)
		item = &packed
	}
	return item
}
