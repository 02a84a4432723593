package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/kit/durable"
	"souk/build/kit/mapped"
	"souk/build/kit/processors"
)

// Options are the options for writing Parts.
type Options struct {
	// Folder is the folder of the Parts, or empty for memory.
	Folder string
	// State is the state of the marketplace that the Corpus describes.
	State State
	// Previous is the open Set, or nil. Unchanged documents are taken from it. It stays open.
	Previous *Set
	// Removals reads the removals: no Part that contains a removed seller is kept. It is
	// called again before anything is committed. If it is nil, no seller is removed.
	Removals func(context.Context) (*catalog.Removals, error)
	// Log reports unusable Parts. It may be nil.
	Log *slog.Logger
}

// partDocuments is the initial maximum number of documents in a Part. The larger it is, the
// cheaper it is to look up a word in all Parts; the smaller, the less must be rewritten when a
// seller leaves.
const partDocuments = 4096

// partsAtOnce is the number of Parts that documents are divided into even if fewer would do,
// unless the Parts became small: with few Parts, most processors wait for the last one.
const partsAtOnce = 4

// Write brings the Parts of a folder up to a Corpus, takes ownership of it, and returns the
// Parts open. Missing or corrupt Parts are written again and reported in one log line. If the
// process is killed, the head stays as it was.
func Write(ctx context.Context, x *Corpus, o Options) (_ *Set, err error) {
	w := newWriter(x, o)
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write the search parts: %w", err), w.set.Close())
		}
	}()
	if o.Folder != "" {
		if err := os.MkdirAll(o.Folder, folderMode); err != nil {
			return nil, err
		}
	}
	removed, err := w.removed(ctx)
	if err != nil {
		return nil, err
	}
	before := w.before(ctx)
	if err := w.forget(ctx, removed); err != nil {
		return nil, err
	}
	if err := w.add(ctx, w.plan()); err != nil {
		return nil, err
	}
	return w.set, w.end(ctx, before)
}

func newWriter(x *Corpus, o Options) *writer {
	w := &writer{Options: o, set: &Set{Head: Head{Schema: schema, State: o.State, Settings: x.Settings}}}
	w.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Folder != "" {
		w.left, _ = ending(o.Folder, unfinished) // commit reports an unreadable folder
	}
	w.of(x)
	return w
}

// of sets the Corpus to write.
func (w *writer) of(x *Corpus) {
	x.sort()
	w.corpus, w.digests = x, x.digests()
}

// end records the Parts in the head, unless it already lists them.
func (w *writer) end(ctx context.Context, before Head) error {
	for _, v := range w.set.Views {
		w.set.Parts = append(w.set.Parts, Named{v.name, int64(len(v.data)), v.crc, v.dead})
	}
	if w.Folder == "" || before.equal(w.set.Head) {
		return nil
	}
	return w.commit(ctx)
}

func (w *writer) removed(ctx context.Context) (*catalog.Removals, error) {
	if w.Removals == nil {
		return nil, nil
	}
	return w.Removals(ctx)
}

// parts returns the Parts of the Set.
func (w *writer) parts() []*Part {
	parts := make([]*Part, len(w.set.Views))
	for i, v := range w.set.Views {
		parts[i] = v.Part
	}
	return parts
}

// A writer writes the Parts of one Corpus.
type writer struct {
	Options
	corpus  *Corpus
	digests []Digest
	set     *Set
	// left are files that were unfinished at the start. A killed writer left them, and they
	// may contain any seller. Files are written without the lock, so files that another
	// process starts meanwhile are not among them.
	left []string
}

// before takes over the existing Parts with their living documents, and returns the head of
// the folder.
func (w *writer) before(ctx context.Context) (h Head) {
	if w.Folder != "" {
		var err error
		if h, err = ReadHead(w.Folder); err != nil && !errors.Is(err, ErrNone) {
			w.Log.Warn("the search parts are unusable; writing new ones", "folder", w.Folder, "reason", err)
		}
	}
	numbers := make(map[Digest]int32, len(w.digests))
	for i, d := range w.digests {
		numbers[d] = int32(i)
	}
	adopt := func(p *Part) {
		v := View{Part: p}
		for i := range p.count {
			if _, there := numbers[p.Digest(i)]; there {
				delete(numbers, p.Digest(i))
			} else {
				v.dead = append(v.dead, uint32(i))
			}
		}
		w.set.Views = append(w.set.Views, v)
	}
	lost := error(nil)
	known := map[string]bool{}
	if w.Previous != nil {
		for _, v := range w.Previous.Views {
			known[v.name] = true
			v.refs.Add(1)
			adopt(v.Part)
		}
	}
	for _, named := range h.Parts {
		if known[named.Name] {
			continue
		}
		p, err := mapPart(w.Folder, named)
		if err == nil {
			adopt(p)
		} else if ctx.Err() == nil {
			lost = cmp.Or(lost, err)
		}
	}
	if lost != nil {
		w.Log.Warn("writing new search parts", "folder", w.Folder, "reason", lost)
	}
	return h
}

// equal reports whether two heads have the same content.
func (h Head) equal(o Head) bool {
	a, errA := json.Marshal(h)
	b, errB := json.Marshal(o)
	return errA == nil && errB == nil && string(a) == string(b)
}

