package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/kit/durable"
	"souk/build/kit/mapped"
	"souk/build/kit/processors"
)

const (
	headFile   = "head"
	partSuffix = ".part"
	unfinished = ".new"
	folderMode = 0o700
)

// A State identifies what search reads: the release by its id, and the content, since
// not all that is searched is in a document of it.
type State struct {
	Release string
	Content uint64
}

// Holds reports whether the parts of a folder are all there and of a State.
func Holds(folder string, state State) bool {
	h, err := ReadHead(folder)
	return err == nil && h.State == state && !slices.ContainsFunc(h.Parts, func(p Named) bool {
		info, err := os.Stat(filepath.Join(folder, filepath.Base(p.Name)))
		return err != nil || info.Size() != p.Bytes
	})
}

// A Head tells what search reads of one release.
type Head struct {
	Schema string
	State
	Settings
	Parts []Named
}

// A Named Part is one of a Head, with what in it is not living, by place, ascending.
type Named struct {
	Name  string
	Bytes int64
	// CRC is the Castagnoli checksum of the file (RFC 3720, B.4), which processors
	// compute in hardware: a Part is mapped, and damage would crash its readers.
	CRC  uint32
	Dead []uint32
}

// ErrNone means that a folder has no search parts yet.
var ErrNone = errors.New("there are no search parts: the next 'souk build' writes them")

// ReadHead returns that of a folder. It fails with ErrNone where there is none.
func ReadHead(folder string) (h Head, err error) {
	data, err := os.ReadFile(filepath.Join(folder, headFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return h, ErrNone
	case err != nil:
		return h, err
	}
	sum, told, _ := bytes.Cut(data, []byte("\n"))
	if string(sum) != sumOf(told) {
		return h, fmt.Errorf("%s is damaged: its checksum is another", filepath.Join(folder, headFile))
	}
	if err := json.Unmarshal(told, &h); err != nil {
		return h, fmt.Errorf("%s is damaged: %w", filepath.Join(folder, headFile), err)
	}
	if h.Schema != schema {
		return h, fmt.Errorf("%s was written by another version of the program: %w", filepath.Join(folder, headFile), ErrNone)
	}
	return h, nil
}

// sumOf returns the checksum of a head, which stands in the line before it.
func sumOf(head []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(head, castagnoli())) }

// A Set is the Parts of one release.
type Set struct {
	Head
	Views []View
}

// A View is a Part as one release has it.
type View struct {
	*Part
	dead []uint32
}

// Lives reports whether a document is living.
func (v *View) Lives(document uint32) bool {
	_, dead := slices.BinarySearch(v.dead, document)
	return !dead
}

// Whole reports whether all documents are living.
func (v *View) Whole() bool { return len(v.dead) == 0 }

func (v *View) living() int { return v.count - len(v.dead) }

// live calls yield with the place of each document that is living.
func (v *View) live(yield func(at int) bool) {
	dead := v.dead
	for at := range v.count {
		if len(dead) > 0 && int(dead[0]) == at {
			dead = dead[1:]
		} else if !yield(at) {
			return
		}
	}
}

// Close closes the Set. A Part that another Set uses stays open.
func (s *Set) Close() error {
	var all []error
	for _, v := range s.Views {
		all = append(all, v.release())
	}
	return errors.Join(all...)
}

