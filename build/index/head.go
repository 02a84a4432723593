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

// A State identifies the input of search: the release by its id, and the content, since some
// of the searched text is in no document.
type State struct {
	Release string
	Content uint64
}

// Holds reports whether the parts of a folder are complete and belong to a State.
func Holds(folder string, state State) bool {
	h, err := ReadHead(folder)
	return err == nil && h.State == state && !slices.ContainsFunc(h.Parts, func(p Named) bool {
		info, err := os.Stat(filepath.Join(folder, filepath.Base(p.Name)))
		return err != nil || info.Size() != p.Bytes
	})
}

// A Head lists the search parts of one release.
type Head struct {
	Schema string
	State
	Settings
	Parts []Named
}

// A Named is a Part in a Head, with the indexes of its documents that are not living,
// ascending.
type Named struct {
	Name  string
	Bytes int64
	// CRC is the Castagnoli checksum of the file (RFC 3720, B.4), which processors compute in
	// hardware. A Part is mapped, and a corrupt one would crash its readers.
	CRC  uint32
	Dead []uint32
}

// ErrNone means that a folder has no search parts yet.
var ErrNone = errors.New("there are no search parts: run 'souk build' to write them")

// ReadHead returns the head of a folder, or ErrNone if there is none.
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
		return h, fmt.Errorf("%s is corrupt: its checksum is wrong", filepath.Join(folder, headFile))
	}
	if err := json.Unmarshal(told, &h); err != nil {
		return h, fmt.Errorf("%s is corrupt: %w", filepath.Join(folder, headFile), err)
	}
	if h.Schema != schema {
		return h, fmt.Errorf("%s was written by another version of the program: %w", filepath.Join(folder, headFile), ErrNone)
	}
	return h, nil
}

// sumOf returns the checksum of a head, which is in the line before it.
func sumOf(head []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(head, castagnoli())) }

// A Set is the open Parts of one release.
type Set struct {
	Head
	Views []View
}

// A View is a Part with the documents that are living in one release.
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

// live calls yield with the index of each living document.
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

// Read opens the Set of a folder. It reuses the Parts of the previous Set, which stays open
// and may be nil. It returns ErrNone if there is none.
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

// views opens the Parts of a folder that a head lists. It reuses the Parts of the Set, which
// may be nil.
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
				return fmt.Errorf("%s is corrupt: it refers to documents that are not in %s", filepath.Join(folder, headFile), named.Name)
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

// part returns a Part of a folder: the Set's, with one more reference, or a newly mapped one.
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
		return nil, fmt.Errorf("the search part %s is missing, perhaps because of a removal since the last build: run 'souk build' to write it", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Reading beyond the end of a shorter file would crash the process.
	if info, err := f.Stat(); err != nil || info.Size() != named.Bytes || named.Bytes == 0 {
		return nil, cmp.Or(err, fmt.Errorf("the search part %s is corrupt: it should have %d bytes", path, named.Bytes))
	}
	// Read the file instead of the mapping, because touched pages of a mapping count as memory
	// of the process.
	sum := crc32.New(castagnoli())
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	if sum.Sum32() != named.CRC {
		return nil, fmt.Errorf("the search part %s is corrupt: its checksum is wrong", path)
	}
	return partIn(f, named.Bytes, named.CRC)
}

// partIn maps a file of the given size and returns the Part in it.
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

// Forget deletes every Part of a folder that contains a removed company, and unfinished files.
// Processes that have a Part open keep it.
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
			// An unreadable file may contain any company.
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("delete a corrupt search part: %w", err)
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
				return fmt.Errorf("delete a search part that contains a removed seller: %w", err)
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

// ending returns the paths of the files in a folder with a suffix, or none if there is no
// folder. The folder's name may contain pattern characters.
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

// anyPart maps a Part without checking its checksum.
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

// holding returns the Parts that contain a removed company. A company's identity is in its own
// document, which may be in another Part or gone.
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
				// The slug may be a removed seller's former one.
				is = holds(catalog.Company{Slug: slug, Aliases: []string{slug}})
				known[slug] = is
			}
			gone[i] = gone[i] || is
		})
	}
	return gone
}

// A Holder is a company with documents in a Part, living or not.
type Holder struct {
	// Part is the name of the Part's file.
	Part string
	// Company has only the companySlug if the seller's own document is elsewhere.
	catalog.Company
}

// Companies returns all companies with documents in the Parts of a folder, whether or not its
// head lists the Parts.
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
