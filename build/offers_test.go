package build_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"souk/build"
)

// sheet is a small PDF.
const sheet = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

// newShop returns a market with a product and a service that use every field of offers.
func newShop(t *testing.T) *market {
	return newStaying(t, func(m *market, _ *build.Config) {
		m.write("categories/product/tools.yaml", "name: Tools\ncardAttributes: [KÖRPER, reach, certificates]\n")
		m.write("categories/service/repair.yaml", "name: Repair\n")
		m.write("sellers/acme/media/sheet.pdf", sheet)
		m.write("sellers/acme/media/long.svg", square(13))
		m.write("sellers/acme/products/lamp.md", `---
name: Lamp
categories: [tools]
availability: inStock
website: https://acme.example/lamp
links: [{label: Manual, url: https://acme.example/manual}, {label: Here, url: https://market.example/companies/bolt}]
files: [{file: ../media/sheet.pdf, label: Data sheet, language: en}]
price: {amount: "9.50", currency: EUR, list: "12.00"}
attributes:
  certificates: [CE, IP67]
  körper: [brass]
  reach: {value: 850, unit: mm}
  weight: {value: 2, unit: kg}
variants:
  - {name: Short, sku: L-1}
  - {name: Long, sku: L-1, availability: preOrder, image: {file: ../media/long.svg, alt: A long lamp}, attributes: {certificates: [IP68]}}
---

See the [sheet](../media/sheet.pdf).
`)
		m.write("sellers/acme/services/mending.yaml", "name: Mending\ncategories: [repair]\nwebsite: https://acme.example/mending\n"+
			"files: [{file: ../media/sheet.pdf, label: Terms}]\nlinks: [{label: Booking, url: https://acme.example/book}]\n")
		m.write("sellers/bolt/products/nut.yaml", "name: Nut\ncategories: [tools]\n")
	})
}

func TestOffersHaveAvailabilityListPricesLinksFilesAndSeveralValues(t *testing.T) {
	m := newShop(t)
	var lamp, mending, nut, seller map[string]any
	m.document(t, "/companies/acme/products/lamp", &lamp)
	m.document(t, "/companies/acme/services/mending", &mending)
	m.document(t, "/companies/bolt/products/nut", &nut)
	m.document(t, "/companies/acme", &seller)
	files, _ := filepath.Glob(filepath.Join(m.dir, "public/media/*.pdf"))
	if len(files) != 1 {
		t.Fatalf("the PDFs are %v", files)
	}
	address := "https://market.example/media/" + filepath.Base(files[0])
	for _, c := range []struct {
		of    map[string]any
		field string
		want  string
	}{
		{lamp, "availability", `"inStock"`},
		{lamp, "price", `{"amount":"9.50","currency":"EUR","list":"12.00"}`},
		{lamp, "website", `"https://acme.example/lamp"`},
		{lamp, "links", `[{"label":"Manual","url":"https://acme.example/manual"},{"label":"Here","url":"https://market.example/companies/bolt"}]`},
		{lamp, "files", fmt.Sprintf(`[{"bytes":%d,"label":"Data sheet","language":"en","type":"application/pdf","url":%q}]`, len(sheet), address)},
		{lamp, "attributes", `[{"name":"certificates","values":["CE","IP67"]},{"name":"körper","values":["brass"]},{"name":"reach","unit":"mm","value":850},{"name":"weight","unit":"kg","value":2}]`},
		{lamp, "description", `"See the [sheet](` + address + `).\n"`},
		{mending, "website", `"https://acme.example/mending"`},
		{mending, "files", fmt.Sprintf(`[{"bytes":%d,"label":"Terms","type":"application/pdf","url":%q}]`, len(sheet), address)},
		{nut, "availability", "null"}, {nut, "website", "null"}, {nut, "links", "null"}, {nut, "files", "null"},
	} {
		if got, _ := json.Marshal(c.of[c.field]); string(got) != c.want {
			t.Errorf("%s of %s is\n%s\nwant\n%s", c.field, c.of["name"], got, c.want)
		}
	}
	variants := lamp["variants"].([]any)
	short, long := variants[0].(map[string]any), variants[1].(map[string]any)
	if image, _ := long["image"].(map[string]any); short["availability"] != "inStock" || short["image"] != nil || long["availability"] != "preOrder" || image["width"] != 13.0 || image["alt"] != "A long lamp" {
		t.Errorf("the variants are %v", variants)
	}
	card := seller["products"].(map[string]any)["items"].([]any)[1].(map[string]any)
	attributes, _ := json.Marshal(card["attributes"])
	if want := `[{"name":"körper","values":["brass"]},{"name":"reach","unit":"mm","value":850},{"name":"certificates","values":["CE","IP67"]}]`; card["availability"] != "inStock" || string(attributes) != want {
		t.Errorf("the card is %v with %s, want %s", card, attributes, want)
	}
	for _, one := range []map[string]any{lamp, mending} {
		visited := ""
		for _, a := range one["actions"].([]any) {
			if action := a.(map[string]any); action["rel"] == "visitWebsite" {
				visited = action["href"].(string)
			}
		}
		if visited != one["website"] {
			t.Errorf("%s leads to %s", one["name"], visited)
		}
	}
}

func TestACategoryCountsEachOfSeveralValues(t *testing.T) {
	m := newShop(t)
	var tools struct {
		Attributes []struct {
			Name   string
			Count  int
			Values []struct{ Value string }
		}
	}
	m.document(t, "/categories/product/tools", &tools)
	for _, one := range tools.Attributes {
		if one.Name == "certificates" && (one.Count != 1 || fmt.Sprint(one.Values) != "[]") {
			t.Errorf("certificates are %+v", one)
		}
	}
	m.write("sellers/bolt/products/nut.yaml", "name: Nut\ncategories: [tools]\nattributes: {Certificates: [ce, ip67, IP68]}\n")
	m.follow(t)
	m.document(t, "/categories/product/tools", &tools)
	for _, one := range tools.Attributes {
		if one.Name == "Certificates" || one.Name == "certificates" {
			if one.Count != 2 || len(one.Values) != 3 {
				t.Errorf("certificates are %+v", one)
			}
		}
	}
}

func TestFilesAndLinksOfARemovedSellerAreGone(t *testing.T) {
	m := newShop(t)
	m.write("sellers/bolt/products/nut.yaml", "name: Nut\ncategories: [tools]\nfiles: [{file: ../../acme/media/sheet.pdf, label: Theirs}]\n")
	m.follow(t)
	m.removed["bolt"] = true
	m.build(t)
	if lamp := m.read("api/v1/marketplace/companies/acme/products/lamp.json"); strings.Contains(lamp, "companies/bolt") || !strings.Contains(lamp, "Manual") {
		t.Errorf("it links to a removed seller: %s", lamp)
	}
	m.removed["bolt"], m.removed["acme"] = false, true
	m.build(t)
	if files, _ := filepath.Glob(filepath.Join(m.dir, "public/media/*")); len(files) > 0 {
		t.Errorf("after the removal there are %v", files)
	}
	if nut := m.read("api/v1/marketplace/companies/bolt/products/nut.json"); strings.Contains(nut, "Theirs") {
		t.Errorf("another seller shows the file: %s", nut)
	}
}

func TestAMissingPDFIsAMistake(t *testing.T) {
	m := newShop(t)
	m.remove("sellers/acme/media/sheet.pdf")
	report := m.follow(t)
	if len(report.HeldBack) != 3 || !strings.Contains(report.HeldBack[0].String(), `there is no PDF "sellers/acme/media/sheet.pdf"`) {
		t.Errorf("held back are %v", report.HeldBack)
	}
}
