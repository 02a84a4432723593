package build_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

// ownSite contains the files of a site that was not made by Souk.
var ownSite = map[string]string{
	"index.html":          `<!doctype html><link rel="canonical" href="https://market.example/"><h1>Ours for years</h1>`,
	"companies/acme.html": `<!doctype html><link rel="canonical" href="https://market.example/companies/acme">`,
	"errors/404.html":     `<link rel="canonical" href="https://market.example/">`,
	"favicon.svg":         `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"feed.json":           `{"version":"https://jsonfeed.org/version/1.1"}`,
	"robots.txt":          "User-agent: *\nDisallow: /admin\n",
	"sitemap.xml":         `<?xml version="1.0"?><urlset/>`,
	"llms.txt":            "# Ours\n",
}

func TestABuildOverwritesNoFileOfAnotherSite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	put(t, dir, "content/sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\naliases: [seller:elder]\n")
	put(t, dir, "content/articles/news.md", "---\ntitle: News\npublishedAt: 2026-01-01\n---\nText.\n")
	public := filepath.Join(dir, "public")
	make := func(pages bool) (build.Report, error) {
		b, err := build.New(build.Config{
			Content: filepath.Join(dir, "content"), Public: public, State: filepath.Join(dir, "var"), Program: "test",
			Clock: time.Now, Precompress: release.NoPrecompress, Pages: pages, Snapshot: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.Build(t.Context(), nil)
	}
	refused := func(pages bool, want ...string) {
		t.Helper()
		before := readTree(t, public)
		_, err := make(pages)
		var foreign *release.ForeignError
		if !errors.As(err, &foreign) || !slices.Equal(foreign.Files, want) || !strings.Contains(err.Error(), want[0]) {
			t.Fatalf("the build ends with %v, and should name %v", err, want)
		}
		if after := readTree(t, public); !maps.EqualFunc(before, after, bytes.Equal) {
			t.Fatal("and something was written")
		}
	}
	for file, text := range ownSite {
		put(t, public, file, text)
	}
	refused(true, slices.Sorted(maps.Keys(ownSite))...)
	refused(false, "llms.txt", "robots.txt", "sitemap.xml")
	for _, file := range []string{"llms.txt", "robots.txt", "sitemap.xml"} {
		if err := os.Remove(filepath.Join(public, file)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := make(false); err != nil {
		t.Fatal(err)
	}
	// After an upgrade, the log lists the files that builds wrote.
	refused(true, "companies/acme.html", "errors/404.html", "favicon.svg", "feed.json", "index.html")
	for file := range ownSite {
		if err := os.Remove(filepath.Join(public, file)); err != nil && file[0] != 'l' && file[0] != 'r' && file[0] != 's' {
			t.Fatal(err)
		}
	}
	if _, err := make(true); err != nil {
		t.Fatal(err)
	}
	// Without the log, files written by builds are still recognized.
	if err := os.RemoveAll(release.Folder(public)); err != nil {
		t.Fatal(err)
	}
	report, err := make(true)
	if err != nil || report.Written > 1 || len(report.Foreign) > 0 {
		t.Errorf("without the log: %d files were written, %v are foreign, %v", report.Written, report.Foreign, err)
	}
}
