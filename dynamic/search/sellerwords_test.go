package search

import (
	"slices"
	"testing"

	"souk/build/catalog"
)

func TestKeywordsOfASellerFindItsListingsAndAreNoNameOfIt(t *testing.T) {
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
