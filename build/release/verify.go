package release

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/internal/listing"
	"souk/build/kit/twin"
)

// A fileStat is the size and time of a file found in the public folder.
type fileStat struct{ size, modTime int64 }

// verify compares the manifest with the folder and corrects the manifest: a file with another
// size or time is read, and a missing one is dropped, so that the next comparison with the
// documents repairs it. Without a log, it reads everything once.
func (t *Tree) verify(m *Manifest) error {
	all, err := walkFiles(t.options.Public)
	if err != nil || all.sum == m.folderSum() {
		return err
	}
	found := all.byName()
	for file := range m.entries {
		if _, there := found[file]; !there {
			m.delete(file)
			t.altered = true
		}
	}
	var doubtful []string
	for file, l := range found {
		if twin.Of(file) != file {
			continue
		}
		e := m.entries[file]
		if e == nil || e.Size != l.size || e.ModTime != l.modTime || t.twinsDiffer(file, e, found) {
			doubtful = append(doubtful, file)
		}
	}
	slices.Sort(doubtful)
	if err := t.examine(m, doubtful, found); err != nil {
		return err
	}
	t.sweepTwins(m, found)
	slices.Sort(t.foreign)
	return nil
}

func (t *Tree) twinsDiffer(file string, e *Entry, found map[string]fileStat) bool {
	differs := func(suffix string, size int64) bool {
		l, there := found[file+suffix]
		return there != (size > 0) || there && (l.size != size || l.modTime != e.ModTime)
	}
	return differs(twin.Gzip, e.Gzip) || differs(twin.Brotli, e.Brotli)
}

