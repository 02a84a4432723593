package release

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sort"
	"strings"
	"time"
)

// A flat is a record as bytes, all numbers little-endian, which is read where it
// lies. It begins with
//
//	 0  the number of the commit               uint64
//	 8  the clock: seconds since 1970, then    int64
//	16  nanoseconds                            uint64
//	24  what is there after it: the sum of     4 × uint64
//	    the digests, documents, bytes          2 × uint64
//	72  the revision of removals               uint64
//	80  where each section ends, from here on  8 × uint64
//
// and has the sections one after another: the texts Stage and Boot; Files, sorted,
// and their entries; Gone; Deleted; Twins; the keys of Owners, sorted, and the
// owners. A section of strings has their number, the end of each within what
// follows, and then their bytes; all of these numbers are uint64.
type flat struct {
	data                                         []byte
	texts, files, gone, deleted, twins, keys, by texts
	entries                                      []byte
}

const (
	sectionsAt  = 80
	sectionsLen = 8
	flatHeader  = sectionsAt + 8*sectionsLen
	// entrySize: the digest, size, time, and sizes of both twins.
	entrySize = 16 + 4*8
)

var errFlat = errors.New("the record is corrupt")

var order = binary.LittleEndian

// texts are a section of strings.
type texts struct{ ends, bytes []byte }

// parseTexts checks a section of strings, so that at never fails.
func parseTexts(section []byte, sorted bool) (t texts, err error) {
	if len(section) < 8 {
		return t, errFlat
	}
	n, rest := order.Uint64(section), section[8:]
	if n > uint64(len(rest))/8 {
		return t, errFlat
	}
	t = texts{rest[:8*n], rest[8*n:]}
	last := uint64(0)
	for i := range int(n) {
		end := order.Uint64(t.ends[8*i:])
		if end < last || end > uint64(len(t.bytes)) {
			return texts{}, errFlat
		}
		last = end
		if sorted && i > 0 && bytes.Compare(t.at(i-1), t.at(i)) >= 0 {
			return texts{}, errFlat
		}
	}
	if last != uint64(len(t.bytes)) {
		return texts{}, errFlat
	}
	return t, nil
}

func (t texts) len() int { return len(t.ends) / 8 }

// at returns a string in place.
func (t texts) at(i int) []byte {
	from := uint64(0)
	if i > 0 {
		from = order.Uint64(t.ends[8*(i-1):])
	}
	return t.bytes[from:order.Uint64(t.ends[8*i:])]
}

// find returns the index of a string in a sorted section.
func (t texts) find(s string) (int, bool) {
	i := sort.Search(t.len(), func(i int) bool { return string(t.at(i)) >= s })
	return i, i < t.len() && string(t.at(i)) == s
}

// all returns copies, which share one string.
func (t texts) all() []string {
	if t.len() == 0 {
		return nil
	}
	all, one, from := make([]string, t.len()), string(t.bytes), uint64(0)
	for i := range all {
		end := order.Uint64(t.ends[8*i:])
		all[i], from = one[from:end], end
	}
	return all
}

// parseFlat checks a whole record, so that no later access fails. The record keeps data.
func parseFlat(data []byte) (*flat, error) {
	if len(data) < flatHeader {
		return nil, errFlat
	}
	sections, from := make([][]byte, sectionsLen), uint64(flatHeader)
	for i := range sections {
		end := order.Uint64(data[sectionsAt+8*i:])
		if end < from || end > uint64(len(data)) {
			return nil, errFlat
		}
		sections[i], from = data[from:end], end
	}
	f := &flat{data: data, entries: sections[2]}
	for _, one := range []struct {
		to     *texts
		at     int
		sorted bool
	}{{&f.texts, 0, false}, {&f.files, 1, true}, {&f.gone, 3, false}, {&f.deleted, 4, false}, {&f.twins, 5, false}, {&f.keys, 6, true}, {&f.by, 7, false}} {
		var err error
		if *one.to, err = parseTexts(sections[one.at], one.sorted); err != nil {
			return nil, err
		}
	}
	if from != uint64(len(data)) || f.texts.len() != 2 || f.files.len()*entrySize != len(f.entries) || f.keys.len() != f.by.len() || order.Uint64(data[16:]) >= 1e9 {
		return nil, errFlat
	}
	for i := range f.files.len() {
		if !isBelow(f.files.at(i)) {
			return nil, errFlat
		}
	}
	for i := range f.by.len() {
		if _, ok := parseOwner(f.by.at(i)); !ok {
			return nil, errFlat
		}
	}
	return f, nil
}

// isBelow reports whether a path is that of a file below a folder, according to fs.ValidPath:
// a log from elsewhere must not point outside.
func isBelow(path []byte) bool {
	for part := range bytes.SplitSeq(path, []byte("/")) {
		if len(part) == 0 || string(part) == "." || string(part) == ".." {
			return false
		}
	}
	return true
}

func (f *flat) number(at int) uint64 { return order.Uint64(f.data[at:]) }

func (f *flat) sequence() uint64 { return f.number(0) }
func (f *flat) revision() uint64 { return f.number(72) }
func (f *flat) stage() string    { return string(f.texts.at(0)) }

func (f *flat) clock() time.Time {
	return time.Unix(int64(f.number(8)), int64(f.number(16))).UTC()
}

