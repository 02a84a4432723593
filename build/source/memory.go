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

// A memory is the file in which a run leaves to the next one what it read and what it released.
// It begins with a head that names the version of the program. Entries follow, each a kind, a key
// and a value:
//
//	file      the path of a file of the content, as it was last read; without a value it is gone
//	good      a file that the last good content has otherwise, as that has it
//	facts     a public folder, and what the builder noted of its last release
//	removals  a public folder, and the removals that its last release was made with
//	step      a checksum of all entries since the step before
//
// Entries that no step follows do not count. The file is appended to or replaced by another, and
// never changed in place, since what was read stays mapped. It is not synced: the checksums, and
// the fingerprint of a release, show what a power loss leaves of it.
type memory struct {
	file, version string
	// left is the file as this process read it or wrote it; nil if nothing can be added to it.
	left fs.FileInfo
	// whole is the size of the file after its first step.
	whole    int64
	releases map[string]Release
	// mapped is what the records of the last load are parts of.
	mapped []byte
}

// A Release is what the memory has of the last release into a public folder.
type Release struct {
	Public string
	// Facts and Removals are the builder's. If Removals is nil, those in the memory stay.
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

// load returns the files as they were last read, and those that the last good content has
// otherwise: nil for a file that it does not have. A memory that is missing, damaged or another
// version's counts as empty.
func (m *memory) load() (files, good map[string]*record) {
	files, good = map[string]*record{}, map[string]*record{}
	m.left, m.whole, m.mapped, m.releases = nil, 0, nil, map[string]Release{}
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
	from := len(m.head()) // where the present step begins
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
			from, step, m.whole = at, step[:0], max(m.whole, 1)
			if m.whole == 1 {
				m.whole = int64(at)
			}
			continue
		}
		if from == len(text) {
			m.left = info
		}
		return files, good
	}
}

// take takes in a step.
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

// note notes of a release what is not nil.
func (m *memory) note(r Release) {
	before := m.releases[r.Public]
	public := strings.Clone(r.Public) // not a part of the memory, which may be given up
	m.releases[public] = Release{public, or(r.Facts, before.Facts), or(r.Removals, before.Removals)}
}

func or(one, other []byte) []byte {
	if one != nil {
		return one
	}
	return other
}

// entryIn returns the entry that a text begins with, and its size; 0 if there is no whole one.
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

// An entryWriter writes entries. Its errors are those of out.
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
	return err == nil && m.left != nil && os.SameFile(info, m.left) && info.Size() == m.left.Size()
}

// refresh learns of the releases of other processes.
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

// release returns the last release into a public folder; its Facts are nil if there is none.
func (m *memory) release(public string) Release {
	m.refresh()
	r := m.releases[public]
	r.Public = public
	return r
}

// save writes those of the files that changed, all of the good ones, and a release if it is not
// nil. What another process wrote meanwhile stays if there is no release, and else gives way to
// all files.
func (m *memory) save(files, good map[string]*record, changed map[string]bool, release *Release) error {
	if m.file == "" {
		return errors.New("save what was read: there is no place for it")
	}
	mine := m.current()
	if !mine && m.left != nil && release == nil {
		return nil
	}
	m.refresh()
	if release != nil {
		m.note(*release)
	}
	var err error
	if mine && m.left.Size() < m.whole+m.whole/2+1<<20 {
		err = m.append(files, good, changed, release)
	} else {
		err = m.replace(files, good)
	}
	if err == nil {
		m.left, err = os.Stat(m.file)
	}
	if err != nil {
		m.left = nil
		return fmt.Errorf("save what was read: %w", err)
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
	_ = w.step(good) // in memory nothing fails
	out, err := os.OpenFile(m.file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = out.WriteAt(step.Bytes(), m.left.Size())
	return errors.Join(err, out.Close())
}

// replace puts a file with all there is in the place of the memory. It names who was removed, as
// the ledger does, so that nobody else may read it.
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
			m.whole = info.Size()
		}
		return err
	})
}

// encode returns a record as a value: its stamp, its digest, the packed item, and what else was
// read, which few files have. A file that is not there has none.
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

// decodeRecord returns the record of a value, nil if there is none. Offers stay packed, and all
// texts are parts of the value.
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
			r.stamp = stamp{} // it is read anew
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

// empty reports whether a reading says nothing.
func (r *reading) empty() bool {
	return r.Market == nil && r.Item == nil && r.Media == nil && r.Texts == nil && r.Synonyms == nil && r.Theme == "" && len(r.Problems) == 0
}
