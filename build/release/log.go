package release

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"souk/build/durable"
)

// A record is one commit: what it put, deleted and learnt. The first record of
// a log is the whole manifest.
type record struct {
	Sequence uint64
	Clock    time.Time
	// Stage is the folder with the staged files; empty for a record that has
	// nothing to apply.
	Stage   string
	Files   []string
	Entries []Entry
	// Gone are the documents that a stub replaces; they are deleted before
	// anything else is shown.
	Gone    []string
	Deleted []string
	// Twins are compressed twins to delete whose document stays.
	Twins  []string
	Owners map[string]Owner
	// Boot names the run of the machine within which the staged files were
	// written, where they were not synced before the commit.
	Boot string
}

func (m *Manifest) apply(r *record) {
	m.Sequence, m.Clock = r.Sequence, r.Clock
	if r.Boot != "" {
		m.boot = r.Boot
	}
	for i, file := range r.Files {
		m.set(file, &r.Entries[i])
	}
	for _, file := range r.Deleted {
		m.delete(file)
	}
	for slug, o := range r.Owners {
		m.owners[slug] = o
	}
}

// whole returns the manifest as one record.
func (m *Manifest) whole() *record {
	r := &record{Sequence: m.Sequence, Clock: m.Clock, Owners: m.owners, Boot: m.boot}
	for file, e := range m.entries {
		r.Files = append(r.Files, file)
		r.Entries = append(r.Entries, *e)
	}
	return r
}

// A log is the file of the records: a row of chunks, each a length, a checksum
// and gob. A torn chunk at its end is a commit that did not happen.
type log struct {
	path string
	// size is that of the whole chunks; first is that of the first record.
	size, first int64
}

const logMagic = "souk release 1\n"

// read returns the records, none where the log is missing or another program's.
func (l *log) read() ([]*record, error) {
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rest, ours := bytes.CutPrefix(data, []byte(logMagic))
	if !ours {
		return nil, nil
	}
	var records []*record
	l.size = int64(len(logMagic))
	for len(rest) >= 8 {
		size, sum := int64(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint32(rest[4:])
		if int64(len(rest)) < 8+size || crc32.ChecksumIEEE(rest[8:8+size]) != sum {
			break
		}
		r := &record{}
		if gob.NewDecoder(bytes.NewReader(rest[8:8+size])).Decode(r) != nil {
			break
		}
		records = append(records, r)
		if l.size += 8 + size; l.first == 0 {
			l.first = l.size
		}
		rest = rest[8+size:]
	}
	return records, nil
}

func chunk(r *record) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, 8))
	if err := gob.NewEncoder(&b).Encode(r); err != nil {
		return nil, err
	}
	data := b.Bytes()
	binary.LittleEndian.PutUint32(data, uint32(len(data)-8))
	binary.LittleEndian.PutUint32(data[4:], crc32.ChecksumIEEE(data[8:]))
	return data, nil
}

// append adds a record durably: once it returns nil, the record is there after
// any crash. A torn end of an earlier try is overwritten.
func (l *log) append(r *record) (err error) {
	data, err := chunk(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	fresh := l.size == 0
	if fresh {
		data = append([]byte(logMagic), data...)
	}
	if err := f.Truncate(l.size); err != nil {
		return err
	}
	if _, err := f.WriteAt(data, l.size); err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	if fresh {
		if err := durable.SyncFolder(filepath.Dir(l.path)); err != nil {
			return err
		}
		l.first = int64(len(data))
	}
	l.size += int64(len(data))
	return nil
}

// long reports whether the log has grown well beyond its first record.
func (l *log) long() bool { return l.size > 2*l.first+1<<20 }

// replace writes the log anew with the whole manifest as its only record.
func (l *log) replace(m *Manifest) error {
	data, err := chunk(m.whole())
	if err != nil {
		return err
	}
	data = append([]byte(logMagic), data...)
	if err := durable.Replace(l.path, 0o644, data); err != nil {
		return err
	}
	l.size, l.first = int64(len(data)), int64(len(data))
	return nil
}
