package release

import (
	"context"
	"errors"
)

// LockTouching locks the folder like Lock, for a plan that changes only the given files, and
// reads only these: a release of a million files need not be read for a change of ten. It uses
// r, a Reader of the same folder. This process must have locked the tree before, and the
// caller must list every file that the plan mentions. If the log has grown long, it is Lock,
// whose plan writes the log again.
func (t *Tree) LockTouching(ctx context.Context, r *Reader, files []string) error {
	if err := r.Refresh(); err != nil {
		return err
	}
	t.log.size, t.log.first = r.now.end, int64(len(r.now.log.mapped))
	if t.log.long() {
		t.log = log{path: t.log.path}
		return t.Lock(ctx)
	}
	return t.lock(ctx, func() error {
		m := newManifest()
		m.Sequence, m.totals = r.now.newest.sequence(), r.after()
		m.Clock, m.Revision = r.now.newest.clock(), r.now.newest.revision()
		for _, file := range append([]string{DescriptionFile}, files...) {
			if e, there := r.Lookup(file); there {
				m.entries[file] = &e
			}
		}
		t.mu.Lock()
		t.manifest, t.partial = m, true
		t.mu.Unlock()
		t.altered, t.foreign, t.stale, t.described = false, nil, nil, m.ID()
		return t.recover(nil)
	})
}

// Settle unlocks the folder. If the folder does not match the log, it writes the log again
// first, so that Readers see the present state.
func (t *Tree) Settle() error {
	var err error
	if t.altered && len(t.manifest.entries) > 0 {
		if err = t.log.replace(t.manifest.fullRecord()); err == nil {
			t.altered = false
		}
	}
	return errors.Join(err, t.Unlock())
}
