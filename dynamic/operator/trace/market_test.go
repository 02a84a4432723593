package trace_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/release"
	"souk/build/source"
	"souk/dynamic/operator/trace"
	"souk/dynamic/search"
)

// A market is a content folder that is built repeatedly, each time with other removals.
type market struct {
	t               testing.TB
	content, public string
	builder         *build.Builder
	removed         *catalog.Removals
	index           *search.Index
}

func newMarket(t testing.TB, content string, twins release.Precompress) *market {
	t.Helper()
	dir := t.TempDir()
	m := &market{t: t, content: content, public: filepath.Join(dir, "public")}
	t.Cleanup(m.close)
	var err error
	m.builder, err = build.New(build.Config{
		Pages:    true,
		Snapshot: true,
		Content:  content, Public: m.public, State: filepath.Join(dir, "var"), LongLived: true, Program: "test",
		Precompress: twins, Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// remove builds and indexes the market without these sellers.
func (m *market) remove(slugs ...string) {
	m.t.Helper()
	list := m.removed.List()
	for i := range list {
		list[i].Undone = time.Unix(1, 0)
	}
	for _, slug := range slugs {
		s := m.builder.Catalog().Node(catalog.SellerRef(slug)).Item().(*catalog.Seller)
		list = append(list, catalog.Removal{ID: s.ID, Domain: s.OfficialDomain})
	}
	m.removed = catalog.NewRemovals(list)
	if _, err := m.builder.Build(context.Background(), m.removed, build.Whole); err != nil {
		m.t.Fatal(err)
	}
	m.close()
	corpus := index.Extract(m.builder.Catalog(), document.NewRenderer(m.builder.Catalog(), ""))
	var err error
	if m.index, err = search.Open(m.t.Context(), corpus, search.Options{}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *market) close() {
	if m.index != nil {
		m.index.Close()
	}
}

// sellers returns the slugs of the current sellers.
func (m *market) sellers() []string {
	var slugs []string
	m.builder.Catalog().EachSeller(func(n *catalog.Node) {
		if n.Current() {
			slugs = append(slugs, n.Ref().Slug)
		}
	})
	slices.Sort(slugs)
	return slugs
}

func (m *market) subject(slug string) trace.Subject {
	m.t.Helper()
	s, known := trace.Of(m.builder.Catalog(), slug)
	if !known {
		m.t.Fatalf("there is no seller %s", slug)
	}
	names, err := source.SellerNames(m.content, m.builder.Catalog().Node(catalog.SellerRef(slug)).Head().File)
	if err != nil {
		m.t.Fatal(err)
	}
	s.Add(trace.Subject{Names: names})
	return s
}

// trace returns the findings and the warnings.
func (m *market) trace(s trace.Subject) (found, warnings trace.Findings) {
	m.t.Helper()
	renderer := document.NewRenderer(m.builder.Catalog(), "")
	all, err := trace.Trace(m.t.Context(), s, trace.Config{
		Public: m.public, Index: m.index, SiteURLs: []string{renderer.SiteURL(), renderer.APIURL()},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all.Split()
}

func sample() string { return filepath.Join("..", "..", "..", "content") }

func cncf(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SOUK_CNCF")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data", "cncf")
	}
	if _, err := os.Stat(filepath.Join(dir, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	return dir
}

// shows reports whether a finding has this kind and is in a file with this prefix.
func shows(list trace.Findings, what, file string) bool {
	return slices.ContainsFunc(list, func(f trace.Finding) bool {
		return (what == "" || f.What == what) && strings.HasPrefix(f.File, file)
	})
}

// traces traces sellers in a market where none is removed, and fails unless each of them
// shows.
func (m *market) traces(slugs ...string) (before trace.Findings) {
	m.t.Helper()
	for _, slug := range slugs {
		found, _ := m.trace(m.subject(slug))
		before = append(before, found...)
		const marketplace = "api/v1/marketplace/"
		for _, place := range []struct{ what, file string }{
			{trace.WhatAddress, marketplace + "companies/" + slug + ".json"},
			{trace.WhatSlug, marketplace + "companies/" + slug + ".json"},
			{trace.WhatName, marketplace + "companies/" + slug + ".json"},
			{trace.WhatAddress, "sitemaps/companies"},
		} {
			// A name that equals the domain is found as the domain.
			named := place.what == trace.WhatName && shows(found, trace.WhatDomain, place.file)
			if !shows(found, place.what, place.file) && !named {
				m.t.Errorf("%s: before the removal no %s is found in %s", slug, place.what, place.file)
			}
		}
	}
	return before
}

// wantNoTrace removes the sellers, traces everything that they were, and fails if anything
// shows.
func (m *market) wantNoTrace(of trace.Subject, slugs ...string) {
	m.t.Helper()
	m.remove(slugs...)
	after, _ := m.trace(of)
	for _, f := range after {
		m.t.Errorf("%v: after the removal: %+v", slugs, f)
	}
}

func TestRemovedSellerOfTheSampleAppearsNowhere(t *testing.T) {
	m := newMarket(t, sample(), 0)
	m.remove()
	sellers := m.sellers()
	all := m.traces(sellers...)
	were := map[string]trace.Subject{}
	for _, slug := range sellers {
		were[slug] = m.subject(slug)
	}
	for slug, subject := range were {
		m.wantNoTrace(subject, slug)
	}
	for _, place := range []struct{ what, file string }{
		{trace.WhatDomain, "api/v1/marketplace/companies/"},
		{trace.WhatMedia, "api/v1/marketplace/companies/"},
		{trace.WhatMedia, "media/"},
		{trace.WhatAddress, "api/v1/marketplace/categories/product/"},
		{trace.WhatAddress, "api/v1/marketplace/categories/service/"},
		{trace.WhatAddress, "api/v1/marketplace/articles/"},
		{trace.WhatAddress, "api/v1/marketplace/market-maps/"},
		{trace.WhatAddress, "companies/"},
		{trace.WhatMedia, "companies/"},
		{trace.WhatAddress, "categories/"},
		{trace.WhatAddress, "sitemaps/products"},
		{trace.WhatAddress, "sitemaps/services"},
		{trace.WhatAddress, "marketplace/listings/search?q="},
		{trace.WhatAddress, "marketplace/listings/search?seller="},
		{trace.WhatAddress, "marketplace/companies/search?q="},
		{trace.WhatSlug, "marketplace/listings/search?q="},
		{trace.WhatAddress, "marketplace/search/suggestions?q="},
	} {
		if !shows(all, place.what, place.file) {
			t.Errorf("no seller is found by %s in %s", place.what, place.file)
		}
	}
}

func TestRemovedSellersOfARealMarketplaceAppearNowhere(t *testing.T) {
	m := newMarket(t, cncf(t), 16<<10)
	m.remove()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	sellers := m.sellers()
	// The tested sellers include some with common names and domains, and one whose name is
	// its domain.
	chosen := []string{"github", "linux-foundation", "google-cloud", "lunar-dev"}
	for range 6 - len(chosen) {
		chosen = append(chosen, sellers[r.IntN(len(sellers))])
	}
	slices.Sort(chosen)
	chosen = slices.Compact(chosen)
	m.traces(chosen...)
	var were trace.Subject
	for _, slug := range chosen {
		were.Add(m.subject(slug))
	}
	m.wantNoTrace(were, chosen...)
}

func BenchmarkTraceInARealMarketplace(b *testing.B) {
	m := newMarket(b, cncf(b), 4<<10)
	m.remove()
	s := m.subject("google-cloud")
	for b.Loop() {
		if _, err := trace.Trace(b.Context(), s, trace.Config{Public: m.public}); err != nil {
			b.Fatal(err)
		}
	}
}
