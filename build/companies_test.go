package build_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"souk/build"
)

// document decodes a document of the API.
func (m *market) document(t failer, path string, into any) {
	data := m.read("api/v1/marketplace" + path + ".json")
	if err := json.Unmarshal([]byte(data), into); err != nil {
		t.Fatalf("%s: %v: %s", path, err, data)
	}
}

// newCrowd returns a market with companies for every letter, enough for a list of several
// pages, and with one map and one article.
func newCrowd(t *testing.T) *market {
	return newStaying(t, func(m *market, _ *build.Config) {
		for i := range 300 {
			m.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), longSeller(fmt.Sprintf("s%d", i), fmt.Sprintf("Seller %03d", i), ""))
		}
		m.write("sellers/acme/media/logo.svg", square(9))
		m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions:\n  - version: 1\n    name: Acme\n    tagline: Arms\n    summary: Arms and legs.\n"+
			"    logo: media/logo.svg\ncategories: [product/tools]\n")
		m.write("market-maps/atlas.yaml", "title: Atlas\nsegments:\n  - name: One\n    entries: [seller:acme, product:acme/arm, {ref: seller:bolt, note: Nuts}]\n")
		m.write("articles/media/first.svg", square(11))
		m.write("articles/news.md", "---\ntitle: News\nauthors: [Ada]\nmedia: [{url: https://elsewhere.example/x.png, alt: Elsewhere}]\n---\n![First](media/first.svg)\n")
	})
}

func TestTheMarketplaceHasADescriptionAndCounts(t *testing.T) {
	m := newCrowd(t)
	var doc struct {
		Kind, Name, Language, URL, APIURL string
		Counts                            map[string]int
		Links                             []struct{ Kind, APIURL string }
	}
	m.document(t, "", &doc)
	want := map[string]int{"sellers": 302, "products": 41, "services": 0, "categories": 1, "articles": 1, "marketMaps": 1}
	if doc.Kind != "marketplace" || doc.Name != "Market" || doc.Language != "en" || doc.URL != "https://market.example/" ||
		doc.APIURL != "https://market.example/api/v1/marketplace" || fmt.Sprint(doc.Counts) != fmt.Sprint(want) {
		t.Errorf("the document is %+v", doc)
	}
	for _, l := range doc.Links {
		if !m.stands(strings.TrimPrefix(l.APIURL, "https://market.example/") + ".json") {
			t.Errorf("%s leads nowhere", l.APIURL)
		}
	}
	if len(doc.Links) != 5 {
		t.Errorf("%d links", len(doc.Links))
	}
	m.removed["acme"] = true
	m.build(t)
	want["sellers"], want["products"] = 301, 40
	if m.document(t, "", &doc); fmt.Sprint(doc.Counts) != fmt.Sprint(want) {
		t.Errorf("after a removal there are %v, want %v", doc.Counts, want)
	}
}

func TestCompaniesAreListedByNameWithTheirCards(t *testing.T) {
	m := newCrowd(t)
	items, starts := m.standings(t, "companies")
	if len(items) != 302 || len(starts) < 4 {
		t.Fatalf("%d companies on %d pages", len(items), len(starts))
	}
	for i, one := range items[1:] {
		if strings.ToLower(one.Name) < strings.ToLower(items[i].Name) {
			t.Errorf("%s stands behind %s", one.Name, items[i].Name)
		}
	}
	var list struct {
		Kind, Slug, Title, URL string
		Total                  int
		Items                  []map[string]any
	}
	m.document(t, "/companies", &list)
	if list.Kind != "sellerList" || list.Slug != "companies" || list.URL != "https://market.example/companies" || list.Total != 302 {
		t.Errorf("the list is %s %s %s of %d", list.Kind, list.Slug, list.URL, list.Total)
	}
	card := list.Items[0]
	logo, _ := card["logo"].(map[string]any)
	categories, _ := card["categories"].([]any)
	if card["slug"] != "acme" || card["tagline"] != "Arms" || card["summary"] != "Arms and legs." || logo["width"] != 9.0 || len(categories) != 1 {
		t.Errorf("the card of acme is %v", card)
	}
	if bare := list.Items[1]; bare["logo"] != nil || bare["tagline"] != nil || bare["categories"] == nil {
		t.Errorf("the card of a company that says nothing is %v", bare)
	}
}

func TestARemovedSellerLeavesTheListOfCompaniesWhosePagesStay(t *testing.T) {
	m := newCrowd(t)
	before, _ := m.standings(t, "companies")
	leaving := before[120].Name
	m.removed[strings.TrimPrefix(before[120].APIURL, "https://market.example/api/v1/marketplace/companies/")] = true
	report := m.build(t)
	after, _ := m.standings(t, "companies")
	if len(after) != len(before)-1 {
		t.Errorf("%d companies were listed, and are %d", len(before), len(after))
	}
	for _, one := range after {
		if one.Name == leaving {
			t.Errorf("%s is listed", leaving)
		}
	}
	for file := range readTree(t, m.dir+"/public") {
		if strings.Contains(file, "/companies/pages/") && strings.Contains(file, ".gone.") {
			t.Errorf("%s: the address of a list was nobody's", file)
		}
	}
	if most := 18; report.Written > most {
		t.Errorf("%d documents were written, want at most %d", report.Written, most)
	}
}

