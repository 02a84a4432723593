package search

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/search/fault"
)

// twoSellers returns a market of acme and, if withGone is set, gone, which has a name, an
// attribute, a currency and a region that acme lacks.
func twoSellers(t *testing.T, withGone bool, removals *catalog.Register) *Index {
	t.Helper()
	sellers := []string{"acme Berlin DE"}
	offers := []offerOf{{seller: "acme", name: "Pump", categories: []string{"pumps"}, price: "5 CHF", attributes: []catalog.Attribute{number("Flow", "20", "l")}}}
	if withGone {
		sellers = append(sellers, "gone Oslo NO")
		offers = append(offers, offerOf{
			seller: "gone", name: "Tank", categories: []string{"pumps"}, price: "900 KWD", regions: []string{"Nordics"}, delivery: "onsite",
			attributes: []catalog.Attribute{number("Depth", "20", "m"), {Name: "Flow", Value: "much"}},
		})
	}
	return openMemory(t, extract(bazaar("en", sellers, map[string]string{"pumps": "Pumps", "service/pumps": "Care", "lamps": "Lamps"}, offers...)), removals)
}

// unheldValues returns well-formed values that no listing of acme has, by parameter.
func unheldValues() map[string][]string {
	return map[string][]string{
		"seller":       {`gone`, `nobody`, `index`, `a-1`, strings.Repeat("a", 90)},
		"category":     {`product/nothing`, `product/lamps`, `service/nothing`, `product/index`},
		"attribute":    {`Depth:20 m`, `depth:1..`, `Nothing: at all`, `Nothing:true`, `Nothing:1..2 kg`, "Weight (net):5..", `Flow:21 l`},
		"country":      {`NO`, `NZ`},
		"region":       {`Nordics`, `Nowhere`, strings.Repeat("ä", 500)},
		"language":     {`de`, `tlh`},
		"delivery":     {`onsite`, `remote`},
		"availability": {`inStock`, `discontinued`},
		"proof":        {`award`},
		"priceUnit":    {`hour`},
		"price":        {`900..`, `..1`},
	}
}

func TestUnmatchedValidValueFindsNothing(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		removals := &catalog.Register{}
		withheld, without := twoSellers(t, true, removals), twoSellers(t, false, nil)
		remove(removals, "gone")
		for filter, values := range unheldValues() {
			for _, value := range values {
				q := Query{Limit: MaxLimit}.with(filter, value)
				if filter == document.FilterPrice {
					q.Currency = "KWD"
				}
				var told []string
				for _, x := range []*Index{withheld, without} {
					r, err := x.Search(t.Context(), q)
					if err != nil {
						t.Fatalf("%s=%s: %v", filter, value, err)
					}
					if r.Total != 0 || !selected(r, filter, value) {
						t.Errorf("%s=%s finds %d and tells the filters %+v", filter, value, r.Total, r.Filters)
					}
					body, err := json.Marshal(r)
					if err != nil {
						t.Fatal(err)
					}
					told = append(told, string(body))
				}
				if told[0] != told[1] {
					t.Errorf("%s=%s answers\n%s\nand if nobody ever was withheld\n%s", filter, value, told[0], told[1])
				}
			}
		}
	})
}

// selected reports whether a filter shows a value as selected.
func selected(r *Result, filter, value string) bool {
	return slices.ContainsFunc(r.Filters, func(f Filter) bool {
		return f.Name == filter && (slices.Contains(f.Selected, value) || slices.ContainsFunc(f.Values, func(v FilterValue) bool { return v.Selected && v.Value == value }))
	})
}

func TestUnmatchedAlternativesChangeNothing(t *testing.T) {
	x := twoSellers(t, false, nil)
	for filter, values := range map[string][]string{
		"seller": {"acme", "nobody"}, "category": {"product/nothing", "product/pumps"}, "attribute": {"Flow:20 l", "Flow:21 l"},
	} {
		if r, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with(filter, values...)); err != nil || r.Total != 1 {
			t.Errorf("%s=%q: %+v, %v", filter, values, r, err)
		}
	}
	r, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with("attribute", "Flow:20 l", "Depth:1 m", "DEPTH: 2 m", "depth:1 M"))
	if err != nil || r.Total != 0 || toldOf(r, "Depth") != "text *Depth:1 m=0 *DEPTH: 2 m=0" {
		t.Errorf("an attribute besides one that nobody has: %+v, %v", r, err)
	}
}

func TestMalformedValuesAreRefused(t *testing.T) {
	x := twoSellers(t, false, nil)
	for filter, values := range map[string][]string{
		"kind":         {"", "thing"},
		"seller":       {"", "Acme", "acme-", "a--b", "seller:acme", "a/b", strings.Repeat("a", 501), "acme ", "ácme", "https://m.example/companies/acme"},
		"category":     {"", "pumps", "product/", "product/Pumps", "category:product/pumps", "goods/pumps", "product/pumps/pumps"},
		"attribute":    {"", "Nothing", ":5", "Nothing:", "Flow:5 kg", "Flow:much", "Nothing:" + strings.Repeat("a", 493)},
		"country":      {"", "de", "DEU", "XX"},
		"delivery":     {"", "boat"},
		"availability": {"", "InStock", "in stock", "sold"},
		"proof":        {"", "hearsay"},
		"language":     {"", "German"},
		"region":       {"", " ", strings.Repeat("ä", 501)},
		"priceUnit":    {"", strings.Repeat("a", 501)},
	} {
		for _, value := range values {
			var invalid *fault.Error
			if _, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with(filter, value)); !errors.As(err, &invalid) || invalid.Errors[0].Field != filter {
				t.Errorf("%s=%q: %v", filter, value, err)
			}
		}
	}
}
