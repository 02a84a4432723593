package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"unsafe"

	"souk/build/catalog"
	"souk/build/kit/processors"
)

// This file is the cache file's chunks: how readings become shares of it.

var (
	errBroken  = errors.New("the cache is broken")
	errNowhere = errors.New("there is no place for the cache")
)

// A chunk is its length and its checksum, each in four bytes, and then the body.
type chunk []byte

const chunkHead = 8

func (c chunk) body() []byte { return c[chunkHead:] }

// seal completes a chunk whose head is still empty.
func seal(c chunk) chunk {
	binary.LittleEndian.PutUint32(c, uint32(len(c.body())))
	binary.LittleEndian.PutUint32(c[4:], crc32.ChecksumIEEE(c.body()))
	return c
}

// chunkIn returns the chunk that begins at a place of a file in memory.
func chunkIn(file []byte, at int64) (chunk, error) {
	if at < 0 || at > int64(len(file))-chunkHead {
		return nil, errBroken
	}
	c := chunk(file[at:])
	size, sum := int(binary.LittleEndian.Uint32(c)), binary.LittleEndian.Uint32(c[4:])
	if size > len(c.body()) {
		return nil, errBroken
	}
	if c = c[:chunkHead+size]; crc32.ChecksumIEEE(c.body()) != sum {
		return nil, errBroken
	}
	return c, nil
}

// readChunk reads the chunk that begins at a place.
func readChunk(in *os.File, at int64) (chunk, error) {
	var head [chunkHead]byte
	if _, err := in.ReadAt(head[:], at); err != nil {
		return nil, err
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	// A length that a damage made must not take all memory.
	if info, err := in.Stat(); err != nil || size > info.Size() {
		return nil, errors.Join(errBroken, err)
	}
	c := make(chunk, chunkHead+size)
	if _, err := in.ReadAt(c, at); err != nil {
		return nil, err
	}
	return chunkIn(c, 0)
}

// A fileEnd is all that a run without changes reads. It has
//
//	 0  where the index begins                 uint64
//	 8  the checksum of the index              uint32
//	12  a digest of the program's version      20 bytes
//	32  the totals of the index                3 × uint64
//	56  the checksum of what is before it      uint32
//	60  a mark                                 12 bytes
type fileEnd [72]byte

const endMark = "souk cache 3"

func endAt(at int64, index chunk, version string, t totals) (e fileEnd) {
	binary.LittleEndian.PutUint64(e[:], uint64(at))
	copy(e[8:], index[4:chunkHead])
	sum := sha256.Sum256([]byte(version))
	copy(e[12:32], sum[:])
	for i, n := range []uint64{t.content, t.stamps[0], t.stamps[1]} {
		binary.LittleEndian.PutUint64(e[32+8*i:], n)
	}
	binary.LittleEndian.PutUint32(e[56:], crc32.ChecksumIEEE(e[:56]))
	copy(e[60:], endMark)
	return e
}

func (e fileEnd) index() int64 { return int64(binary.LittleEndian.Uint64(e[:])) }

// of reports whether a version of the program wrote it.
func (e fileEnd) of(version string) bool {
	sum := sha256.Sum256([]byte(version))
	return string(e[12:32]) == string(sum[:20])
}

func (e fileEnd) totals() totals {
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(e[32+8*i:]) }
	return totals{number(0), [2]uint64{number(1), number(2)}}
}

func readEnd(in *os.File) (e fileEnd, err error) {
	info, err := in.Stat()
	if err != nil {
		return e, err
	}
	if _, err := in.ReadAt(e[:], info.Size()-int64(len(e))); err != nil {
		return e, err
	}
	if string(e[60:]) != endMark || crc32.ChecksumIEEE(e[:56]) != binary.LittleEndian.Uint32(e[56:]) || e.index() < 0 || e.index() > info.Size() {
		return e, errBroken
	}
	return e, nil
}

// A share is some files one after the other, in the order of their paths.
type share struct {
	paths []string
	files map[string]*record
}

// Shares are cut by the paths themselves, so that a file that comes or goes changes
// only its own: one path in shareMean begins another.
const (
	shareMean = 1 << 10
	shareMost = 1 << 13
)

func sharesOf(paths []string, files map[string]*record) (all []share) {
	for len(paths) > 0 {
		end := 1
		for end < min(len(paths), shareMost) && !beginsShare(paths[end]) {
			end++
		}
		all = append(all, share{paths[:end], files})
		paths = paths[end:]
	}
	return all
}

