package search

import (
	"slices"
	"testing"

	"souk/build/catalog"
)

func TestSellerKeywordsFindItsListings(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		c := market("en", "Espresso: Strong", "Filter: Mild")
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{
			&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("s"), Name: "Zzyzx", Keywords: []string{"roastery", "coffee shop", "mild"}}, ID: "s", OfficialDomain: "s.example"},
			&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("other"), Name: "Other"}, ID: "other", OfficialDomain: "other.example"},
			&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "other", Slug: "tea"}, Name: "Tea"}},
		}})
		x := openMemory(t, extract(c), nil)
		for _, query := range []string{"roastery", "roasteries", "coffeeshop", "Coffee shop"} {
			r, err := x.Search(t.Context(), Query{Text: query, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Listings) != 2 || r.Listings[0].Name != "Espresso" || r.Listings[1].Name != "Filter" || r.SellerMatch != nil {
				t.Errorf("%q finds %v, and the seller %v", query, names(t, x, query), r.SellerMatch)
			}
		}
		if got := names(t, x, "mild"); !slices.Equal(got, []string{"Filter"}) {
			t.Errorf("a word that a listing has itself finds %q", got)
		}
		if got := names(t, x, "espresso roastery"); !slices.Equal(got, []string{"Espresso"}) {
			t.Errorf("a word of the listing and one of its seller find %q", got)
		}
		if got := names(t, x, "is there any strong and dark espresso of a small roastery"); !slices.Equal(got, []string{"Espresso", "Filter"}) {
			t.Errorf("a question with the word finds %q", got)
		}
		if got := suggested(t, x, "roast"); len(got) > 0 {
			t.Errorf("%q is suggested: keywords are not shown", got)
		}
	})
}

func TestCertificatesAndAwardsFindTheirListings(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		c := market("en", "Pump: Strong", "Hose: Long")
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{
			&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("s"), Name: "Zzyzx"}, ID: "s", OfficialDomain: "s.example", Proof: []catalog.Proof{
				{Kind: "certification", Title: "ISO 9001", Issuer: "TÜV"}, {Kind: "customer", Title: "Quarry"},
			}},
			&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("other"), Name: "Other"}, ID: "other", OfficialDomain: "other.example"},
			&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "other", Slug: "old"}, Name: "Old pump"}},
			&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "other", Slug: "red"}, Name: "Red pump"}, Proof: []catalog.Proof{{Kind: "award", Title: "Golden Drop"}}},
		}})
		x := openMemory(t, extract(c), nil)
		for query, want := range map[string][]string{
			"ISO 9001": {"Hose", "Pump"}, "iso9001": {"Hose", "Pump"}, "pumps with ISO 9001": {"Pump"}, "TÜV certified pump": {"Pump", "Old pump", "Red pump", "Hose"}, "tuev pump": {"Pump"},
			"pump golden drop": {"Red pump"}, "quarry": nil, "pump": {"Pump", "Old pump", "Red pump"},
		} {
			if got := names(t, x, query); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}
