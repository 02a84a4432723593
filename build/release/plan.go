package release

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"souk/build/internal/smallfile"
	"souk/build/kit/twin"
)

// A Plan collects and stages the changes of a release. Nothing is public before Commit. A Plan
// that is not committed must be discarded.
type Plan struct {
	tree  *Tree
	stage string
	mark  uint64
	// time is the modification time of written files; precompress decides which of them get
	// twins.
	time        time.Time
	precompress Precompress

	mu      sync.Mutex
	writers []*Writer
	// stubs are the documents that are Gone. Several Writers may report the same.
	stubs  sync.Map
	owners map[string]Owner
	// copying is the id of the release that the plan copies, or "".
	copying string
	// revision is the revision of the removals that the plan is made with.
	revision uint64
}

// A Writer puts files into a Plan; each goroutine needs its own.
type Writer struct {
	plan       *Plan
	compressor *compressor
	to         smallfile.Writer
	files      []string
	entries    []Entry
	names      fileNames
	gone       []string
	deleted    []string
	twins      []string
	// staged are the files that were written, with twins.
	staged []string
}

// Begin starts a Plan. The tree must be locked.
func (t *Tree) Begin() (*Plan, error) {
	t.plans++
	p := &Plan{tree: t, mark: t.plans, time: t.options.Now().Truncate(time.Microsecond), precompress: t.options.Precompress, owners: map[string]Owner{}}
	if t.stages == "" {
		same, err := sameFileSystem(t.own, t.options.Public)
		if err != nil {
			return nil, err
		}
		t.stages = t.stagesAt(!same)
	}
	p.stage = t.stages + strconv.FormatUint(t.manifest.Sequence+1, 10)
	return p, nil
}

// stagesAt returns the path prefix of stage folders. They are within the public folder if that
// is a separate file system.
func (t *Tree) stagesAt(within bool) string {
	if within {
		return filepath.Join(t.options.Public, withinPrefix)
	}
	return filepath.Join(t.own, stagePrefix)
}

// Writer returns a new Writer of the plan.
func (p *Plan) Writer() *Writer {
	w := &Writer{plan: p, compressor: newCompressor()}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writers = append(p.writers, w)
	return w
}

// Put sets the bytes of a file. An unchanged file is not written.
func (w *Writer) Put(file string, body []byte) error {
	if err := w.put(file, body); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if stub := StubOf(file); stub != "" {
		w.drop(stub)
	}
	return nil
}

// Keep keeps a content-addressed file, whose name begins with its digest. It returns false if
// the file must be Put instead.
func (w *Writer) Keep(file string) bool {
	return w.keepIf(file, func(d Digest) bool { return strings.HasPrefix(d.String(), nameDigest(file)) })
}

// KeepAs keeps a file if it has the given digest. It returns false if the file must be Put
// instead.
func (w *Writer) KeepAs(file string, digest Digest) bool {
	return w.keepIf(file, func(d Digest) bool { return d == digest })
}

func (w *Writer) keepIf(file string, same func(Digest) bool) bool {
	old := w.plan.tree.manifest.entries[file]
	if old == nil || !same(old.Digest) || w.plan.precompress.wants(file, int(old.Size)) != old.twins() {
		return false
	}
	old.mark = w.plan.mark
	return true
}

// nameDigest returns the digest in the name of a content-addressed file.
func nameDigest(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	return name
}

// StubOf returns the file of the stub that can replace a file, or "".
func StubOf(file string) string {
	ending := path.Ext(file)
	switch {
	case IsStub(file):
	case ending == ".json", ending == ".html":
		return strings.TrimSuffix(file, ending) + ".gone" + ending
	case ending == ".md":
		return file + ".gone.html"
	}
	return ""
}

func (w *Writer) put(file string, body []byte) error {
	e := Entry{Digest: DigestOf(body), Size: int64(len(body))}
	old := w.plan.tree.manifest.entries[file]
	wanted := w.plan.precompress.wants(file, len(body))
	if old != nil {
		old.mark = w.plan.mark
		if old.Digest == e.Digest && old.Size == e.Size {
			return w.keep(file, body, old, wanted)
		}
	}
	file = w.names.keep(file)
	e.ModTime = w.plan.timeAfter(old)
	if err := w.write(file, body, e.ModTime); err != nil {
		return err
	}
	if err := w.writeTwins(file, body, &e, wanted); err != nil {
		return err
	}
	if old != nil {
		w.dropTwins(file, old, e)
	}
	w.files, w.entries = append(w.files, file), append(w.entries, e)
	return nil
}

// keep leaves an unchanged document alone, except for its twins, if the policy for them
// changed or both have the same size, as earlier versions allowed.
func (w *Writer) keep(file string, body []byte, old *Entry, wanted twins) error {
	if old.twins() == wanted && (!wanted.gzip || old.Gzip != old.Brotli) {
		return nil
	}
	e := *old
	e.Gzip, e.Brotli = 0, 0
	if err := w.writeTwins(file, body, &e, wanted); err != nil || e == *old {
		return err
	}
	w.dropTwins(file, old, e)
	w.files, w.entries = append(w.files, file), append(w.entries, e)
	return nil
}

