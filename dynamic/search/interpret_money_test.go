package search

import (
	"strings"
	"testing"
)

func TestACurrencyIsNamedByWhoseItIs(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, told, finds string }{
			{"en", "pump under 200 Swiss francs", "filter under 200 Swiss francs => price=..200 CHF", "Alp"},
			{"en", "pump 100-300 Swiss francs", "filter 100-300 Swiss francs => price=100..300 CHF", "Alp"},
			{"en", "Swiss pump", "preferred Swiss => CH", "Alp|Fjord|Maple|Prairie|Sound"},
			{"en", "pump 200 Swiss francs", "", "Alp|Fjord|Maple|Prairie|Sound"},
			{"en", "pump under 150 Canadian dollars", "filter under 150 Canadian dollars => price=..150 CAD", "Maple"},
			{"en", "pump under C$150", "filter under C$150 => price=..150 CAD", "Maple"},
			{"en", "pump US$300 max", "filter US$300 max => price=..300 USD", "Prairie"},
			{"en", "pump under 300 US dollars", "filter under 300 US dollars => price=..300 USD", "Prairie"},
			{"en", "pump under 300 Danish kroner", "filter under 300 Danish kroner => price=..300 DKK", "Sound"},
			{"de", "pump unter 200 Schweizer Franken", "filter unter 200 Schweizer Franken => price=..200 CHF", "Alp"},
			{"de", "pump bis 300 dänische Kronen", "filter bis 300 dänische Kronen => price=..300 DKK", "Sound"},
		} {
			x := openMemory(t, extract(bazaar(one.language, []string{"alp Bern CH", "prairie Omaha US", "maple Ottawa CA", "sound Aarhus DK"}, nil,
				offerOf{seller: "alp", name: "Alp", summary: "A pump", price: "190 CHF"}, offerOf{seller: "prairie", name: "Prairie", summary: "A pump", price: "250 USD"},
				offerOf{seller: "maple", name: "Maple", summary: "A pump", price: "140 CAD"}, offerOf{seller: "sound", name: "Sound", summary: "A pump", price: "280 DKK"},
				offerOf{seller: "sound", name: "Fjord", summary: "A pump", price: "400 NOK"},
			)), nil)
			r, names := asked(t, x, Query{Text: one.query})
			if asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%s %q finds %q, told as %q", one.language, one.query, names, asTold(r.Interpreted))
			}
		}
	})
}
