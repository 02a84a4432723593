package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"souk/build/document"
)

func TestAPageOfAnOfferLinksToItsWebsiteFilesAndContact(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	p := aMarket(s)["product"].(document.Product)
	p.Availability, p.Media = "preOrder", nil
	p.Price = &document.Price{Amount: "9.5", Currency: "EUR", List: "12"}
	p.Links = []document.LabelledURL{{Label: "Manual", URL: "https://acme.example/manual"}, {Label: "Bad", URL: "javascript:alert(1)"}}
	p.Files = []document.File{{Label: "Data sheet", URL: "https://market.example/media/ab.pdf", Type: "application/pdf", Bytes: 1_234_567, Language: "de"}}
	p.Attributes = []document.Attribute{{Name: "Certificates", Values: []string{"CE & UL", "IP67"}}, {Name: "Reach", Value: json.Number("5"), Unit: "m"}}
	p.Actions = append(p.Actions, document.Action{Rel: "contact", Method: "GET", Href: "mailto:hello@acme.example", Title: "Contact"})
	p.By = document.Seller{Name: "Acme", URL: "https://market.example/companies/acme", Logo: &document.Media{URL: "https://market.example/media/logo.svg", Alt: "Logo"}, Headquarters: &document.Headquarters{City: "Jena", Country: "DE"}, Languages: []string{"de"}}
	page := string(rendered(t, s, p)["companies/acme/products/arm-7.html"])
	for _, want := range []string{
		`>Visit acme.example</a>`, `href="mailto:hello@acme.example"`, `<del>€12.00</del>`, `<p class="availability preOrder">pre-order</p>`,
		`<a href="https://acme.example/manual" rel="nofollow noopener ugc">Manual</a>`, `<li>Bad`,
		`<a href="/media/ab.pdf" type="application/pdf" hreflang="de">Data sheet</a> <small>PDF, 1.2` + "\u00a0" + `MB</small>`,
		`<a href="/search?attribute=Certificates%3ACE&#43;%26&#43;UL">CE &amp; UL</a>`, `<div class="calm" aria-hidden="true"><img class="logo" src="/media/logo.svg"`,
		`Offered by Acme`, `Jena, Germany`, `Languages: German`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s:\n%s", want, page)
		}
	}
}

func TestTwelveOfManyRelatedItemsAreNotFolded(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	p := aMarket(s)["product"].(document.Product)
	p.Related = nil
	for i := range 20 {
		p.Related = append(p.Related, linkTo(s, "seller", fmt.Sprint("Seller ", i), fmt.Sprint("/companies/s", i)))
	}
	page := string(rendered(t, s, p)["companies/acme/products/arm-7.html"])
	before, folded, found := strings.Cut(page, "<details><summary>All <span class=\"n\">20</span></summary>")
	if !found || strings.Count(before, `href="/companies/s`) != 12 || strings.Count(folded, `href="/companies/s`) != 8 {
		t.Errorf("the page is %s", page)
	}
}

func TestStructuredDataUsesSchemaOrgAvailability(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	p := aMarket(s)["product"].(document.Product)
	p.Availability, p.Variants = "outOfStock", nil
	if got := s.productData(p).Offers[0].Available; got != "https://schema.org/OutOfStock" {
		t.Errorf("it is %s", got)
	}
	if p.Availability = "onRequest"; s.productData(p).Offers[0].Available != "" {
		t.Error("schema.org has no word for what is available on request")
	}
}
