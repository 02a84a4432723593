package source

import (
	"hash/fnv"
	"io"
	"slices"

	"souk/build/catalog"
)

// set stores the record of a file, or removes it if r is nil, and updates the summaries of all
// files.
func (f *Folder) set(path string, r *record) {
	if old := f.files[path]; old != nil {
		f.drop(path, old)
	}
	if r == nil {
		return
	}
	f.files[path] = r
	f.content += r.hash(path)
	f.place(path, r)
}

// place adds a file to, or removes it from, the lists it belongs to.
func (f *Folder) place(path string, r *record) {
	f.flaw(path, r)
	what, ref, _ := place(path)
	if list := f.list(what, ref); list != nil {
		if at, known := slices.BinarySearch(*list, path); !known {
			*list = slices.Insert(*list, at, path)
		}
	}
	if what == itemFile {
		f.double(ref)
	}
}

// list returns the list of the files with a role, or nil.
func (f *Folder) list(what role, ref catalog.Ref) *[]string {
	switch {
	case what == marketplace:
		return &f.markets
	case what == wordingFile:
		return &f.wordings
	case what == themeFile:
		return &f.looks
	case what == itemFile && ref.Kind == catalog.KindPage:
		return &f.pages
	}
	return nil
}

func (f *Folder) drop(path string, r *record) {
	f.content -= r.hash(path)
	delete(f.files, path)
	delete(f.flawed, path)
	what, ref, _ := place(path)
	if list := f.list(what, ref); list != nil {
		*list = slices.DeleteFunc(*list, func(p string) bool { return p == path })
	}
	if what == itemFile {
		f.double(ref)
	}
}

// flaw records whether a file has problems of its own.
func (f *Folder) flaw(path string, r *record) {
	if len(r.reading.Problems) > 0 {
		f.flawed[path] = true
	} else {
		delete(f.flawed, path)
	}
}

// double records whether an item is defined in more than one file.
func (f *Folder) double(ref catalog.Ref) {
	delete(f.doubles, ref)
	if paths := pathsOf(ref); len(paths) > 1 && f.files[paths[0]] != nil && f.files[paths[1]] != nil {
		f.doubles[ref] = true
	}
}

// doubled reports whether a file is one of two files of an item.
func (f *Folder) doubled(path string) bool {
	if len(f.doubles) == 0 {
		return false
	}
	what, ref, _ := place(path)
	return what == itemFile && f.doubles[ref]
}

// hash is a file's part of the Fingerprint; zero for a file that does not exist.
func (r *record) hash(path string) uint64 {
	if r == nil {
		return 0
	}
	h, text := fnv.New64a(), make([]byte, 0, 256)
	h.Write(append(append(text, path...), r.digest...))
	return h.Sum64()
}

// Fingerprint identifies the names and bytes of all files that the last Scan saw. It is the
// sum of their hashes, so their order does not matter.
func (f *Folder) Fingerprint() uint64 {
	sum := f.content
	for _, p := range f.walked {
		h := fnv.New64a()
		io.WriteString(h, p.String())
		sum += h.Sum64()
	}
	return sum
}

// GoodFingerprint is the Fingerprint of the last good content.
func (f *Folder) GoodFingerprint() uint64 {
	sum := f.content
	for path, r := range f.good {
		sum += r.hash(path) - f.files[path].hash(path)
	}
	return sum
}
