package build

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/export/snapshot"
	"souk/build/kit/problem"
	"souk/build/kit/processors"
	"souk/build/release"
	"souk/build/site"
)

// makeRelease renders what a change touches, unless the release is right already, and commits it.
// Where the operator's templates fail at a page, it fails with a *problem.Error; or, anyhow, ours
// render the page: nothing holds up a removal.
func (b *Builder) makeRelease(ctx context.Context, a attempt, delta *catalog.Delta, from made, right bool) (*staging, error) {
	plan, err := b.tree.Begin()
	if err != nil {
		return nil, err
	}
	plan.SetRevision(from.revision())
	run := &staging{
		Builder: b, plan: plan, renderer: b.renderer(), delta: delta, touched: b.touched(delta), record: from.record, withheld: from.withheld(),
		previous: b.tree.ID(), right: right, heldBack: a.heldBack && b.content.folder.Differs(),
	}
	if run.site, err = b.pages(delta.All); err == nil && !right {
		err = run.stage(ctx)
	}
	if run.broken.Sort(); err == nil && len(run.broken.List) > 0 && !a.anyhow {
		err = &problem.Error{Mistakes: run.broken.List}
	}
	if err != nil {
		if discarded := plan.Discard(); discarded != nil {
			err = fmt.Errorf("%w (and the staged files are left: %v)", err, discarded)
		}
		return nil, err
	}
	run.touched.Ended = b.ended(plan.Dropped())
	run.Result, err = plan.Commit(ctx, b.content.catalog.Now(), !b.config.At.IsZero())
	if err == nil || errors.As(err, new(*release.UnfinishedError)) {
		b.site.Store(run.site)
	}
	return run, err
}

// A staging fills one release.Plan with rendered documents, pictures and stubs.
type staging struct {
	*Builder
	plan     *release.Plan
	renderer *document.Renderer
	// site renders the pages; nil without pages.
	site    *site.Site
	delta   *catalog.Delta
	touched Touched
	// record is everything on record about removals; withheld also has the
	// removals that only stubs bear witness to, and is what decides.
	record, withheld *catalog.Removals
	// shards are what the manifest of the snapshot says of the shards that were
	// rendered.
	shards shardLines
	// broken is what the operator's templates failed at.
	broken  faults
	lacking lacking
	// previous is the id of the release before. right says that the release was there already,
	// and heldBack that the content has changed since what it shows.
	previous        string
	right, heldBack bool
	release.Result
}

func (r *staging) stage(ctx context.Context) error {
	units := r.renderer.Units(r.delta)
	if err := r.renderUnits(ctx, units); err != nil {
		return err
	}
	if err := r.pictures(ctx); err != nil {
		return err
	}
	w := r.plan.Writer()
	if err := r.shared(w); err != nil {
		return err
	}
	if err := r.snapshotManifest(w); err != nil {
		return err
	}
	if err := r.recordedStubs(w); err != nil {
		return err
	}
	r.recordOwners()
	if !r.delta.All {
		return nil
	}
	for _, file := range r.plan.Unmentioned() {
		if err := r.unmentioned(w, file); err != nil {
			return err
		}
	}
	return nil
}

// renderUnits renders units in parallel, with two workers for each processor,
// since half of the time goes into creating files. Each worker takes the next
// share; the results are joined in the order of the files, so that they do not
// depend on which worker was faster.
func (r *staging) renderUnits(ctx context.Context, units []document.Unit) error {
	workers := min(2*processors.Count(), len(units)/4+1)
	share := max(1, min(16, len(units)/(4*workers)))
	var next, done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		w, encoder := r.plan.Writer(), document.NewEncoder()
		shards := snapshot.NewWriter()
		emit := func(o document.Output) error {
			if o.Snapshot != nil {
				one, err := r.shard(w, shards, encoder, o.Snapshot)
				r.shards.add(one)
				return err
			}
			return r.emit(w, o)
		}
		group.Go(func() error {
			for {
				from := int(next.Add(int64(share))) - share
				if from >= len(units) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for _, u := range units[from:min(from+share, len(units))] {
					if err := r.renderer.Render(u, encoder, emit); err != nil {
						return err
					}
				}
				if r.config.Progress != nil {
					r.config.Progress(min(len(units), int(done.Add(int64(share)))), len(units))
				}
			}
		})
	}
	return group.Wait()
}

