package search

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/blugelabs/bluge/index/lock"
)

// A store keeps the parts of an index in a folder:
//
//	manifest.json      the release, and the parts with the checksums of their files
//	part-…/            a bluge index, and the prints of its listings in prints
//
// Parts never change. The manifest is replaced in one step; folders that it
// does not name are left-overs.
type store struct {
	folder  string
	program string
	log     *slog.Logger
	index   *Index
	// foreign: another process is at work in the folder, so that it is only
	// read; what is missing is made in memory.
	foreign bool
}

const (
	lockFile     = "lock"
	manifestFile = "manifest.json"
	printsFile   = "prints"
	partPattern  = "part-*"
)

// provide gives the index its parts: those that there are, as far as their
// listings are still the same, and one for what is left.
func (s *store) provide(ctx context.Context, previous *Index) (err error) {
	var parts []*part
	stored := manifest{}
	unlock := s.lock()
	defer unlock()
	if previous != nil {
		for _, p := range previous.parts {
			p.refs.Add(1)
			parts = append(parts, p)
		}
	} else {
		parts, stored = s.load()
	}
	s.adopt(parts)
	rest, absorbed := s.rest()
	changed := len(rest) > 0 || len(absorbed) > 0
	if changed && len(parts) > 0 && previous == nil {
		s.log.Info("the stored search index is of another release and is brought up to date",
			"stored", stored.Release, "release", s.index.release, "listings", len(rest))
	}
	if changed {
		err = s.rewrite(ctx, rest)
	}
	if err == nil && (changed || stored.Release != s.index.release) {
		err = s.commit()
	}
	for _, p := range absorbed {
		if err == nil && !s.foreign {
			p.obsolete.Store(true)
		}
		err = errors.Join(err, p.release())
	}
	if err != nil {
		return errors.Join(err, s.index.done())
	}
	if previous == nil {
		s.sweep()
	}
	return nil
}

// lock keeps other processes from writing to the folder for the time being.
func (s *store) lock() (unlock func()) {
	if s.folder == "" {
		return func() {}
	}
	err := os.MkdirAll(s.folder, 0o755)
	if err == nil {
		var held lock.LockedFile
		// Bluge's lock does not wait: who is second only reads.
		if held, err = lock.OpenExclusive(filepath.Join(s.folder, lockFile), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			return func() { _ = held.Close() }
		}
	}
	s.foreign = true
	s.log.Warn("the search index is not kept: another process is at work in its folder", "folder", s.folder, "reason", err)
	return func() {}
}

// adopt finds the place of every listing that a part holds. A part without any
// of them keeps no place.
func (s *store) adopt(parts []*part) {
	x := s.index
	at := make(map[imprint]int32, len(x.prints))
	for i, p := range x.prints {
		at[p] = int32(i)
	}
	for _, p := range parts {
		places := make([]int32, len(p.prints))
		for i, pr := range p.prints {
			place, there := at[pr]
			if !there {
				place = -1
			} else {
				delete(at, pr)
			}
			places[i] = place
		}
		x.parts, x.places = append(x.parts, p), append(x.places, places)
	}
}

func alive(places []int32) int {
	n := 0
	for _, at := range places {
		if at >= 0 {
			n++
		}
	}
	return n
}

// rest takes out the parts that are to be absorbed: those of which half is
// dead, and, as log-structured merge trees do, those that are hardly larger
// than what is to be written anyway. It gives the listings that are to be
// written, in order.
func (s *store) rest() (rest []int32, absorbed []*part) {
	x := s.index
	missing := make([]bool, len(x.prints))
	left := len(missing)
	for i := range missing {
		missing[i] = true
	}
	for _, places := range x.places {
		for _, at := range places {
			if at >= 0 {
				missing[at] = false
				left--
			}
		}
	}
	for again := true; again; {
		again = false
		for i, p := range x.parts {
			living := alive(x.places[i])
			kept := p.folder != "" || s.folder == "" || s.foreign
			if kept && living*2 >= len(p.prints) && living > 0 && (left == 0 || living > left*2) {
				continue
			}
			for _, at := range x.places[i] {
				if at >= 0 {
					missing[at] = true
				}
			}
			left += living
			absorbed = append(absorbed, p)
			x.parts, x.places = slices.Delete(x.parts, i, i+1), slices.Delete(x.places, i, i+1)
			again = true
			break
		}
	}
	for i, m := range missing {
		if m {
			rest = append(rest, int32(i))
		}
	}
	return rest, absorbed
}

