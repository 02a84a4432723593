package release

import (
	"bytes"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"time"
)

// formerMagic begins a log of former versions, which is read and never written: a
// row of chunks, each a length, a checksum and gob.
const formerMagic = "souk release 1\n"

type formerRecord struct {
	Sequence             uint64
	Clock                time.Time
	Stage                string
	Files                []string
	Entries              []Entry
	Gone, Deleted, Twins []string
	Owners               map[string]Owner
	Boot                 string
}

// readFormer returns the records of a log of a former version, none where it is
// none. The log stays without a size, so that it is written anew.
func (l *log) readFormer() (records []*record, err error) {
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rest, ours := bytes.CutPrefix(data, []byte(formerMagic))
	after := newManifest()
	for ours && len(rest) >= 8 {
		size, sum := int64(order.Uint32(rest)), order.Uint32(rest[4:])
		if int64(len(rest)) < 8+size || crc32.ChecksumIEEE(rest[8:8+size]) != sum {
			break
		}
		f := &formerRecord{}
		if gob.NewDecoder(bytes.NewReader(rest[8:8+size])).Decode(f) != nil || len(f.Files) != len(f.Entries) {
			break
		}
		r := &record{
			Sequence: f.Sequence, Clock: f.Clock, Stage: f.Stage, Files: f.Files, Entries: f.Entries, Gone: f.Gone, Deleted: f.Deleted, Twins: f.Twins,
			Owners: f.Owners, Boot: f.Boot,
		}
		for i, file := range r.Files {
			after.set(file, &r.Entries[i])
		}
		for _, file := range r.Deleted {
			after.delete(file)
		}
		r.After = after.totals
		records, rest = append(records, r), rest[8+size:]
	}
	return records, nil
}
