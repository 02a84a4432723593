package release

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/flate"
	"github.com/andybalholm/brotli/matchfinder"
	"github.com/klauspost/compress/gzip"
)

// Precompress is the size in bytes from which a document gets compressed twins;
// if it is negative, none does.
type Precompress int64

// NoPrecompress writes no twins.
const NoPrecompress Precompress = -1

// String formats the policy as ParsePrecompress reads it.
func (p Precompress) String() string {
	switch {
	case p < 0:
		return "off"
	case p == 0:
		return "all"
	case p%1024 == 0:
		return fmt.Sprintf("%dKB", p/1024)
	}
	return fmt.Sprintf("%dB", int64(p))
}

// ParsePrecompress parses off, all, or a size such as 4KB.
func ParsePrecompress(text string) (Precompress, error) {
	switch strings.ToLower(text) {
	case "off":
		return NoPrecompress, nil
	case "all":
		return 0, nil
	}
	upper := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "B")
	shift := 0
	for i, unit := range []string{"K", "M"} {
		if s, ok := strings.CutSuffix(upper, unit); ok {
			upper, shift = s, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(upper), 10, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no size: write off, all, or a size such as 4KB", text)
	}
	return Precompress(n << shift), nil
}

// wants reports whether a file gets twins.
func (p Precompress) wants(file string, size int) bool {
	if p < 0 || int64(size) < int64(p) || isStub(file) {
		return false
	}
	switch path.Ext(file) {
	case ".json", ".xml", ".txt", ".svg", ".html":
		return true
	}
	return false
}

// A compressor makes twins; each goroutine needs its own. Both twins of a document are
// made of the same matches, which takes a third less than finding them for each.
type compressor struct {
	matches matches
	// found are those of a block.
	found   []matchfinder.Match
	brotli  brotli.Encoder
	deflate matchfinder.Encoder
	gz, br  []byte
}

const (
	// twinBlock is how many bytes share their Huffman codes.
	twinBlock = 1 << 16
	// worthwhileBelow is how large a twin may be, in parts of its document.
	worthwhileBelow = 0.9
)

// gzipHeader is that of a stream without a name, a time and a system (RFC 1952, section
// 2.3).
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

func newCompressor() *compressor { return &compressor{deflate: flate.NewEncoder()} }

// twins returns the compressed bodies, valid until the next call, or nil if
// compression gains nothing.
func (c *compressor) twins(body []byte) (gz, br []byte) {
	c.matches.Reset()
	c.brotli.Reset()
	c.deflate.Reset()
	c.gz, c.br = append(c.gz[:0], gzipHeader...), c.br[:0]
	for from := 0; from < len(body); from += twinBlock {
		to := min(from+twinBlock, len(body))
		c.found = c.matches.FindMatches(c.found[:0], body[from:to])
		c.br = c.brotli.Encode(c.br, body[from:to], c.found, to == len(body))
		c.gz = c.deflate.Encode(c.gz, body[from:to], c.found, to == len(body))
	}
	c.gz = binary.LittleEndian.AppendUint32(c.gz, crc32.ChecksumIEEE(body))
	c.gz = binary.LittleEndian.AppendUint32(c.gz, uint32(len(body)))
	if most := int(worthwhileBelow * float64(len(body))); len(c.gz) >= most || len(c.br) >= most {
		return nil, nil
	}
	return c.gz, c.br
}

// Readers are pooled, since they are as large as most twins.
var (
	gzipReaders   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotliReaders = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
)

// Decompress returns the body of a twin, judging by its extension; the bytes of
// other files are returned unchanged.
func Decompress(file string, data []byte) ([]byte, error) {
	switch path.Ext(file) {
	case ".gz":
		r := gzipReaders.Get().(*gzip.Reader)
		defer gzipReaders.Put(r)
		if err := r.Reset(bytes.NewReader(data)); err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	case ".br":
		r := brotliReaders.Get().(*brotli.Reader)
		defer brotliReaders.Put(r)
		if err := r.Reset(bytes.NewReader(data)); err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}
	return data, nil
}
