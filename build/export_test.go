package build_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"souk/build"
)

// realCategories draws all categories of the real marketplace, with linked logos.
func realCategories(t testing.TB, state string) []byte {
	c := build.Config{Content: cncf(t), State: state, Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Program: "test"}
	made, err := build.ExportMap(t.Context(), c, nil, build.Export{Logos: build.LogosByAddress})
	if err != nil {
		t.Fatal(err)
	}
	return made.SVG
}

func TestAllCategoriesOfARealMarketplaceFitInAPictureOf430KB(t *testing.T) {
	picture := realCategories(t, t.TempDir())
	// In a release, addresses omit the site's name.
	small := bytes.ReplaceAll(picture, []byte("https://market.example.org/"), []byte("/"))
	blocks, tiles := bytes.Count(small, []byte(`role="group"`)), bytes.Count(small, []byte("<text>"))
	if blocks < 70 || tiles < 1600 || len(small) > 430_000 {
		t.Errorf("%d categories with %d tiles take %d bytes; want at most 430,000", blocks, tiles, len(small))
	}
}

// BenchmarkAllCategoriesOfARealMarketplace reads unchanged content and draws all of it.
func BenchmarkAllCategoriesOfARealMarketplace(b *testing.B) {
	state := b.TempDir()
	realCategories(b, state)
	for b.Loop() {
		realCategories(b, state)
	}
}

func TestAnExportedMapIsTheSameAtAFormerSlug(t *testing.T) {
	m := newAliased(t)
	export := func(slug string) string {
		c := m.config("public", "export-var")
		made, err := build.ExportMap(t.Context(), c, m.set(), build.Export{Slug: slug})
		if err != nil {
			t.Fatal(err)
		}
		return string(made.SVG)
	}
	if now := export("atlas"); now != export("globe") || !strings.Contains(now, `href="https://market.example/companies/acme"`) {
		t.Errorf("the map is another at its former slug, or does not lead to the seller: %s", now)
	}
	m.removed["acme"] = true
	if got := export("atlas"); strings.Contains(got, "acme") {
		t.Errorf("a removed seller is in the map: %s", got)
	}
}
