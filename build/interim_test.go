package build_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/build"
)

// A listPage is what a test reads of a page of a list.
type listPage struct {
	Total int
	Next  string
	Items []struct{ APIURL string }
}

// isInterim fails where the public folder shows anything of who is removed, or
// where its lists do not have each of their items once.
func (m *market) isInterim(t failer) {
	files := readTree(t, filepath.Join(m.dir, "public"))
	for file, body := range files {
		for slug := range m.removed {
			if at := "companies/" + slug; strings.Contains(string(body), at+"/") || strings.Contains(string(body), at+`"`) || strings.Contains(string(body), at+"<") {
				t.Fatalf("%s still shows %s: %s", file, slug, body)
			}
		}
		if strings.Contains(file, "/pages/") || strings.HasSuffix(file, ".gone.json") || filepath.Ext(file) != ".json" {
			continue
		}
		var lists struct{ Products, Services, Listings *listPage }
		if json.Unmarshal(body, &lists) != nil {
			continue // its lists are of another kind
		}
		for _, list := range []*listPage{lists.Products, lists.Services, lists.Listings} {
			if list != nil {
				list.walk(t, file, files)
			}
		}
	}
}

// walk follows a list from its first page, which is in a file.
func (l listPage) walk(t failer, file string, files map[string][]byte) {
	total, seen := l.Total, map[string]bool{}
	for page := l; ; {
		for _, item := range page.Items {
			if seen[item.APIURL] {
				t.Fatalf("%s has %s twice", file, item.APIURL)
			}
			seen[item.APIURL] = true
		}
		if page.Next == "" {
			break
		}
		body := files[strings.TrimPrefix(page.Next, "https://market.example/")+".json"]
		page = listPage{}
		if err := json.Unmarshal(body, &page); err != nil {
			t.Fatalf("%s leads to %s: %v", file, page.Next, err)
		}
	}
	if len(seen) != total {
		t.Fatalf("%s tells of %d items and has %d", file, total, len(seen))
	}
}

// hundreds makes a market of 30 sellers with 12 products each, all in one list:
// each seller on one of the first two pages and on one of the last two.
func hundreds(t *testing.T) *market {
	m := &market{dir: t.TempDir(), now: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), removed: map[string]bool{}, touched: map[string]bool{}}
	m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	m.write("categories/product/tools.yaml", "name: Tools\n")
	for i := range 30 {
		seller := fmt.Sprintf("seller-%02d", i)
		m.write("sellers/"+seller+"/seller.yaml", "officialDomain: "+seller+".example\nversions: [{version: 1, name: "+seller+"}]\n")
		for j := range 12 {
			m.write(fmt.Sprintf("sellers/%s/products/p%d.yaml", seller, j), fmt.Sprintf("name: Thing %03d\ncategories: [tools]\n", 180*(j%2)+6*i+j/2))
		}
	}
	config := m.config("public", "var")
	config.Stay = true
	var err error
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *market) mustBuild(t *testing.T, paths ...string) build.Report {
	t.Helper()
	report, err := m.builder.Build(t.Context(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestWhoIsRemovedVanishesBeforeThePagesBehindMoveUp(t *testing.T) {
	m := hundreds(t)
	m.mustBuild(t)
	page := filepath.Join(m.dir, "public/api/v1/marketplace/categories/product/tools/pages/4.json")
	for _, slug := range []string{"seller-07", "seller-21"} {
		before, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		m.removed[slug] = true
		if report := m.mustBuild(t, "marketplace.yaml"); !report.Interim {
			t.Fatalf("%+v", report)
		}
		m.isInterim(t)
		after, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(string(before), slug); shown == (string(before) == string(after)) {
			t.Errorf("the last page is changed, or showed %s: %t", slug, shown)
		}
	}
	// Somebody who stops here leaves a release that the next process ends.
	if err := m.builder.Close(); err != nil {
		t.Fatal(err)
	}
	report := m.mustBuild(t, "marketplace.yaml")
	if report.Interim {
		t.Fatalf("%+v", report)
	}
	m.sameAsFresh(t)
	if report := m.mustBuild(t); report.Written+report.Removed > 0 {
		t.Errorf("one more build does %+v", report)
	}
}

func TestAnInterimReleaseThatIsLeftAloneIsEndedByAnotherProcess(t *testing.T) {
	m := hundreds(t)
	m.mustBuild(t)
	m.removed["seller-11"] = true
	if report := m.mustBuild(t, "marketplace.yaml"); !report.Interim {
		t.Fatalf("%+v", report)
	}
	if err := m.builder.Close(); err != nil {
		t.Fatal(err)
	}
	config := m.config("public", "var")
	config.Stay = false
	var err error
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	m.mustBuild(t)
	m.sameAsFresh(t)
}

func TestSitemapsThatBecomeFewerHaveTheirTwins(t *testing.T) {
	m := hundreds(t)
	// One more than two files of 500 hold, so that there are four.
	for i := range 640 {
		m.write(fmt.Sprintf("sellers/seller-00/products/more-%d.yaml", i), "name: More\ncategories: [tools]\n")
	}
	m.write("sellers/leaver/seller.yaml", "officialDomain: leaver.example\nversions: [{version: 1, name: Leaver}]\n")
	m.write("sellers/leaver/products/only.yaml", "name: Only\ncategories: [tools]\n")
	m.mustBuild(t)
	m.removed["leaver"] = true
	if report := m.mustBuild(t, "marketplace.yaml"); !report.Interim {
		t.Fatalf("%+v", report)
	}
	m.mustBuild(t, "marketplace.yaml")
	m.sameAsFresh(t)
}

// sameAsFresh fails where the public folder is not as a first build makes it.
func (m *market) sameAsFresh(t *testing.T) {
	t.Helper()
	config := m.config("fresh", "fresh-var")
	config.Stay = false
	fresh, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, want := readTree(t, filepath.Join(m.dir, "public")), readTree(t, filepath.Join(m.dir, "fresh"))
	for file, body := range want {
		if string(got[file]) != string(body) {
			t.Errorf("%s is %s and should be %s", file, got[file], body)
		}
	}
	for file := range got {
		if want[file] == nil {
			t.Errorf("%s stands there", file)
		}
	}
}