// Read opens the Set of a folder. The Parts that the previous one has are taken from
// there; it stays open, and may be nil. Read fails with ErrNone where there is none.
func Read(ctx context.Context, folder string, previous *Set) (*Set, error) {
	h, err := ReadHead(folder)
	if err != nil {
		return nil, err
	}
	s := &Set{Head: h}
	s.Views, err = previous.views(ctx, folder, h.Parts)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// views opens Parts of a folder as a head names them. Those that the Set has are taken from
// there; it may be nil.
func (s *Set) views(ctx context.Context, folder string, list []Named) ([]View, error) {
	views := make([]View, len(list))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(processors.Count())
	for i, named := range list {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			part, err := s.part(folder, named)
			if err != nil {
				return err
			}
			views[i] = View{part, named.Dead}
			if n := len(named.Dead); n > 0 && int(named.Dead[n-1]) >= part.count || !slices.IsSorted(named.Dead) {
				return fmt.Errorf("%s is damaged: it tells of documents that %s does not have", filepath.Join(folder, headFile), named.Name)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		opened := Set{Views: slices.DeleteFunc(views, func(v View) bool { return v.Part == nil })}
		return nil, errors.Join(err, opened.Close())
	}
	return views, nil
}

// part returns a Part of a folder: the one that the Set has, with one more reference, or
// its file.
func (s *Set) part(folder string, named Named) (*Part, error) {
	if s != nil {
		for _, v := range s.Views {
			if v.name == named.Name {
				v.refs.Add(1)
				return v.Part, nil
			}
		}
	}
	return mapPart(folder, named)
}

// mapPart maps the file of a Part into memory.
func mapPart(folder string, named Named) (*Part, error) {
	path := filepath.Join(folder, filepath.Base(named.Name))
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the search part %s is missing, as after a removal that no build has followed yet: the next 'souk build' writes it", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A shorter file would end the process where it is read.
	if info, err := f.Stat(); err != nil || info.Size() != named.Bytes || named.Bytes == 0 {
		return nil, cmp.Or(err, fmt.Errorf("the search part %s is damaged: it should have %d bytes", path, named.Bytes))
	}
	// It is read and not yet mapped: what is touched of a mapping counts as memory of
	// the process.
	sum := crc32.New(castagnoli())
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	if sum.Sum32() != named.CRC {
		return nil, fmt.Errorf("the search part %s is damaged: its checksum is another", path)
	}
	return partIn(f, named.Bytes, named.CRC)
}

// partIn maps a file of so many bytes, and returns the Part that is there.
func partIn(f *os.File, size int64, crc uint32) (*Part, error) {
	data, err := mapped.File(f, int(size))
	if err != nil {
		return nil, fmt.Errorf("map the search part %s: %w", f.Name(), err)
	}
	p, err := openPart(filepath.Base(f.Name()), data)
	if err != nil {
		return nil, errors.Join(err, mapped.Close(data))
	}
	p.mapped, p.crc = true, crc
	return p, nil
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Forget deletes every Part of a folder that holds a company that is removed, and what
// is being written. Whoever has a Part open keeps it.
func Forget(folder string, removed *catalog.Removals) error {
	if removed.Empty() {
		return nil
	}
	names, err := ending(folder, partSuffix)
	if err != nil {
		return err
	}
	var parts []*Part
	for _, path := range names {
		p, err := anyPart(path)
		if err != nil {
			// What cannot be read may hold anyone.
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("delete a search part that is damaged: %w", err)
			}
			continue
		}
		parts = append(parts, p)
	}
	gone := holding(parts, removed)
	for i, p := range parts {
		if err := p.release(); err != nil {
			return err
		}
		if gone[i] {
			if err := os.Remove(filepath.Join(folder, p.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("delete a search part that holds a removed seller: %w", err)
			}
		}
	}
	begun, err := ending(folder, unfinished)
	for _, path := range begun {
		if failed := os.Remove(path); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	if len(names)+len(begun) == 0 || err != nil {
		return err
	}
	return durable.SyncFolder(folder)
}

// ending returns the paths of what has a suffix in a folder, none where there is no folder.
// Its own name may have characters that mean something in a pattern.
func ending(folder, suffix string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if durable.Absent(err) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, err
}

// anyPart maps a Part without a look at its checksum.
func anyPart(path string) (*Part, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return partIn(f, info.Size(), 0)
}

// holding returns which Parts hold a company that is removed. What a company is known
// by is in its own document, which may be in another Part, or in none any more.
func holding(parts []*Part, removed *catalog.Removals) []bool {
	gone := make([]bool, len(parts))
	if removed.Empty() {
		return gone
	}
	holds := func(c catalog.Company) bool { _, held := removed.Holds(c); return held }
	known := map[string]bool{}
	for _, p := range parts {
		p.sellers(func(slug string, own *catalog.Company) {
			if own != nil {
				known[slug] = known[slug] || holds(*own)
			}
		})
	}
	for i, p := range parts {
		p.sellers(func(slug string, own *catalog.Company) {
			is, met := known[slug]
			if !met {
				// It may be one that a removed seller had before.
				is = holds(catalog.Company{Slug: slug, Aliases: []string{slug}})
				known[slug] = is
			}
			gone[i] = gone[i] || is
		})
	}
	return gone
}

// A Holder is a company that has documents in a Part, living or not.
type Holder struct {
	// Part is the file's name.
	Part string
	// Company has the companySlug alone where the seller's own document is elsewhere.
	catalog.Company
}

// Companies returns all that have documents in the Parts of a folder, whatever its
// head names.
func Companies(folder string) (list []Holder, err error) {
	names, err := ending(folder, partSuffix)
	for _, path := range names {
		p, failed := anyPart(path)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		p.sellers(func(slug string, own *catalog.Company) {
			one := Holder{p.name, catalog.Company{Slug: slug}}
			if own != nil {
				one.Company = *own
			}
			list = append(list, one)
		})
		err = errors.Join(err, p.release())
	}
	return list, err
}