// forget replaces each Part that contains a removed seller, or whose file was deleted because
// it did, by its remaining documents. It copies them from the Part, which is faster than from
// the catalog.
func (w *writer) forget(ctx context.Context, removed *catalog.Removals) error {
	for i, gone := range holding(w.parts(), removed) {
		v := w.set.Views[i]
		if w.Folder != "" && !gone {
			_, err := os.Stat(filepath.Join(w.Folder, v.name))
			gone = errors.Is(err, fs.ErrNotExist)
		}
		if !gone || v.living() == 0 {
			continue // drop a Part without living documents
		}
		data, err := v.encodeWithout(ctx, v.dead)
		if err != nil {
			return err
		}
		rest, err := w.keep(data)
		if err != nil {
			return err
		}
		w.set.Views[i] = View{Part: rest}
		if err := v.release(); err != nil {
			return err
		}
	}
	return nil
}

// plan drops the Parts that are to be merged, and returns the documents to write, in order.
func (w *writer) plan() (missing []int32) {
	left := len(w.digests)
	for i := range w.set.Views {
		left -= w.set.Views[i].living()
	}
	for _, v := range w.giveUp(left) {
		_ = v.release()
	}
	living := make(map[Digest]bool, len(w.digests))
	for i := range w.set.Views {
		for at := range w.set.Views[i].live {
			living[w.set.Views[i].Digest(at)] = true
		}
	}
	for i, d := range w.digests {
		if !living[d] {
			missing = append(missing, int32(i))
		}
	}
	return missing
}

// giveUp drops the Parts that are to be merged because many documents are written anyway:
// those that are half obsolete, and small ones that are hardly larger. It returns them open.
func (w *writer) giveUp(left int) (given []View) {
	for again := true; again; {
		again = false
		for i := range w.set.Views {
			n := w.set.Views[i].living()
			small := n <= 2*left && n <= partDocuments/2
			if n == 0 || 2*n < w.set.Views[i].count || small {
				given = append(given, w.set.Views[i])
				w.set.Views = slices.Delete(w.set.Views, i, i+1)
				left, again = left+n, true
				break
			}
		}
	}
	return given
}

// add writes documents to new Parts, keeping a seller's documents together as far as possible.
func (w *writer) add(ctx context.Context, places []int32) error {
	var shares [][]int32
	most := min(partDocuments, max(len(places)/partsAtOnce+1, partDocuments/4))
	for len(places) > 0 {
		n := min(len(places), most)
		for n < len(places) && n < 2*most && w.company(places[n]) != "" && w.company(places[n]) == w.company(places[n-1]) {
			n++
		}
		share := slices.Clone(places[:n])
		slices.SortFunc(share, w.listed)
		shares, places = append(shares, share), places[n:]
	}
	made := make([]*Part, len(shares))
	language := Language(w.corpus.Language)
	makers := sync.Pool{New: func() any {
		return &partMaker{corpus: w.corpus, digests: w.digests, analyser: NewAnalyser(language)}
	}}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(processors.Count())
	for i, share := range shares {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			maker := makers.Get().(*partMaker)
			p, err := w.keep(maker.encode(share))
			makers.Put(maker)
			made[i] = p
			return err
		})
	}
	err := group.Wait()
	for _, p := range made {
		if p != nil {
			w.set.Views = append(w.set.Views, View{Part: p})
		}
	}
	return err
}

// listed compares documents in the order of lists, which is also the order in a Part. If all
// listings are numbered in that order, the listings of a term are found in order.
func (w *writer) listed(a, b int32) int {
	x, y := &w.corpus.documents[a], &w.corpus.documents[b]
	return catalog.CompareListed(x.key, x.ref, y.key, y.ref)
}

func (w *writer) company(place int32) string {
	return company(w.corpus.documents[place].ref)
}

// keep writes a Part to its own file and maps it.
func (w *writer) keep(data []byte) (*Part, error) {
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:16]) + partSuffix
	if w.Folder == "" {
		return openPart(name, data)
	}
	f, err := os.CreateTemp(w.Folder, "*"+unfinished)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return nil, errors.Join(err, os.Remove(f.Name()))
	}
	path := filepath.Join(w.Folder, name)
	if err = os.Rename(f.Name(), path); err == nil {
		f, err = os.Open(path) // a mapped file must not be open for writing
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrRemoved // a removal deleted the file meanwhile
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := partIn(f, int64(len(data)), crc32.Checksum(data, castagnoli()))
	if err == nil {
		mapped.Leave(p.data)
	}
	return p, err
}

// ErrRemoved means that a seller was removed while Write wrote it. Its data has been deleted,
// and the next Corpus is without it.
var ErrRemoved = errors.New("a seller was removed while the search parts were written")

// commit records the Parts in the head, and deletes Parts that are not in it and files left by
// other writers.
func (w *writer) commit(ctx context.Context) (err error) {
	unlock, err := durable.LockFolder(ctx, w.Folder, func() {})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := durable.SyncFolder(w.Folder); err != nil {
		return err
	}
	removed, err := w.removed(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(holding(w.parts(), removed), true) {
		return errors.Join(ErrRemoved, Forget(w.Folder, removed))
	}
	used := map[string]bool{}
	for _, v := range w.set.Views {
		if _, err := os.Stat(filepath.Join(w.Folder, v.name)); errors.Is(err, fs.ErrNotExist) {
			return ErrRemoved
		}
		used[v.name] = true
	}
	data, err := json.Marshal(w.set.Head)
	if err != nil {
		return err
	}
	if err := durable.Replace(filepath.Join(w.Folder, headFile), 0o600, append([]byte(sumOf(data)+"\n"), data...)); err != nil {
		return err
	}
	found, err := ending(w.Folder, partSuffix)
	for _, path := range found {
		if !used[filepath.Base(path)] {
			err = errors.Join(err, os.Remove(path))
		}
	}
	for _, path := range w.left {
		if failed := os.Remove(path); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	if err != nil {
		w.Log.Warn("old search parts could not be deleted", "folder", w.Folder, "reason", err)
	}
	return nil
}
