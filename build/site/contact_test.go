package site

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"souk/build/document"
)

func TestMailAddressesTelephoneNumbersAndDomainsAreLinks(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for text, want := range map[string]string{
		"desk@acme.com":             "mailto:desk@acme.com",
		"+49 (0)711 123-456":        "tel:+49711123456",
		"0711 123 456":              "tel:0711123456",
		"(0711) 123456":             "tel:0711123456",
		"acme.com":                  "https://acme.com",
		"www.acme.co.uk/parts":      "https://www.acme.co.uk/parts",
		"https://acme.example/":     "https://acme.example/",
		"2016-2020":                 "",
		"01.02.2024":                "",
		"12345678":                  "",
		"node.js":                   "",
		"co.uk":                     "",
		"Acme.com is where we sell": "",
		"desk@acme":                 "",
		"javascript:alert(1)":       "",
	} {
		if got := s.detail(text); string(got.URL) != want {
			t.Errorf("%q leads to %q, not %q", text, got.URL, want)
		}
	}
}

func TestAProfileSaysHowToReachTheCompany(t *testing.T) {
	c := market("en", "https://market.example")
	c.ContactEmail, c.Join = "desk@market.example", "https://market.example/join"
	s := newSite(t, c)
	d := aMarket(s)["seller"].(document.Seller)
	d.Contact = &document.Contact{
		Email: "sales@acme.example", Telephone: "+49 711 123456", URL: "https://acme.example/contact",
		Address: &document.PostalAddress{Street: "Königstraße 1", PostalCode: "70173", City: "Stuttgart", Country: "DE"},
	}
	pages := rendered(t, s, d)
	for _, want := range []string{
		`href="mailto:sales@acme.example"`, `href="tel:&#43;49711123456"`, `href="https://acme.example/contact"`, "Königstraße 1<br>70173 Stuttgart<br>Germany",
		`"contactPoint":{"@type":"ContactPoint","email":"sales@acme.example","telephone":"+49 711 123456","url":"https://acme.example/contact"}`,
		`"streetAddress":"Königstraße 1","postalCode":"70173"`, `href="mailto:desk@market.example"`, `href="/join"`,
	} {
		if !strings.Contains(pages["companies/acme.html"], want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, want := range []string{"- Address: Königstraße 1, 70173 Stuttgart, Germany", "(<tel:+49711123456>)", "(<mailto:sales@acme.example>)"} {
		if !strings.Contains(pages["companies/acme.md"], want) {
			t.Errorf("the Markdown lacks %s", want)
		}
	}
}

func TestRequestPagesNameTheOperatorsContact(t *testing.T) {
	c := market("en", "https://market.example")
	c.ContactEmail = "desk@market.example"
	s := newSite(t, c)
	d := aMarket(s)["seller"].(document.Seller)
	for _, can := range []string{"", "claim", "requestRemoval"} {
		d.Actions = []document.Action{{Rel: can}}
		pages := rendered(t, s, d)
		for rel, file := range map[string]string{"claim": "companies/acme/claim.html", "requestRemoval": "companies/acme/remove.html"} {
			form := strings.Contains(pages[file], `class="request"`)
			if form != (rel == can) {
				t.Errorf("with the action %q, %s has a form: %t", can, file, form)
			}
			if !strings.Contains(pages[file], `<p class="meta">Contact: <a href="mailto:desk@market.example">`) {
				t.Errorf("%s does not say how to reach the operator", file)
			}
		}
	}
}

func TestACategoryWithOnlyCompaniesShowsThem(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	d := aMarket(s)["category"].(document.Category)
	d.ListingCount, d.Listings = 0, document.ListingPage{}
	page := rendered(t, s, d)["categories/product/arms.html"]
	if !strings.Contains(page, `<h3><a href="/companies/acme">Acme</a>`) || strings.Contains(page, "Nothing is listed") {
		t.Error("the page does not show its companies, or says that it is empty")
	}
	if o, _ := s.overview(d); len(o.Parts) != 1 || len(o.Parts[0].Entries) != 1 {
		t.Errorf("its picture has %v", o.Parts)
	}
}

func TestTheListOfCompaniesLinksToLettersAndShowsLocations(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	d := aMarket(s)["sellers"].(document.SellerList)
	d.Items[0].Headquarters = &document.Headquarters{City: "Ulm", Country: "DE"}
	d.Letters = []document.Letter{
		{Letter: "A", Count: 99, URL: d.URL, APIURL: d.APIURL}, {Letter: "Z", Count: 2, URL: d.URL + "/pages/0f3a", APIURL: d.APIURL + "/pages/0f3a"},
	}
	page := rendered(t, s, d)["companies.html"]
	for _, want := range []string{`<a href="/companies/pages/0f3a">Z <span class="n">2</span></a>`, `aria-label="By first letter"`, `<p class="meta">Ulm, Germany</p>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestAPageWithOnlyCompaniesDoesNotSayThatNothingWasFound(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	card := aMarket(s)["sellers"].(document.SellerList).Items[0]
	found := document.FoundCompanies{Total: 7, Items: []document.CompanyHit{{CompanyCard: card}}, Next: "https://market.example/api/v1/marketplace/companies/search?q=acme"}
	for companies, nothing := range map[int]bool{0: true, 1: false} {
		result := document.SearchResult{SellerMatch: &document.Link{Name: "Acme", URL: "https://market.example/companies/acme"}}
		if companies > 0 {
			result.Companies = found
		}
		body, err := s.Search(document.ListingSearch(), url.Values{"q": {"acme"}}, result, nil)
		page := string(body)
		if err != nil || strings.Contains(page, "<p>Nothing found.</p>") != nothing || strings.Contains(page, `<p class="direct">Company: `) != nothing {
			t.Errorf("with %d companies: %v %s", companies, err, page)
		}
		for _, want := range []string{`>7 found<`, `<a href="/companies/search?q=acme">Companies <span class="n">7</span>`, `<form class="filters" action="/search" aria-label="Filters" hidden>`} {
			if hides := strings.Contains(want, "hidden"); strings.Contains(page, want) == (nothing && !hides) {
				t.Errorf("with %d companies, the page has %q: %t", companies, want, nothing)
			}
		}
	}
}

func TestACategoryShowsTwelveCompaniesAndLinksToAll(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	d := aMarket(s)["category"].(document.Category)
	for total, shown := range map[int]int{12: 12, 13: 12, 100: 12} {
		d.CompanyCount, d.Companies.Items = total, slices.Repeat(d.Companies.Items[:1], total)
		page := rendered(t, s, d)["categories/product/arms.html"]
		if got := strings.Count(page, `<li class="company">`); got != shown {
			t.Errorf("of %d companies the page shows %d", total, got)
		}
		if leads := strings.Contains(page, `<a href="/companies/search?category=product/arms">All `); leads != (total > shown) {
			t.Errorf("of %d companies the page leads to all: %t", total, leads)
		}
	}
}

func TestAProfileOffersAClaimOnlyIfClaimsExist(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	d := aMarket(s)["seller"].(document.Seller)
	for _, rel := range []string{"claim", "visitWebsite"} {
		d.Actions = []document.Action{{Rel: rel}}
		page := rendered(t, s, d)["companies/acme.html"]
		if got := strings.Contains(page, `href="/companies/acme/claim"`); got != (rel == "claim") {
			t.Errorf("with the action %s, the page leads to the claim: %t", rel, got)
		}
		if !strings.Contains(page, `href="/companies/acme/remove"`) {
			t.Errorf("with the action %s, the page does not lead to the removal", rel)
		}
	}
}
