package search

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"souk/build/catalog"
)

func TestNumericFilterKeepsItsFormWithoutResults(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		removals := &catalog.Register{}
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE", "belle Paris FR", "gone Oslo NO"}, nil,
			offerOf{seller: "acme", name: "Pump", price: "5 CHF", attributes: []catalog.Attribute{number("Flow", "20", "l")}},
			offerOf{seller: "acme", name: "Valve", price: "90 CHF", attributes: []catalog.Attribute{number("Flow", "40", "l")}},
			offerOf{seller: "belle", name: "Vase"},
			offerOf{seller: "gone", name: "Tank", price: "900 CHF", attributes: []catalog.Attribute{number("Flow", "1", "l")}},
		)), removals)
		remove(removals, "gone")
		for _, one := range []struct{ filter, value, currency, want string }{
			{"price", "1..20", "CHF", `{"name":"price","type":"number","unit":"CHF","values":[],"min":5,"max":90,"selected":["1..20"],"count":0}`},
			{"attribute", "Flow:1..20 l", "", `{"name":"attribute","attribute":"Flow","type":"number","unit":"l","values":[],"min":20,"max":40,"selected":["Flow:1..20 l"],"count":0}`},
		} {
			r, _ := asked(t, x, Query{Filters: map[string][]string{one.filter: {one.value}, "country": {"FR"}}, Currency: one.currency})
			told, err := json.Marshal(r.Filters)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(told), one.want) {
				t.Errorf("%s is told as\n%s\nwant\n%s", one.value, told, one.want)
			}
		}
	})
}

func TestCategoriesOfEqualNameShowTheirParents(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		c := bazaar("en", []string{"acme Berlin DE"}, map[string]string{"pumps": "Pumps", "lamps": "Lamps", "spares": "Spares", "service/spares": "Spares"},
			offerOf{seller: "acme", name: "Seal", categories: []string{"pump-spares"}}, offerOf{seller: "acme", name: "Bulb", categories: []string{"lamp-spares"}},
			offerOf{seller: "acme", name: "Box", categories: []string{"spares"}}, offerOf{seller: "acme", name: "Advice", categories: []string{"spares"}, delivery: "remote"})
		var below []catalog.Item
		for _, above := range []string{"pump", "lamp"} {
			below = append(below, &catalog.Category{
				Head:   catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, above+"-spares"), Name: "Spares"},
				Parent: &catalog.Mention{Ref: catalog.CategoryRef(catalog.KindProduct, above+"s")},
			})
		}
		c.Apply(catalog.Change{Now: sampleNow(), Put: below})
		x := openMemory(t, extract(c), &catalog.Register{})
		r, _ := asked(t, x, Query{})
		got := map[string]string{}
		for _, f := range r.Filters {
			for _, v := range f.Values {
				if f.Name == "category" {
					got[v.Value] = v.Label
				}
			}
		}
		want := map[string]string{
			"product/pumps": "Pumps", "product/lamps": "Lamps", "product/pump-spares": "Spares (Pumps)", "product/lamp-spares": "Spares (Lamps)",
			"product/spares": "Spares", "service/spares": "Spares",
		}
		if !maps.Equal(got, want) {
			t.Errorf("the categories are called %q, want %q", got, want)
		}
	})
}
