package dynamic

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
)

// The test removes like souk remove, while a server runs.
func TestARunningServerFollowsTheOperatorsRemoval(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.fillMarket()
	h.open()
	h.untilAnswer("/companies", http.StatusOK, "companies/gone")
	seller, found := FindSeller(h.content(), "gone.example")
	if !found || seller.Slug != "gone" {
		t.Fatalf("found %+v", seller)
	}
	if _, err := h.operator().Remove(t.Context(), SellersOf(h.content()), seller, "a letter"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusGone, "removed")
	h.untilAnswer("/companies/gone/products/thing", http.StatusGone, "removed")
	h.until("no list shows it", func() bool {
		_, companies := h.get("/companies")
		_, category := h.get("/categories/product/robots")
		return !strings.Contains(companies+category, "companies/gone")
	})
	h.gone("gone")
	h.asFresh(h.Config.Build.Content)
	if len(h.mails()) != 0 {
		t.Error("a mail was sent, and nobody asked by mail")
	}
	if _, err := h.operator().Restore(t.Context(), "gone", "withdrawn"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusOK, "The gone")
	h.untilAnswer("/companies", http.StatusOK, "companies/gone")
	h.asFresh(h.Config.Build.Content)
}

// The test does what souk claims does, while a server runs.
func TestARunningServerFollowsProfilesReleasedAndMovedByTheOperator(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()
	bearer := map[string]string{}
	for _, workspace := range []string{"one", "two"} {
		_, secret, err := h.operator().NewAPIToken(t.Context(), workspace)
		if err != nil {
			t.Fatal(err)
		}
		bearer[workspace] = secret.Reveal()
	}
	first, ofFirst := h.askClaim("gone", "jane@gone.example")
	second, ofSecond := h.askClaim("gone", "joe@gone.example")
	h.must(http.StatusOK, first, bearer["one"], ofFirst)
	h.must(http.StatusConflict, second, bearer["two"], ofSecond)
	if _, err := h.operator().ReleaseClaim(t.Context(), "gone", "asked by its board"); err != nil {
		t.Fatal(err)
	}
	h.must(http.StatusConflict, first, bearer["one"], ofFirst)
	h.must(http.StatusOK, second, bearer["two"], ofSecond)
	if _, err := h.operator().MoveClaim(t.Context(), "gone.example", "one", "two became one"); err != nil {
		t.Fatal(err)
	}
	h.must(http.StatusConflict, second, bearer["two"], ofSecond)
	third, ofThird := h.askClaim("gone", "jane@gone.example")
	h.must(http.StatusConflict, third, bearer["two"], ofThird)
	h.must(http.StatusOK, third, bearer["one"], ofThird)
}

func TestAnOperatorFindsASellerByItsSlugFirst(t *testing.T) {
	c := catalog.New()
	seller := func(slug, id, domain string, former ...string) *catalog.Seller {
		return &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: slug}, ID: id, OfficialDomain: domain, FormerDomains: former}
	}
	c.Apply(catalog.Change{Marketplace: &catalog.Marketplace{}, Put: []catalog.Item{
		seller("acme", "bolt", "acme.example"), seller("bolt", "cord", "bolt.example", "acme.example", "old.example"), seller("cord", "acme", "cord.example", "acme.example"),
	}})
	for name, slug := range map[string]string{
		"acme": "acme", "bolt": "bolt", "cord": "cord", "ACME.example": "acme", "www.cord.example": "cord", "old.example": "", "": "", "dome": "",
	} {
		if got, ok := FindSeller(c, name); got.Slug != slug || ok != (slug != "") {
			t.Errorf("%q: %+v, %t, want %q", name, got, ok, slug)
		}
	}
	if got, err := SellersOf(c).Formerly(t.Context(), "acme.example", nil); err != nil || !slices.Equal(got, []string{"acme", "cord"}) {
		t.Errorf("beside it are %v, %v", got, err)
	}
}
