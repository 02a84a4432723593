package search

import (
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
)

// bicyclettes is a market in one of several languages, with the names of its attributes and things.
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

func TestPatternsAreUnderstoodInOtherLanguages(t *testing.T) {
	for language, texts := range map[string][]struct{ query, told, finds string }{
		"fr": {
			{"vélos à moins de 500 €", "filter à moins de 500 € => price=..500 EUR", "Zwerg"},
			{"un vélo entre 1 000 et 2 000 euros", "filter entre 1 000 et 2 000 euros => price=1000..2000 EUR", "Strand"},
			{"vélo de plus de 1000 euros", "filter plus de 1000 euros => price=1000.. EUR", "Crate|Strand"},
			{"Je cherche des vélos pas chers, s'il vous plaît : moins de 500 euros", "filter moins de 500 euros => price=..500 EUR", "Zwerg"},
			{"où puis-je trouver une réparation à Utrecht ?", "preferred à Utrecht => Utrecht", "Mobil"},
			{"vélos 500 euros ou moins", "filter 500 euros ou moins => price=..500 EUR", "Zwerg"},
			{"vélo cargo plus léger que 40 kg", "filter plus léger que 40 kg => attribute=Poids:..40 kg", "Crate"},
			{"vélo avec au moins 8 vitesses", "filter au moins 8 vitesses => attribute=Vitesses:8..", "Strand"},
			{"vélos d'Italie", "filter d'Italie => country=IT", "Crate|Zwerg"},
			{"vélos fabriqués en France", "filter fabriqués en France => country=FR", "Strand"},
			{"vélo à Lyon", "preferred à Lyon => Lyon", "Crate|Strand|Zwerg"},
			{"vélos sans motor", "excluded sans motor => motor", "Crate|Strand"},
			{"réparation moins de 80 par heure", "filter moins de 80 => price=..80 EUR; filter par heure => priceUnit=hour", "Mobil"},
			{"alternative à Strand", "similar alternative à Strand => Strand", ""},
			{"vélos hors d'Italie", "excluded hors d'Italie => IT", "Strand"},
			{"vélos pas d'Italie", "excluded pas d'Italie => IT", "Strand"},
			{"vélos italiens", "preferred italiens => IT", "Crate|Strand|Zwerg"},
			{"vélos à moins de 1 290,50 €", "filter à moins de 1 290,50 € => price=..1290.50 EUR", "Strand|Zwerg"},
			{"services aux Pays-Bas", "filter services => kind=service; filter aux Pays-Bas => country=NL", "Mobil"},
		},
		"es": {
			{"bicicletas por menos de 500 €", "filter por menos de 500 € => price=..500 EUR", "Zwerg"},
			{"bicicleta entre 1.000 y 2.000 euros", "filter entre 1.000 y 2.000 euros => price=1000..2000 EUR", "Strand"},
			{"bicicletas de más de 1000 euros", "filter más de 1000 euros => price=1000.. EUR", "Crate|Strand"},
			{"bicicletas de carga más ligeras que 40 kg", "", ""},
			{"bicicleta de carga más ligera que 40 kg", "filter más ligera que 40 kg => attribute=Peso:..40 kg", "Crate"},
			{"bicicleta con al menos 8 marchas", "filter al menos 8 marchas => attribute=Marchas:8..", "Strand"},
			{"bicicletas de Italia", "filter de Italia => country=IT", "Crate|Zwerg"},
			{"Busco una bicicleta barata por menos de 500 euros, por favor", "filter por menos de 500 euros => price=..500 EUR", "Zwerg"},
			{"¿dónde puedo encontrar una reparación?", "", "Mobil"},
			{"bicicletas sin motor", "excluded sin motor => motor", "Crate|Strand"},
			{"reparación 80 euros por hora o menos", "filter 80 euros por hora o menos => price=..80 EUR; filter por hora => priceUnit=hour", "Mobil"},
			{"bicicletas italianas", "preferred italianas => IT", "Crate|Strand|Zwerg"},
			{"servicios en Países Bajos", "filter servicios => kind=service; filter en Países Bajos => country=NL", "Mobil"},
		},
		"it": {
			{"biciclette sotto i 500 euro", "filter sotto i 500 euro => price=..500 EUR", "Zwerg"},
			{"bicicletta tra 1.000 e 2.000 euro", "filter tra 1.000 e 2.000 euro => price=1000..2000 EUR", "Strand"},
			{"biciclette oltre i 2000 euro", "filter oltre i 2000 euro => price=2000.. EUR", "Crate"},
			{"bicicletta da carico più leggera di 40 kg", "filter più leggera di 40 kg => attribute=Peso:..40 kg", "Crate"},
			{"bicicletta con almeno 8 marce", "filter almeno 8 marce => attribute=Marce:8..", "Strand"},
			{"biciclette francesi", "preferred francesi => FR", "Crate|Strand|Zwerg"},
			{"biciclette dalla Francia", "filter dalla Francia => country=FR", "Strand"},
			{"Cerco una bicicletta economica a meno di 500 euro, per favore", "filter a meno di 500 euro => price=..500 EUR", "Zwerg"},
			{"dove posso trovare una riparazione?", "", "Mobil"},
			{"biciclette senza motor", "excluded senza motor => motor", "Crate|Strand"},
			{"riparazione a meno di 80 all'ora", "filter a meno di 80 => price=..80 EUR; filter all'ora => priceUnit=hour", "Mobil"},
		},
		"nl": {
			{"fietsen onder de 500 euro", "filter onder de 500 euro => price=..500 EUR", "Zwerg"},
			{"fietsen tussen 1.000 en 2.000 euro", "filter tussen 1.000 en 2.000 euro => price=1000..2000 EUR", "Strand"},
			{"fietsen vanaf 1000", "", ""},
			{"fietsen tot 500", "filter tot 500 => price=..500 EUR", "Zwerg"},
			{"bakfiets lichter dan 40 kg", "filter lichter dan 40 kg => attribute=Gewicht:..40 kg", "Crate"},
			{"fietsen met minstens 8 versnellingen", "filter minstens 8 versnellingen => attribute=Versnellingen:8..", "Strand"},
			{"Franse fietsen", "preferred Franse => FR", "Crate|Strand|Zwerg"},
			{"fietsen uit Frankrijk", "filter uit Frankrijk => country=FR", "Strand"},
			{"Ik zoek goedkope fietsen voor minder dan 500 euro", "filter voor minder dan 500 euro => price=..500 EUR", "Zwerg"},
			{"waar kan ik een reparatie vinden?", "", "Mobil"},
			{"fietsen zonder motor", "excluded zonder motor => motor", "Crate|Strand"},
			{"reparatie voor minder dan 80 per uur", "filter voor minder dan 80 => price=..80 EUR; filter per uur => priceUnit=hour", "Mobil"},
			{"diensten in Nederland", "filter diensten => kind=service; filter in Nederland => country=NL", "Mobil"},
		},
	} {
		t.Run(language, func(t *testing.T) {
			x := openMemory(t, extract(bicyclettes(language)), nil)
			for _, one := range texts {
				r, names := asked(t, x, Query{Text: one.query})
				if got := asTold(patternsOf(r.Interpreted)); got != one.told && !(strings.HasPrefix(one.told, "similar") && strings.HasPrefix(got, one.told)) {
					t.Errorf("%q is told as %q, want %q", one.query, got, one.told)
				}
				if slices.Sort(names); one.finds != "" && strings.Join(names, "|") != one.finds {
					t.Errorf("%q finds %q, want %q, told as %q", one.query, names, one.finds, asTold(r.Interpreted))
				}
			}
		})
	}
}
