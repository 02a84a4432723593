package catalog

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestTheNewestOffersAreThoseMostRecentlyPublished(t *testing.T) {
	day := func(n int) Date { return Date{Time: time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC), Day: true} }
	seller := &Seller{Head: Head{Ref: SellerRef("acme"), Name: "Acme"}, ID: "acme", OfficialDomain: "acme.example"}
	offer := func(slug string, since int) *Offer {
		o := &Offer{Head: Head{Ref: Ref{Kind: KindProduct, Company: "acme", Slug: slug}, Name: slug}}
		if since > 0 {
			o.PublishedAt = day(since)
		}
		return o
	}
	c := New()
	items := []Item{seller, offer("undated", 0)}
	for i := 1; i <= MostNewest+6; i++ {
		items = append(items, offer(fmt.Sprintf("p%02d", i), i))
	}
	now := day(MostNewest + 3).Time
	c.Apply(Change{Marketplace: &Marketplace{SiteURL: "https://market.example"}, Put: items, Now: now})
	slugs := func() (all []string) {
		for _, n := range c.Newest() {
			all = append(all, n.Ref().Slug)
		}
		return all
	}
	want := func(do string, d *Delta, newest bool, first string) {
		t.Helper()
		if got := slugs(); len(got) != MostNewest || got[0] != first || slices.Contains(got, "undated") {
			t.Errorf("%s: the newest are %v", do, got)
		}
		if d != nil && !d.All && d.Newest != newest {
			t.Errorf("%s: the newest are marked: %v", do, d.Newest)
		}
	}
	want("at first", nil, false, "p07")
	want("an old one is edited", c.Apply(Change{Put: []Item{offer("p01", 1)}, Now: now}), false, "p07")
	want("an old one becomes the newest", c.Apply(Change{Put: []Item{offer("p02", MostNewest+3)}, Now: now}), true, "p02")
	want("a new one is edited", c.Apply(Change{Put: []Item{offer("p07", 7)}, Now: now}), true, "p02")
	want("the newest goes", c.Apply(Change{Delete: []Ref{{Kind: KindProduct, Company: "acme", Slug: "p02"}}, Now: now}), true, "p07")
	want("time passes", c.Apply(Change{Now: day(MostNewest + 4).Time}), true, "p08")
}
