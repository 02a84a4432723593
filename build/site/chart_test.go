package site

import (
	"strconv"
	"strings"
	"testing"

	"souk/build/document"
)

var spread = document.Category{
	Kind: "category", RootKind: "product", Slug: "robots", Name: "Roboter",
	URL: "https://market.example/categories/product/robots", APIURL: "https://market.example/api/v1/marketplace/categories/product/robots",
	Countries: []document.CountryCount{{Country: "DE", ListingCount: 200}, {Country: "PT", ListingCount: 50}, {Country: "CH", ListingCount: 1}},
	PriceRanges: []document.PriceRange{
		{Currency: "EUR", Min: "0", Max: "1000", ListingCount: 3}, {Currency: "EUR", Min: "1000", Max: "2000", ListingCount: 0}, {Currency: "EUR", Min: "2000", Max: "5000", ListingCount: 12},
		{Currency: "CHF", Min: "10", Max: "20", ListingCount: 1},
	},
}

// rows returns the text of the bars of each chart of a page, with their links and lengths.
func rows(t *testing.T, body string) map[string][]string {
	all := map[string][]string{}
	page := parsePage(t, "category.html", body)
	for n := range page.Descendants() {
		if n.Data != "section" || get(n, "class") != "chart" {
			continue
		}
		title := ""
		for m := range n.Descendants() {
			switch m.Data {
			case "h2":
				title = words(m)
			case "li":
				row := words(m)
				for b := range m.Descendants() {
					switch b.Data {
					case "a":
						row += " > " + get(b, "href")
					case "rect":
						row += " " + get(b, "width")
					case "svg":
						if get(b, "aria-hidden") != "true" {
							t.Errorf("%s: a bar is read aloud", row)
						}
					}
				}
				all[title] = append(all[title], row)
			}
		}
	}
	return all
}

func TestChartsOfACategoryMatchItsNumbersAndLinkToMatchingSearches(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	got := rows(t, rendered(t, s, spread)["categories/product/robots.html"])
	want := map[string][]string{
		"Nach Land": {
			"Deutschland 200 > /search?category=product%2Frobots&country=DE 100%", "Portugal 50 > /search?category=product%2Frobots&country=PT 25%",
			"Schweiz 1 > /search?category=product%2Frobots&country=CH 1%",
		},
		"Nach Preis in EUR": {"unter 1.000 € 3 > /search?category=product%2Frobots&currency=EUR&price=0..%3C1000 25%", "1.000 € bis unter 2.000 € 0 0%",
			"2.000 € bis unter 5.000 € 12 > /search?category=product%2Frobots&currency=EUR&price=2000..%3C5000 100%"},
	}
	if len(got) != len(want) {
		t.Errorf("there are %d charts, of which that of Swiss francs is none: %v", len(got), got)
	}
	for title, lines := range want {
		if a, b := strings.Join(got[title], "\n"), strings.Join(lines, "\n"); a != b {
			t.Errorf("%s says\n%s\nnot\n%s", title, a, b)
		}
	}
}

func TestManyCountriesAreFoldedBehindTheFirst(t *testing.T) {
	d := spread
	d.Countries, d.PriceRanges = nil, nil
	for i, code := range []string{"DE", "PT", "CH", "FR", "IT", "ES", "NL", "BE", "DK", "SE"} {
		d.Countries = append(d.Countries, document.CountryCount{Country: code, ListingCount: 10 - i})
	}
	body := rendered(t, newSite(t, market("en", "https://market.example")), d)["categories/product/robots.html"]
	_, folded, found := strings.Cut(body, "<details><summary>More</summary>")
	folded, _, _ = strings.Cut(folded, "</details>")
	if !found || strings.Count(folded, "<li>") != 2 || len(rows(t, body)["By country"]) != 10 {
		t.Errorf("folded are %s", folded)
	}
}

