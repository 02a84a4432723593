package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/search"
)

// guild is a market of one company.
type guild struct{ stubMarket }

func (guild) Companies(_ context.Context, q search.Query) (*search.CompanyResult, error) {
	card := document.CompanyCard{
		Kind: "seller", Slug: "acme", Name: "Acme", Tagline: "Arms.", Headquarters: &document.Headquarters{City: "Ulm", Country: "DE"},
		URL: "https://market.example/companies/acme", APIURL: "https://market.example/api/v1/marketplace/companies/acme",
	}
	return &search.CompanyResult{Query: q.Text, Total: 1, Limit: q.Limit, Companies: []search.CompanyHit{{CompanyCard: card}}}, nil
}

func TestSearchAcceptsCompanyFiltersOnlyForSellers(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"q":"arms","kind":"seller","city":["Ulm"]}`:      `"place":"Ulm, DE"`,
		`{"q":"arms","kind":"seller","detail":"full"}`:     `"headquarters"`,
		`{"q":"arms","kind":"seller","region":["Europe"]}`: "use category, country, city, language and proof",
		`{"q":"arms","city":["Ulm"]}`:                      "send kind seller too",
	} {
		a, err := tools()[0].read([]byte(arguments))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		if found, err := find(t.Context(), guild{}, a); err != nil {
			said = err.Error()
		} else {
			body, _ := json.Marshal(found.Items[0].value)
			said = string(body)
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s answers %s, not %s", arguments, said, want)
		}
	}
}
