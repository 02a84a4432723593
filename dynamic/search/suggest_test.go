package search

import (
	"slices"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/suggest"
)

func TestExactSpellingComesBeforeShorterNames(t *testing.T) {
	x := openMemory(t, extract(market("en", "C", "C#", "C++", "Node js", "NodeJS", "Node.js tools", "Node Jsx")), nil)
	for typed, want := range map[string]string{"C++": "C++", "c#": "C#", "C": "C", "NodeJS": "NodeJS", "node.js t": "Node.js tools", "node js": "Node js", "node.j": "Node.js tools"} {
		a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: 1})
		if err != nil || len(a.Suggestions) != 1 || a.Suggestions[0].Name != want {
			t.Errorf("%q suggests %+v first, want %q (%v)", typed, a, want, err)
		}
	}
}

func TestMisspelledSuggestionsComeLast(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"institute Kyoto JP"}, map[string]string{"institutions": "Institutions"},
		offerOf{seller: "institute", name: "Istio"}, offerOf{seller: "institute", name: "Istio for everybody"}, offerOf{seller: "institute", name: "Anchor", categories: []string{"institutions"}})), nil)
	a, err := x.Suggest(t.Context(), suggest.Query{Text: "isti", Limit: 8})
	var names []string
	for _, s := range a.Suggestions {
		names = append(names, s.Name)
	}
	if want := []string{"Istio", "Istio for everybody", "Institutions", "The institute company"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("suggests %q, want %q (%v)", names, want, err)
	}
}

func TestTextThatStartsWithASellerSuggestsItsOffers(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"apple Cupertino US", "pear Kyoto JP"}, nil,
		offerOf{seller: "apple", name: "Laptop Air"}, offerOf{seller: "apple", name: "Phone"}, offerOf{seller: "pear", name: "Laptop of wood"})), nil)
	for typed, want := range map[string][]string{
		"the apple company lap": {"Laptop Air"}, "The Apple Company p": {"Phone"}, "the pear company laptop": {"Laptop of wood"}, "the apple company wood": nil,
	} {
		a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: 8})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range a.Suggestions {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q suggests %q, want %q", typed, names, want)
		}
	}
}

func TestUnfinishedSKUOrGTINSuggestsItsProduct(t *testing.T) {
	c := market("en", "Arm", "Hand")
	for slug, skus := range map[string][]string{"o0": {"AX-100", "AX-200"}, "o1": {"BY-1"}} {
		o := *c.Node(catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: slug}).Item().(*catalog.Offer)
		o.SKU = skus[0]
		for _, sku := range skus[1:] {
			o.Variants = append(o.Variants, catalog.Variant{Name: "Other " + sku, SKU: sku})
		}
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&o}})
	}
	bell := *c.Node(catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "o1"}).Item().(*catalog.Offer)
	bell.GTIN, bell.Variants = "4006381333931", []catalog.Variant{{Name: "Large", GTIN: "96385074"}}
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&bell}})
	removals := &catalog.Register{}
	x := openMemory(t, extract(c), removals)
	for typed, variant := range map[string]string{"4006381333931": "", "4006381 333931": "", "96385074": "Large"} {
		r, names := asked(t, x, Query{Text: typed})
		if !slices.Equal(names, []string{"Hand"}) || variant != "" && (r.Listings[0].Matched == nil || r.Listings[0].Matched.Variant != variant) {
			t.Errorf("the GTIN %s finds %q, matched %+v", typed, names, r.Listings)
		}
	}
	for typed, want := range map[string]string{"40063": "Hand", "4006381333931": "Hand", "9638": "Hand", "AX-100": "Arm", "ax1": "Arm", "ax 200": "Arm", "AX-2": "Arm", "by-1": "Hand", "by": "", "CX-1": ""} {
		a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: 8})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range a.Suggestions {
			got += s.Name
		}
		if got != want {
			t.Errorf("%q suggests %q, want %q", typed, got, want)
		}
	}
	remove(removals, "s")
	if a, err := x.Suggest(t.Context(), suggest.Query{Text: "AX-100", Limit: 8}); err != nil || len(a.Suggestions) > 0 {
		t.Errorf("a withheld product is suggested by its SKU: %+v, %v", a, err)
	}
}
