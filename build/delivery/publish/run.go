package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"souk/build/delivery/replica"
	"souk/build/document"
	"souk/build/kit/twin"
)

// A run carries out one difference.
type run struct {
	publisher *Publisher
	edition
	difference *difference
	sites      sites
	companion  *companion
	// mark is the store's tag of the description that marks this publish as in progress.
	mark  string
	total int

	done, uploaded, deleted atomic.Int64
	bytes                   atomic.Int64
	purged                  int
}

// An IncompleteError means that a store failed permanently.
type IncompleteError struct {
	// Destination is its name; Phase is where it failed.
	Destination, Phase string
	// Done and Total are numbers of steps; Removals means that all removals are complete.
	Done, Total int
	Removals    bool
	Err         error
}

func (e *IncompleteError) Error() string {
	removals := "every removed address is withdrawn"
	if !e.Removals {
		removals = "REMOVALS ARE NOT YET ALL IN PLACE"
	}
	return fmt.Sprintf("%s: %d of %d steps are done (it failed at the %s), %s; the next run continues from there: %v",
		e.Destination, e.Done, e.Total, e.Phase, removals, e.Err)
}

func (e *IncompleteError) Unwrap() error { return e.Err }

// unbegun returns the error for a difference of which nothing was done.
func (p *Publisher) unbegun(d *difference, err error) error {
	return &IncompleteError{p.name, phaseRemovals.String(), 0, d.steps(), len(d.removed) == 0, err}
}

// carryOut carries out the difference and everything that follows from it. is is the
// description of the release at the destination when the difference was computed.
func (r *run) carryOut(ctx context.Context, is version) (report Report, err error) {
	p, d := r.publisher, r.difference
	report.Release, report.Unchanged, report.Removed = r.id, d.unchanged, d.removed
	report.Changed = r.sites.urls(p.layout, d.changed())
	if r.total = d.steps(); r.total > 0 {
		if r.mark, err = p.begin(ctx, d, is); err != nil {
			if ctx.Err() != nil {
				return report, ctx.Err()
			}
			return report, p.unbegun(d, err)
		}
	}
	err = r.all(ctx)
	report.Uploaded, report.Deleted, report.Bytes = int(r.uploaded.Load()), int(r.deleted.Load()), r.bytes.Load()
	report.Purged = r.purged
	if err != nil {
		return report, err
	}
	if err := p.settle(ctx, r.sites, r.entries, &report); err != nil || !r.companion.stale {
		return report, err
	}
	return report, ErrBehind
}

