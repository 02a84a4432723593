package search

import (
	"encoding/json"
	"strings"
	"testing"

	"souk/build/catalog"
)

func TestAFilterOfNumbersHasItsFormWhereNoResultHasOne(t *testing.T) {
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