func beginsShare(path string) bool {
	sum := sha256.Sum256([]byte(path))
	return binary.LittleEndian.Uint32(sum[:])%shareMean == 0
}

// sum is a digest of what the readings follow from.
func (s share) sum() [16]byte {
	hash, one := sha256.New(), []byte(nil)
	for _, path := range s.paths {
		one = one[:0]
		for _, text := range [...]string{path, s.files[path].digest} {
			one = binary.AppendUvarint(one, uint64(len(text)))
			one = append(one, text...)
		}
		hash.Write(one)
	}
	return [16]byte(hash.Sum(one[:0]))
}

// encode returns the share's chunk, in the memory of another or of its own: the items, each
// packed behind its length, 0 for none; then what else some files have, which are few.
func (s share) encode(into chunk) (chunk, error) {
	all, rest := append(into[:0], make([]byte, chunkHead)...), map[int]*reading{}
	for i, path := range s.paths {
		if s.files[path].reading == nil {
			return nil, errBroken // it was in a file that is gone
		}
		r := *s.files[path].reading
		var item catalog.Packed
		if r.Item != nil {
			item = catalog.Pack(r.Item)
		}
		all = binary.AppendUvarint(all, uint64(len(item)))
		all = append(all, item...)
		if r.Item = nil; !r.empty() {
			rest[i] = &r
		}
	}
	out := bytes.NewBuffer(all)
	err := gob.NewEncoder(out).Encode(rest)
	return seal(out.Bytes()), err
}

// decodeShare returns the readings of paths, or nil if the body is not of as many. Offers
// stay packed, and all texts are parts of the body, which never changes.
func decodeShare(body []byte, paths []string) []*reading {
	items, all := make([]catalog.Packed, len(paths)), make([]*reading, len(paths))
	text, at := unsafe.String(unsafe.SliceData(body), len(body)), 0
	for i := range paths {
		size, n := binary.Uvarint(body[at:])
		if n <= 0 || size > uint64(len(body)-at-n) {
			return nil
		}
		at += n
		items[i] = catalog.Packed(text[at : at+int(size)])
		at += int(size)
	}
	rest := map[int]*reading{}
	if gob.NewDecoder(bytes.NewReader(body[at:])).Decode(&rest) != nil {
		return nil
	}
	for i := range paths {
		if all[i] = rest[i]; all[i] == nil {
			all[i] = &reading{} // each apart: a server lets go of that of an edited file
		}
		switch item := items[i]; {
		case item == "":
		case item.Ref().Kind.Offer():
			all[i].Item = &items[i]
		default:
			all[i].Item = item.Unpack()
		}
	}
	return all
}

// A chunkWriter writes chunks one after the other, until the first error.
type chunkWriter struct {
	out *os.File
	at  int64
	err error
}

func (w *chunkWriter) write(data []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(data)
	}
	w.at += int64(len(data))
}

// shares writes the readings: few shares at a time, since all of them encoded would be as
// much again as what they hold. What there was earlier in a file is copied as it is, for
// the next reader to check.
func (w *chunkWriter) shares(all []share, old *os.File, earlier map[[16]byte]savedShare) []savedShare {
	saved := make([]savedShare, len(all))
	processors.InTurn(len(all), func() (encode, write func(i int)) {
		var memory chunk
		var broken error
		encode = func(i int) {
			sum := all[i].sum()
			if there, known := earlier[sum]; known {
				saved[i], broken = there, nil
				return
			}
			memory, broken = all[i].encode(memory)
			saved[i] = savedShare{Sum: sum, Paths: len(all[i].paths), Size: int64(len(memory))}
		}
		write = func(i int) {
			w.err = errors.Join(w.err, broken)
			from, at := saved[i], w.at
			if _, known := earlier[from.Sum]; known {
				w.copy(old, from)
			} else {
				w.write(memory)
			}
			saved[i].At = at
		}
		return encode, write
	})
	return saved
}

// copy copies a share of another file.
func (w *chunkWriter) copy(from *os.File, s savedShare) {
	if w.err == nil {
		_, w.err = from.Seek(s.At, io.SeekStart)
	}
	if w.err == nil {
		_, w.err = io.CopyN(w.out, from, s.Size)
	}
	w.at += s.Size
}

// empty reports whether a reading says nothing.
func (r *reading) empty() bool {
	return r.Market == nil && r.Item == nil && r.Media == nil && r.Texts == nil && r.Synonyms == nil && r.Theme == "" && len(r.Problems) == 0
}
