package build_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

func TestPagesHavePricesAndDaysForPeopleAndJSONForPrograms(t *testing.T) {
	m := newStaying(t, nil)
	m.write("sellers/acme/products/arm.yaml", "name: Arm\ncategories: [tools]\nprice: {amount: 77.2, currency: USD}\nupdatedAt: 2026-01-01T23:30:00-05:00\n"+
		"variants: [{name: Short, price: {amount: '1.25', currency: KWD}}]\nproof: [{kind: award, title: Best, date: 2026-01-03T01:00:00+09:00, public: true}]\n")
	m.write("articles/news.md", "---\ntitle: News\npublishedAt: 2026-01-05T23:30:00-05:00\n---\nText\n")
	if report, err := m.builder.Build(t.Context(), m.set(), "."); err != nil || len(report.HeldBack) > 0 {
		t.Fatal(err, report.HeldBack)
	}
	const arm = "companies/acme/products/arm"
	for file, wanted := range map[string][]string{
		arm + ".html":                         {"$77.20", "KWD\u00a01.250", "1 January 2026", "3 January 2026", `"price":"1.25"`},
		arm + ".md":                           {"$77.20", "KWD\u00a01.250", "2026-01-02T04:30:00Z", "2026-01-02T16:00:00Z"},
		"api/v1/marketplace/" + arm + ".json": {`"amount":"77.2"`, `"amount":"1.25"`, `"updatedAt":"2026-01-02T04:30:00Z"`, `"date":"2026-01-02T16:00:00Z"`},
		"companies/acme.html":                 {"$77.20"},
		"categories/product/tools.html":       {"$77.20"},
		"articles/news.html":                  {"5 January 2026", `"datePublished":"2026-01-06T04:30:00Z"`},
		"articles.html":                       {"5 January 2026"},
		"feed.atom":                           {"<published>2026-01-06T04:30:00Z"},
		"api/v1/marketplace/articles.json":    {`"publishedAt":"2026-01-06T04:30:00Z"`},
		"sitemaps/products.xml":               {"<lastmod>2026-01-02T04:30:00Z"},
	} {
		for _, want := range wanted {
			if !strings.Contains(m.read(file), want) {
				t.Errorf("%s does not say %s", file, want)
			}
		}
	}
}

// TestPagesOfARealMarketAreSmall limits the size of pages of a real market.
func TestPagesOfARealMarketAreSmall(t *testing.T) {
	dir := t.TempDir()
	b, err := build.New(build.Config{
		Content: cncf(t), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: release.NoPrecompress, Program: "test", Pages: true, Snapshot: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background(), nil); err != nil {
		t.Fatalf("%v: %v", err, mistakesOf(err))
	}
	profile := regexp.MustCompile(`^companies/[^/]+(/(products|services)/[^/]+)?\.html$`)
	var sizes []int
	public := os.DirFS(filepath.Join(dir, "public"))
	if err := fs.WalkDir(public, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		body, err := fs.ReadFile(public, path)
		if err != nil {
			return err
		}
		if profile.MatchString(path) {
			sizes = append(sizes, len(body))
		}
		if len(body) <= 30<<10 {
			return nil
		}
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		if _, err := w.Write(body); err != nil {
			return err
		}
		if err := w.Close(); err != nil || small.Len() > 30<<10 {
			t.Errorf("%s has %d bytes compressed, at most 30 KB are wanted: %v", path, small.Len(), err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(sizes)
	if len(sizes) == 0 || sizes[len(sizes)/2] > 30<<10 {
		t.Fatalf("%d pages of sellers, products and services, in the median too large: at most 30 KB are wanted", len(sizes))
	}
	t.Logf("%d pages of sellers and offers, %d bytes in the median", len(sizes), sizes[len(sizes)/2])
}
