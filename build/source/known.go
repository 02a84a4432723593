package source

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"io"
	"slices"

	"souk/build/catalog"
)

// totals are what all files together come to: sums of a hash of each, so that their
// order does not matter.
type totals struct {
	// content is of names and bytes, stamps of names and stamps.
	content uint64
	stamps  [2]uint64
}

// add adds a file, drop takes one away.
func (t *totals) add(path string, r *record) {
	t.content += r.hash(path)
	t.stamp(path, r.stamp)
}

func (t *totals) drop(path string, r *record) {
	t.content -= r.hash(path)
	hash := r.stamp.hash(path)
	t.stamps[0], t.stamps[1] = t.stamps[0]-hash[0], t.stamps[1]-hash[1]
}

// stamp adds the stamp of a file.
func (t *totals) stamp(path string, s stamp) {
	hash := s.hash(path)
	t.stamps[0], t.stamps[1] = t.stamps[0]+hash[0], t.stamps[1]+hash[1]
}

// hash is the part of a file's stamp: of a digest that nobody finds two files of, since
// where all of them come to the same, no file is looked at.
func (s stamp) hash(path string) [2]uint64 {
	data := append(make([]byte, 0, 256), path...)
	data = binary.LittleEndian.AppendUint64(append(data, 0), uint64(s.Size))
	data = binary.LittleEndian.AppendUint64(data, uint64(s.ModTime))
	data = binary.LittleEndian.AppendUint64(data, uint64(s.Changed))
	data = binary.LittleEndian.AppendUint64(data, s.Inode)
	sum := sha256.Sum256(data)
	return [2]uint64{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// differ has a file be one that may differ from the cache's file.
func (f *Folder) differ(path string) {
	switch _, known := f.base[path]; {
	case known || f.base == nil:
	case f.told() && f.held == loaded && !f.Supplements():
		f.base = nil // nobody asks for so many any more, and they hold what was read of them
	default:
		f.base[path] = f.files[path]
	}
}

// add stores a record and updates what concerns all files together.
func (f *Folder) add(path string, r *record) {
	f.differ(path)
	if old := f.files[path]; old != nil {
		f.totals.drop(path, old)
	}
	f.files[path] = r
	f.totals.add(path, r)
	f.place(path, r)
}

// place updates where a file belongs.
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

// list returns the list on which the files of a role are, or nil.
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

func (f *Folder) drop(path string) {
	f.differ(path)
	f.totals.drop(path, f.files[path])
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
	if r.reading != nil && len(r.reading.Problems) > 0 {
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

// doubled reports whether a file is one of the two of an item.
func (f *Folder) doubled(path string) bool {
	if len(f.doubles) == 0 {
		return false
	}
	what, ref, _ := place(path)
	return what == itemFile && f.doubles[ref]
}

// hash is a file's part of the Fingerprint.
func (r *record) hash(path string) uint64 {
	h, text := fnv.New64a(), make([]byte, 0, 256)
	h.Write(append(append(text, path...), r.digest...))
	return h.Sum64()
}

// Fingerprint identifies the names and bytes of all files that the last Scan saw:
// it is the sum of a hash of each, so that their order does not matter.
func (f *Folder) Fingerprint() uint64 {
	sum := f.totals.content
	for _, p := range f.walked {
		h := fnv.New64a()
		io.WriteString(h, p.String())
		sum += h.Sum64()
	}
	return sum
}
