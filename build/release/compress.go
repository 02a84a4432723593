package release

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/matchfinder"
	"github.com/klauspost/compress/gzip"
)

// Precompress is the size in bytes from which a document gets compressed twins,
// of gzip and, where it is larger still, of brotli. At 0 every document gets
// both; if it is negative, none does.
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

// wants returns the twins that a file gets: both of all, or by what they gain.
func (p Precompress) wants(file string, size int64) encodings {
	if p < 0 || size < int64(p) || isStub(file) {
		return encodings{}
	}
	switch path.Ext(file) {
	case ".json", ".xml", ".txt", ".svg", ".html":
		return encodings{gzip: true, brotli: p == 0 || size >= brotliFrom}
	}
	return encodings{}
}

// encodings says which twins a file has.
type encodings struct{ gzip, brotli bool }

// The levels beyond which a byte saved costs more time than it is worth: a
// removal makes the twins of a hundred documents while somebody waits. Brotli at
// 3 of NewWriterV2 takes a third of the time of 5, for a tenth more bytes.
// Below brotliFrom its twin is no smaller than that of gzip at all, and takes
// longer; docs/performance.md has the measurement.
const (
	gzipLevel   = 5
	brotliLevel = 3
	brotliFrom  = 32 << 10
)

// A compressor makes twins; each goroutine needs its own.
type compressor struct {
	gzip, brotli bytes.Buffer
	gzipTo       *gzip.Writer
	brotliTo     *matchfinder.Writer
}

func newCompressor() *compressor {
	c := &compressor{}
	c.gzipTo, _ = gzip.NewWriterLevel(nil, gzipLevel) // the level is a valid one
	c.brotliTo = brotli.NewWriterV2(nil, brotliLevel)
	return c
}

// twins returns the compressed bodies that are wanted, valid until the next call,
// or none if compression gains nothing.
func (c *compressor) twins(body []byte, wanted encodings) (gz, br []byte, err error) {
	const worthwhileBelow = 0.9
	most := int(worthwhileBelow * float64(len(body)))
	if wanted.gzip {
		c.gzip.Reset()
		c.gzipTo.Reset(&c.gzip)
		if err := compress(c.gzipTo, body); err != nil || c.gzip.Len() >= most {
			return nil, nil, err
		}
		gz = c.gzip.Bytes()
	}
	if wanted.brotli {
		c.brotli.Reset()
		c.brotliTo.Reset(&c.brotli)
		if err := compress(c.brotliTo, body); err != nil || c.brotli.Len() >= most {
			return nil, nil, err
		}
		br = c.brotli.Bytes()
	}
	return gz, br, nil
}

func compress(w io.WriteCloser, body []byte) error {
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
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