// all runs all phases.
func (r *run) all(ctx context.Context) error {
	for at := range phases {
		var err error
		if at == phaseDocuments {
			err = r.guard(ctx)
		}
		if err == nil {
			err = r.phase(ctx, at)
		}
		if at == phaseDescription && errors.Is(err, errOvertaken) {
			err = errors.Join(err, r.overtaken(ctx))
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, ErrNewer) {
				return err
			}
			return &IncompleteError{r.publisher.name, at.String(), int(r.done.Load()), r.total, at > phaseRemovals, err}
		}
		if at == phaseRemovals {
			if err := r.removed(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// overtaken ends a publish during which another machine's publish began: companies removed
// by that one stay removed, whatever was uploaded here since, and neither record is
// trusted.
func (r *run) overtaken(ctx context.Context) error {
	p := r.publisher
	keys, _, err := p.there(ctx, foreign)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, key := range keys {
		there[key] = true
	}
	for _, key := range keys {
		file, gone := stubOf(key)
		if of := p.layout.keyOf(file); gone && there[of] {
			if err := r.remove(ctx, ctx, of); err != nil {
				return err
			}
		}
	}
	return p.retry(ctx, 0, func(ctx context.Context) error {
		is, err := p.store.read(ctx, p.layout.keyOf(document.ReleaseFile))
		if err != nil {
			return err
		}
		mark, err := marked(is.data)
		if err == nil {
			err = p.store.put(ctx, p.described(), body{plain: mark})
		}
		return err
	})
}

// removed ends the removals of a publish: the caches are purged before the first upload,
// which may take long. If purging fails it is retried at the end.
func (r *run) removed(ctx context.Context) error {
	p := r.publisher
	if p.state.removing {
		if err := p.note(ctx, true, note{Removing: new(false)}); err != nil {
			return err
		}
	}
	if len(r.difference.removed) == 0 {
		return nil
	}
	n, err := p.purge(ctx, r.sites, r.difference.removed)
	r.purged += n
	if err != nil && ctx.Err() == nil {
		p.options.Notice(err.Error() + ": trying again after everything else is published")
	}
	return ctx.Err()
}

// phase runs the jobs of a phase concurrently.
func (r *run) phase(ctx context.Context, at phase) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(r.publisher.options.Requests.Parallel)
	for _, j := range byWeight(r.difference.jobs[at]) {
		if working.Err() != nil {
			break
		}
		group.Go(func() error {
			// A newer release may be a removal, which must not wait for the rest of this
			// one. What is acknowledged so far need not be repeated.
			if at > phaseRemovals && r.outdated() {
				return ErrNewer
			}
			// This is not retried: another publish may have changed what was compared.
			if err := cmp.Or(r.publisher.permit(), working.Err()); err != nil {
				return err
			}
			return r.job(ctx, working, j)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// job runs one job. A stub is acknowledged only after the objects that it replaces are
// deleted, so that an interrupted job is repeated. If another job fails, which ends
// working, a pending request is still waited for: an abandoned one might be carried out
// after the next publish has deleted its object.
func (r *run) job(ctx, working context.Context, j job) error {
	p := r.publisher
	if j.put != nil {
		if err := r.put(ctx, working, *j.put); err != nil {
			return err
		}
	}
	for _, key := range j.remove {
		if err := r.remove(ctx, working, key); err != nil {
			return err
		}
	}
	var n note
	if j.put != nil {
		n = acknowledged(*j.put)
	}
	n.Gone = j.remove
	if err := p.fault("acknowledge"); err != nil {
		return err
	}
	return p.note(ctx, false, n)
}

// try retries a request until it succeeds or working ends; each attempt ends with ctx, or
// after its time.
func (r *run) try(ctx, working context.Context, size int, do func(ctx context.Context) error) error {
	return r.publisher.retry(working, size, func(within context.Context) error {
		until, _ := within.Deadline()
		once, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		return do(once)
	})
}

func (r *run) put(ctx, working context.Context, o object) error {
	p := r.publisher
	b, err := r.read(o)
	if err != nil {
		return err
	}
	err = r.try(ctx, working, len(b.plain), func(ctx context.Context) error {
		if err := p.fault("upload"); err != nil {
			return err
		}
		// Of two concurrent publishes, each would otherwise describe what the other has
		// overwritten.
		switch {
		case o.key == replica.HeadKey:
			_, err := p.store.swap(ctx, o, b, r.companion.tag)
			return err
		case o.file == document.ReleaseFile:
			_, err := p.store.swap(ctx, o, b, r.mark)
			return err
		}
		return p.store.put(ctx, o, b)
	})
	if err != nil {
		return fmt.Errorf("upload %s: %w", o.key, err)
	}
	r.uploaded.Add(1)
	r.bytes.Add(int64(len(b.gzip) + len(b.brotli)))
	if o.encoding == "" {
		r.bytes.Add(int64(len(b.plain)))
	}
	r.step()
	return nil
}

func (r *run) remove(ctx, working context.Context, key string) error {
	p := r.publisher
	err := r.try(ctx, working, 0, func(ctx context.Context) error {
		if err := p.fault("delete"); err != nil {
			return err
		}
		return p.store.remove(ctx, key)
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	r.deleted.Add(1)
	r.step()
	return nil
}

func (r *run) step() { r.publisher.options.Progress(int(r.done.Add(1)), r.total) }

// read reads the bytes to upload for an object, as late as possible. The folder is not
// locked meanwhile, since a removal would have to wait for the slowest upload. Instead
// everything is compared with the manifest that the plan was made from.
func (r *run) read(o object) (b body, err error) {
	if isPrivate(o.file) {
		b.plain, err = r.companion.bodies[o.file]()
		return b, err
	}
	l := r.publisher.layout
	b.plain, err = r.edition.read(o.file, "")
	if err == nil && o.entry.Gzip > 0 && (l.twins || o.encoding != "") {
		b.gzip, err = r.edition.read(o.file, twin.Gzip)
	}
	if err == nil && o.entry.Brotli > 0 && l.twins {
		b.brotli, err = r.edition.read(o.file, twin.Brotli)
	}
	return b, err
}
