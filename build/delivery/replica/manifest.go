package replica

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"souk/build/release"
)

// perChunk is the maximum number of lines per chunk when the number of chunks is chosen:
// changing a line costs a whole chunk, and each chunk costs a line of the head.
const perChunk = 1024

// A Manifest is the content of the chunks: the files of a release, and the owners of
// addresses.
type Manifest struct {
	entries map[string]release.Entry
	owners  map[string]release.Owner
	// lines are the keys of the lines of each chunk: paths, and slugs after a tab.
	lines [][]string
}

// NewManifest returns the manifest of files and owners. before is the number of chunks of
// the previous manifest, which is kept if possible, or 0.
func NewManifest(entries map[string]release.Entry, owners map[string]release.Owner, before int) *Manifest {
	m := &Manifest{entries: entries, owners: owners}
	n := len(entries) + len(owners)
	count := 1 << bits.Len(uint(max(n-1, 0)/perChunk))
	if before > 0 && before&(before-1) == 0 && before <= 2*count && count <= 2*before {
		count = before
	}
	m.lines = make([][]string, count)
	for file := range entries {
		at := chunkOf(file, count)
		m.lines[at] = append(m.lines[at], file)
	}
	for slug := range owners {
		at := chunkOf(slug, count)
		m.lines[at] = append(m.lines[at], "\t"+slug)
	}
	for _, keys := range m.lines {
		slices.Sort(keys)
	}
	return m
}

// chunkOf returns which of count chunks contains a path.
func chunkOf(file string, count int) int {
	sum := sha256.Sum256([]byte(file))
	return int(uint64(binary.BigEndian.Uint32(sum[:])) * uint64(count) >> 32)
}

// Chunks returns the number of chunks.
func (m *Manifest) Chunks() int { return len(m.lines) }

// A line is a line of a chunk: a file, or the owner of a slug.
type line struct {
	File    string     `json:"file,omitempty"`
	Digest  string     `json:"digest,omitempty"`
	Size    int64      `json:"size,omitempty"`
	ModTime int64      `json:"modTime,omitempty"`
	Gzip    int64      `json:"gzip,omitempty"`
	Brotli  int64      `json:"brotli,omitempty"`
	Slug    string     `json:"slug,omitempty"`
	Owner   *ownerJSON `json:"owner,omitempty"`
}

type ownerJSON struct {
	ID       string   `json:"id,omitempty"`
	Domains  []string `json:"domains,omitempty"`
	Aliases  []string `json:"aliases,omitempty"`
	Web      []string `json:"web,omitempty"`
	Replaces bool     `json:"replaces,omitempty"`
}

// Chunk returns the uncompressed bytes of a chunk. The same files and owners always produce
// the same bytes.
func (m *Manifest) Chunk(at int) ([]byte, error) {
	b := make([]byte, 0, 256*len(m.lines[at]))
	for _, key := range m.lines[at] {
		slug, owned := strings.CutPrefix(key, "\t")
		if !owned {
			b = appendEntry(b, key, m.entries[key])
			continue
		}
		o := m.owners[slug]
		text, err := json.Marshal(line{Slug: slug, Owner: new(ownerJSON(o))})
		if err != nil {
			return nil, err
		}
		b = append(append(b, text...), '\n')
	}
	return b, nil
}

// appendEntry appends the line of a file. A publish writes the lines of all files, so this
// avoids reflection, which takes twice as long.
func appendEntry(b []byte, file string, e release.Entry) []byte {
	name, _ := json.Marshal(file) // encoding text cannot fail
	b = append(append(b, `{"file":`...), name...)
	b = hex.AppendEncode(append(b, `,"digest":"`...), e.Digest[:])
	b = append(b, '"')
	for _, one := range []struct {
		name  string
		value int64
	}{{"size", e.Size}, {"modTime", e.ModTime}, {"gzip", e.Gzip}, {"brotli", e.Brotli}} {
		if one.value != 0 {
			b = append(append(append(b, `,"`...), one.name...), `":`...)
			b = strconv.AppendInt(b, one.value, 10)
		}
	}
	return append(b, "}\n"...)
}

// Compress returns the bytes of a chunk as they are stored.
func Compress(chunk []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(chunk)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// decompress returns the content of gzip data, which must have the given size.
func decompress(data []byte, size int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGarbage, err)
	}
	plain, err := io.ReadAll(io.LimitReader(r, size+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGarbage, err)
	}
	if int64(len(plain)) != size {
		return nil, fmt.Errorf("%w: its size is wrong", errGarbage)
	}
	return plain, nil
}

// A chunk is the content of a chunk's lines.
type chunk struct {
	entries map[string]release.Entry
	owners  map[string]release.Owner
}

// parseChunk parses the chunk at an index among count.
func parseChunk(data []byte, at, count int) (chunk, error) {
	c := chunk{map[string]release.Entry{}, map[string]release.Owner{}}
	for text := range bytes.Lines(data) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return c, fmt.Errorf("%w: %w", errGarbage, err)
		}
		if l.Owner != nil {
			c.owners[l.Slug] = release.Owner(*l.Owner)
			continue
		}
		d, err := parseDigest(l.Digest)
		if err != nil || !local(l.File) || strings.HasPrefix(l.File, ".souk-") || l.Size < 0 || l.Size > mostBlob ||
			l.Gzip < 0 || l.Brotli < 0 || chunkOf(l.File, count) != at {
			return c, fmt.Errorf("%w: its manifest has a wrong line for %q", errGarbage, l.File)
		}
		c.entries[l.File] = release.Entry{Digest: d, Size: l.Size, ModTime: l.ModTime, Gzip: l.Gzip, Brotli: l.Brotli}
	}
	return c, nil
}
