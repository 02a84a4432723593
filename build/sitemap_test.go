package build_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/release"
)

// sitemapDifference returns what the sitemaps of a release with pages list although no page
// answers, and what they omit. Sitemaps list the pages of items, roots and lists, including
// the further pages of lists.
func sitemapDifference(site string, tree map[string][]byte) (excess, missing []string) {
	listed, want := map[string]bool{}, map[string]bool{}
	for _, file := range locations(tree["sitemap.xml"]) {
		for _, url := range locations(tree[strings.TrimPrefix(file, site+"/")]) {
			if listed[url] {
				excess = append(excess, url+" twice")
			}
			listed[url] = true
		}
	}
	for file, body := range tree {
		at, page := strings.CutSuffix(file, ".html")
		parts := strings.Split(at, "/")
		switch last := parts[len(parts)-1]; {
		case !page, strings.HasSuffix(at, ".gone"), parts[0] == "errors", parts[0] == "verify", parts[0] == "embed", at == "search", at == "companies/search", at == "compare", file == document.ReferenceFile:
		case parts[0] == "companies" && len(parts) == 3 && (last == "claim" || last == "remove"):
		case parts[0] == "categories" && len(parts) == 2 && last != "product" && last != "service":
		case bytes.Contains(body, []byte(`http-equiv="refresh"`)): // a former address
		case !bytes.Contains(body, []byte(`<meta name="generator" content="Souk">`)): // an operator's file
		case at == "index":
			want[site+"/"] = true
		default:
			want[site+"/"+at] = true
		}
	}
	return append(excess, without(slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(want)))...),
		without(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(listed)))
}

// locations returns the addresses in a sitemap or sitemap index.
func locations(body []byte) (all []string) {
	var file struct {
		URLs  []string `xml:"url>loc"`
		Files []string `xml:"sitemap>loc"`
	}
	if err := xml.Unmarshal(body, &file); err != nil {
		return []string{"no sitemap: " + err.Error()}
	}
	return append(file.URLs, file.Files...)
}

func TestSitemapsListThePagesThatAnswerAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	put(t, dir, "content/categories/product/tools.yaml", "name: Tools\naliases: [category:product/gear]\n")
	put(t, dir, "content/sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\naliases: [seller:elder]\n")
	for i := range 250 {
		put(t, dir, fmt.Sprintf("content/sellers/acme/products/item-%d.yaml", i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
	}
	for i := range 130 {
		put(t, dir, fmt.Sprintf("content/articles/news-%d.md", i), fmt.Sprintf("---\ntitle: News %d\nupdatedAt: 2026-01-02\n---\nText.\n", i))
	}
	make := func(name string, pages bool) map[string][]byte {
		b, err := build.New(build.Config{
			Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, name), State: filepath.Join(dir, name+"-var"), Program: "test",
			Clock: time.Now, Precompress: release.NoPrecompress, Pages: pages,
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Build(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return readTree(t, filepath.Join(dir, name))
	}
	on, off := make("on", true), make("off", false)
	if excess, missing := sitemapDifference("https://market.example", on); len(excess)+len(missing) > 0 {
		t.Errorf("nobody answers at %v; the sitemaps miss %v", excess, missing)
	}
	further := locations(on["sitemaps/pages.xml"])
	if len(further) < 6 || bytes.Contains(on["sitemaps/pages.xml"], []byte("lastmod")) || bytes.Contains(on["sitemaps/lists.xml"], []byte("lastmod")) {
		t.Errorf("%d further pages, with dates that the content does not give: %s", len(further), on["sitemaps/pages.xml"])
	}
	if !bytes.Contains(on["sitemaps/articles.xml"], []byte("<lastmod>2026-01-02</lastmod>")) {
		t.Errorf("an article has no date: %s", on["sitemaps/articles.xml"])
	}
	for _, file := range []string{"sitemaps/pages.xml", "sitemaps/lists.xml"} {
		if off[file] != nil {
			t.Errorf("%s without pages: %s", file, off[file])
		}
	}
	for file, body := range off {
		if strings.HasPrefix(file, "sitemaps/") && !bytes.Equal(body, on[file]) {
			t.Errorf("%s differs with pages", file)
		}
	}
}

func put(t *testing.T, dir, file, text string) {
	t.Helper()
	file = filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The history of a seller contains only addresses of documents. The addresses of its pages,
// for stubs, host lists and trace, are derived from them.
func TestThePagesOfASellerFollowFromItsRecordedAddresses(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	put(t, dir, "content/categories/product/tools.yaml", "name: Tools\n")
	put(t, dir, "content/sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\naliases: [seller:elder]\n")
	for i := range 150 {
		put(t, dir, fmt.Sprintf("content/sellers/acme/products/item-%d.yaml", i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
	}
	want := map[string]bool{}
	for p := range publicationsOf(t, dir, true) {
		for _, address := range p.Addresses {
			file, ok := document.AddressFile(address)
			if !ok || strings.Contains(address, ".") {
				t.Errorf("%s is no address of a document", address)
			}
			for _, page := range document.PagesOf(file) {
				want[page] = true
			}
		}
	}
	got := map[string]bool{}
	for file := range readTree(t, filepath.Join(dir, "public")) {
		if _, page := document.DocumentOf(file); page && document.CompanyOf(file) != "" {
			got[file] = true
		}
	}
	if len(got) < 600 || !maps.Equal(got, want) {
		t.Errorf("%d pages are there, and %d belong to the addresses on record: %v, %v", len(got), len(want),
			without(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))), without(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))))
	}
}