func (f *flat) after() totals {
	t := totals{documents: int(f.number(56)), bytes: int64(f.number(64))}
	for i := range t.sum {
		t.sum[i] = f.number(24 + 8*i)
	}
	return t
}

func (f *flat) entry(i int) Entry {
	b := f.entries[i*entrySize:]
	return Entry{
		Digest: Digest(b[:16]), Size: int64(order.Uint64(b[16:])), ModTime: int64(order.Uint64(b[24:])),
		Gzip: int64(order.Uint64(b[32:])), Brotli: int64(order.Uint64(b[40:])),
	}
}

func (f *flat) owner(i int) Owner {
	o, _ := parseOwner(f.by.at(i)) // already checked
	return o
}

// record returns a copy of the whole record.
func (f *flat) record() *record {
	r := &record{
		Sequence: f.sequence(), Clock: f.clock(), After: f.after(), Revision: f.revision(), Stage: f.stage(), Boot: string(f.texts.at(1)),
		Files: f.files.all(), Entries: make([]Entry, f.files.len()), Gone: f.gone.all(), Deleted: f.deleted.all(), Twins: f.twins.all(),
		Owners: make(map[string]Owner, f.keys.len()),
	}
	for i := range r.Entries {
		r.Entries[i] = f.entry(i)
	}
	for i := range f.keys.len() {
		r.Owners[string(f.keys.at(i))] = f.owner(i)
	}
	return r
}

// sorted returns the files in order, and the entry of each by index.
func (r *record) sorted() (files []string, entry func(i int) *Entry) {
	if slices.IsSorted(r.Files) {
		return r.Files, func(i int) *Entry { return &r.Entries[i] }
	}
	places := make([]int, len(r.Files))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return strings.Compare(r.Files[a], r.Files[b]) })
	files = make([]string, len(places))
	for i, place := range places {
		files[i] = r.Files[place]
	}
	return files, func(i int) *Entry { return &r.Entries[places[i]] }
}

// flatten encodes a record, after room for a header.
func (r *record) flatten(head int) []byte {
	files, entries := r.sorted()
	keys := make([]string, 0, len(r.Owners))
	for key := range r.Owners {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	owners := make([]string, len(keys))
	for i, key := range keys {
		owners[i] = r.Owners[key].flatten()
	}
	size := head + flatHeader + len(files)*(8+entrySize) + 4096
	for _, list := range [][]string{files, r.Gone, r.Deleted, r.Twins, keys, owners} {
		for _, s := range list {
			size += len(s) + 8
		}
	}
	b := make([]byte, head+flatHeader, size)
	h := b[head:]
	order.PutUint64(h, r.Sequence)
	order.PutUint64(h[8:], uint64(r.Clock.Unix()))
	order.PutUint64(h[16:], uint64(r.Clock.Nanosecond()))
	for i, word := range r.After.sum {
		order.PutUint64(h[24+8*i:], word)
	}
	order.PutUint64(h[56:], uint64(r.After.documents))
	order.PutUint64(h[64:], uint64(r.After.bytes))
	order.PutUint64(h[72:], r.Revision)
	section := 0
	ends := func() {
		order.PutUint64(b[head+sectionsAt+8*section:], uint64(len(b)-head))
		section++
	}
	put := func(list []string) {
		b = appendTexts(b, list)
		ends()
	}
	put([]string{r.Stage, r.Boot})
	put(files)
	for i := range files {
		e := entries(i)
		b = append(b, e.Digest[:]...)
		for _, n := range []int64{e.Size, e.ModTime, e.Gzip, e.Brotli} {
			b = order.AppendUint64(b, uint64(n))
		}
	}
	ends()
	for _, list := range [][]string{r.Gone, r.Deleted, r.Twins, keys, owners} {
		put(list)
	}
	return b
}

func appendTexts(b []byte, list []string) []byte {
	b = order.AppendUint64(b, uint64(len(list)))
	end := 0
	for _, s := range list {
		end += len(s)
		b = order.AppendUint64(b, uint64(end))
	}
	for _, s := range list {
		b = append(b, s...)
	}
	return b
}

// flatten encodes an Owner: whether it replaces, the canonical id, and the lists, with each
// string preceded by its length.
func (o Owner) flatten() string {
	b := []byte{0}
	if o.Replaces {
		b[0] = 1
	}
	put := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	put(o.ID)
	lists := [][]string{o.Domains, o.Aliases, o.Web}
	if len(o.Web) == 0 {
		lists = lists[:2] // as before this list existed
	}
	for _, list := range lists {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			put(s)
		}
	}
	return string(b)
}

// parseOwner is the inverse of Owner.flatten.
func parseOwner(b []byte) (o Owner, ok bool) {
	if len(b) == 0 || b[0] > 1 {
		return o, false
	}
	o.Replaces, b, ok = b[0] == 1, b[1:], true
	number := func() (n int) {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > math.MaxInt32 {
			ok = false
			return 0
		}
		b = b[size:]
		return int(v)
	}
	text := func() string {
		n := number()
		if !ok || n > len(b) {
			ok = false
			return ""
		}
		s := string(b[:n])
		b = b[n:]
		return s
	}
	o.ID = text()
	for _, list := range []*[]string{&o.Domains, &o.Aliases, &o.Web} {
		if list == &o.Web && len(b) == 0 {
			break
		}
		for n := number(); n > 0 && ok; n-- {
			*list = append(*list, text())
		}
	}
	return o, ok && len(b) == 0
}
