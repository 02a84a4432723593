package source

import (
	"bytes"
	"encoding/gob"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"souk/build/durable"
	"souk/build/mapped"
	"souk/build/processors"
)

// A cache keeps what was read, so that a later run reads only what changed. The
// file is a row of chunks: the readings in shares, then the index, then its end, which
// is all that a run without changes reads. A damaged cache counts as empty.
type cache struct {
	file    string
	version string
	// packs: offers stay packed, where they are in the file, which stays mapped as long
	// as the process lives.
	packs bool
	// mapped is the file that packed offers are in.
	mapped []byte
	// paths are those of the readings that are still to be read.
	paths []string
	// saved are the shares of the file with this end: one with another end is what
	// another process has saved since.
	saved []savedShare
	end   fileEnd
}

// index begins the last chunk. An indexShare of each of the shares follows it: as one
// value all of them would be in memory several times while they are encoded.
type index struct {
	Version string
	Shares  []savedShare
}

// An indexShare is what the index says of the files of one share.
type indexShare struct {
	Paths   []string
	Stamps  []stamp
	Digests []string
}

// A savedShare is the chunk of some readings, one after the other.
type savedShare struct {
	// Sum is a digest of their paths and of the files' digests: where it is the same,
	// so is the chunk.
	Sum   [16]byte
	Paths int
	// At is where the chunk begins, Size how long it is, in bytes.
	At, Size int64
}

// begin reads the end of the file, and reports whether there is one.
func (c *cache) begin() (totals, bool) {
	in, err := os.Open(c.file)
	if err != nil {
		return totals{}, false
	}
	defer in.Close()
	end, err := readEnd(in)
	if err != nil || !end.of(c.version) {
		return totals{}, false
	}
	c.end = end
	return end.totals(), true
}

// open reads the index of the file that was begun.
func (c *cache) open() map[string]*record {
	in, err := c.reopen()
	if err != nil {
		return nil
	}
	defer in.Close()
	chunk, err := readChunk(in, c.end.index())
	if err != nil {
		return nil
	}
	var ix index
	decoder := gob.NewDecoder(bytes.NewReader(chunk.body()))
	if decoder.Decode(&ix) != nil || ix.Version != c.version {
		return nil
	}
	var paths []string
	files := map[string]*record{}
	for _, s := range ix.Shares {
		var of indexShare
		if decoder.Decode(&of) != nil || len(of.Paths) != s.Paths || len(of.Stamps) != s.Paths || len(of.Digests) != s.Paths {
			return nil
		}
		for i, path := range of.Paths {
			files[path] = &record{stamp: of.Stamps[i], digest: of.Digests[i]}
		}
		paths = append(paths, of.Paths...)
	}
	c.paths, c.saved = paths, ix.Shares
	return files
}

// reopen opens the file whose index was read, as long as it is there.
func (c *cache) reopen() (*os.File, error) {
	in, err := os.Open(c.file)
	if err != nil {
		return nil, err
	}
	if end, err := readEnd(in); err != nil || end != c.end {
		return nil, errors.Join(errBroken, in.Close())
	}
	return in, nil
}

// holds reports whether the file is there, and has files that come to these totals.
func (c *cache) holds(t totals) bool {
	if c.end == (fileEnd{}) || c.end.totals() != t {
		return false
	}
	in, err := c.reopen()
	return err == nil && in.Close() == nil
}

// readings reads the rest; readings that cannot be read are missing.
func (c *cache) readings() map[string]*reading {
	paths := c.paths
	c.paths = nil
	in, err := c.reopen()
	if err != nil {
		return nil
	}
	defer in.Close()
	chunkAt := func(at int64) (chunk, error) { return readChunk(in, at) }
	if c.packs {
		info, err := in.Stat()
		if err != nil {
			return nil
		}
		if c.mapped, err = mapped.File(in, int(info.Size())); err != nil {
			return nil
		}
		chunkAt = func(at int64) (chunk, error) { return chunkIn(c.mapped, at) }
	}
	shares, texts := make([][]*reading, len(c.saved)), newPool()
	var group errgroup.Group
	group.SetLimit(processors.Count())
	from := 0
	for i, s := range c.saved {
		of := paths[from : from+s.Paths]
		from += s.Paths
		group.Go(func() error {
			if chunk, err := chunkAt(s.At); err == nil {
				shares[i] = decodeShare(chunk.body(), of, texts, c.packs)
			}
			return nil
		})
	}
	group.Wait()
	all := make(map[string]*reading, len(paths))
	for i, s := range c.saved {
		for j, r := range shares[i] {
			all[paths[j]] = r
		}
		if shares[i] == nil { // its files are read anew
			c.end = fileEnd{} // nothing more is to come from this file
		}
		paths = paths[s.Paths:]
	}
	return all
}

// save replaces the whole file with files that come to these totals. The chunks of
// shares that did not change are copied.
func (c *cache) save(files map[string]*record, t totals) error {
	shares := sharesOf(slices.Sorted(maps.Keys(files)), files)
	if err := os.MkdirAll(filepath.Dir(c.file), 0o755); err != nil {
		return err
	}
	earlier := map[[16]byte]savedShare{}
	old, err := c.reopen()
	if err == nil {
		defer old.Close()
		for _, s := range c.saved {
			earlier[s.Sum] = s
		}
	}
	ix, end := index{Version: c.version}, fileEnd{}
	// What a power loss leaves of it is told by the checksums, and read anew.
	err = durable.Swap(c.file, "", 0o600, func(out *os.File) error {
		w := &chunkWriter{out: out}
		ix.Shares = w.shares(shares, old, earlier)
		last, err := ix.encode(shares)
		if err != nil {
			return err
		}
		end = endAt(w.at, last, c.version, t)
		w.write(last)
		w.write(end[:])
		return w.err
	})
	if err == nil {
		c.saved, c.end = ix.Shares, end
	}
	return err
}

// encode returns the chunk of the index.
func (ix index) encode(shares []share) (chunk, error) {
	const perFile = 160 // nearly all need less
	var out bytes.Buffer
	count := 0
	for _, s := range shares {
		count += len(s.paths)
	}
	out.Grow(chunkHead + count*perFile)
	out.Write(make([]byte, chunkHead))
	encoder := gob.NewEncoder(&out)
	if err := encoder.Encode(ix); err != nil {
		return nil, err
	}
	for _, s := range shares {
		of := indexShare{Paths: s.paths}
		for _, path := range s.paths {
			of.Stamps, of.Digests = append(of.Stamps, s.files[path].stamp), append(of.Digests, s.files[path].digest)
		}
		if err := encoder.Encode(of); err != nil {
			return nil, err
		}
	}
	return seal(out.Bytes()), nil
}
