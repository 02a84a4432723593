package release

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	brotli "github.com/molecule-man/go-brrr"

	"souk/build/kit/twin"
)

// Precompress is the size in bytes from which a document gets a gzip twin, and from brotliFrom
// on a brotli twin too. If it is 0, every document gets both; if it is negative, none gets
// any.
type Precompress int64

// brotliFrom is the size below which a brotli twin is hardly smaller than a gzip twin.
const brotliFrom = 32 << 10

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
		return 0, fmt.Errorf("%q is not a size: write off, all, or a size such as 4KB", text)
	}
	return Precompress(n << shift), nil
}

// twins says which twins a file has, or should have.
type twins struct{ gzip, brotli bool }

// wants returns the twins that a file should have if they are worth it.
func (p Precompress) wants(file string, size int) twins {
	if p < 0 || int64(size) < int64(p) || IsStub(file) || !twin.Has(file) {
		return twins{}
	}
	return twins{gzip: true, brotli: p == 0 || size >= brotliFrom}
}

// Higher levels take more time than the bytes they save are worth: a removal writes the twins
// of a hundred documents while a person waits. gzip at level 3 makes twins a thirtieth
// smaller, but its tables are four times as large and evict everything else from the
// processor's cache. A host that compresses most responses itself saves more.
const (
	gzipLevel   = 1
	brotliLevel = 2
)

// brotliWindow is the binary logarithm of how far back brotli looks for repetitions. A larger
// window takes memory that no document needs.
const brotliWindow = 20

// A compressor makes twins; each goroutine needs its own.
type compressor struct {
	gzip, brotli bytes.Buffer
	gzipTo       *gzip.Writer
	brotliTo     *brotli.Writer
}

func newCompressor() *compressor {
	c := &compressor{}
	c.gzipTo, _ = gzip.NewWriterLevel(nil, gzipLevel) // the levels are valid
	c.brotliTo, _ = brotli.NewWriterOptions(nil, brotliLevel, brotli.WriterOptions{LGWin: brotliWindow})
	return c
}

// twins returns the requested compressed bodies, valid until the next call, or nil if
// compression gains nothing.
func (c *compressor) twins(body []byte, wanted twins) (gz, br []byte, err error) {
	c.brotli.Reset()
	if wanted.brotli {
		c.brotliTo.Reset(&c.brotli)
		if err := writeAll(c.brotliTo, body); err != nil {
			return nil, nil, err
		}
	}
	c.gzip.Reset()
	c.gzipTo.Reset(&c.gzip)
	if err := writeAll(c.gzipTo, body); err != nil {
		return nil, nil, err
	}
	if c.gzip.Len() == c.brotli.Len() {
		// Static servers compute ETags from time and size, so twins of equal size would share
		// one.
		c.gzip.Reset()
		c.gzipTo.Reset(&c.gzip)
		c.gzipTo.Comment = "." // two more bytes
		if err := writeAll(c.gzipTo, body); err != nil {
			return nil, nil, err
		}
	}
	const worthwhile = 0.9 // at most this share of the size
	if most := int(worthwhile * float64(len(body))); c.gzip.Len() >= most || c.brotli.Len() >= most {
		return nil, nil, nil
	}
	return c.gzip.Bytes(), c.brotli.Bytes(), nil
}

var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is valid
	return w
}}

// Gzip compresses a body in the same way as a twin.
func Gzip(body []byte) []byte {
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	_ = writeAll(w, body) // writing to memory cannot fail
	return out.Bytes()
}

func writeAll(w io.WriteCloser, body []byte) error {
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
}

// Readers are pooled, because they are as large as most twins.
var (
	gzipReaders   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotliReaders = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
)

// Decompress returns the body of a twin, judging by its extension. The bytes of other files
// are returned unchanged.
func Decompress(file string, data []byte) ([]byte, error) {
	switch path.Ext(file) {
	case twin.Gzip:
		r := gzipReaders.Get().(*gzip.Reader)
		defer gzipReaders.Put(r)
		if err := r.Reset(bytes.NewReader(data)); err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	case twin.Brotli:
		r := brotliReaders.Get().(*brotli.Reader)
		defer brotliReaders.Put(r)
		r.Reset(bytes.NewReader(data))
		return io.ReadAll(r)
	}
	return data, nil
}