func (w *Writer) dropTwins(file string, old *Entry, e Entry) {
	if old.Gzip > 0 && e.Gzip == 0 {
		w.twins = append(w.twins, file+twin.Gzip)
	}
	if old.Brotli > 0 && e.Brotli == 0 {
		w.twins = append(w.twins, file+twin.Brotli)
	}
}

// timeAfter returns the modification time of a new version. It is in a later second than the
// old one's, because static servers distinguish versions by it.
func (p *Plan) timeAfter(old *Entry) int64 {
	if old == nil {
		return p.time.UnixNano()
	}
	after := time.Unix(0, old.ModTime).Truncate(time.Second).Add(time.Second)
	if p.time.Before(after) {
		return after.UnixNano()
	}
	return p.time.UnixNano()
}

// writeTwins stages the twins of a file that are requested and worth it, and records their
// sizes.
func (w *Writer) writeTwins(file string, body []byte, e *Entry, wanted twins) error {
	if !wanted.gzip {
		return nil
	}
	gz, br, err := w.compressor.twins(body, wanted)
	if err != nil || gz == nil {
		return err
	}
	if err := w.write(file+twin.Gzip, gz, e.ModTime); err != nil {
		return err
	}
	if wanted.brotli {
		if err := w.write(file+twin.Brotli, br, e.ModTime); err != nil {
			return err
		}
	}
	e.Gzip, e.Brotli = int64(len(gz)), int64(len(br))
	return nil
}

// write stages one file.
func (w *Writer) write(file string, data []byte, modTime int64) error {
	p := w.plan
	if err := p.tree.fault("stage"); err != nil {
		return err
	}
	err := w.to.Write(filepath.Join(p.stage, filepath.FromSlash(file)), data, time.Unix(0, modTime))
	if err == nil {
		w.staged = append(w.staged, file)
	}
	return err
}

// Remove deletes a document and its stub.
func (w *Writer) Remove(file string) {
	w.drop(file)
	if stub := StubOf(file); stub != "" {
		w.drop(stub)
	}
}

func (w *Writer) drop(file string) {
	if old := w.plan.tree.manifest.entries[file]; old != nil {
		old.mark = w.plan.mark
		w.deleted = append(w.deleted, file)
		w.dropTwins(file, old, Entry{})
	}
}

// Gone replaces a document by a stub with the given body, because its address is a removed
// seller's. It may be called several times for a document.
func (w *Writer) Gone(file string, body []byte) error {
	if _, said := w.plan.stubs.LoadOrStore(file, true); said {
		return nil
	}
	if err := w.put(StubOf(file), body); err != nil {
		return fmt.Errorf("write the 410 answer for %s: %w", file, err)
	}
	if w.plan.tree.manifest.entries[file] != nil {
		w.gone = append(w.gone, file)
	}
	w.drop(file)
	return nil
}

// Own records the owner of the addresses of a companySlug, or of a single address, given by
// its path below the companies.
func (p *Plan) Own(key string, o Owner) {
	old, known := p.tree.manifest.owners[key]
	if !known || !old.Equal(o) {
		p.owners[key] = o
	}
}

// MadeWith records the revision of the removals that the plan is made with, which the release
// announces.
func (p *Plan) SetRevision(revision uint64) { p.revision = revision }

// Unmentioned returns the files in the tree that no Writer has seen, sorted.
func (p *Plan) Unmentioned() []string {
	var files []string
	for file, e := range p.tree.manifest.entries {
		if e.mark != p.mark && file != DescriptionFile {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// Deleted returns the files that the plan deletes from the tree.
func (p *Plan) Deleted() (files []string) {
	for _, w := range p.writers {
		files = append(files, w.deleted...)
	}
	return files
}

// Discard deletes the staged files.
func (p *Plan) Discard() error {
	p.close()
	return os.RemoveAll(p.stage)
}

// close makes the Writers close their files.
func (p *Plan) close() {
	for _, w := range p.writers {
		w.to.Close()
	}
}

// A Result describes what a release did.
type Result struct {
	ID               string
	Written, Removed int
	// Unchanged counts the documents that stay, whether they were compared or not.
	Unchanged int
	Documents int
	Bytes     int64
	// Changed are the files that were written or removed, sorted.
	Changed []string
}

// Commit makes the plan public. clock is the time that decided what is current. If nothing
// else changed, it is recorded only if restate is set.
func (p *Plan) Commit(ctx context.Context, clock time.Time, restate bool) (Result, error) {
	defer p.close()
	result, err := p.commit(ctx, clock, restate)
	if err != nil && !errors.As(err, new(*UnfinishedError)) {
		return result, errors.Join(err, p.Discard())
	}
	return result, err
}

// fileNames are stored contiguously, so that a garbage collector has few objects to visit for
// a million names.
type fileNames struct{ last strings.Builder }

const mostNames = 64 << 10 // the maximum size of a piece; pieces start small

// keep stores a name and returns the stored copy.
func (n *fileNames) keep(name string) string {
	if n.last.Cap()-n.last.Len() < len(name) {
		size := min(2*n.last.Cap(), mostNames)
		n.last = strings.Builder{}
		n.last.Grow(max(size, len(name)))
	}
	n.last.WriteString(name)
	return n.last.String()[n.last.Len()-len(name):]
}
