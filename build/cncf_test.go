package build_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

// cncf returns the folder of the real marketplace that these tests use: the one in
// SOUK_CNCF, or shared/data/cncf beside the repository.
func cncf(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SOUK_CNCF")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data", "cncf")
	}
	if _, err := os.Stat(filepath.Join(dir, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	return dir
}

var (
	publishedOnce  sync.Once
	publishedFiles map[string][]byte
)

// published builds the real marketplace, once for all tests, and returns every file of the
// output. Twins are decompressed and keep their own names.
func published(t *testing.T, content string) map[string][]byte {
	t.Helper()
	publishedOnce.Do(func() { publishedFiles = publish(t, content) })
	if publishedFiles == nil {
		t.Fatal("the build failed in another test")
	}
	return publishedFiles
}

func publish(t *testing.T, content string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	b, err := build.New(build.Config{
		Content: content, Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: 0, Program: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background(), nil); err != nil {
		t.Fatalf("%v: %v", err, mistakesOf(err))
	}
	files := readTree(t, filepath.Join(dir, "public"))
	for file, data := range files {
		if files[file], err = release.Decompress(file, data); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return files
}

func TestNothingHiddenReachesTheOutputOfARealMarketplace(t *testing.T) {
	canary := regexp.MustCompile(`(?i)canary-[0-9]{6}`)
	for file, data := range published(t, cncf(t)) {
		// The regular expression alone would take a minute.
		if !bytes.Contains(data, []byte("anary-")) && !bytes.Contains(data, []byte("ANARY-")) {
			continue
		}
		if at := canary.FindIndex(data); at != nil {
			t.Errorf("%s holds %s", file, data[at[0]:at[1]])
		}
		if canary.MatchString(file) {
			t.Errorf("%s is published", file)
		}
	}
}

func TestTwinsOfARealMarketplaceEqualTheirDocuments(t *testing.T) {
	files := published(t, cncf(t))
	twins := 0
	for file, data := range files {
		for _, suffix := range []string{".gz", ".br"} {
			if document, ok := strings.CutSuffix(file, suffix); ok {
				twins++
				if !bytes.Equal(data, files[document]) {
					t.Errorf("%s differs from its document", file)
				}
			}
		}
	}
	if twins == 0 {
		t.Error("there are no twins")
	}
}

// A tree is published JSON by address.
type tree struct {
	t    *testing.T
	docs map[string]map[string]any
	api  string
	site string
	all  map[string][]byte
}

func parse(t *testing.T, files map[string][]byte, site string) *tree {
	x := &tree{t: t, docs: map[string]map[string]any{}, api: site + "/api/v1", site: site, all: files}
	for file, data := range files {
		address, ok := strings.CutSuffix(file, ".json")
		if !ok {
			continue
		}
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		x.docs[site+"/"+address] = doc
	}
	return x
}

// links calls check for every object below value that has an apiUrl or a
// picture's url.
func (x *tree) links(where string, value any, check func(where string, link map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		check(where, v)
		for key, child := range v {
			x.links(where+"."+key, child, check)
		}
	case []any:
		for _, child := range v {
			x.links(where, child, check)
		}
	case nil:
		x.t.Errorf("%s is null", where)
	}
}

func TestEveryLinkOfARealMarketplacePointsToADocument(t *testing.T) {
	x := parse(t, published(t, cncf(t)), "https://market.example.org")
	count := 0
	for address, doc := range x.docs {
		if strings.HasSuffix(address, "/openapi") {
			continue
		}
		x.links(address, doc, func(where string, link map[string]any) {
			for _, key := range []string{"apiUrl", "next", "previous"} {
				target, ok := link[key].(string)
				if !ok {
					continue
				}
				count++
				there := x.docs[target]
				if there == nil {
					t.Errorf("%s: %s leads to no document: %s", where, key, target)
				} else if key == "apiUrl" && link["letter"] == nil && link["kind"] != there["kind"] {
					t.Errorf("%s: a link of kind %v leads to a document of kind %v", where, link["kind"], there["kind"])
				}
			}
			if url, ok := link["url"].(string); ok && strings.HasPrefix(url, x.site+"/media/") && x.all[strings.TrimPrefix(url, x.site+"/")] == nil {
				t.Errorf("%s: there is no picture %s", where, url)
			}
		})
	}
	if count < 10_000 {
		t.Errorf("only %d links were seen", count)
	}
}

// items joins the pages of a list, starting from the document with its first page.
func (x *tree) items(page map[string]any) []map[string]any {
	var all []map[string]any
	for {
		list := page["items"].([]any)
		if len(list) > 100 {
			x.t.Errorf("a page holds %d items", len(list))
		}
		for _, item := range list {
			all = append(all, item.(map[string]any))
		}
		next, more := page["next"].(string)
		if !more {
			return all
		}
		here, _ := page["apiUrl"].(string)
		if page = x.docs[next]; page == nil {
			x.t.Fatalf("nothing stands at %s", next)
		}
		if page["total"] != nil || page["kind"] != "page" {
			x.t.Errorf("%s is a %v with the total %v", next, page["kind"], page["total"])
		}
		if here == "" {
			here = page["of"].(map[string]any)["apiUrl"].(string)
		}
		if page["previous"] != here {
			x.t.Errorf("%s stands behind %v and not %s", next, page["previous"], here)
		}
	}
}

func TestCountsOfARealMarketplaceMatchItsLists(t *testing.T) {
	x := parse(t, published(t, cncf(t)), "https://market.example.org")
	offers := map[string]map[string]any{}
	fromSellers, kinds := 0, map[any]int{}
	for address, doc := range x.docs {
		kinds[doc["kind"]]++
		switch doc["kind"] {
		case "product", "service":
			offers[address] = doc
		case "seller":
			for _, which := range []string{"products", "services"} {
				page := doc[which].(map[string]any)
				items := x.items(page)
				fromSellers += len(items)
				if float64(len(items)) != page["total"] {
					t.Errorf("%s: %v %s in all, %d listed", address, page["total"], which, len(items))
				}
			}
		}
	}
	if fromSellers != len(offers) || len(offers) == 0 {
		t.Errorf("sellers list %d offers, and there are %d", fromSellers, len(offers))
	}
	root := x.api + "/marketplace"
	for plural, kind := range map[string]string{
		"sellers": "seller", "products": "product", "services": "service", "categories": "category", "articles": "article", "marketMaps": "marketMap",
	} {
		if got := x.docs[root]["counts"].(map[string]any)[plural]; got != float64(kinds[kind]) {
			t.Errorf("the marketplace counts %v %s, and there are %d", got, plural, kinds[kind])
		}
	}
	if listed := x.items(x.docs[root+"/companies"]); len(listed) != kinds["seller"] {
		t.Errorf("%d companies are listed, and there are %d", len(listed), kinds["seller"])
	}
	for address, doc := range x.docs {
		if doc["kind"] != "category" {
			continue
		}
		want := map[string]bool{}
		for offer, d := range offers {
			for _, c := range d["categories"].([]any) {
				if x.within(c.(map[string]any)["apiUrl"].(string), address) {
					want[offer] = true
				}
			}
		}
		items := x.items(doc["listings"].(map[string]any))
		for _, item := range items {
			if !want[item["apiUrl"].(string)] {
				t.Errorf("%s lists %v, which is not in it", address, item["apiUrl"])
			}
		}
		if len(items) != len(want) || doc["listingCount"] != float64(len(want)) {
			t.Errorf("%s: listingCount %v, listed %d, offers %d", address, doc["listingCount"], len(items), len(want))
		}
	}
}

// within reports whether category is ancestor or below it.
func (x *tree) within(category, ancestor string) bool {
	if category == ancestor {
		return true
	}
	for _, p := range x.docs[category]["parents"].([]any) {
		if p.(map[string]any)["apiUrl"] == ancestor {
			return true
		}
	}
	return false
}

func TestSitemapsOfARealMarketplaceNameEachPageOnce(t *testing.T) {
	files := published(t, cncf(t))
	x := parse(t, files, "https://market.example.org")
	want := map[string]int{}
	for _, doc := range x.docs {
		switch doc["kind"] {
		case "seller", "product", "service", "category", "article", "marketMap":
			want[doc["url"].(string)]--
		}
	}
	loc := regexp.MustCompile(`<loc>([^<]*)</loc>`)
	for _, m := range loc.FindAllSubmatch(files["sitemap.xml"], -1) {
		file := strings.TrimPrefix(string(m[1]), "https://market.example.org/")
		if files[file] == nil {
			t.Errorf("the index names %s, which is not there", file)
		}
		for _, page := range loc.FindAllSubmatch(files[file], -1) {
			want[string(page[1])]++
		}
	}
	for url, n := range want {
		if n != 0 {
			t.Errorf("%s is in the sitemaps %d times too often", url, n)
		}
	}
}
