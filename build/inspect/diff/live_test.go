package diff_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/inspect/diff"
)

// release builds a small marketplace, with the given sellers removed.
func release(t *testing.T, files map[string]string, removed ...string) (public string) {
	t.Helper()
	home := t.TempDir()
	for file, text := range files {
		path := filepath.Join(home, "content", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var list []catalog.Removal
	for _, id := range removed {
		list = append(list, catalog.Removal{ID: id})
	}
	public = filepath.Join(home, "public")
	b, err := build.New(build.Config{
		Content: filepath.Join(home, "content"), Public: public, State: filepath.Join(home, "var"), Clock: time.Now, Program: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), catalog.NewRemovals(list)); err != nil {
		t.Fatal(err)
	}
	return public
}

func market(sellers ...string) map[string]string {
	files := map[string]string{
		"marketplace.yaml":              "name: Market\nsiteUrl: https://market.example\n",
		"categories/product/tools.yaml": "name: Tools\n",
	}
	for _, s := range sellers {
		files["sellers/"+s+"/seller.yaml"] = "officialDomain: " + s + ".example\nversions: [{version: 1, name: " + s + "}]\n"
		files["sellers/"+s+"/products/saw.yaml"] = "name: Saw\ncategories: [tools]\n"
	}
	return files
}

// host serves a public folder by the three rules.
func host(t *testing.T, public string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file := strings.TrimPrefix(r.URL.Path, "/")
		if strings.HasPrefix(file, "api/") && !strings.HasSuffix(file, ".json") {
			file += ".json"
		}
		if info, err := os.Stat(filepath.Join(public, file)); err == nil && info.IsDir() {
			file += "/index.html"
		}
		if data, err := os.ReadFile(filepath.Join(public, file)); err == nil {
			w.Write(data)
			return
		}
		if _, err := os.Stat(filepath.Join(public, document.GoneFile(file))); err == nil {
			w.WriteHeader(http.StatusGone)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAHostIsComparedWithAFolder(t *testing.T) {
	before := release(t, market("acme", "left", "old"))
	after := release(t, market("acme", "left", "new"), "left")
	folder, err := diff.Folder(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	live, err := diff.Live(t.Context(), host(t, before), folder)
	if err != nil {
		t.Fatal(err)
	}
	d := diff.Compare(live, folder)
	const companies = "api/v1/marketplace/companies/"
	for name, lists := range map[string][2][]string{
		"added":    {d.Added, {companies + "new.json", companies + "new/products/saw.json"}},
		"gone":     {d.Gone, {companies + "left.json", companies + "left/products/saw.json"}},
		"vanished": {d.Vanished, {companies + "old.json", companies + "old/products/saw.json"}},
	} {
		if got, want := lists[0], lists[1]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !slices.Contains(d.Changed, "api/v1/marketplace/categories/product/tools.json") {
		t.Errorf("changed: %q", d.Changed)
	}

	back, err := diff.Live(t.Context(), host(t, after), folder)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Compare(back, folder); !d.Empty() {
		t.Errorf("a release differs from itself as a host answers it: %+v", d)
	}
}

func TestAnAddressWithoutAMarketplaceIsReported(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := diff.Live(t.Context(), server.URL, nil); err == nil || !strings.Contains(err.Error(), "no sitemap") {
		t.Errorf("got %v", err)
	}
}