func (r *staging) emit(w *release.Writer, o document.Output) error {
	switch {
	case o.Standing == document.Gone:
		return r.gone(w, o.File)
	case o.Standing == document.Absent, o.Standing == document.Former && r.staysGone(o.File):
		return r.absent(w, o.File)
	}
	if o.Own != nil {
		return r.ownFile(w, o)
	}
	if o.File != "" {
		if err := w.Put(o.File, o.Body); err != nil {
			return err
		}
	}
	var err error
	switch {
	case r.site == nil || o.Value == nil:
		return nil
	case o.Standing == document.Former:
		err = r.site.RenderFormer(document.PagesOf(o.File), o.Value, w.Put)
	default:
		err = r.site.Render(o.Value, w.Put)
	}
	return r.noted(err)
}

// gone puts stubs in the place of a document and of its pages.
func (r *staging) gone(w *release.Writer, file string) error {
	if err := w.Gone(file, document.GoneBody()); err != nil || r.site == nil {
		return err
	}
	for _, page := range document.PagesOf(file) {
		if err := w.Gone(page, r.site.Gone()); err != nil {
			return err
		}
	}
	return nil
}

// absent deletes a document and its pages. If its address belongs, or ever
// belonged, to a removed seller, it is gone for good and stubs take their place.
func (r *staging) absent(w *release.Writer, file string) error {
	if r.staysGone(file) {
		return r.gone(w, file)
	}
	w.Remove(file)
	for _, page := range document.PagesOf(file) {
		w.Remove(page)
	}
	return nil
}

// unmentioned deletes a file that nothing was rendered into. If its address
// belongs, or ever belonged, to a removed seller, it is gone for good and a stub
// takes its place.
func (r *staging) unmentioned(w *release.Writer, file string) error {
	file, _ = document.IsGone(file)
	_, page := document.DocumentOf(file)
	switch {
	case page && r.site == nil, !r.staysGone(file):
		w.Remove(file)
		return nil
	case page:
		return w.Gone(file, r.site.Gone())
	}
	return w.Gone(file, document.GoneBody())
}

// recordOwners records which seller owns the addresses of each companySlug that
// it has, or had before, and those of offers that were once below another's. It records
// no seller who came to the companySlug of a removed one and is withheld there.
func (r *staging) recordOwners() {
	add := func(n *catalog.Node) {
		if r.tookPlace(n) {
			return
		}
		if s, ok := n.Item().(*catalog.Seller); ok && n.Live() {
			r.own(n.Ref(), s)
			r.ownFormer(n, s)
			for _, o := range n.Offers() {
				if o.There() {
					r.ownFormer(o, s)
				}
			}
		} else if seller := n.Seller(); seller != nil && n.Live() {
			r.ownFormer(n, seller.Item().(*catalog.Seller))
			r.ownAgain(n.Ref())
		}
	}
	if !r.delta.All {
		for n := range r.delta.Changed {
			add(n)
		}
		return
	}
	r.content.catalog.EachSeller(add)
	r.tree.EachOwner(func(key string, _ release.Owner) {
		if ref, err := catalog.ParseRef(document.OwnerRef(key)); err == nil {
			r.ownAgain(ref)
		}
	})
}

// own records the owner of an address. What the seller was before is recorded at its
// companySlug alone: at each of its former addresses too it would take the square of their
// number.
func (r *staging) own(ref catalog.Ref, s *catalog.Seller) {
	owner := release.Owner{ID: s.ID, Domains: []string{s.OfficialDomain}, Replaces: s.ReplacesRemoved}
	if ref == s.Ref {
		company := s.Company()
		owner.Domains, owner.Aliases, owner.Web = append(owner.Domains, s.FormerDomains...), company.Aliases, company.Web
	}
	r.plan.Own(document.OwnerKey(ref), owner)
}

// ownFormer records the owner of the former addresses that a node's file names and
// that are not below its own companySlug.
func (r *staging) ownFormer(n *catalog.Node, s *catalog.Seller) {
	c := r.content.catalog
	for _, former := range n.OwnAliases() {
		ref := former.Ref
		if ref.Company == s.Ref.Slug || c.At(ref) != n || c.Reserved(ref) || r.staysGone(document.RefFile(ref)) {
			continue
		}
		r.own(ref, s)
	}
}

// ownAgain records the owner of an address that was recorded apart, as a former
// one of an offer of another seller, and that has an offer of its own now.
func (r *staging) ownAgain(ref catalog.Ref) {
	n := r.content.catalog.Node(ref)
	if n == nil || !n.Live() || n.Seller() == nil || r.tookPlace(n) {
		return
	}
	if _, apart := r.tree.Owner(document.OwnerKey(ref)); apart {
		r.own(ref, n.Seller().Item().(*catalog.Seller))
	}
}

// tookPlace reports whether a node is withheld, and is at a companySlug of a removed seller
// without being that seller or its offer.
func (r *staging) tookPlace(n *catalog.Node) bool {
	return n.Withheld() && !n.Removed() && r.withheld.HoldsSlug(document.CompanyOf(document.RefFile(n.Ref())))
}
