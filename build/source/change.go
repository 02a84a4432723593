package source

import (
	"iter"
	"maps"
	"slices"

	"souk/build/catalog"
)

// Change returns how the content changed since the last call, or all of it on the
// first call. The caller adds the clock and the removals.
func (f *Folder) Change() (catalog.Change, error) {
	if err := f.load(); err != nil {
		return catalog.Change{}, err
	}
	if !f.told() {
		if f.base != nil && len(f.base) == 0 && len(f.cache.records) > 0 {
			return f.first(f.cache.all), nil // in the order of their paths: items lie like that
		}
		return f.first(maps.All(f.files)), nil
	}
	ch := catalog.Change{Media: map[string]*catalog.Media{}}
	refs := map[catalog.Ref]bool{}
	for path := range f.pending {
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
		f.change(&ch, ref)
	}
	f.pending = map[string]bool{}
	return ch, nil
}

// All returns the whole content as the last Change left it, as a first Change does.
func (f *Folder) All() catalog.Change { return f.first(maps.All(f.files)) }

// first returns the first Change, of all files that there are.
func (f *Folder) first(all iter.Seq2[string, *record]) catalog.Change {
	ch := catalog.Change{Media: map[string]*catalog.Media{}, Put: make([]catalog.Item, 0, len(f.files))}
	if len(f.markets)+len(f.wordings)+len(f.looks) > 0 {
		ch.Marketplace = f.market()
	}
	ch.Synonyms = f.synonyms()
	for path, r := range all {
		if r.reading.Media != nil {
			ch.Media[path] = r.reading.Media
		}
		if r.reading.Item != nil && !f.doubled(path) {
			ch.Put = append(ch.Put, r.reading.Item)
		}
	}
	for ref := range f.doubles {
		f.change(&ch, ref)
	}
	refs := map[catalog.Ref]bool{}
	for path := range f.flawed {
		if ref, known := meantRef(path); known && !slices.ContainsFunc(pathsOf(ref), func(path string) bool { return f.files[path] != nil }) {
			refs[ref] = true
		}
	}
	for ref := range refs {
		f.change(&ch, ref)
	}
	f.pending, f.was = map[string]bool{}, nil
	f.cache.paths, f.cache.records = nil, nil
	return ch
}

// change puts into a Change what there is now of a Reference.
func (f *Folder) change(ch *catalog.Change, ref catalog.Ref) {
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

// standIn returns an empty item for a Reference whose file has a wrong name, so that
// whatever names it is not reported as well; nil if there is no such file.
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
