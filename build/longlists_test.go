package build_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build"
)

// These are the lists of a long market, by the files of their documents.
var longLists = []string{"categories/product/tools", "categories/product/few", "companies/acme", "articles", "companies"}

// newLongMarket returns a market with lists of thousands of items, one list of about one
// page, one of articles, and one of companies.
func newLongMarket(t failer, items int) *market {
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	dir, err := os.MkdirTemp(memory, "souk-long-")
	if err != nil {
		t.Fatal(err)
	}
	m := &market{dir: dir, now: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), removed: map[string]bool{}, touched: map[string]bool{}, plain: true}
	m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	m.write("categories/product/whole.yaml", "name: Whole\n")
	m.write("categories/product/tools.yaml", "name: Tools\nparent: whole\n")
	m.write("categories/product/few.yaml", "name: Few\n")
	for _, slug := range sellerSlugs {
		m.write("sellers/"+slug+"/seller.yaml", "officialDomain: "+slug+".example\nversions:\n  - version: 1\n    name: "+slug+"\n")
	}
	for i := range items {
		m.write(fmt.Sprintf("sellers/%s/products/t%d.yaml", sellerSlugs[i%3], i), longProduct(fmt.Sprintf("Thing %05d", i), "tools", ""))
	}
	for i := range 100 {
		m.write(fmt.Sprintf("sellers/bolt/products/f%d.yaml", i), longProduct(fmt.Sprintf("Few %05d", i), "few", ""))
	}
	for i := range 130 {
		m.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), longSeller(fmt.Sprintf("s%d", i), fmt.Sprintf("Seller %03d", i), ""))
		m.write(fmt.Sprintf("articles/a%d.md", i), longArticle(fmt.Sprintf("2025-%02d-%02d", i%12+1, i%28+1)))
	}
	m.builder, err = build.New(m.config("public", "var"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func longProduct(name, category, more string) string {
	return fmt.Sprintf("name: %s\ncategories: [%s]\n%s", name, category, more)
}

func longArticle(day string) string {
	return "---\ntitle: News\npublishedAt: " + day + "\n---\nNews.\n"
}

func longSeller(slug, name, more string) string {
	return "officialDomain: " + slug + ".example\nversions:\n  - version: 1\n    name: " + name + "\n" + more
}

// A standing is an item of a list in the release.
type standing struct{ Name, PublishedAt, APIURL string }

// file returns the item's content file.
func (s standing) file() string {
	path := strings.TrimPrefix(s.APIURL, "https://market.example/api/v1/marketplace/")
	if strings.HasPrefix(path, "articles/") {
		return path + ".md"
	}
	if slug, seller := s.seller(); seller {
		return "sellers/" + slug + "/seller.yaml"
	}
	return "sellers" + strings.TrimPrefix(path, "companies") + ".yaml"
}

// seller returns the companySlug of a seller.
func (s standing) seller() (slug string, is bool) {
	slug = strings.TrimPrefix(s.APIURL, "https://market.example/api/v1/marketplace/companies/")
	return slug, slug != s.APIURL && !strings.Contains(slug, "/")
}

// text returns the content of a file whose item comes right after this one.
func (s standing) text(file, category, more string) string {
	if s.PublishedAt != "" {
		return longArticle(s.PublishedAt)
	}
	if _, seller := s.seller(); seller {
		more = strings.Replace(more, "summary", "    summary", 1)
		return longSeller(strings.Split(file, "/")[1], s.Name+" a", more)
	}
	return longProduct(s.Name+" a", category, more)
}

type standingPage struct {
	Items []standing
	Next  string
}

// readPage reads a page of a list by its address or, for the first page, by the path of the
// list's document. It returns false if there is none.
func (m *market) readPage(t failer, at string) (standingPage, bool) {
	path := strings.TrimPrefix(at, "https://market.example/api/v1/marketplace/")
	data, err := os.ReadFile(filepath.Join(m.dir, "public/api/v1/marketplace", filepath.FromSlash(path)+".json"))
	if os.IsNotExist(err) {
		return standingPage{}, false
	}
	var document struct {
		standingPage
		Listings, Products *standingPage
	}
	if err != nil || json.Unmarshal(data, &document) != nil {
		t.Fatalf("read %s: %v, %s", path, err, data)
	}
	for _, page := range []*standingPage{document.Listings, document.Products} {
		if page != nil {
			return *page, true
		}
	}
	return document.standingPage, true
}

// standings returns the items of a list and the indexes at which pages begin.
func (m *market) standings(t failer, list string) (items []standing, starts []int) {
	page, stands := m.readPage(t, list)
	for stands {
		starts, items = append(starts, len(items)), append(items, page.Items...)
		if page.Next == "" {
			return items, starts
		}
		if page, stands = m.readPage(t, page.Next); !stands {
			t.Fatalf("%s: a page leads nowhere", list)
		}
	}
	return nil, nil
}

// editLong makes one edit at a page border of a list, or anywhere. below draws a number.
func (m *market) editLong(t failer, below func(n int) int) (changed string) {
	list := longLists[below(len(longLists))]
	items, starts := m.standings(t, list)
	if len(items) == 0 {
		return ""
	}
	place := func() standing {
		at := below(len(items))
		if below(3) > 0 {
			at = starts[below(len(starts))] + []int{-26, -25, -24, -1, 0, 1, 23, 24, 25, 99, 100}[below(11)]
		}
		return items[min(max(0, at), len(items)-1)]
	}
	category := "tools"
	if strings.HasSuffix(list, "few") {
		category = "few"
	}
	item, other := place(), place()
	switch below(6) {
	case 0, 1:
		m.builds++
		fresh := fmt.Sprintf("sellers/acme/products/n%d.yaml", m.builds)
		switch list {
		case "articles":
			fresh = fmt.Sprintf("articles/n%d.md", m.builds)
		case "companies":
			fresh = fmt.Sprintf("sellers/n%d/seller.yaml", m.builds)
		}
		m.write(fresh, item.text(fresh, category, ""))
		return fresh
	case 2:
		if slug, _ := item.seller(); slices.Contains(sellerSlugs, slug) {
			return "" // it has offers
		}
		m.remove(item.file())
	case 3:
		m.write(item.file(), other.text(item.file(), category, ""))
	case 4:
		m.write(item.file(), item.text(item.file(), category, "expiresAt: 2026-01-20\n"))
	default:
		m.write(item.file(), item.text(item.file(), category, "summary: Another.\n"))
	}
	return item.file()
}

func TestAnySequenceOfEditsOfLongListsEndsInWhatAFreshBuildMakes(t *testing.T) {
	checks(t, "3") // each check builds thousands of items several times
	rapid.Check(t, func(t *rapid.T) {
		m := newLongMarket(t, rapid.SampledFrom([]int{2200, 1300, 1510}).Draw(t, "items"))
		defer os.RemoveAll(m.dir)
		m.build(t)
		below := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
		for step := range 2 {
			for range rapid.IntRange(1, 6).Draw(t, "edits") {
				switch rapid.IntRange(0, 9).Draw(t, "edit") {
				case 0:
					m.removed["cord"] = !m.removed["cord"] // false marks a restored one
				case 1:
					m.now = time.Date(2026, 1, 10+rapid.IntRange(0, 15).Draw(t, "today"), 0, 0, 0, 0, time.UTC)
				default:
					m.editLong(t, below)
				}
				if rapid.Bool().Draw(t, "a release of its own") {
					m.build(t)
				}
			}
			report := m.build(t)
			m.compare(t, step, report, nil)
			m.wantTotals(t)
		}
	})
}

// build updates the release.
func (m *market) build(t failer) build.Report {
	paths := []string{"marketplace.yaml"}
	for path := range m.touched {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	m.touched = map[string]bool{}
	report, err := m.builder.Build(context.Background(), m.set(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.HeldBack) > 0 {
		t.Fatalf("an edit is a mistake: %v", report.HeldBack)
	}
	return report
}

// wantTotals checks that a parent category lists the same items as its child.
func (m *market) wantTotals(t failer) {
	tools, _ := m.standings(t, "categories/product/tools")
	whole, _ := m.standings(t, "categories/product/whole")
	if !slices.Equal(tools, whole) {
		t.Fatalf("%d items below and %d above", len(tools), len(whole))
	}
}

func TestAReaderWhoFollowsNextWhileReleasesChangeReadsEachItemOnceOrStartsOver(t *testing.T) {
	m := newLongMarket(t, 1200)
	defer os.RemoveAll(m.dir)
	m.build(t)
	random := rand.New(rand.NewPCG(7, 9))
	whole, cut := 0, 0
	for try := range 12 {
		list := longLists[0]
		before, _ := m.standings(t, list)
		changed, read := map[string]bool{}, map[string]int{}
		page, stands := m.readPage(t, list)
		for stands {
			for _, item := range page.Items {
				read[item.file()]++
			}
			if page.Next == "" {
				break
			}
			next := page.Next
			if following, there := m.readPage(t, next); there && random.IntN(12) == 0 {
				// The first item of the page, which names it, moves to the end of the list.
				file := following.Items[0].file()
				m.write(file, longProduct(fmt.Sprintf("Thing 9%04d", random.IntN(10_000)), "tools", ""))
				changed[file] = true
			}
			if random.IntN(3) == 0 {
				changed[m.editLong(t, random.IntN)] = true
			}
			m.build(t)
			page, stands = m.readPage(t, next)
		}
		for _, item := range before {
			if n := read[item.file()]; !changed[item.file()] && (n > 1 || stands && n != 1) {
				t.Errorf("reader %d has read %s %d times", try, item.file(), n)
			}
		}
		if stands {
			whole++
		} else {
			cut++
		}
	}
	if whole == 0 || cut == 0 {
		t.Errorf("%d readers came to the end, and %d met no page", whole, cut)
	}
}
