package search

import (
	"souk/build/catalog"
)

// bicyclettes is a market in one of several languages, including its attributes and
// products.
func bicyclettes(language string) *catalog.Catalog {
	said := map[string][]string{
		"fr": {"Vélos", "Vélos cargo", "Poids", "Charge", "Vitesses", "Réparation", "atelier"},
		"es": {"Bicicletas", "Bicicletas de carga", "Peso", "Carga útil", "Marchas", "Reparación", "taller"},
		"it": {"Biciclette", "Biciclette da carico", "Peso", "Portata", "Marce", "Riparazione", "officina"},
		"nl": {"Fietsen", "Bakfietsen", "Gewicht", "Laadvermogen", "Versnellingen", "Reparatie", "werkplaats"},
	}[language]
	return bazaar(language, []string{"north Lyon FR", "dock Milano IT", "werk Utrecht NL"},
		map[string]string{"bikes": said[0], "cargo": said[1], "service/repair": said[5]},
		offerOf{seller: "north", name: "Strand", price: "1290 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{number(said[2], "14", "kg"), number(said[4], "8", "")}},
		offerOf{seller: "dock", name: "Zwerg", price: "149 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{number(said[2], "3", "kg"), {Name: "Motor", Kind: catalog.BooleanValue, Value: "true"}}},
		offerOf{seller: "dock", name: "Crate", price: "2890 EUR", categories: []string{"cargo"}, attributes: []catalog.Attribute{number(said[2], "34", "kg"), number(said[3], "100", "kg")}},
		offerOf{seller: "werk", name: "Mobil", summary: said[6], price: "75 EUR per hour", categories: []string{"repair"}, delivery: "onsite"},
	)
}
