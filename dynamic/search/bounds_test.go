package search

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
)

// rated returns an index of two sellers: acme has a product with the attribute Range, and
// zinc one with Reach.
func rated(t *testing.T, removals *catalog.Register) *Index {
	t.Helper()
	c := catalog.New()
	change := catalog.Change{Now: sampleNow(), Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", Language: "en"}}
	for slug, attribute := range map[string]string{"acme": "Range", "zinc": "Reach"} {
		offer := &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: slug, Slug: "arm"}, Name: "Arm of " + slug}}
		offer.Attributes = []catalog.Attribute{{Name: attribute, Kind: catalog.NumberValue, Value: "5"}}
		change.Put = append(change.Put, offer, &catalog.Seller{
			Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: slug}, ID: "the id of " + slug, OfficialDomain: slug + ".example",
		})
	}
	c.Apply(change)
	return openMemory(t, extract(c), removals)
}

// misnamed asks for as many attributes that nobody has.
func misnamed(names int) Query {
	q := Query{Filters: map[string][]string{}}
	for i := range names {
		q.Filters[document.FilterAttribute] = append(q.Filters[document.FilterAttribute], fmt.Sprintf("Reachh%c:1", 'a'+i))
	}
	return q
}

func TestOfManyUnknownAttributesTheFirstAreToldWhatWasMeant(t *testing.T) {
	removals := &catalog.Register{}
	x := rated(t, removals)
	for _, test := range []struct {
		removed string
		meant   string
	}{{"", "Reach"}, {"zinc", "Range"}} {
		if test.removed != "" {
			remove(removals, test.removed)
		}
		var invalid *InvalidError
		if _, err := x.Search(t.Context(), misnamed(mostHints+5)); !errors.As(err, &invalid) || len(invalid.Errors) != mostHints+5 {
			t.Fatalf("without %q: %v", test.removed, err)
		}
		for i, fault := range invalid.Errors {
			want := fmt.Sprintf("no listing has an attribute \"Reachh%c\"", 'a'+i)
			if i < mostHints {
				want += fmt.Sprintf(" (did you mean %q?)", test.meant)
			}
			if fault.Message != want {
				t.Errorf("without %q: %s, want %s", test.removed, fault.Message, want)
			}
		}
	}
}

// What is said of a query that nobody waits for is of no use, and looking for it is work.
func TestAQueryThatNobodyWaitsForIsNotChecked(t *testing.T) {
	x := rated(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, misnamed(1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
