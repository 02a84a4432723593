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

// rows returns what the bars of each chart of a page say, with where they lead and how
// long they are.
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

func TestChartsOfACategoryAreItsNumbersAndLeadToTheSearchThatFindsThem(t *testing.T) {
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

func TestCountsAreInTheirPluralForm(t *testing.T) {
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

// choices returns what a category's page says that one can filter by.
func choices(t *testing.T, body string) (all []string) {
	page := parsePage(t, "category.html", body)
	for n := range page.Descendants() {
		if n.Data != "details" || get(n, "class") != "filterable" {
			continue
		}
		for m := range n.Descendants() {
			switch m.Data {
			case "dt", "summary":
				if m.Parent == n {
					continue // the name of the list
				}
				all = append(all, words(m))
			case "dd":
				all[len(all)-1] += ": " + words(m)
				for a := range m.Descendants() {
					if a.Data == "a" {
						all[len(all)-1] += " > " + get(a, "href")
					}
				}
			}
		}
	}
	return all
}

func TestAttributesThatLeaveAChoiceLeadToTheSearchThatFindsThem(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	d := spread
	d.ListingCount = 100
	d.Attributes = []document.AttributeUse{
		{Name: "Reichweite", Type: "number", Unit: "m", Min: "0.855", Max: "12000", Count: 40},
		{Name: "Homepage", Type: "text", Count: 39},
		{Name: "Farbe & Form", Type: "text", Count: 30, Values: []document.AttributeValue{{Value: "rot: <matt>", Count: 20}, {Value: "blau", Count: 10}}},
		{Name: "Klappbar", Type: "boolean", Count: 25, Values: []document.AttributeValue{{Value: "true", Count: 20}, {Value: "false", Count: 5}}},
		{Name: "Achsen", Type: "number", Min: "6", Max: "6", Count: 20},
		{Name: "Neu", Type: "boolean", Count: 10, Values: []document.AttributeValue{{Value: "true", Count: 10}}},
		{Name: "Selten", Type: "number", Min: "1", Max: "2", Count: 4},
	}
	got := choices(t, rendered(t, s, d)["categories/product/robots.html"])
	want := []string{
		"Reichweite: 0,855 bis 12.000 m > /search?attribute=Reichweite%3A0.855..12000+m&category=product%2Frobots",
		"Farbe & Form: rot: <matt> 20 blau 10 > /search?attribute=Farbe+%26+Form%3Arot%3A+%3Cmatt%3E&category=product%2Frobots" +
			" > /search?attribute=Farbe+%26+Form%3Ablau&category=product%2Frobots",
		"Klappbar: ja 20 nein 5 > /search?attribute=Klappbar%3Atrue&category=product%2Frobots > /search?attribute=Klappbar%3Afalse&category=product%2Frobots",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("the page says\n%s\nnot\n%s", a, b)
	}
	d.Attributes = nil
	for i := range 10 {
		d.Attributes = append(d.Attributes, document.AttributeUse{Name: "A" + strconv.Itoa(i), Type: "number", Min: "1", Max: "2", Count: 50})
	}
	got = choices(t, rendered(t, s, d)["categories/product/robots.html"])
	if len(got) != 11 || got[6] != "Mehr" || !strings.HasPrefix(got[7], "A6") {
		t.Errorf("what is folded is %q", got)
	}
}
