package terms

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/blugelabs/bluge/index/lock"

	"souk/build/durable"
)

// A store makes an Index from what its folder holds and what the Source has.
type store struct {
	Options
	source Source
	index  *Index
	// readOnly: another process writes to the folder, so whatever is missing is
	// made in memory.
	readOnly bool
}

const (
	lockFile       = "lock"
	manifestFile   = "manifest.json"
	digestsFile    = "digests"
	segmentPattern = "segment-*"
)

// provide gives the Index its Segments: the existing ones, as far as their
// listings are unchanged, and one for the rest.
func (s *store) provide(ctx context.Context) (err error) {
	var segments []*stored
	kept := manifest{}
	unlock := s.lock()
	defer unlock()
	if s.Previous != nil {
		for _, p := range s.Previous.segments {
			p.refs.Add(1)
			segments = append(segments, p.stored)
		}
	} else {
		segments, kept = s.load()
	}
	s.adopt(segments)
	missing, merged := s.plan()
	changed := len(missing) > 0 || len(merged) > 0
	if changed && len(segments) > 0 && s.Previous == nil {
		s.Log.Info("the stored search index is of another release and is brought up to date",
			"stored", kept.Release, "release", s.Release, "listings", len(missing))
	}
	if changed {
		err = s.add(ctx, missing)
	}
	if err == nil && (changed || kept.Release != s.Release) {
		err = s.commit()
	}
	for _, m := range merged {
		if err == nil && !s.readOnly {
			m.obsolete.Store(true)
		}
		err = errors.Join(err, m.release())
	}
	if err != nil {
		return errors.Join(err, s.index.Release())
	}
	if s.Previous == nil {
		s.sweep()
	}
	return nil
}

// lock keeps other processes from writing to the folder until unlock.
func (s *store) lock() (unlock func()) {
	if s.Folder == "" {
		return func() {}
	}
	err := os.MkdirAll(s.Folder, 0o755)
	if err == nil {
		var held lock.LockedFile
		// Bluge's lock does not wait: whoever comes second only reads.
		if held, err = lock.OpenExclusive(filepath.Join(s.Folder, lockFile), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			return func() { _ = held.Close() }
		}
	}
	s.readOnly = true
	s.Log.Warn("the search index is not kept: another process is at work in its folder", "folder", s.Folder, "reason", err)
	return func() {}
}

// adopt finds the number of every listing that a Segment holds.
func (s *store) adopt(segments []*stored) {
	numbers := make(map[Digest]int32, len(s.source.Digests))
	for i, d := range s.source.Digests {
		numbers[d] = int32(i)
	}
	for _, one := range segments {
		listings := make([]int32, len(one.digests))
		for i, d := range one.digests {
			number, there := numbers[d]
			if !there {
				number = -1
			} else {
				delete(numbers, d)
			}
			listings[i] = number
		}
		s.index.segments = append(s.index.segments, newSegment(one, listings))
	}
}

// plan removes the Segments that are to be merged: those that are half
// obsolete, and those hardly larger than what is written anyway. It returns the
// listings to write, in order.
func (s *store) plan() (missing []int32, merged []*Segment) {
	x := s.index
	lacks := make([]bool, len(s.source.Digests))
	left := len(lacks)
	for i := range lacks {
		lacks[i] = true
	}
	for _, segment := range x.segments {
		for _, at := range segment.listings {
			if at >= 0 {
				lacks[at] = false
				left--
			}
		}
	}
	for again := true; again; {
		again = false
		for i, segment := range x.segments {
			living := segment.living()
			inPlace := segment.folder != "" || s.Folder == "" || s.readOnly
			if inPlace && living*2 >= len(segment.digests) && living > 0 && (left == 0 || living > left*2) {
				continue
			}
			for _, at := range segment.listings {
				if at >= 0 {
					lacks[at] = true
				}
			}
			left += living
			merged = append(merged, segment)
			x.segments = slices.Delete(x.segments, i, i+1)
			again = true
			break
		}
	}
	for i, lack := range lacks {
		if lack {
			missing = append(missing, int32(i))
		}
	}
	return missing, merged
}

// add makes a Segment of the listings.
func (s *store) add(ctx context.Context, listings []int32) (err error) {
	if len(listings) == 0 {
		return nil
	}
	digests := make([]Digest, len(listings))
	for i, at := range listings {
		digests[i] = s.source.Digests[at]
	}
	directory, folder := memory(), ""
	if s.Folder != "" && !s.readOnly {
		if err := os.MkdirAll(s.Folder, 0o755); err != nil {
			return err
		}
		if folder, err = os.MkdirTemp(s.Folder, segmentPattern); err != nil {
			return err
		}
		directory = files(folder)
	}
	defer func() {
		if err != nil && folder != "" {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if err := write(ctx, directory, s.source, listings); err != nil {
		return err
	}
	if folder != "" {
		if err := writeDigests(folder, digests); err != nil {
			return err
		}
	}
	one, err := openStored(directory, filepath.Base(folder), folder, digests)
	if err != nil {
		return err
	}
	s.index.segments = append(s.index.segments, newSegment(one, listings))
	return nil
}

// commit names the Segments of the Index in the manifest.
func (s *store) commit() error {
	if s.Folder == "" || s.readOnly {
		return nil
	}
	m := manifest{Schema: s.Schema, Program: s.Program, Release: s.Release}
	for _, one := range s.index.segments {
		sums, err := one.checksums()
		if err != nil {
			return err
		}
		m.Segments = append(m.Segments, manifestSegment{Folder: one.id, Files: sums})
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return durable.Replace(filepath.Join(s.Folder, manifestFile), 0o600, data)
}

// load opens the Segments that the manifest names. If anything is wrong with
// them, it logs that and returns none.
func (s *store) load() ([]*stored, manifest) {
	if s.Folder == "" {
		return nil, manifest{}
	}
	data, err := os.ReadFile(filepath.Join(s.Folder, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, manifest{}
	}
	m, segments := manifest{}, []*stored(nil)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	switch {
	case err != nil:
	case m.Schema != s.Schema || m.Program != s.Program:
		// Nothing is wrong with it: this is what an upgrade looks like.
		s.Log.Info("the search index is made anew, since another version of the program made it", "folder", s.Folder)
		return nil, manifest{}
	default:
		segments, err = s.loadSegments(m)
	}
	if err != nil {
		s.Log.Warn("the stored search index is of no use and is made anew", "folder", s.Folder, "reason", err)
		for _, one := range segments {
			_ = one.release()
		}
		return nil, manifest{}
	}
	return segments, m
}

func (s *store) loadSegments(m manifest) (segments []*stored, err error) {
	for _, named := range m.Segments {
		folder := filepath.Join(s.Folder, filepath.Base(named.Folder))
		if err := verify(folder, named.Files); err != nil {
			return segments, err
		}
		digests, err := readDigests(folder)
		if err != nil {
			return segments, err
		}
		one, err := openStored(files(folder), named.Folder, folder, digests)
		if err != nil {
			return segments, err
		}
		one.sums = named.Files
		segments = append(segments, one)
	}
	return segments, nil
}

// sweep deletes folders of the store that nothing uses, such as those of a
// process that was killed.
func (s *store) sweep() {
	if s.Folder == "" || s.readOnly {
		return
	}
	used := map[string]bool{}
	for _, one := range s.index.segments {
		used[one.folder] = true
	}
	found, err := filepath.Glob(filepath.Join(s.Folder, segmentPattern))
	for _, folder := range found {
		if !used[folder] {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	if err != nil {
		s.Log.Warn("files of an old search index are left", "folder", s.Folder, "reason", err)
	}
}
