package dynamic

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/kit/journal"
	"souk/build/kit/problem"
	"souk/dynamic/machines/mirror"
	"souk/dynamic/web"
	"souk/dynamic/web/preview"
)

var _ origin = (*builds)(nil)

// newBuilds returns the origin that builds releases from content. It starts watching before
// the first build, so that no change is missed in between.
func newBuilds(ctx context.Context, c Config) (*builds, error) {
	c.Build.LongLived = true
	builder, err := build.New(c.Build)
	if err != nil {
		return nil, err
	}
	record := NewRecord(c.Verification.Ledger, c.Verification.Removals)
	b := &builds{
		config: c, builder: builder, queue: newQueue(), record: record, sellers: &sellers{},
		index: newIndexer(c, c.Build.Public, record), unwritten: taskError{what: "search parts cannot be written"},
		saveError: taskError{what: "the cache for the next start cannot be saved"},
		copy: mirror.New(mirror.Config{
			Publisher: c.Publish, Tree: builder.Tree(), Removals: record.Register(), Announce: c.Verification.Ledger.Announce, Log: c.Log, Now: c.Build.Clock,
		}), heard: make(chan struct{}, 1),
	}
	if c.Build.Preview {
		b.preview = preview.New(ctx)
	}
	if c.Watch {
		b.watch = newWatch(c, systemEvents)
	}
	return b, nil
}

// sources implements origin.
func (b *builds) sources() sources {
	s := sources{surface: surface{b.builder.Tree(), b.record.Register()}, sellers: b.sellers, live: &b.index.live, preview: b.preview}
	if b.config.Build.Pages {
		s.pages = b.builder.Site()
	}
	return s
}

// parts implements origin.
func (b *builds) parts() []func(context.Context) {
	all := []func(context.Context){b.run, b.copy.Run, b.index.run}
	if b.watch != nil {
		all = append(all, b.watch.run, func(ctx context.Context) { b.watch.feed(ctx, b.queue) })
	}
	return all
}

// close implements origin.
func (b *builds) close() error {
	if b.watch != nil {
		b.watch.close()
	}
	return b.index.close()
}

// copied implements origin.
func (b *builds) copied(ctx context.Context) string { return b.copy.Await(ctx) }

// state implements origin.
func (b *builds) state() state {
	s := state{
		pending: b.record.pending(),
		checks: map[string]string{
			"content": cmp.Or(b.failure(), web.StatusOK), "release": web.StatusOK, "search": b.searchReady(), "history": web.StatusOK,
		},
	}
	if b.record.unrecorded.Load() {
		s.checks["history"] = "the last release is not recorded yet"
	}
	s.copied, s.copyPending = b.copy.State()
	return s
}

// searchReady returns the state of search for the health check.
func (b *builds) searchReady() string {
	if state := b.index.ready(); state != web.StatusOK || b.unwritten.now() == nil {
		return state
	}
	return behindRelease
}

// served implements origin.
func (b *builds) served() Served {
	tree := b.builder.Tree()
	s := Served{Release: tree.ID()}
	m, err := b.sellers.view()
	if err != nil {
		return s
	}
	s.Site = m.site
	for _, page := range []string{"index.html", document.LLMsFile, document.OpenAPIFile} {
		if tree.Has(page) {
			s.Begin = append(s.Begin, "/"+strings.TrimSuffix(page, "index.html"))
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(m.bySlug)) {
		// Other slugs are former ones, which should not be handed on.
		if file := document.SellerFile(slug); m.bySlug[slug].Slug == slug && tree.Has(file) {
			s.Begin = append(s.Begin, "/"+strings.TrimSuffix(file, ".json"))
			break
		}
	}
	return s
}

// begin implements origin. It also finishes any removal that an earlier process left
// incomplete.
func (b *builds) begin(ctx context.Context) error {
	if b.watch != nil {
		b.watch.checkedOut(ctx)
	}
	began := b.config.Build.Clock()
	report, err := b.turn(ctx, build.Whole)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) {
		b.mistaken(mistakes.Mistakes, false)
		b.show(mistakes.Mistakes)
		b.due = b.config.Build.Clock().Add(retryMistakes)
	}
	importing := errors.Is(err, journal.ErrPending)
	if importing {
		b.due = b.config.Build.Clock().Add(b.importing())
	}
	if b.config.Watch && (mistakes != nil || importing) || importing && b.builder.Tree().ID() != "" {
		if b.builder.Tree().ID() != "" {
			b.index.begin(ctx)
		}
		b.record.inRelease.Store(b.record.now.Now()) // either the release shows none of the removed sellers, or it is not served
		return surface{b.builder.Tree(), b.record.Register()}.finished()
	}
	if err != nil {
		return err
	}
	b.built(report, b.config.Build.Clock().Sub(began), false)
	if len(report.HeldBack) > len(report.Waiting) && !b.config.Watch {
		return &problem.Error{Mistakes: report.HeldBack}
	}
	b.config.Built(report)
	b.follow(ctx, report, nil)
	if err := b.writeSearch(ctx); err != nil {
		return err
	}
	b.index.begin(ctx)
	return nil
}

const (
	// retriesFor is how long a failing build is retried, every retryRemoval, while somebody
	// waits for it.
	retriesFor   = 5 * time.Second
	retryRemoval = time.Second
)
