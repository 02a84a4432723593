package source

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"souk/build/catalog"
	"souk/build/kit/durable"
	"souk/build/kit/mapped"
)

// A memory is the file in which a run saves for the next one what it read and released. It
// begins with a header that names the version of the program. Entries follow, each with a
// kind, a key and a value:
//
//	file      the path of a content file, as last read; without a value if it is gone
//	good      a file that differs in the last good content, as it is there
//	facts     a public folder, and the builder's facts about its last release
//	removals  a public folder, and the removals of its last release
//	step      a checksum of all entries since the previous step
//
// Entries without a following step do not count. The file is appended to or replaced, and
// never changed in place, since what was read stays mapped. It is not synced: after a power
// loss, the checksums and the fingerprint of a release show which parts are valid.
type memory struct {
	file, version string
	// written is the file as this process read or wrote it, or nil if it cannot be appended to.
	written fs.FileInfo
	// firstSize is the size of the file after its first step.
	firstSize int64
	releases  map[string]Release
	// mapped is the mapping that the records of the last load refer to.
	mapped []byte
}

// A Release is the memory's entry about the last release into a public folder.
type Release struct {
	Public string
	// Facts and Removals are the builder's. If Removals is nil, the saved removals stay.
	Facts, Removals []byte
}

type memoEntry struct {
	kind       byte
	key, value string
}

const (
	fileEntry byte = 1 + iota
	goodEntry
	factsEntry
	removalsEntry
	stepEntry
)

func (m *memory) head() string {
	sum := sha256.Sum256([]byte(m.version))
	return "souk memory 1\n\x00" + string(sum[:16])
}