func TestMapsAndListsShowCurrentDataOfTheirMembers(t *testing.T) {
	m := newCrowd(t)
	entries := func() []map[string]any {
		var atlas struct {
			Segments []struct{ Entries []map[string]any }
		}
		m.document(t, "/market-maps/atlas", &atlas)
		return atlas.Segments[0].Entries
	}
	width := func(entry map[string]any, picture string) any {
		p, _ := entry[picture].(map[string]any)
		return p["width"]
	}
	was := entries()
	if was[0]["summary"] != "Arms and legs." || width(was[0], "logo") != 9.0 || width(was[1], "image") != 7.0 || was[2]["note"] != "Nuts" {
		t.Errorf("the entries are %v", was)
	}
	// An edit of a member that changes neither its name nor whether it is public.
	m.write("sellers/acme/media/logo.svg", square(21))
	m.write("sellers/acme/seller.yaml", strings.Replace(m.content("sellers/acme/seller.yaml"), "Arms and legs.", "Hands too.", 1))
	m.write("sellers/acme/products/arm.yaml", "name: Arm\nsummary: It holds.\ncategories: [tools]\n")
	m.build(t)
	now := entries()
	if now[0]["summary"] != "Hands too." || width(now[0], "logo") != 21.0 || now[1]["summary"] != "It holds." || width(now[1], "image") != 21.0 {
		t.Errorf("the entries are still %v", now)
	}
}

func TestTheCardOfAnArticleHasItsAuthorsAndItsFirstPicture(t *testing.T) {
	m := newCrowd(t)
	var list struct {
		Items []struct {
			Authors []string
			Image   map[string]any
		}
	}
	m.document(t, "/articles", &list)
	if one := list.Items[0]; len(one.Authors) != 1 || one.Image["width"] != 11.0 || one.Image["alt"] != "First" {
		t.Errorf("the card is %+v", one)
	}
	m.write("articles/media/first.svg", square(12))
	m.build(t)
	if m.document(t, "/articles", &list); list.Items[0].Image["width"] != 12.0 {
		t.Errorf("the card still is %+v", list.Items[0])
	}
	m.write("articles/news.md", "---\ntitle: News\n---\nText.\n")
	m.build(t)
	if got := m.read("api/v1/marketplace/articles.json"); !strings.Contains(got, `"authors":[]`) || strings.Contains(got, `"image"`) {
		t.Errorf("an article without both has %s", got)
	}
	if got := m.read("api/v1/marketplace/market-maps.json"); strings.Contains(got, "authors") {
		t.Errorf("a map has authors: %s", got)
	}
}

// content returns a file of the content folder.
func (m *market) content(file string) string {
	data, _ := os.ReadFile(m.dir + "/content/" + file)
	return string(data)
}

func TestALogoIsDescribedInTheLanguageOfTheMarketplace(t *testing.T) {
	m := newStaying(t, func(m *market, _ *build.Config) {
		m.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\nlanguage: de\n")
		m.write("categories/product/tools.yaml", "name: Tools\n")
		m.write("sellers/zeta/media/logo.svg", square(9))
		m.write("sellers/zeta/seller.yaml", "officialDomain: zeta.example\nversions: [{version: 1, name: Zeta, logo: media/logo.svg}]\n")
		m.write("sellers/zeta/products/saw.yaml", "name: Saw\ncategories: [tools]\n")
	})
	var doc struct {
		Logo     struct{ Alt string }
		Products struct {
			Items []struct{ Image struct{ Alt string } }
		}
	}
	told := func() (logo, card string) {
		m.document(t, "/companies/zeta", &doc)
		return doc.Logo.Alt, doc.Products.Items[0].Image.Alt
	}
	if logo, card := told(); logo != "Logo von Zeta" || card != logo {
		t.Errorf("it is %q, on a card %q", logo, card)
	}
	m.write("texts/de.yaml", "name.logo: \"{company}, Zeichen\"\n")
	m.build(t)
	if logo, card := told(); logo != "Zeta, Zeichen" || card != logo {
		t.Errorf("in other words it is %q, on a card %q", logo, card)
	}
}

func TestEmployeesAreANumberOnlyIfJSONCanRepresentIt(t *testing.T) {
	for written, want := range map[string]string{
		"1200": "1200", "0": "0", `"12"`: "12", "11-50": `"11-50"`, `"007"`: `"007"`, `"00"`: `"00"`,
	} {
		t.Run(written, func(t *testing.T) {
			m := newStaying(t, func(m *market, _ *build.Config) {
				m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme, employees: "+written+"}]\n")
			})
			var doc struct{ Employees json.RawMessage }
			if m.document(t, "/companies/acme", &doc); string(doc.Employees) != want {
				t.Errorf("%s is told as %s, want %s", written, doc.Employees, want)
			}
		})
	}
}
