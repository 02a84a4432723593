package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
)

// render makes what is pending into a release.
func (b *Builder) render(ctx context.Context, renderer *document.Renderer) (release.Result, error) {
	plan, err := b.tree.Begin()
	if err != nil {
		return release.Result{}, err
	}
	run := &rendering{Builder: b, plan: plan, renderer: renderer}
	if err := run.stage(ctx); err != nil {
		if discarded := plan.Discard(); discarded != nil {
			err = fmt.Errorf("%w (and the staged files are left: %v)", err, discarded)
		}
		return release.Result{}, err
	}
	result, err := plan.Commit(ctx, b.now(), !b.config.At.IsZero())
	if err != nil {
		return result, err
	}
	run.keep()
	b.id = b.tree.ID()
	b.hidden()
	b.pending = nil
	return result, nil
}

// A rendering is one run of the pipeline's last part.
type rendering struct {
	*Builder
	plan     *release.Plan
	renderer *document.Renderer
	// shown and uses are, for a whole build, what Builder's become, and for a
	// partial one what changes of them.
	shown map[*catalog.Node][]string
	uses  map[string]int
}

// keep hands what is shown now to the Builder, once it is public.
func (r *rendering) keep() {
	if r.pending.All {
		r.Builder.shown, r.Builder.uses = map[*catalog.Node][]string{}, map[string]int{}
	}
	for n, names := range r.shown {
		if len(names) == 0 {
			delete(r.Builder.shown, n)
		} else {
			r.Builder.shown[n] = names
		}
	}
	for name, by := range r.uses {
		if r.Builder.uses[name] += by; r.Builder.uses[name] == 0 {
			delete(r.Builder.uses, name)
		}
	}
}

func (r *rendering) stage(ctx context.Context) error {
	units := r.renderer.Units(r.pending, r.tree.Stands)
	if err := r.renderUnits(ctx, units); err != nil {
		return err
	}
	w := r.plan.Writer()
	if err := r.pictures(ctx, w); err != nil {
		return err
	}
	if err := r.formers(func(o document.Output) error { return r.emit(w, o) }); err != nil {
		return err
	}
	r.own()
	if !r.pending.All {
		return nil
	}
	for _, file := range r.plan.Unmentioned() {
		document, _ := document.IsGone(file)
		if err := r.absent(w, document); err != nil {
			return err
		}
	}
	return nil
}

// renderUnits renders units side by side: twice as many as there are processors,
// since half of the time goes into creating files. Each worker takes the next share; what they made is joined in the order of the
// files, so that the result does not depend on who was faster.
func (r *rendering) renderUnits(ctx context.Context, units []document.Unit) error {
	workers := min(2*runtime.GOMAXPROCS(0), len(units)/4+1)
	share := max(1, min(16, len(units)/(4*workers)))
	var next, done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		w, encoder := r.plan.Writer(), document.NewEncoder()
		emit := func(o document.Output) error { return r.emit(w, o) }
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
					if err := r.renderer.Render(u, encoder, r.tree.Stands, emit); err != nil {
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

func (r *rendering) emit(w *release.Writer, o document.Output) error {
	switch {
	case o.Gone:
		return w.Gone(o.File, document.GoneBody())
	case o.Absent:
		return r.absent(w, o.File)
	default:
		return w.Put(o.File, o.Body)
	}
}

// absent takes a document away. Where its address is, or ever was, that of a
// removed seller it is gone for good: a stub stands there.
func (r *rendering) absent(w *release.Writer, file string) error {
	company := document.CompanyOf(file)
	known := r.tree.Stands(file) || r.tree.Stands(document.GoneFile(file))
	if company != "" && known && r.withheld(company) || r.former[file] {
		return w.Gone(file, document.GoneBody())
	}
	w.Remove(file)
	return nil
}

// withheld tells whether the addresses of a companySlug are a removed seller's:
// by the content, else by what the last releases knew of their owner. Where
// nobody knows, as after the loss of the state folder, a stub stays a stub as
// long as anybody is removed at all.
func (r *rendering) withheld(slug string) bool {
	if n := r.catalog.Node(catalog.SellerRef(slug)); n != nil && n.Item() != nil {
		return n.Withheld()
	}
	removals := r.catalog.Removals()
	if owner, known := r.tree.Owner(slug); known {
		return removals.HoldsOwner(owner.ID, owner.Domains)
	}
	return removals.HoldsID(slug) || !removals.Empty() && r.tree.Stands(document.GoneFile(document.SellerFile(slug)))
}

// own records whose the addresses of each seller are.
func (r *rendering) own() {
	add := func(n *catalog.Node) {
		if s, ok := n.Item().(*catalog.Seller); ok && n.Live() {
			r.plan.Own(n.Ref().Slug, release.Owner{ID: s.ID, Domains: append([]string{s.OfficialDomain}, s.FormerDomains...)})
		}
	}
	if r.pending.All {
		r.catalog.EachSeller(add)
		return
	}
	for n := range r.pending.Changed {
		add(n)
	}
}

// pictures publishes the pictures that current things show, and only those.
func (r *rendering) pictures(ctx context.Context, w *release.Writer) error {
	files, touched := map[string]string{}, map[string]bool{}
	show := func(n *catalog.Node) {
		for _, name := range r.Builder.shown[n] {
			if !r.pending.All {
				r.uses[name]--
			}
			touched[name] = true
		}
		r.shown[n] = nil
		r.shows(n, r.shown, r.uses, func(name, file string) {
			files[name], touched[name] = file, true
		})
	}
	r.shown, r.uses = map[*catalog.Node][]string{}, map[string]int{}
	if r.pending.All {
		r.catalog.Each(show)
	} else {
		for n := range r.pending.Changed {
			show(n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(touched)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		public := document.MediaFolder + name
		uses := r.uses[name]
		if !r.pending.All {
			uses += r.Builder.uses[name]
		}
		if uses == 0 {
			w.Remove(public)
			continue
		}
		if w.Keep(public) || files[name] == "" {
			continue
		}
		if err := r.picture(w, public, files[name]); err != nil {
			return err
		}
	}
	return nil
}

func (r *rendering) picture(w *release.Writer, public, file string) error {
	data, err := os.ReadFile(filepath.Join(r.config.Content, filepath.FromSlash(file)))
	if err != nil {
		return fmt.Errorf("publish a picture: %w", err)
	}
	sum := sha256.Sum256(data)
	if !strings.HasPrefix(filepath.Base(public), hex.EncodeToString(sum[:16])) {
		return fmt.Errorf("publish a picture: %s changed while it was being built: build again", file)
	}
	return w.Put(public, data)
}
