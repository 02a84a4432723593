package release

import (
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"souk/build/kit/mapped"
)

// A chunk of the log contains a record: its length (uint64), the CRC-32C of its bytes
// (uint32), four unused bytes, and the bytes of a flat.
const chunkHead = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// chunk appends a record as a chunk to the preceding content of the file.
func (r *record) chunk(before string) []byte {
	head := len(before) + chunkHead
	b := r.flatten(head)
	copy(b, before)
	order.PutUint64(b[len(before):], uint64(len(b)-head))
	order.PutUint32(b[len(before)+8:], crc32.Checksum(b[head:], castagnoli))
	return b
}

// chunkSize returns the size of the chunk at an offset of a file, including its header, or
// false if it is incomplete.
func chunkSize(f io.ReaderAt, at, end int64) (int64, bool) {
	var head [chunkHead]byte
	if end-at < chunkHead {
		return 0, false
	}
	if _, err := f.ReadAt(head[:], at); err != nil {
		return 0, false
	}
	size := order.Uint64(head[:])
	return int64(size) + chunkHead, size <= uint64(end-at-chunkHead)
}

// parseChunk returns the record of a complete chunk.
func parseChunk(data []byte) (*flat, error) {
	if len(data) < chunkHead || order.Uint64(data) != uint64(len(data)-chunkHead) || crc32.Checksum(data[chunkHead:], castagnoli) != order.Uint32(data[8:]) {
		return nil, errFlat
	}
	return parseFlat(data[chunkHead:])
}

// An opened is a log whose first record is mapped. The builder never changes that part of a
// file, but replaces the file. Later records are read one by one.
type opened struct {
	file *os.File
	// mapped is the file up to the end of the first record. first is nil if that record is
	// incomplete.
	mapped []byte
	first  *flat
}

// openLog opens a log. It returns nil if there is none or another program wrote it.
func openLog(path string) (*opened, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := &opened{file: f}
	if err := o.mapFirst(); err != nil || o.first == nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

func (o *opened) mapFirst() error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	magic := make([]byte, len(logMagic))
	if _, err := o.file.ReadAt(magic, 0); err != nil || string(magic) != logMagic {
		return nil // too short, or not ours
	}
	at := int64(len(logMagic))
	size, whole := chunkSize(o.file, at, info.Size())
	if !whole {
		return nil
	}
	if o.mapped, err = mapped.File(o.file, int(at+size)); err != nil {
		return err
	}
	o.first, _ = parseChunk(o.mapped[at:]) // nil if it is corrupt
	return nil
}

// next reads the record at an offset of the file, which ends at end. It returns no record if
// none is complete.
func (o *opened) next(at, end int64) logRecord {
	size, whole := chunkSize(o.file, at, end)
	if !whole {
		return logRecord{}
	}
	data := make([]byte, size)
	if _, err := o.file.ReadAt(data, at); err != nil {
		return logRecord{}
	}
	f, err := parseChunk(data)
	if err != nil {
		return logRecord{}
	}
	return logRecord{f, [chunkHead]byte(data), at, at + size}
}

func (o *opened) close() error {
	var err error
	if o.mapped != nil {
		err = mapped.Close(o.mapped)
	}
	return errors.Join(err, o.file.Close())
}
