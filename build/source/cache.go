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
// stamps of all files, which is all that a run without changes reads, then the
// readings in shares, in the same order. A damaged cache counts as empty.
type cache struct {
	file    string
	version string
	order   []string
	// first is the head of the first chunk: readings of another one, which
	// another process has saved since, are none.
	first [chunkHead]byte
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
	in, err := os.Open(c.file)
	if err != nil {
		return nil
	}
	defer in.Close()
	var ix index
	head, chunk, err := readChunk(in)
	if err != nil || gob.NewDecoder(bytes.NewReader(chunk)).Decode(&ix) != nil || ix.Version != c.version || len(ix.Stamps) != len(ix.Paths) || len(ix.Digests) != len(ix.Paths) {
		return nil
	}
	files := make(map[string]*record, len(ix.Paths))
	for i, path := range ix.Paths {
		files[path] = &record{stamp: ix.Stamps[i], digest: ix.Digests[i]}
	}
	c.order, c.first = ix.Paths, head
	return files
}

// readings decodes the rest; readings that cannot be decoded are missing.
func (c *cache) readings() map[string]*reading {
	in, err := os.Open(c.file)
	if err != nil {
		return nil
	}
	defer in.Close()
	if head, _, err := readChunk(in); err != nil || head != c.first {
		return nil
	}
	shares := make([][]*reading, (len(c.order)+cacheShare-1)/cacheShare)
	texts := newPool()
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range shares {
		_, chunk, err := readChunk(in)
		if err != nil {
			break
		}
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
	c.order = nil
	return all
}

// save replaces the whole file.
func (c *cache) save(files map[string]*record) error {
	ix := index{Version: c.version}
	for path := range files {
		ix.Paths = append(ix.Paths, path)
	}
	slices.Sort(ix.Paths)
	for _, path := range ix.Paths {
		ix.Stamps, ix.Digests = append(ix.Stamps, files[path].stamp), append(ix.Digests, files[path].digest)
	}
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return err
	}
	// What a power loss leaves of it is told by the checksums, and read anew.
	return durable.Swap(c.file, "", 0o600, func(out *os.File) error {
		if err := writeChunks(out, ix); err != nil {
			return err
		}
		// As many shares at a time as there are processors: all of them encoded
		// would be as much again as what they hold.
		var shares []any
		for paths := range slices.Chunk(ix.Paths, cacheShare) {
			share := make([]*reading, len(paths))
			for i, path := range paths {
				share[i] = files[path].reading
			}
			if shares = append(shares, share); len(shares) == runtime.GOMAXPROCS(0) {
				if err := writeChunks(out, shares...); err != nil {
					return err
				}
				shares = shares[:0]
			}
		}
		return writeChunks(out, shares...)
	})
}

// writeChunks encodes values at the same time, and writes them one after the other.
func writeChunks(out *os.File, values ...any) error {
	chunks := make([]bytes.Buffer, len(values))
	var group errgroup.Group
	for i, value := range values {
		group.Go(func() error {
			chunks[i].Write(make([]byte, chunkHead))
			return gob.NewEncoder(&chunks[i]).Encode(value)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range chunks {
		data := chunks[i].Bytes()
		binary.LittleEndian.PutUint32(data, uint32(len(data)-chunkHead))
		binary.LittleEndian.PutUint32(data[4:], crc32.ChecksumIEEE(data[chunkHead:]))
		if _, err := out.Write(data); err != nil {
			return err
		}
	}
	return nil
}

const chunkHead = 8

// readChunk reads the next chunk, and its length and checksum as they are written.
func readChunk(in *os.File) (head [chunkHead]byte, chunk []byte, err error) {
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return head, nil, err
	}
	size, sum := int64(binary.LittleEndian.Uint32(head[:4])), binary.LittleEndian.Uint32(head[4:])
	// A length that a damage made must not take all memory.
	if info, err := in.Stat(); err != nil || size > info.Size() {
		return head, nil, errors.Join(errBroken, err)
	}
	chunk = make([]byte, size)
	if _, err := io.ReadFull(in, chunk); err != nil {
		return head, nil, err
	}
	if crc32.ChecksumIEEE(chunk) != sum {
		return head, nil, errBroken
	}
	return head, chunk, nil
}
