package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"souk/build/kit/durable"
)

// An UnfinishedError means that a release is or may be committed, but not all of its files
// could be moved into place. The next command finishes it.
type UnfinishedError struct{ Err error }

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("the release is committed but not all of its files are in place; the next command finishes it: %v", e.Err)
}

func (e *UnfinishedError) Unwrap() error { return e.Err }

// description is the document that describes a release.
type description struct {
	ID        string `json:"id"`
	Clock     string `json:"clock"`
	Documents int    `json:"documents"`
	Bytes     int64  `json:"bytes"`
	// Preview means that the release must not be published. It is in the folder itself, so
	// that it survives the loss of the state folder and is copied with the folder.
	Preview bool `json:"preview,omitempty"`
}

func (p *Plan) commit(ctx context.Context, clock time.Time, restate bool) (Result, error) {
	t := p.tree
	r, staged, result := p.gather(clock)
	if err := p.clashes(r); err != nil {
		return result, err
	}
	next := t.manifest.preview(r)
	r.After = next
	result.ID = next.ID()
	if err := p.sameCopy(result.ID); err != nil {
		return result, err
	}
	result.Documents, result.Bytes = next.Documents()
	result.Unchanged = next.documents - documents(r.Files)
	same := len(r.Files)+len(r.Deleted)+len(r.Twins)+len(t.stale) == 0
	described := t.manifest.entries[DescriptionFile] != nil
	if same && described && t.description().Preview == t.options.Preview && (!restate || clock.Equal(t.manifest.Clock)) {
		return result, errors.Join(p.learn(), p.Discard())
	}
	if described && result.ID == t.described && !restate {
		r.Clock = t.manifest.Clock
	}
	body, err := json.Marshal(description{result.ID, r.Clock.UTC().Format(time.RFC3339Nano), next.documents, next.bytes, t.options.Preview})
	if err != nil {
		return result, err
	}
	w := p.Writer()
	if err := w.put(DescriptionFile, append(body, '\n')); err != nil {
		return result, err
	}
	r.Files, r.Entries = append(r.Files, w.files...), append(r.Entries, w.entries...)
	r.Twins = append(r.Twins, w.twins...)
	r.Twins = append(r.Twins, p.leftovers(staged)...)
	staged = append(staged, w.staged...)
	if len(staged) > 0 {
		r.Stage = filepath.Base(p.stage)
	}
	if err := ctx.Err(); err != nil {
		return result, err
	}
	if err := p.record(r, staged); err != nil {
		return result, err
	}
	t.moving.Store(&moving{p.stage, t.manifest.Revision})
	t.mu.Lock()
	t.manifest.apply(r)
	t.mu.Unlock()
	t.stale, t.altered, t.described = nil, false, result.ID
	t.foreign = slices.DeleteFunc(slices.Clone(t.foreign), func(file string) bool { return t.manifest.entries[file] != nil })
	if err := t.finish(r, p.stage); err != nil {
		t.log.written = nil // the next Lock reads the log again and finishes it
		return result, &UnfinishedError{err}
	}
	t.moving.Store(nil)
	if t.log.long() && !t.partial {
		return result, t.log.replace(t.manifest.fullRecord())
	}
	return result, nil
}

// documents counts the files that are not stubs.
func documents(files []string) (n int) {
	for _, file := range files {
		if !IsStub(file) {
			n++
		}
	}
	return n
}

// leftovers returns the stale twins that no staged file replaces.
func (p *Plan) leftovers(staged []string) []string {
	if len(p.tree.stale) == 0 {
		return nil
	}
	replaced := make(map[string]bool, len(staged))
	for _, file := range staged {
		replaced[file] = true
	}
	return slices.DeleteFunc(slices.Clone(p.tree.stale), func(twin string) bool { return replaced[twin] })
}

// learn records the new owners, and the removals that it was made with, of a plan that changes
// no file.
func (p *Plan) learn() error {
	t := p.tree
	if len(p.owners) == 0 && !t.altered && t.manifest.Revision == p.revision {
		return nil
	}
	m := t.manifest
	r := &record{Sequence: m.Sequence + 1, Clock: m.Clock, After: m.totals, Revision: p.revision, Owners: p.owners}
	if err := p.write(r); err != nil {
		return err
	}
	t.mu.Lock()
	m.apply(r)
	t.mu.Unlock()
	t.altered = false
	return nil
}

// record makes the staged files durable and then appends the record, which is the moment of
// the commit.
func (p *Plan) record(r *record, staged []string) error {
	if err := p.tree.fault("sync"); err != nil {
		return err
	}
	// The first release replaces nothing. If the machine fails, the next build makes it again,
	// so there is no need to wait for the disk. After such a failure the next command reads
	// every file.
	if boot := bootID(); boot != "" && len(p.tree.manifest.entries) == 0 && !p.tree.partial {
		r.Boot = boot
	} else if err := p.sync(staged); err != nil {
		return fmt.Errorf("sync the staged files: %w", err)
	}
	if err := p.tree.fault("commit"); err != nil {
		return err
	}
	return p.write(r)
}

