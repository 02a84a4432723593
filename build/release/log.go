package release

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"souk/build/kit/durable"
)

// A record is one commit: what it put, deleted and learned. The first record of a log is the
// whole manifest.
type record struct {
	Sequence uint64
	Clock    time.Time
	// After is the state after the commit is applied.
	After totals
	// Revision is the revision of the removals that the release was made with.
	Revision uint64
	// Stage is the folder with the staged files; empty if there is nothing to apply.
	Stage   string
	Files   []string
	Entries []Entry
	// Gone are the documents that stubs replace. They are deleted before anything else becomes
	// visible.
	Gone    []string
	Deleted []string
	// Twins are compressed twins to delete although their documents stay.
	Twins  []string
	Owners map[string]Owner
	// Boot identifies the boot of the machine in which the staged files were written, if they
	// were not synced before the commit.
	Boot string
}

func (m *Manifest) apply(r *record) {
	m.Sequence, m.Clock, m.Revision = r.Sequence, r.Clock, r.Revision
	if r.Boot != "" {
		m.boot = r.Boot
	}
	for i, file := range r.Files {
		m.put(file, &r.Entries[i])
	}
	for _, file := range r.Deleted {
		m.drop(file)
	}
	m.totals = r.After
	for slug, o := range r.Owners {
		m.owners[slug] = o
	}
}

// fullRecord returns the manifest as one record.
func (m *Manifest) fullRecord() *record {
	r := &record{Sequence: m.Sequence, Clock: m.Clock, After: m.totals, Revision: m.Revision, Owners: m.owners, Boot: m.boot}
	for file, e := range m.entries {
		r.Files = append(r.Files, file)
		r.Entries = append(r.Entries, *e)
	}
	return r
}

// A log is the file of the records, as a sequence of chunks. A torn chunk at its end is a
// commit that did not happen. The first chunk is never changed in place, since readers map it;
// the file is replaced instead.
type log struct {
	path string
	// size is the total size of the whole chunks; first is the size of the first record.
	size, first int64
	// written is the file as this process left it, or nil if it must be read again.
	written fs.FileInfo
}

// same reports whether the file is as this process left it. Another process may have replaced
// it by one of the same size.
func (l *log) same(info fs.FileInfo) bool {
	return l.written != nil && os.SameFile(l.written, info) && info.Size() == l.size && info.ModTime().Equal(l.written.ModTime())
}

// logMagic is the beginning of the file.
const logMagic = "souk release 2\n\x00"

// read returns the records, or none if the log is missing or another program wrote it.
func (l *log) read() (records []*record, err error) {
	o, err := openLog(l.path)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, nil
	}
	defer func() { err = errors.Join(err, o.close()) }()
	info, err := o.file.Stat()
	if err != nil {
		return nil, err
	}
	l.size, l.first, l.written = int64(len(o.mapped)), int64(len(o.mapped)), info
	records = append(records, o.first.record())
	for one := o.next(l.size, info.Size()); one.flat != nil; one = o.next(l.size, info.Size()) {
		records = append(records, one.record())
		l.size = one.to
	}
	return records, nil
}

// append durably adds a record to a log that already has records: once it returns nil, the
// record survives any crash. It overwrites a torn chunk left by an earlier attempt.
func (l *log) append(r *record) (err error) {
	data := r.chunk("")
	f, err := os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Truncate(l.size); err != nil {
		return err
	}
	if _, err := f.WriteAt(data, l.size); err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	l.size += int64(len(data))
	l.written, _ = f.Stat()
	return nil
}

// cut removes a torn chunk at the end, which would otherwise look like another process's
// release every time. If it cannot, the next record overwrites the chunk.
func (l *log) cut() {
	if info, err := os.Stat(l.path); err == nil && l.first > 0 && info.Size() > l.size {
		_ = os.Truncate(l.path, l.size)
		l.written, _ = os.Stat(l.path)
	}
}

// long reports whether the records after the first have grown beyond what readers should keep
// in memory.
func (l *log) long() bool { return l.size > l.first+l.first/8+1<<20 }

// replace writes the log again with a whole manifest as its only record.
func (l *log) replace(whole *record) error {
	data := whole.chunk(logMagic)
	if err := durable.Replace(l.path, 0o644, data); err != nil {
		return err
	}
	l.size, l.first = int64(len(data)), int64(len(data))
	l.written, _ = os.Stat(l.path)
	return nil
}
