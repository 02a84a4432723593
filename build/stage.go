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

// makeRelease renders what a change touches, unless the release is already right, and commits
// it. If one of the operator's templates fails, it returns a *problem.Error, or with anyhow
// uses the built-in template, so that no mistake delays a removal.
func (b *Builder) makeRelease(ctx context.Context, a attempt, delta *catalog.Delta, from buildInputs, right bool) (*staging, error) {
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
			err = fmt.Errorf("%w (and the staged files could not be deleted: %v)", err, discarded)
		}
		return nil, err
	}
	run.touched.Ended = b.ended(plan.Deleted())
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
	// record contains all recorded removals. withheld also contains the removals that only
	// stubs prove, and is what counts.
	record, withheld *catalog.Removals
	// shards are the manifest's lines about the shards that were rendered.
	shards shardLines
	// broken are the failures of the operator's templates.
	broken     faults
	unreadable unreadable
	// previous is the id of the previous release. right says that the release was already
	// there, and heldBack that the content has changed since it was made.
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

// renderUnits renders units in parallel, with two workers for each processor, because half of
// the time is spent creating files. Each worker takes the next share of units. The results are
// joined in the order of the files, so they do not depend on which worker was faster.
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

// gone replaces a document and its pages by stubs.
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

// absent deletes a document and its pages. If its address belongs or ever belonged to a
// removed seller, stubs replace them.
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

// unmentioned deletes a file that was not rendered. If its address belongs or ever belonged to
// a removed seller, a stub replaces it.
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

// recordOwners records the owner of each companySlug that a seller has or had, and of offers
// that were once below another companySlug. It does not record a withheld seller that took the
// companySlug of a removed one.
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

// own records the owner of an address. A seller's former identities are recorded only at its
// companySlug; recording them at each former address too would take quadratic space.
func (r *staging) own(ref catalog.Ref, s *catalog.Seller) {
	owner := release.Owner{ID: s.ID, Domains: []string{s.OfficialDomain}, Replaces: s.ReplacesRemoved}
	if ref == s.Ref {
		company := s.Company()
		owner.Domains, owner.Aliases, owner.Web = append(owner.Domains, s.FormerDomains...), company.Aliases, company.Web
	}
	r.plan.Own(document.OwnerKey(ref), owner)
}

// ownFormer records the owner of a node's former addresses that are not below its own
// companySlug.
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

// ownAgain records the owner of an address that was recorded as the former address of another
// seller's offer and now has an offer of its own.
func (r *staging) ownAgain(ref catalog.Ref) {
	n := r.content.catalog.Node(ref)
	if n == nil || !n.Live() || n.Seller() == nil || r.tookPlace(n) {
		return
	}
	if _, apart := r.tree.Owner(document.OwnerKey(ref)); apart {
		r.own(ref, n.Seller().Item().(*catalog.Seller))
	}
}

// tookPlace reports whether a node is withheld and uses the companySlug of a removed seller
// without being that seller or its offer.
func (r *staging) tookPlace(n *catalog.Node) bool {
	return n.Withheld() && !n.Removed() && r.withheld.HoldsSlug(document.CompanyOf(document.RefFile(n.Ref())))
}