// examine reads the files that differ from the manifest.
func (t *Tree) examine(m *Manifest, files []string, found map[string]fileStat) error {
	entries := make([]*Entry, len(files))
	var group errgroup.Group
	group.SetLimit(8)
	for i, file := range files {
		group.Go(func() (err error) {
			entries[i], err = t.examineFile(file, m.entries[file] != nil, found)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, file := range files {
		old := m.entries[file]
		switch e := entries[i]; {
		case e == nil && old == nil:
			if path.Base(file) != ignoreFile {
				t.foreign = append(t.foreign, file)
			}
		case e == nil:
			m.delete(file)
			t.altered = true
		default:
			t.altered = t.altered || old == nil || old.Digest != e.Digest || old.Gzip != e.Gzip || old.Brotli != e.Brotli
			m.set(file, e)
		}
	}
	return nil
}

// examineFile returns the entry of a file, computed from its bytes, or nil if it is not ours.
func (t *Tree) examineFile(file string, known bool, found map[string]fileStat) (*Entry, error) {
	read := sync.OnceValues(func() ([]byte, error) { return os.ReadFile(t.Path(file)) })
	if !known && !t.options.Ours(file, read) {
		return nil, nil
	}
	body, err := read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := found[file]
	e := &Entry{Digest: DigestOf(body), Size: int64(len(body)), ModTime: l.modTime}
	e.Gzip = t.twinSize(file+twin.Gzip, e, found)
	e.Brotli = t.twinSize(file+twin.Brotli, e, found)
	return e, nil
}

// twinSize returns the size of a twin if its content matches its document, otherwise 0.
func (t *Tree) twinSize(twin string, e *Entry, found map[string]fileStat) int64 {
	l, there := found[twin]
	if !there || l.modTime != e.ModTime {
		return 0
	}
	data, err := os.ReadFile(t.Path(twin))
	if err != nil {
		return 0
	}
	body, err := Decompress(twin, data)
	if err != nil || DigestOf(body) != e.Digest {
		return 0
	}
	return l.size
}

// sweepTwins divides twins without an entry into our leftovers, which are beside one of our
// documents, and foreign files.
func (t *Tree) sweepTwins(m *Manifest, found map[string]fileStat) {
	for file := range found {
		document := twin.Of(file)
		if document == file {
			continue
		}
		e := m.entries[document]
		switch {
		case e != nil && (strings.HasSuffix(file, twin.Gzip) && e.Gzip > 0 || strings.HasSuffix(file, twin.Brotli) && e.Brotli > 0):
		case e != nil || t.options.Ours(document, func() ([]byte, error) { return t.readTwin(file) }):
			t.stale = append(t.stale, file)
			t.altered = true
		default:
			t.foreign = append(t.foreign, file)
		}
	}
}

func (t *Tree) readTwin(file string) ([]byte, error) {
	data, err := os.ReadFile(t.Path(file))
	if err != nil {
		return nil, err
	}
	return Decompress(file, data)
}

// stagePrefix is the prefix of the names of stage folders.
const stagePrefix = "stage-"

// withinPrefix is the prefix of the names of stage folders within the public folder.
const withinPrefix = ".souk-" + stagePrefix

// seed is the seed of the hashes in sums.
var seed = maphash.MakeSeed()

// A folderSum is the number of some files, and the sum of the hashes of their names, sizes and
// times. Folders with the same sum are alike: a coincidence has a probability of 2^-64, and
// the seed is secret and different in each process. So folders are compared without looking up
// each of their files.
type folderSum struct{ files, hashes uint64 }

func (s *folderSum) add(h *maphash.Hash, file, suffix string, l fileStat) {
	var numbers [16]byte
	order.PutUint64(numbers[:], uint64(l.size))
	order.PutUint64(numbers[8:], uint64(l.modTime))
	h.Reset()
	h.WriteString(file)
	h.WriteString(suffix)
	h.Write(numbers[:])
	s.files++
	s.hashes += h.Sum64()
}

// folderSum returns the sum of a release's folder.
func (m *Manifest) folderSum() (s folderSum) {
	var h maphash.Hash
	h.SetSeed(seed)
	for file, e := range m.entries {
		s.add(&h, file, "", fileStat{e.Size, e.ModTime})
		if e.Gzip > 0 {
			s.add(&h, file, twin.Gzip, fileStat{e.Gzip, e.ModTime})
		}
		if e.Brotli > 0 {
			s.add(&h, file, twin.Brotli, fileStat{e.Brotli, e.ModTime})
		}
	}
	return s
}

// found are all files of a folder.
type found struct {
	sum     folderSum
	mu      sync.Mutex
	folders [][]listed
}

// listed is one of these files.
type listed struct {
	name string
	fileStat
}

func (l *found) byName() map[string]fileStat {
	all := make(map[string]fileStat, l.sum.files)
	for _, folder := range l.folders {
		for _, one := range folder {
			all[one.name] = one.fileStat
		}
	}
	return all
}

// take adds the files of one folder.
func (l *found) take(folder []listed) {
	var h maphash.Hash
	h.SetSeed(seed)
	var sum folderSum
	for _, one := range folder {
		if path.Base(one.name) != ignoreFile {
			sum.add(&h, one.name, "", one.fileStat)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.folders = append(l.folders, folder)
	l.sum.files += sum.files
	l.sum.hashes += sum.hashes
}

// ignoreFile keeps the folder out of Git.
const ignoreFile = ".gitignore"

// walkFiles lists all files below a folder except those in stage folders.
func walkFiles(root string) (*found, error) {
	all := &found{}
	var group errgroup.Group
	group.SetLimit(8)
	var folder func(dir string) error
	folder = func(dir string) error {
		entries, err := listing.Folder(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return err
		}
		here := make([]listed, 0, len(entries))
		for _, entry := range entries {
			name := entry.In(dir)
			if entry.Type.IsDir() {
				if strings.HasPrefix(name, withinPrefix) {
					continue
				}
				if !group.TryGo(func() error { return folder(name) }) {
					if err := folder(name); err != nil {
						return err
					}
				}
				continue
			}
			if entry.Err != nil {
				return entry.Err
			}
			l := fileStat{entry.Size, entry.ModTime}
			if !entry.Type.IsRegular() {
				l.size = -1
			}
			here = append(here, listed{name, l})
		}
		all.take(here)
		return nil
	}
	err := folder(".")
	return all, errors.Join(err, group.Wait())
}