func TestCountsUseTheRightPluralForm(t *testing.T) {
	home := document.Home{Marketplace: document.Marketplace{Kind: "marketplace", URL: "https://market.example/", APIURL: "https://market.example/api/v1/marketplace"}}
	for _, test := range []struct {
		language string
		n        int
		want     string
	}{
		{"de", 1, "1 Unternehmen, 1 Produkt, 1 Dienstleistung"}, {"de", 0, "0 Unternehmen"}, {"de", 12345, "12.345 Unternehmen, 12.345 Produkte, 12.345 Dienstleistungen"},
		{"en", 1, "1 company, 1 product, 1 service"}, {"en", 2, "2 companies, 2 products, 2 services"},
	} {
		home.Counts.Sellers, home.Counts.Products, home.Counts.Services = test.n, test.n, test.n
		page := parsePage(t, "index.html", rendered(t, newSite(t, market(test.language, "https://market.example")), home)["index.html"])
		var said []string
		for n := range page.Descendants() {
			if n.Data == "ul" && get(n, "class") == "counts" {
				for m := range n.Descendants() {
					if m.Data == "a" {
						said = append(said, words(m))
					}
				}
			}
		}
		if got := strings.Join(said, ", "); got != test.want {
			t.Errorf("%s %s: %q, not %q", test.language, strconv.Itoa(test.n), got, test.want)
		}
	}
}

// choices returns the filters on a category's page with the links of their values.
func choices(t *testing.T, body string) (all []string) {
	for n := range parsePage(t, "category.html", body).Descendants() {
		switch {
		case n.Data == "legend":
			all = append(all, words(n)+":")
		case n.Data == "a" && n.Parent.Data == "fieldset":
			all[len(all)-1] += " " + words(n) + " > " + get(n, "href")
		case n.Data == "input" && get(n, "name") == "range":
			all[len(all)-1] += " " + get(n, "value")
		case n.Data == "input" && get(n, "type") == "number":
			all[len(all)-1] += " " + get(n, "placeholder")
		case n.Data == "details" && get(n, "class") == "further":
			all = append(all, "folded")
		}
	}
	return all
}

func TestFiltersOfACategoryEqualThoseOfItsSearch(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	d := spread
	d.ListingCount = 300
	d.Attributes = []document.AttributeUse{
		{Name: "Reichweite", Type: "number", Unit: "m", Min: "0.855", Max: "12000", Count: 40},
		{Name: "Homepage", Type: "text", Count: 39},
		{Name: "Farbe & Form", Type: "text", Count: 30, Values: []document.AttributeValue{{Value: "rot: <matt>", Count: 20}, {Value: "blau", Count: 10}}},
		{Name: "Klappbar", Type: "boolean", Count: 25, Values: []document.AttributeValue{{Value: "true", Count: 20}, {Value: "false", Count: 5}}},
		{Name: "Achsen", Type: "number", Min: "6", Max: "6", Count: 20},
		{Name: "Selten", Type: "number", Min: "1", Max: "2", Count: 14},
	}
	body := rendered(t, s, d)["categories/product/robots.html"]
	got := choices(t, body)
	of := " > /search?category=product%2Frobots"
	by := func(attribute string) string {
		return " > /search?attribute=" + attribute + "&category=product%2Frobots"
	}
	want := []string{
		"Land: Deutschland 200" + of + "&country=DE Portugal 50" + of + "&country=PT Schweiz 1" + of + "&country=CH",
		"Preis (EUR): unter 1.000 € 3" + of + "&currency=EUR&price=0..%3C1000 2.000 € bis unter 5.000 € 12" + of + "&currency=EUR&price=2000..%3C5000",
		"Preis (CHF): 10 CHF bis unter 20 CHF 1" + of + "&currency=CHF&price=10..%3C20",
		"Reichweite (m): attribute:Reichweite:m 0,855 12.000",
		"Farbe & Form: rot: <matt> 20" + by("Farbe+%26+Form%3Arot%3A+%3Cmatt%3E") + " blau 10" + by("Farbe+%26+Form%3Ablau"),
		"Klappbar: ja 20" + by("Klappbar%3Atrue") + " nein 5" + by("Klappbar%3Afalse"),
	}
	if a, b := strings.ReplaceAll(strings.Join(got, "\n"), "\u00a0", " "), strings.Join(want, "\n"); a != b {
		t.Errorf("the page has\n%s\nnot\n%s", a, b)
	}
	if !strings.Contains(body, `<input type="hidden" name="category" value="product/robots">`) || !strings.Contains(body, `<button class="apply">`) {
		t.Error("the fields for numbers search all categories, or cannot be sent")
	}
	d.Countries, d.PriceRanges, d.Attributes = nil, nil, nil
	for i := range 10 {
		d.Attributes = append(d.Attributes, document.AttributeUse{Name: "A" + strconv.Itoa(i), Type: "number", Min: "1", Max: "2", Count: 50})
	}
	got = choices(t, rendered(t, s, d)["categories/product/robots.html"])
	if len(got) != 11 || got[8] != "folded" || !strings.HasPrefix(got[9], "A8") {
		t.Errorf("what is folded is %q", got)
	}
}
