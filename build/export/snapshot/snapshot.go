// Package snapshot writes the shards of the snapshot: lines in the members of a gzip file,
// so that a change of a few lines does not change the bytes of other members. It knows
// lines, members and the bits that name them. It does not know documents, files or
// releases.
//
// A shard is a sequence of gzip members (RFC 1952, section 2.2), which every gzip reader
// concatenates. The same lines in the same parts always produce the same bytes: a header
// has no name and no time, and OS 255. Its extra field (section 2.3.1.1) has one subfield,
// "SK", of 29 bytes: the length of the member (4 bytes, little endian), the number of bits
// that name the part (1), these bits (8, big endian), and a digest of the lines (16). So a
// member can be found and copied without decompressing those before it.
package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/flate"

	"souk/build/catalog"
)

// Lines is the maximum number of lines of a member.
const Lines = 16

// A Part becomes one member of a shard.
type Part struct {
	// Name contains the bits that name the part, unique in its shard.
	Name catalog.Shard
	// Changed means that its lines may differ from those in the previous shard, if that
	// contains the part.
	Changed bool
	// Lines returns the part's lines, each with a line break.
	Lines func() ([]byte, error)
}

// compression names the compressor, since a member is only copied if compressing it again
// would produce the same bytes. A test compares it with the library.
const (
	compression = "klauspost/compress flate 6, 1"
	level       = 6
)

type digest [16]byte

func digestOf(lines []byte) digest {
	h := sha256.New()
	h.Write([]byte(compression))
	h.Write([]byte{0})
	h.Write(lines)
	return digest(h.Sum(nil)[:16])
}

// A Writer writes shards; each goroutine needs its own.
type Writer struct{ deflate *flate.Writer }

// NewWriter returns a Writer.
func NewWriter() *Writer {
	deflate, _ := flate.NewWriter(nil, level) // the level is valid
	return &Writer{deflate}
}

// Shard returns the bytes of a shard with these parts. before is the previous shard, or
// nil; its unchanged members are copied.
func (w *Writer) Shard(before []byte, parts []Part) ([]byte, error) {
	old := members(before)
	shard := bytes.NewBuffer(make([]byte, 0, len(before)+len(before)/16))
	for _, p := range parts {
		was, there := old[p.Name]
		if there && !p.Changed {
			shard.Write(was.bytes)
			continue
		}
		lines, err := p.Lines()
		if err != nil {
			return nil, err
		}
		if d := digestOf(lines); there && was.digest == d {
			shard.Write(was.bytes)
		} else if err := w.member(shard, p.Name, d, lines); err != nil {
			return nil, err
		}
	}
	return shard.Bytes(), nil
}

// Offsets in a member's header.
const (
	atSize   = 16
	atLength = 20
	atBits   = 21
	atDigest = 29
	header   = 45
	trailer  = 8
)

// head is the constant start of every member: deflate, an extra field, no time, no
// compression hint, and an unknown system; then the extra field up to the member's length.
var head = [atSize]byte{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, header - 12, 0, 'S', 'K', header - 16, 0}

// member appends a member.
func (w *Writer) member(to *bytes.Buffer, name catalog.Shard, d digest, lines []byte) error {
	begin := to.Len()
	to.Write(head[:])
	to.Write([]byte{0, 0, 0, 0, byte(name.Length)})
	to.Write(binary.BigEndian.AppendUint64(nil, name.Bits))
	to.Write(d[:])
	w.deflate.Reset(to)
	if _, err := w.deflate.Write(lines); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := w.deflate.Close(); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	end := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(lines))
	to.Write(binary.LittleEndian.AppendUint32(end, uint32(len(lines))))
	binary.LittleEndian.PutUint32(to.Bytes()[begin+atSize:], uint32(to.Len()-begin))
	return nil
}

type member struct {
	bytes  []byte
	digest digest
}

// members returns the members of a shard by name, or none if it is not a valid shard.
func members(shard []byte) map[catalog.Shard]member {
	all := map[catalog.Shard]member{}
	for len(shard) > 0 {
		if len(shard) < header+trailer || !bytes.Equal(shard[:atSize], head[:]) {
			return nil
		}
		size := binary.LittleEndian.Uint32(shard[atSize:])
		if size < header+trailer || uint64(size) > uint64(len(shard)) {
			return nil
		}
		name := catalog.Shard{Bits: binary.BigEndian.Uint64(shard[atBits:]), Length: int(shard[atLength])}
		all[name] = member{shard[:size], digest(shard[atDigest:header])}
		shard = shard[size:]
	}
	return all
}
