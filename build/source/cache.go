package source

import (
	"bytes"
	"encoding/gob"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"souk/build/kit/durable"
	"souk/build/kit/mapped"
	"souk/build/kit/processors"
)

// A cache keeps what was read, so that a later run reads only what changed. The
// file is a row of chunks: the readings in shares, then the index, then its end, which
// is all that a run without changes reads. What few edits made different since is in its
// supplement. A damaged cache counts as empty.
type cache struct {
	file    string
	version string
	// mapped is the file that packed offers are in, which stays mapped as long as the
	// process lives.
	mapped []byte
	// paths and records are those of the file, in the order of their paths, until the
	// first Change.
	paths   []string
	records []*record
	// saved are the shares of the file with this end: one with another end is what
	// another process has saved since.
	saved []savedShare
	end   fileEnd
	// later supplements that file; nil where nothing does.
	later *supplement
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

// begin reads the end of the file and what supplements it, and reports whether there is one.
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
	if c.end, c.later = end, readSupplement(c.file, end); c.later != nil {
		return c.later.totals(), true
	}
	return end.totals(), true
}

// open reads the index of the file that was begun. base has the records in that file of
// those files that are different by now, nil for one that is not in it.
func (c *cache) open() (files, base map[string]*record) {
	in, err := c.reopen()
	if err != nil {
		return nil, nil
	}
	defer in.Close()
	chunk, err := readChunk(in, c.end.index())
	if err != nil {
		return nil, nil
	}
	var ix index
	decoder := gob.NewDecoder(bytes.NewReader(chunk.body()))
	if decoder.Decode(&ix) != nil || ix.Version != c.version {
		return nil, nil
	}
	count := 0
	for _, s := range ix.Shares {
		count += s.Paths
	}
	paths, records := make([]string, 0, count), make([]*record, 0, count)
	files = make(map[string]*record, count)
	for _, s := range ix.Shares {
		var of indexShare
		if decoder.Decode(&of) != nil || len(of.Paths) != s.Paths || !of.even() {
			return nil, nil
		}
		of.each(func(_ int, path string, r *record) {
			files[path] = r
			records = append(records, r)
		})
		paths = append(paths, of.Paths...)
	}
	base, ok := c.later.over(files)
	if !ok {
		return nil, nil
	}
	c.paths, c.records, c.saved = paths, records, ix.Shares
	return files, base
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

// holds reports whether the file is there, and has with its supplement, which it takes in
// where another process wrote that, files that come to these totals.
func (c *cache) holds(t totals) bool {
	there := &cache{file: c.file, version: c.version}
	has, ok := there.begin()
	if !ok || there.end != c.end || has != t {
		return false
	}
	c.later = there.later
	return true
}

// all calls yield for each file that open returned a record for, in the order of paths.
func (c *cache) all(yield func(path string, r *record) bool) {
	for i, r := range c.records {
		if !yield(c.paths[i], r) {
			return
		}
	}
}

// read reads the rest of the file into the records that open returned for it. Where one
// cannot be read it is missing.
func (c *cache) read() {
	if len(c.records) == 0 {
		return
	}
	in, err := c.reopen()
	if err != nil {
		return
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return
	}
	if c.mapped, err = mapped.File(in, int(info.Size())); err != nil {
		return
	}
	var group errgroup.Group
	group.SetLimit(processors.Count())
	from := 0
	for _, s := range c.saved {
		first, to := from, from+s.Paths
		from = to
		group.Go(func() error {
			chunk, err := chunkIn(c.mapped, s.At)
			if err != nil {
				return err
			}
			readings := decodeShare(chunk.body(), c.paths[first:to])
			if readings == nil {
				return errBroken
			}
			for i, r := range readings {
				c.records[first+i].reading = r
			}
			return nil
		})
	}
	if group.Wait() != nil { // its files are read anew
		c.end = fileEnd{} // nothing more is to come from this file
	}
}

// save replaces the whole file with files that come to these totals; nothing supplements
// it then, and paths and records are of these files. The chunks of shares that did not
// change are copied.
func (c *cache) save(files map[string]*record, t totals) error {
	if c.file == "" {
		return errNowhere
	}
	paths := slices.Collect(maps.Keys(files))
	processors.Sort(paths, strings.Compare)
	shares := sharesOf(paths, files)
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
	if err != nil {
		return err
	}
	c.saved, c.end, c.later = ix.Shares, end, nil
	c.paths, c.records = paths, make([]*record, len(paths))
	for i, path := range paths {
		c.records[i] = files[path]
	}
	return remove(c.file + supplementSuffix)
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
