package source

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/durable"
)

func init() {
	gob.Register(&catalog.Seller{})
	gob.Register(&catalog.Offer{})
	gob.Register(&catalog.Category{})
	gob.Register(&catalog.Article{})
	gob.Register(&catalog.MarketMap{})
	gob.Register(&catalog.OwnPage{})
	gob.Register(&catalog.OwnFile{})
}

// A cache keeps what was read, so that a later run reads only what changed. The
// file is a sequence of chunks, each a length, a checksum and gob: first the
// stamps of all files, which is all that a run without changes needs, then the
// readings in shares, in the same order. A damaged cache counts as empty.
type cache struct {
	file    string
	version string
	order   []string
	rest    []byte
}

// index is the first chunk.
type index struct {
	Version string
	Paths   []string
	Stamps  []stamp
	Digests []string
}

const cacheShare = 2048

var errBroken = errors.New("the cache is broken")

// open reads the stamps.
func (c *cache) open() map[string]*record {
	data, err := os.ReadFile(c.file)
	if err != nil {
		return nil
	}
	var ix index
	rest, err := takeChunk(data, &ix)
	if err != nil || ix.Version != c.version || len(ix.Stamps) != len(ix.Paths) || len(ix.Digests) != len(ix.Paths) {
		return nil
	}
	files := make(map[string]*record, len(ix.Paths))
	for i, path := range ix.Paths {
		files[path] = &record{stamp: ix.Stamps[i], digest: ix.Digests[i]}
	}
	c.order, c.rest = ix.Paths, rest
	return files
}

// readings decodes the rest; readings that cannot be decoded are missing.
func (c *cache) readings() map[string]*reading {
	var chunks [][]byte
	for rest := c.rest; len(rest) > 0; {
		chunk, next, err := cutChunk(rest)
		if err != nil {
			break
		}
		chunks, rest = append(chunks, chunk), next
	}
	shares := make([][]*reading, len(chunks))
	texts := newPool()
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, chunk := range chunks {
		group.Go(func() error {
			var share []*reading
			from := i * cacheShare
			if gob.NewDecoder(bytes.NewReader(chunk)).Decode(&share) == nil && from+len(share) <= len(c.order) {
				texts.share(c.order[from:], share...)
				shares[i] = share
			}
			return nil
		})
	}
	group.Wait() // the shares that fail are read anew
	all := make(map[string]*reading, len(c.order))
	for i, share := range shares {
		for j, r := range share {
			all[c.order[i*cacheShare+j]] = r
		}
	}
	c.order, c.rest = nil, nil
	return all
}

// save replaces the whole file.
func (c *cache) save(files map[string]*record) error {
	ix := index{Version: c.version}
	for path := range files {
		ix.Paths = append(ix.Paths, path)
	}
	slices.Sort(ix.Paths)
	var shares [][]*reading
	for i, path := range ix.Paths {
		r := files[path]
		ix.Stamps = append(ix.Stamps, r.stamp)
		ix.Digests = append(ix.Digests, r.digest)
		if i%cacheShare == 0 {
			shares = append(shares, nil)
		}
		last := len(shares) - 1
		shares[last] = append(shares[last], r.reading)
	}
	chunks := make([][]byte, len(shares)+1)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	encode := func(at int, value any) {
		group.Go(func() error {
			var b bytes.Buffer
			err := gob.NewEncoder(&b).Encode(value)
			chunks[at] = b.Bytes()
			return err
		})
	}
	encode(0, ix)
	for i, share := range shares {
		encode(i+1, share)
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return c.write(chunks)
}

func (c *cache) write(chunks [][]byte) error {
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return err
	}
	// What a power loss leaves of it is told by the checksums, and read anew.
	return durable.Swap(c.file, "", 0o600, func(out *os.File) error {
		for _, chunk := range chunks {
			var head [8]byte
			binary.LittleEndian.PutUint32(head[:4], uint32(len(chunk)))
			binary.LittleEndian.PutUint32(head[4:], crc32.ChecksumIEEE(chunk))
			if _, err := io.Copy(out, io.MultiReader(bytes.NewReader(head[:]), bytes.NewReader(chunk))); err != nil {
				return err
			}
		}
		return nil
	})
}

func cutChunk(data []byte) (chunk, rest []byte, err error) {
	if len(data) < 8 {
		return nil, nil, errBroken
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	sum := binary.LittleEndian.Uint32(data[4:])
	if data = data[8:]; uint64(len(data)) < size || crc32.ChecksumIEEE(data[:size]) != sum {
		return nil, nil, errBroken
	}
	return data[:size], data[size:], nil
}

func takeChunk(data []byte, value any) (rest []byte, err error) {
	chunk, rest, err := cutChunk(data)
	if err != nil {
		return nil, err
	}
	return rest, gob.NewDecoder(bytes.NewReader(chunk)).Decode(value)
}