// write appends a record to the log, or writes a new log with the complete state if the log
// does not match the manifest. If it fails and the log has changed, the record may be in it
// and be seen by readers. Then the staged files must stay until the next Lock, which finds
// out.
func (p *Plan) write(r *record) error {
	t := p.tree
	write := t.log.append
	if t.altered {
		write = t.log.replace
		t.manifest.complete(r)
	}
	if err := t.permit(); err != nil {
		return err
	}
	before, unknown := os.Stat(t.log.path)
	err := write(r)
	if err == nil {
		err = t.fault("record")
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("commit: %w", err)
	after, missing := os.Stat(t.log.path)
	switch {
	case unknown == nil && missing == nil && os.SameFile(before, after) && before.Size() == after.Size():
		return err
	case errors.Is(unknown, fs.ErrNotExist) && errors.Is(missing, fs.ErrNotExist):
		return err
	}
	t.log.written = nil // the next Lock reads the log again
	return &UnfinishedError{err}
}

// sync makes staged files durable: one by one unless there are very many, so that they do not
// wait for other writes to the file system, perhaps a whole first release. Then it syncs their
// folders.
func (p *Plan) sync(files []string) error {
	staged := make([]string, len(files))
	for i, file := range files {
		staged[i] = filepath.Join(p.stage, filepath.FromSlash(file))
	}
	syncFiles := durable.SyncFiles
	if len(staged) > 4096 {
		syncFiles = func(paths []string) error { return syncAll(p.stage, paths) }
	}
	if err := syncFiles(staged); err != nil || len(staged) == 0 {
		return err
	}
	all := folders{filepath.Dir(p.stage): true}
	for _, path := range staged {
		all.add(p.stage, path)
	}
	return p.tree.syncFolders(all.remaining())
}

// gather merges the changes of all writers, sorted by file.
func (p *Plan) gather(clock time.Time) (*record, []string, Result) {
	r := &record{Sequence: p.tree.manifest.Sequence + 1, Clock: clock, Revision: p.revision, Owners: p.owners}
	var result Result
	var staged []string
	type put struct {
		file  string
		entry Entry
	}
	count := 0
	for _, w := range p.writers {
		count += len(w.files)
	}
	puts := make([]put, 0, count)
	for _, w := range p.writers {
		for i, file := range w.files {
			puts = append(puts, put{file, w.entries[i]})
		}
		r.Gone = append(r.Gone, w.gone...)
		r.Deleted = append(r.Deleted, w.deleted...)
		r.Twins = append(r.Twins, w.twins...)
		staged = append(staged, w.staged...)
		w.files, w.entries, w.staged = nil, nil, nil
	}
	slices.SortFunc(puts, func(a, b put) int { return strings.Compare(a.file, b.file) })
	// A stub may be put twice: for the content, and for the history of a seller.
	puts = slices.CompactFunc(puts, func(a, b put) bool { return a.file == b.file })
	r.Files, r.Entries = make([]string, len(puts)), make([]Entry, len(puts))
	for i, one := range puts {
		r.Files[i], r.Entries[i] = one.file, one.entry
	}
	for _, list := range []*[]string{&r.Gone, &r.Deleted, &r.Twins} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	result.Written, result.Removed = len(r.Files), len(r.Deleted)
	result.Changed = slices.Concat(r.Files, r.Deleted)
	slices.Sort(result.Changed)
	return r, staged, result
}

// complete adds to a record everything that it leaves unchanged, so that it can be the first
// record of a log.
func (m *Manifest) complete(r *record) {
	rest := maps.Clone(m.entries)
	for _, file := range slices.Concat(r.Files, r.Deleted) {
		delete(rest, file)
	}
	r.Files, r.Entries = slices.Grow(r.Files, len(rest)), slices.Grow(r.Entries, len(rest))
	for file, e := range rest {
		r.Files, r.Entries = append(r.Files, file), append(r.Entries, *e)
	}
	if r.Boot == "" {
		r.Boot = m.boot
	}
	owners := maps.Clone(m.owners)
	maps.Copy(owners, r.Owners)
	r.Owners = owners
}

// preview returns the state after a record.
func (m *Manifest) preview(r *record) totals {
	after := m.totals
	for i, file := range r.Files {
		after.count(file, m.entries[file], -1)
		after.count(file, &r.Entries[i], 1)
	}
	for _, file := range r.Deleted {
		after.count(file, m.entries[file], -1)
	}
	return after
}

// recover finishes the last record if its stage still exists, and discards stages that were
// never committed.
func (t *Tree) recover(records []*record) error {
	var last *record
	if len(records) > 0 {
		last = records[len(records)-1]
	}
	// Other files in the public folder belong to the operator or others, even one named
	// stage-door.
	for parent, prefix := range map[string]string{t.own: stagePrefix, t.options.Public: withinPrefix} {
		entries, err := os.ReadDir(parent)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if parent == t.own && strings.HasPrefix(e.Name(), durable.Aside) {
				// A temporary file of a killed process.
				if err := os.Remove(filepath.Join(parent, e.Name())); err != nil {
					return err
				}
				continue
			}
			number, isStage := strings.CutPrefix(e.Name(), prefix)
			if !isStage || !e.IsDir() {
				continue
			}
			stage := filepath.Join(parent, e.Name())
			if last != nil && last.Stage == e.Name() && number == strconv.FormatUint(last.Sequence, 10) {
				if err := t.finish(last, stage); err != nil {
					return err
				}
			} else if err := os.RemoveAll(stage); err != nil {
				return err
			}
		}
	}
	return nil
}
