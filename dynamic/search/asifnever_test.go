package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/fault"
	"souk/dynamic/search/suggest"
)

// marketOfGone returns a market of acme and belle and, if it is there, of gone, which alone has
// a currency, a place, a language, a proof, units, spellings and words, and more of all of them.
func marketOfGone(t *testing.T, withGone bool, removals *catalog.Register) *Index {
	t.Helper()
	sellers := []string{"acme Berlin DE", "belle Paris FR"}
	offers := []offerOf{
		{seller: "acme", name: "Pump Five", summary: "Moves water", categories: []string{"pumps"}, price: "5 CHF", attributes: []catalog.Attribute{number("flow", "20", "l"), {Name: "colour", Value: "red"}}},
		{seller: "acme", name: "Pump Six", summary: "Moves more water", categories: []string{"pumps"}, price: "6 CHF per hour", attributes: []catalog.Attribute{number("flow", "40", "l"), number("length", "2", "m")}},
		{seller: "belle", name: "Repair of pumps", summary: "Mends", delivery: "remote", regions: []string{"North"}, price: "70 EUR"},
	}
	if withGone {
		sellers = append(sellers, "gone Oslo NO")
		for i := range 6 {
			offers = append(offers, offerOf{
				seller: "gone", name: fmt.Sprint("Zeppelin Tank ", i), summary: "Stores hydrogen quietly", categories: []string{"pumps"}, price: fmt.Sprint(900+i, " KWD per fortnight"), keywords: []string{"airship"},
				attributes: []catalog.Attribute{number("Flow", fmt.Sprint(5000+i), "ml"), number("LENGTH", "9", "ft"), number("Depth", "20", "m"), {Name: "Colour", Value: "RED"}, {Name: "Fuel", Value: "hydrogen"}},
			}, offerOf{seller: "gone", name: fmt.Sprint("Airship course ", i), delivery: "onsite", regions: []string{"Fjord Land", "north"}, price: "3 NOK"})
		}
	}
	return openMemory(t, extract(bazaar("en", sellers, map[string]string{"pumps": "Pumps", "tanks": "Tanks"}, offers...)), removals)
}

func TestWhatOnlyAWithheldSellerHasIsAsIfNobodyEverHadIt(t *testing.T) {
	removals := &catalog.Register{}
	withheld, without := marketOfGone(t, true, removals), marketOfGone(t, false, nil)
	remove(removals, "gone")
	var queries []Query
	for _, text := range []string{
		"", "pump", "zeppelin", "zeppelins", "zeplin", "airship", "hydrogen", "pump hydrogen", "pump KWD", "pump under 1000 KWD", "tank", "oslo", "pump in norway", "in fjord land", "north", "gone", "the gone company",
		"flow over 10 l", "depth 20 m", "length at least 3 ft", "without hydrogen", "not gone", "not airship", "pump per fortnight", "colour red", "RED", "cheapest airship", "pump like zeppelin tank 1", "moves watr", "hydrogn", "quietly",
	} {
		queries = append(queries, Query{Text: text})
	}
	for filter, values := range map[string][]string{
		"price": {"1..10000", "900.."}, "attribute": {"flow:1..", "Flow:1..", "depth:1..", "length:1.. ft", "LENGTH:2 m", "colour:red", "Colour:RED", "fuel:hydrogen", "length:1 kg", "flow:1..2 zz"},
		"country": {"NO", "DE", "XX"}, "region": {"Fjord Land", "north", "North"}, "language": {"nb", "en"}, "proof": {"award", "x"}, "priceUnit": {"fortnight", "hour"}, "delivery": {"onsite", "remote"}, "seller": {"gone", "gon", "acme", "GONE"},
		"category": {"product/pumps", "product/tanks", "product/tank"}, "kind": {"product", "service", "p"},
	} {
		for _, value := range values {
			for _, currency := range []string{"KWD", "CHF", "KWX", "kwd", "NOK", ""} {
				for _, sort := range []string{"", "price", "name", "newest"} {
					q := Query{Sort: sort}.with(filter, value)
					q.Currency = currency
					queries = append(queries, q)
				}
			}
		}
	}
	for _, q := range queries {
		q.Limit = MaxLimit
		var told []string
		for _, x := range []*Index{withheld, without} {
			r, err := x.Search(t.Context(), q)
			var invalid *fault.Error
			if err != nil && !errors.As(err, &invalid) {
				t.Fatal(err)
			}
			if r != nil && q.Text != "" {
				// How well listings match, and what a text means, is another matter.
				r.Listings, r.Interpreted = nil, nil
				for i := range r.Filters {
					r.Filters[i].Selected = nil
				}
			}
			told = append(told, fmt.Sprintf("%s %+v", asJSON(t, r), invalid))
		}
		if told[0] != told[1] {
			t.Errorf("%+v answers\n%s\nand if it never was there\n%s", q, told[0], told[1])
		}
	}
	for _, text := range []string{"z", "zep", "gone", "g", "o", "air", "pu", "the gone company zep", "t", "n", "hydro", "o3", "repair"} {
		var told []string
		for _, x := range []*Index{withheld, without} {
			s, err := x.Suggest(t.Context(), suggest.Query{Text: text, Limit: suggest.MaxSuggestions})
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, asJSON(t, s))
		}
		if told[0] != told[1] {
			t.Errorf("for %q is suggested\n%s\nand if it never was there\n%s", text, told[0], told[1])
		}
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Who comes back is shown as before.
func TestARestoredSellerIsShownAsBefore(t *testing.T) {
	removals := &catalog.Register{}
	x := marketOfGone(t, true, removals)
	all := func() string {
		r, err := x.Search(t.Context(), Query{Limit: MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, r)
	}
	before := all()
	remove(removals, "gone")
	if withheld := all(); strings.Contains(withheld, "Flow") || strings.Contains(withheld, "ml") || strings.Contains(withheld, "RED") {
		t.Errorf("withheld, the seller's spellings are in\n%s", withheld)
	}
	remove(removals)
	if after := all(); after != before {
		t.Errorf("restored it answers\n%s\nand before\n%s", after, before)
	}
}
