package release

import (
	"context"
	"errors"
)

// LockTouching locks the folder, as Lock does, for a plan that changes none but these
// files, which it knows alone: a release of a million files is not read for a change
// of ten. What is known of the release is what r, a Reader of the same folder, has.
// The tree must have been locked by this process before, as by Lock, and whoever
// uses it must tell every file that the plan mentions. Where the log has grown long
// it is Lock, whose plan writes the log anew.
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

// Settle unlocks the folder. Where it is not as the log says, the log is written anew
// first, so that Readers see what is there.
func (t *Tree) Settle() error {
	var err error
	if t.altered && len(t.manifest.entries) > 0 {
		if err = t.log.replace(t.manifest.whole()); err == nil {
			t.altered = false
		}
	}
	return errors.Join(err, t.Unlock())
}
