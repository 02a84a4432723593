package search

import (
	"strings"
	"testing"

	"souk/build/catalog"
)

// pumps is a market with two currencies. One of its sellers is named after its city.
func pumps(language string) *catalog.Catalog {
	return bazaar(language, []string{"werk Berlin DE", "harbour Harbour GB"}, map[string]string{"pumps": "Pumps"},
		offerOf{seller: "werk", name: "Deep", summary: "For ponds, with solvent", price: "40 GBP", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Max depth", "10", "m"), number("Hose", "20", "m"), number("Flow", "15", "m³/h"), number("Weight", "7", "kg")}},
		offerOf{seller: "harbour", name: "Flat", summary: "For cellars", price: "90 EUR", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Max depth", "7", "m"), number("Hose", "5", "m"), number("Flow", "7500", "l/h"), number("Weight", "2", "kg")}},
		offerOf{seller: "harbour", name: "Hand", summary: "For ponds", price: "60 GBP", categories: []string{"pumps"}, attributes: []catalog.Attribute{number("Weight", "1", "kg")}},
	)
}

func TestCurrencyNamesAreNotCorrected(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		r, _ := asked(t, openMemory(t, extract(pumps("en")), nil), Query{Text: "pump about 50 pounds"})
		if strings.Contains(asTold(r.Interpreted), "corrected") {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}