// load returns the files as last read, and those that differ in the last good content, with
// nil for a file that it does not have. A memory that is missing, corrupt or from another
// version counts as empty.
func (m *memory) load() (files, good map[string]*record) {
	files, good = map[string]*record{}, map[string]*record{}
	m.written, m.firstSize, m.mapped, m.releases = nil, 0, nil, map[string]Release{}
	in, err := os.Open(m.file)
	if err != nil {
		return files, good
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || info.Size() == 0 {
		return files, good
	}
	if m.mapped, err = mapped.File(in, int(info.Size())); err != nil {
		return files, good
	}
	text := unsafe.String(unsafe.SliceData(m.mapped), len(m.mapped))
	if !strings.HasPrefix(text, m.head()) {
		return files, good
	}
	from := len(m.head()) // start of the current step
	var step []memoEntry
	for at := from; ; {
		e, size := entryIn(text[at:])
		switch {
		case size > 0 && e.kind != stepEntry:
			step = append(step, e)
			at += size
			continue
		case size > 0 && e.value == checksum(crc32.ChecksumIEEE(m.mapped[from:at])):
			clear(good)
			m.take(step, files, good)
			at += size
			from, step, m.firstSize = at, step[:0], max(m.firstSize, 1)
			if m.firstSize == 1 {
				m.firstSize = int64(at)
			}
			continue
		}
		if from == len(text) {
			m.written = info
		}
		return files, good
	}
}

// take applies a step.
func (m *memory) take(step []memoEntry, files, good map[string]*record) {
	for _, e := range step {
		switch e.kind {
		case fileEntry:
			if files[e.key] = decodeRecord(e.value); e.value == "" {
				delete(files, e.key)
			}
		case goodEntry:
			good[e.key] = decodeRecord(e.value)
		case factsEntry:
			m.note(Release{Public: e.key, Facts: []byte(e.value)})
		case removalsEntry:
			m.note(Release{Public: e.key, Removals: []byte(e.value)})
		}
	}
}

// note records the non-nil parts of a release.
func (m *memory) note(r Release) {
	before := m.releases[r.Public]
	public := strings.Clone(r.Public) // a copy, since the memory may be unmapped
	m.releases[public] = Release{public, or(r.Facts, before.Facts), or(r.Removals, before.Removals)}
}

func or(one, other []byte) []byte {
	if one != nil {
		return one
	}
	return other
}

// entryIn returns the first entry in a text and its size, or 0 if the entry is incomplete.
func entryIn(text string) (e memoEntry, size int) {
	at := 1
	field := func() (string, bool) {
		var head [binary.MaxVarintLen64]byte
		length, n := binary.Uvarint(head[:copy(head[:], text[min(at, len(text)):])])
		if n <= 0 || length > uint64(len(text)-at-n) {
			return "", false
		}
		at += n + int(length)
		return text[at-int(length) : at], true
	}
	if text == "" {
		return e, 0
	}
	var ok, also bool
	e.kind = text[0]
	if e.key, ok = field(); ok {
		e.value, also = field()
	}
	if !also {
		return e, 0
	}
	return e, at
}

func checksum(sum uint32) string { return string(binary.LittleEndian.AppendUint32(nil, sum)) }

// An entryWriter writes entries. Its errors come from out.
type entryWriter struct {
	out *bufio.Writer
	sum hash.Hash32
}

func newEntryWriter(out io.Writer) *entryWriter {
	return &entryWriter{bufio.NewWriterSize(out, 1<<20), crc32.NewIEEE()}
}

func (w *entryWriter) put(kind byte, key string, value []byte) {
	head := append(binary.AppendUvarint([]byte{kind}, uint64(len(key))), key...)
	head = binary.AppendUvarint(head, uint64(len(value)))
	for _, part := range [][]byte{head, value} {
		w.sum.Write(part)
		w.out.Write(part)
	}
}

func (w *entryWriter) release(r Release) {
	w.put(factsEntry, r.Public, r.Facts)
	if r.Removals != nil {
		w.put(removalsEntry, r.Public, r.Removals)
	}
}

// step ends a step, with all of the good files.
func (w *entryWriter) step(good map[string]*record) error {
	for path, r := range good {
		w.put(goodEntry, path, r.encode())
	}
	sum := checksum(w.sum.Sum32())
	w.put(stepEntry, "", []byte(sum))
	return w.out.Flush()
}

// current reports whether no other process has written the file since this one did.
func (m *memory) current() bool {
	info, err := os.Stat(m.file)
	return err == nil && m.written != nil && os.SameFile(info, m.written) && info.Size() == m.written.Size()
}

// refresh reads the releases that other processes recorded.
func (m *memory) refresh() {
	if m.current() {
		return
	}
	now := &memory{file: m.file, version: m.version}
	now.load()
	m.releases = now.releases
	if now.mapped != nil {
		_ = mapped.Close(now.mapped)
	}
}

// release returns the last release into a public folder. Its Facts are nil if there is none.
func (m *memory) release(public string) Release {
	m.refresh()
	r := m.releases[public]
	r.Public = public
	return r
}

// save writes the changed files, all good ones, and a release if it is not nil. What another
// process wrote meanwhile stays if there is no release; otherwise all files are written again.
func (m *memory) save(files, good map[string]*record, changed map[string]bool, release *Release) error {
	if m.file == "" {
		return errors.New("save the cache: there is no file for it")
	}
	mine := m.current()
	if !mine && m.written != nil && release == nil {
		return nil
	}
	m.refresh()
	if release != nil {
		m.note(*release)
	}
	var err error
	if mine && m.written.Size() < m.firstSize+m.firstSize/2+1<<20 {
		err = m.append(files, good, changed, release)
	} else {
		err = m.replace(files, good)
	}
	if err == nil {
		m.written, err = os.Stat(m.file)
	}
	if err != nil {
		m.written = nil
		return fmt.Errorf("save the cache: %w", err)
	}
	return nil
}

// append adds a step to the file.
func (m *memory) append(files, good map[string]*record, changed map[string]bool, release *Release) error {
	var step bytes.Buffer
	w := newEntryWriter(&step)
	for path := range changed {
		w.put(fileEntry, path, files[path].encode())
	}
	if release != nil {
		w.release(*release)
	}
	_ = w.step(good) // writing to memory cannot fail
	out, err := os.OpenFile(m.file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = out.WriteAt(step.Bytes(), m.written.Size())
	return errors.Join(err, out.Close())
}

// replace replaces the memory by a new file with everything. It names removed sellers, like
// the ledger, so it must not be readable by others.
func (m *memory) replace(files, good map[string]*record) error {
	if err := os.MkdirAll(filepath.Dir(m.file), 0o755); err != nil {
		return err
	}
	return durable.Swap(m.file, "", 0o600, func(out *os.File) error {
		if _, err := io.WriteString(out, m.head()); err != nil {
			return err
		}
		w := newEntryWriter(out)
		for path, r := range files {
			w.put(fileEntry, path, r.encode())
		}
		for _, r := range m.releases {
			w.release(r)
		}
		err := w.step(good)
		if info, stated := out.Stat(); err == nil && stated == nil {
			m.firstSize = info.Size()
		}
		return err
	})
}

// encode returns the value of a record: its stamp, its digest, the packed item, and further
// results, which few files have. A file that does not exist has no value.
func (r *record) encode() []byte {
	if r == nil {
		return nil
	}
	value := make([]byte, 0, 256)
	for _, n := range []int64{r.Size, r.ModTime, r.Changed, int64(r.Inode)} {
		value = binary.AppendVarint(value, n)
	}
	rest, item := *r.reading, catalog.Packed("")
	if rest.Item != nil {
		item, rest.Item = catalog.Pack(rest.Item), nil
	}
	for _, text := range []string{r.digest, string(item)} {
		value = append(binary.AppendUvarint(value, uint64(len(text))), text...)
	}
	if rest.empty() {
		return value
	}
	out := bytes.NewBuffer(value)
	if err := gob.NewEncoder(out).Encode(rest); err != nil {
		panic("source: what was read cannot be encoded: " + err.Error())
	}
	return out.Bytes()
}

// decodeRecord returns the record of a value, or nil if there is none. Offers stay packed, and
// all texts share the value's memory.
func decodeRecord(value string) *record {
	if value == "" {
		return nil
	}
	data, at := unsafe.Slice(unsafe.StringData(value), len(value)), 0
	number := func() int64 {
		n, size := binary.Varint(data[at:])
		at += size
		return n
	}
	text := func() string {
		n, size := binary.Uvarint(data[at:])
		at += size + int(n)
		return value[at-int(n) : at]
	}
	r := &record{stamp: stamp{Size: number(), ModTime: number(), Changed: number(), Inode: uint64(number())}, digest: text(), reading: &reading{}}
	item := catalog.Packed(text())
	if at < len(data) {
		if err := gob.NewDecoder(bytes.NewReader(data[at:])).Decode(r.reading); err != nil {
			r.stamp = stamp{} // the file is read again
		}
	}
	switch {
	case item == "":
	case item.Ref().Kind.Offer():
		r.reading.Item = &item
	default:
		r.reading.Item = item.Unpack()
	}
	return r
}

// empty reports whether a reading has no content.
func (r *reading) empty() bool {
	return r.Market == nil && r.Item == nil && r.Media == nil && r.Texts == nil && r.Synonyms == nil && r.Theme == "" && len(r.Problems) == 0
}
