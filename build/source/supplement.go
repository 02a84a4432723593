package source

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"souk/build/kit/durable"
)

// A supplement is what few edits made different from the cache's file, in a file beside
// it, so that none of them writes that one anew.
type supplement struct {
	// Base is the end of the file that it supplements; that of another counts as none.
	Base fileEnd
	// Content and Stamps are the totals of all files.
	Content uint64
	Stamps  [2]uint64
	// Gone are files of Base that are no longer there. Restamped have the bytes that
	// Base knows, at another time. The readings of Read are the body of a share.
	Gone            []string
	Restamped, Read indexShare
	Share           []byte
}

const supplementSuffix = ".since"

func (s *supplement) totals() totals { return totals{s.Content, s.Stamps} }

// readSupplement returns what supplements the file with this end, or nil.
func readSupplement(file string, base fileEnd) *supplement {
	data, err := os.ReadFile(file + supplementSuffix)
	if err != nil {
		return nil
	}
	chunk, err := chunkIn(data, 0)
	if err != nil {
		return nil
	}
	s := new(supplement)
	if gob.NewDecoder(bytes.NewReader(chunk.body())).Decode(s) != nil || s.Base != base || !s.Restamped.even() || !s.Read.even() {
		return nil
	}
	return s
}

// even reports whether a share tells as many of each.
func (s indexShare) even() bool {
	return len(s.Stamps) == len(s.Paths) && len(s.Digests) == len(s.Paths)
}

func (s *indexShare) add(path string, r *record) {
	s.Paths, s.Stamps, s.Digests = append(s.Paths, path), append(s.Stamps, r.stamp), append(s.Digests, r.digest)
}

// each calls yield for each file.
func (s indexShare) each(yield func(i int, path string, r *record)) {
	records := make([]record, len(s.Paths))
	for i, path := range s.Paths {
		records[i] = record{stamp: s.Stamps[i], digest: s.Digests[i]}
		yield(i, path, &records[i])
	}
}

// over puts what supplements a cache's file over the files of that. It returns the records
// of these that there were, nil for a file that was not; ok is false, and nothing is put,
// where it cannot be read.
func (s *supplement) over(files map[string]*record) (base map[string]*record, ok bool) {
	base = map[string]*record{}
	if s == nil {
		return base, true
	}
	readings := decodeShare(s.Share, s.Read.Paths)
	if readings == nil {
		return nil, false
	}
	put := func(path string, r *record) {
		base[path], files[path] = files[path], r
	}
	for _, path := range s.Gone {
		base[path] = files[path]
		delete(files, path)
	}
	s.Restamped.each(func(_ int, path string, r *record) { put(path, r) })
	s.Read.each(func(i int, path string, r *record) {
		r.reading = readings[i]
		put(path, r)
	})
	return base, true
}

// supplement saves files that come to these totals and differ from the cache's file at
// most where base tells their records there. It fails with errBroken where that file is
// another by now, or a reading is still in it.
func (c *cache) supplement(base, files map[string]*record, t totals) error {
	in, err := c.reopen()
	if err != nil {
		return errBroken
	}
	defer in.Close()
	s, read := &supplement{Base: c.end, Content: t.content, Stamps: t.stamps}, share{files: files}
	for _, path := range slices.Sorted(maps.Keys(base)) {
		switch was, is := base[path], files[path]; {
		case is == nil && was != nil:
			s.Gone = append(s.Gone, path)
		case is == nil:
		case was == nil || was.digest != is.digest:
			s.Read.add(path, is)
			read.paths = append(read.paths, path)
		case was.stamp != is.stamp:
			s.Restamped.add(path, is)
		}
	}
	readings, err := read.encode(nil)
	if err != nil {
		return err
	}
	s.Share = readings.body()
	out := bytes.NewBuffer(make([]byte, chunkHead))
	if err := gob.NewEncoder(out).Encode(s); err != nil {
		return err
	}
	err = durable.Swap(c.file+supplementSuffix, "", 0o600, func(to *os.File) error {
		_, err := to.Write(seal(out.Bytes()))
		return err
	})
	if err == nil {
		c.later = s
	}
	return err
}

// remove removes a file that may not be there.
func remove(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