// rewrite makes a part of the listings.
func (s *store) rewrite(ctx context.Context, rest []int32) (err error) {
	if len(rest) == 0 {
		return nil
	}
	x := s.index
	prints := make([]imprint, len(rest))
	for i, at := range rest {
		prints[i] = x.prints[at]
	}
	directory, folder := memory(), ""
	if s.folder != "" && !s.foreign {
		if err := os.MkdirAll(s.folder, 0o755); err != nil {
			return err
		}
		if folder, err = os.MkdirTemp(s.folder, partPattern); err != nil {
			return err
		}
		directory = files(folder)
	}
	defer func() {
		if err != nil && folder != "" {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if err := buildPart(ctx, directory, x.corpus, x.lang, rest); err != nil {
		return err
	}
	if folder != "" {
		if err := writePrints(folder, prints); err != nil {
			return err
		}
	}
	p, err := openPart(directory, filepath.Base(folder), folder, prints)
	if err != nil {
		return err
	}
	p.refs.Store(1)
	x.parts, x.places = append(x.parts, p), append(x.places, rest)
	return nil
}

// commit names the parts of the index in the manifest.
func (s *store) commit() error {
	if s.folder == "" || s.foreign {
		return nil
	}
	m := manifest{Schema: schema, Program: s.program, Release: s.index.release}
	for _, p := range s.index.parts {
		sums, err := p.checksums()
		if err != nil {
			return err
		}
		m.Parts = append(m.Parts, manifestPart{Folder: p.id, Files: sums})
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return replace(filepath.Join(s.folder, manifestFile), data)
}

// load opens the parts that the manifest names. Where anything is wrong with
// them it says so and gives none.
func (s *store) load() ([]*part, manifest) {
	if s.folder == "" {
		return nil, manifest{}
	}
	data, err := os.ReadFile(filepath.Join(s.folder, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, manifest{}
	}
	m, parts := manifest{}, []*part(nil)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	switch {
	case err != nil:
	case m.Schema != schema || m.Program != s.program:
		err = errors.New("it was made by another version of the program")
	default:
		parts, err = s.loadParts(m)
	}
	if err != nil {
		s.log.Warn("the stored search index is of no use and is made anew", "folder", s.folder, "reason", err)
		for _, p := range parts {
			_ = p.release()
		}
		return nil, manifest{}
	}
	return parts, m
}

func (s *store) loadParts(m manifest) (parts []*part, err error) {
	for _, mp := range m.Parts {
		folder := filepath.Join(s.folder, filepath.Base(mp.Folder))
		if err := verify(folder, mp.Files); err != nil {
			return parts, err
		}
		prints, err := readPrints(folder)
		if err != nil {
			return parts, err
		}
		p, err := openPart(files(folder), mp.Folder, folder, prints)
		if err != nil {
			return parts, err
		}
		p.sums = mp.Files
		p.refs.Store(1)
		parts = append(parts, p)
	}
	return parts, nil
}

// sweep deletes the folders of the store that nothing uses, as those of a
// build that was killed.
func (s *store) sweep() {
	if s.folder == "" || s.foreign {
		return
	}
	used := map[string]bool{}
	for _, p := range s.index.parts {
		used[p.folder] = true
	}
	found, err := filepath.Glob(filepath.Join(s.folder, partPattern))
	for _, folder := range found {
		if !used[folder] {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	if err != nil {
		s.log.Warn("files of an old search index are left", "folder", s.folder, "reason", err)
	}
}
