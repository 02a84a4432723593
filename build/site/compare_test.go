package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"souk/build/document"
)

func TestComparisonMarksDifferencesAndMissingValues(t *testing.T) {
	s := newSite(t, market("de", "https://market.example/shop"))
	card := aMarket(s)["product"].(document.Product)
	one := document.Listing{Kind: "product", CompanySlug: "acme", Slug: "arm-7", Name: "Arm <7>", URL: card.URL, Seller: card.Seller, Image: &document.Image{URL: card.Media[0].URL}}
	other := one
	other.Slug, other.Name, other.Image = "arm-8", "Arm 8", nil
	body, err := s.Comparison(document.Comparison{
		Listings: []document.Listing{one, other}, Missing: []document.MissingCompared{{Ref: "product:a/b", Status: "removed"}, {Ref: "product:a/c", Status: "unknown"}},
		Rows: []document.ComparisonRow{
			{Name: "Payload", Unit: "kg", Differs: true, Cells: document.ComparisonCells{
				&document.ComparisonCell{Value: json.Number("1234.50")}, &document.ComparisonCell{Value: json.Number("0.75"), Original: &document.Quantity{Value: "750", Unit: "g"}},
			}},
			{Name: "Colours", Cells: document.ComparisonCells{&document.ComparisonCell{Values: []string{"<red>", "blue"}}, &document.ComparisonCell{Values: []string{"blue", "<red>"}}}},
			{Name: "Indoors", Differs: true, Cells: document.ComparisonCells{&document.ComparisonCell{Value: true}, nil}},
			{Field: "price", Cells: document.ComparisonCells{card.Price, card.Price}},
			{Field: "delivery", Differs: true, Cells: document.ComparisonCells{"onsite", nil}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`<meta name="robots" content="noindex">`, "product:a/b ist nicht mehr gelistet.", "product:a/c wurde nicht gefunden.", "Arm &lt;7&gt;</a>",
		`href="/shop/compare?ref=product%3Aacme%2Farm-8" data-ref="product:acme/arm-7"`,
		`<tr class="differs"><th scope="row">Payload (kg) <span class="kind">≠<span class="away"> verschieden</span></span><td>1.234,50<td>0,75 <small>(750 g)</small>`,
		`<tr><th scope="row">Colours<td>&lt;red&gt;, blue<td>blue, &lt;red&gt;`,
		`<td>ja<td><span class="meta">keine Angabe</span>`, `<th scope="row">Preis<td>ab 1.234,50`, "vor Ort",
	} {
		if !strings.Contains(strings.ReplaceAll(string(body), "\u00a0", " "), part) {
			t.Errorf("the page has no %q:\n%s", part, body)
		}
	}
	if strings.Contains(string(body), document.AssetFolder+"comparison") {
		t.Error("a page with a table asks for the script that makes one")
	}
}

func TestComparisonOfEightListingsAndThirtyRowsIsSmall(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	c := document.Comparison{}
	for i := range 8 {
		name := fmt.Sprintf("company-%d", i*7919)
		c.Listings = append(c.Listings, document.Listing{
			Kind: "product", CompanySlug: name, Slug: fmt.Sprintf("product-%d", i*104729), Name: fmt.Sprintf("Product %x", i*15485863), URL: fmt.Sprintf("https://market.example/companies/%s/products/product-%d", name, i*104729),
			Seller: document.Link{Name: "The " + name}, Image: &document.Image{URL: fmt.Sprintf("https://market.example/media/%032x.png", i*32452843), Width: 640, Height: 480},
		})
	}
	for i := range 30 {
		row := document.ComparisonRow{Name: fmt.Sprintf("Attribute %x", i*49979687), Unit: "kg", Differs: true}
		for j := range 8 {
			row.Cells = append(row.Cells, &document.ComparisonCell{Value: json.Number(fmt.Sprintf("%d.5", (i+1)*(j+3)*7919%9973)), Original: &document.Quantity{Value: json.Number(fmt.Sprint((i + 1) * (j + 3) * 7919 % 9973)), Unit: "g"}})
		}
		c.Rows = append(c.Rows, row)
	}
	body, err := s.Comparison(c)
	if err != nil {
		t.Fatal(err)
	}
	if size := compressed(t, body); size > 6<<10 {
		t.Errorf("the page has %d bytes compressed, at most 6 KB are wanted", size)
	}
}
