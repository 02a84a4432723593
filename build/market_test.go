package build_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build"
	"souk/build/document"
	"souk/build/release"
	kept "souk/build/release/market"
	"souk/build/site"
)

// TestPagesRenderedWithoutContentEqualThoseOfTheBuild compares the files that all pages
// share, and the pages that are rendered on request.
func TestPagesRenderedWithoutContentEqualThoseOfTheBuild(t *testing.T) {
	m := newStaying(t, nil)
	public := filepath.Join(m.dir, "public")
	same := func(when string) {
		t.Helper()
		if report := m.follow(t); len(report.HeldBack) > 0 {
			t.Fatal(report.HeldBack)
		}
		told, err := kept.Read(public)
		if err != nil {
			t.Fatal(err)
		}
		without, err := told.Site()
		if err != nil {
			t.Fatal(err)
		}
		want := m.builder.Site().Load()
		if !slices.EqualFunc(without.Files(), want.Files(), func(a, b site.File) bool { return a.Name == b.Name && bytes.Equal(a.Body, b.Body) }) {
			t.Errorf("%s, the shared files differ", when)
		}
		for _, pages := range []*site.Site{without, want} {
			if _, err := pages.Unread(true); err != nil {
				t.Error(err)
			}
		}
		got, _ := without.SearchAway(document.ListingSearch(), "arm")
		if page, _ := want.SearchAway(document.ListingSearch(), "arm"); !bytes.Equal(got, page) {
			t.Errorf("%s, the page of a search is\n%s\nwant\n%s", when, got, page)
		}
		if told.SiteURL != want.Config().SiteURL || told.Addresses().API != want.Config().APIURL {
			t.Errorf("%s, the addresses are %+v", when, told.Addresses())
		}
	}
	same("as it is")
	m.write("marketplace.yaml", "name: Märkte <&>\nsiteUrl: https://market.example/shop\nlanguage: de\ncontactEmail: hello@market.example\ndescription: All of it\n")
	m.write("texts/de.yaml", "site.search: Los\n")
	m.write("site/imprint.md", "---\ntitle: Imprint\nmenu: Legal\n---\nWho we are.\n")
	m.write("theme/gone.html.tmpl", `{{define "main"}}<h1>Nothing</h1>{{end}}`)
	m.write("theme/style.css", "h1 { background: url(paper.svg) }")
	m.write("theme/paper.svg", square(11))
	same("with a theme and texts of its own")
	if told, _ := kept.Read(public); len(told.Menu) != 1 || told.Menu[0].URL != "https://market.example/shop/imprint" || told.ContactEmail != "hello@market.example" {
		t.Errorf("kept are %+v", told)
	}
}

func TestTheMarketsFilesAreWrittenIfChangedOrMissing(t *testing.T) {
	m := newStaying(t, nil)
	m.write("sellers/hidden/seller.yaml", "status: draft\nofficialDomain: hidden.example\nversions:\n  - version: 1\n    name: Hidden Ltd\n")
	m.follow(t)
	file := filepath.Join(release.Folder(filepath.Join(m.dir, "public")), "market")
	first, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil || strings.Contains(strings.ToLower(string(data)), "hidden") || strings.Contains(string(data), "acme") {
		t.Errorf("it tells of sellers: %s, %v", data, err)
	}
	m.write("sellers/bolt/seller.yaml", "officialDomain: bolt.example\nversions:\n  - version: 1\n    name: Bolt and more\n")
	m.follow(t)
	if again, err := os.Stat(file); err != nil || !os.SameFile(first, again) {
		t.Errorf("it was written although nothing of it changed: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	again, err := build.New(m.config("public", "var"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Build(t.Context(), m.set()); err != nil {
		t.Fatal(err)
	}
	if made, err := os.ReadFile(file); err != nil || !bytes.Equal(made, data) {
		t.Errorf("made anew, it is %s, %v", made, err)
	}
}

func TestTheMarketsOwnTextLinksOnlyToPublicPages(t *testing.T) {
	m := newStaying(t, nil)
	m.remove("marketplace.yaml")
	text := "---\nname: Market\nsiteUrl: https://market.example\n---\n\n*Arms* of [Acme](seller:acme) and [theirs](https://market.example/companies/acme/products/arm).\n\n![An arm](media/arm.svg)\n"
	m.write("marketplace.md", text)
	m.write("media/arm.svg", square(31))
	m.follow(t)
	if doc := m.read("api/v1/marketplace.json"); !strings.Contains(doc, "[Acme](https://market.example/companies/acme)") || !strings.Contains(doc, "![An arm](https://market.example/media/") {
		t.Errorf("it says %s", doc)
	}
	if home := m.read("index.html"); !strings.Contains(home, `<em>Arms</em> of <a href="/companies/acme">Acme</a> and <a href="/companies/acme/products/arm">theirs</a>`) || !strings.Contains(home, `alt="An arm" width="31"`) {
		t.Errorf("the page at the root is %s", home)
	}
	if feed := m.read("feed.atom"); !strings.Contains(feed, "<subtitle>Arms of Acme and theirs. An arm</subtitle>") {
		t.Errorf("the feed is %s", feed)
	}
	if pictures, _ := filepath.Glob(filepath.Join(m.dir, "public", "media", "*.svg")); len(pictures) != 2 {
		t.Errorf("there are the pictures %v", pictures)
	}
	m.removed["acme"] = true
	m.follow(t)
	for _, file := range []string{"api/v1/marketplace.json", "index.html", "feed.atom", "llms.txt"} {
		if text := m.read(file); strings.Contains(text, "companies/acme") || strings.Contains(text, "seller:") {
			t.Errorf("after the removal %s is %s", file, text)
		}
	}
	m.removed["acme"] = false
	m.follow(t)
	m.write("marketplace.md", text+"[nobody](seller:nobody) ![none](media/amr.svg)")
	want := []string{`marketplace.md:9:10: there is no seller:nobody`, `marketplace.md:9:33: there is no picture "media/amr.svg" (did you mean "media/arm.svg"?)`}
	if report := m.follow(t); len(report.HeldBack) != 2 || report.HeldBack[0].String() != want[0] || report.HeldBack[1].String() != want[1] {
		t.Errorf("held back are %v", report.HeldBack)
	}
	m.write("marketplace.md", text)
	m.write("articles/news.yaml", "title: News\n")
	m.remove("media/arm.svg")
	if report := m.follow(t); len(report.HeldBack) != 1 || m.stands("api/v1/marketplace/articles/news.json") {
		t.Errorf("without the picture, held back are %v", report.HeldBack)
	}
}
