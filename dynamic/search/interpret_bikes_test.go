package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
)

// bikes is a market of one currency, with several attributes in kilograms and millimetres.
func bikes(language string) *catalog.Catalog {
	return bazaar(language, []string{"north Aarhus DK", "dock Rotterdam NL", "werk Berlin DE"},
		map[string]string{"bikes": "Bicycles", "e-bikes": "E-bikes", "cargo": "Cargo bikes", "trailers": "Trailers", "tyres": "Tyres", "service/repair": "Repair"},
		offerOf{seller: "north", name: "Strand", summary: "Quiet", price: "1290 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{number("Weight", "14", "kg"), number("Gears", "8", "")}},
		offerOf{seller: "north", name: "Zwerg", summary: "For small riders", price: "149 EUR", categories: []string{"bikes"}, attributes: []catalog.Attribute{number("Weight", "3", "kg"), number("Age", "2", "years")}},
		offerOf{seller: "dock", name: "Crate", summary: "Long", price: "2890 EUR", categories: []string{"cargo"}, attributes: []catalog.Attribute{number("Weight", "34", "kg"), number("Payload", "100", "kg")}},
		offerOf{seller: "dock", name: "Tug", summary: "With three wheels", price: "5490 EUR", categories: []string{"cargo", "e-bikes"}, attributes: []catalog.Attribute{number("Weight", "52", "kg"), number("Payload", "180", "kg"), number("Battery", "1000", "Wh")}},
		offerOf{seller: "dock", name: "Barge", summary: "Behind", price: "390 EUR", categories: []string{"trailers"}, attributes: []catalog.Attribute{number("Payload", "60", "kg")}},
		offerOf{seller: "werk", name: "Weg 40", summary: "Of rubber", price: "48 EUR", categories: []string{"tyres"}, attributes: []catalog.Attribute{number("Width", "40", "mm"), number("Clearance", "47", "mm")}},
		offerOf{seller: "werk", name: "Mobile workshop", summary: "We come", price: "75 EUR per hour", categories: []string{"repair"}, delivery: "onsite"},
		offerOf{seller: "werk", name: "Unterricht", summary: "Wir lehren", price: "40 EUR per Sitzung", delivery: "onsite"},
	)
}

func TestAmountsAreOfWhatTheyMayBe(t *testing.T) { eachEngine(t, testAmountsAreOfWhatTheyMayBe) }

func testAmountsAreOfWhatTheyMayBe(t *testing.T) {
	for _, one := range []struct{ language, query, told, finds string }{
		{"en", "bicycles under 500", "filter under 500 => price=..500 EUR", "Zwerg"},
		{"en", "bicycles under 2k", "filter under 2k => price=..2000 EUR", "Strand|Zwerg"},
		{"en", "bicycles for 500 or less", "filter for 500 or less => price=..500 EUR", "Zwerg"},
		{"en", "bicycles between 500 and 2000", "filter between 500 and 2000 => price=500..2000 EUR", "Strand"},
		{"en", "bicycles under 500 in Aarhus", "filter under 500 => price=..500 EUR; preferred in Aarhus => Aarhus", "Zwerg"},
		{"en", "repair for less than 80 per hour", "filter for less than 80 => price=..80 EUR; filter per hour => priceUnit=hour", "Mobile workshop"},
		{"en", "repair under 80 EUR an hour", "filter under 80 EUR => price=..80 EUR; filter an hour => priceUnit=hour", "Mobile workshop"},
		{"en", "repair max 80/h", "filter max 80 => price=..80 EUR; filter h => priceUnit=hour", "Mobile workshop"},
		{"en", "repair 80 EUR/hour or less", "filter 80 EUR/hour or less => price=..80 EUR; filter hour => priceUnit=hour", "Mobile workshop"},
		{"en", "repair with an hourly rate below 80", "filter hourly => priceUnit=hour; filter rate below 80 => price=..80 EUR", "Mobile workshop"},
		{"en", "repair under 10 per hour", "filter per hour => priceUnit=hour", "Mobile workshop"}, // which is not had for it
		{"en", "repair per hour", "preferred per hour => hour", "Mobile workshop"},
		{"en", "repair under 80 per week", "filter under 80 => price=..80 EUR", ""}, // nothing is
		{"de", "Repair unter 80 Euro pro Stunde", "filter unter 80 Euro => price=..80 EUR; filter pro Stunde => priceUnit=hour", "Mobile workshop"},
		{"de", "Unterricht unter 50 pro Sitzung", "filter unter 50 => price=..50 EUR; filter pro Sitzung => priceUnit=Sitzung", "Unterricht"},
		{"en", "service in Germany", "filter service => kind=service; filter in Germany => country=DE", "Mobile workshop|Unterricht"},
		{"en", "is there any service in Germany?", "filter service => kind=service; filter in Germany => country=DE", "Mobile workshop|Unterricht"},
		{"de", "Dienstleistung in Deutschland", "filter Dienstleistung => kind=service; filter in Deutschland => country=DE", "Mobile workshop|Unterricht"},
		{"en", "services in Germany", "filter services => kind=service; filter in Germany => country=DE", "Mobile workshop|Unterricht"},
		{"en", "German products", "filter German => country=DE; filter products => kind=product", "Weg 40"},
		{"en", "products under 100", "filter products => kind=product; filter under 100 => price=..100 EUR", "Weg 40"},
		{"en", "products and services in Germany", "filter in Germany => country=DE", "Mobile workshop|Unterricht|Weg 40"},
		{"de", "Bicycles bis 500", "filter bis 500 => price=..500 EUR", "Zwerg"},
		{"en", "bicycles over 500", "", ""},                // may be an age
		{"en", "bicycles for kids under 5", "", ""},        // is one
		{"en", "bicycles under 500 lumens", "", ""},        // of what nobody tells
		{"en", "bicycles between 500 mm and 2000", "", ""}, //

		{"en", "cargo under 40 kg", "filter under 40 kg => attribute=Weight:..40 kg", "Crate"},
		{"en", "cargo heavier than 40 kg", "filter heavier than 40 kg => attribute=Weight:40.. kg", "Tug"},
		{"en", "cargo payload over 150 kg", "filter payload over 150 kg => attribute=Payload:150.. kg", "Tug"},
		{"en", "tyres wider than 35 mm", "filter wider than 35 mm => attribute=Width:35.. mm", "Weg 40"},
		{"en", "tyres over 35 mm", "", ""}, // of one of two
		{"en", "tyres at least 35 mm wide", "filter at least 35 mm wide => attribute=Width:35.. mm", "Weg 40"},
		{"en", "cargo over 40 kg heavy", "filter over 40 kg heavy => attribute=Weight:40.. kg", "Tug"},
		{"en", "cargo over 10 kg cheaper than 3000 EUR", "filter over 10 kg => attribute=Weight:10.. kg; filter cheaper than 3000 EUR => price=..3000 EUR", "Crate"},
		{"de", "Tyres mindestens 35 mm breit", "filter mindestens 35 mm breit => attribute=Width:35.. mm", "Weg 40"},
		{"de", "Tyres breiter als 35 mm", "filter breiter als 35 mm => attribute=Width:35.. mm", "Weg 40"},

		{"en", "tyres width over 1\"", "filter width over 1\" => attribute=Width:1.. \"", "Weg 40"},
		{"en", "cargo over 10 kg and under 3000 EUR", "filter over 10 kg => attribute=Weight:10.. kg; filter under 3000 EUR => price=..3000 EUR", "Crate"},
		{"en", "cargo under 3000 EUR over 10 kg", "filter under 3000 EUR => price=..3000 EUR; filter over 10 kg => attribute=Weight:10.. kg", "Crate"},
		{"en", "8 gears or more", "filter 8 gears or more => attribute=Gears:8..", "Strand"},
		{"en", "bicycles with gears 8 or more", "filter gears 8 or more => attribute=Gears:8..", "Strand"},
		{"en", "cargo payload 150 kg or more", "filter payload 150 kg or more => attribute=Payload:150.. kg", "Tug"},
		{"en", "cargo 150 kg or more payload", "filter 150 kg or more payload => attribute=Payload:150.. kg", "Tug"},
		{"en", "cargo 150 kg payload or more", "filter 150 kg payload or more => attribute=Payload:150.. kg", "Tug"},
		{"en", "cargo max weight 40 kg", "filter max weight 40 kg => attribute=Weight:..40 kg", "Crate"},
		{"en", "cargo with a minimum payload of 150kg", "filter minimum payload of 150kg => attribute=Payload:150.. kg", "Tug"},
		{"en", "bicycles with at least gears 8", "filter at least gears 8 => attribute=Gears:8..", "Strand"},
		{"en", "cargo max colour 40", "", ""},
		{"de", "Cargo ab Payload 150 kg", "filter ab Payload 150 kg => attribute=Payload:150.. kg", "Tug"},
		{"de", "Bicycles zwischen 500 und 2.000", "filter zwischen 500 und 2.000 => price=500..2000 EUR", "Strand"},
		{"de", "Bicycles unter 1.000", "filter unter 1.000 => price=..1000 EUR", "Zwerg"},
		{"en", "cargo 40 kg or less", "filter 40 kg or less => attribute=Weight:..40 kg", "Crate"},
		{"de", "Cargo Payload 150 kg oder mehr", "filter Payload 150 kg oder mehr => attribute=Payload:150.. kg", "Tug"},
	} {
		x := openMemory(t, extract(bikes(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(patternsOf(r.Interpreted)); got != one.told {
			t.Errorf("%s %q is told as %q, want %q", one.language, one.query, got, one.told)
		}
		if slices.Sort(names); one.finds != "" && strings.Join(names, "|") != one.finds {
			t.Errorf("%s %q finds %q, want %q", one.language, one.query, names, one.finds)
		}
	}
}

func TestWhatIsQuieterOrStrongerIsBounded(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, told, finds string }{
			{"en", "pump quieter than 40 dB", "filter quieter than 40 dB => attribute=Noise:..40 dB", "Low"},
			{"en", "pump louder than 40 dB", "filter louder than 40 dB => attribute=Noise:40.. dB", "Loud"},
			{"en", "pump more powerful than 500 W", "filter more powerful than 500 W => attribute=Power:500.. W", "Loud"},
			{"de", "pump leiser als 40 dB", "filter leiser als 40 dB => attribute=Noise:..40 dB", "Low"},
			{"de", "pump stärker als 0,5 kW", "filter stärker als 0,5 kW => attribute=Power:0.5.. kW", "Loud"},
			{"fr", "pump plus silencieuse que 40 dB", "filter plus silencieuse que 40 dB => attribute=Noise:..40 dB", "Low"},
			{"es", "pump más potente que 500 W", "filter más potente que 500 W => attribute=Power:500.. W", "Loud"},
			{"it", "pump più silenziosa di 40 dB", "filter più silenziosa di 40 dB => attribute=Noise:..40 dB", "Low"},
			{"nl", "pump stiller dan 40 dB", "filter stiller dan 40 dB => attribute=Noise:..40 dB", "Low"},
		} {
			x := openMemory(t, extract(bazaar(one.language, []string{"werk Berlin DE"}, nil,
				offerOf{seller: "werk", name: "Low", summary: "A pump", attributes: []catalog.Attribute{number("Noise", "32", "dB"), number("Power", "60", "W")}},
				offerOf{seller: "werk", name: "Loud", summary: "A pump", attributes: []catalog.Attribute{number("Noise", "61", "dB"), number("Power", "2", "kW")}},
			)), nil)
			if r, names := asked(t, x, Query{Text: one.query}); asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%s %q finds %q, told as %q", one.language, one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestWhatIsStrongerIsNotBoundedByItsWeight(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, told, finds string }{
			{"en", "winch stronger than 500 kg", "filter stronger than 500 kg => attribute=Capacity:500.. kg", "Large"},
			{"en", "winch heavier than 20 kg", "filter heavier than 20 kg => attribute=Weight:20.. kg", "Large"},
			{"en", "winch stronger than 5 N", "", "Large|Small"},
			{"de", "winch stärker als 20 kg", "", "Large|Small"},
			{"fr", "winch plus puissant que 20 kg", "", "Large|Small"},
		} {
			capacity := "Capacity"
			if one.language != "en" {
				capacity = "What it pulls"
			}
			x := openMemory(t, extract(bazaar(one.language, []string{"werk Berlin DE"}, nil,
				offerOf{seller: "werk", name: "Small", summary: "A winch", attributes: []catalog.Attribute{number(capacity, "300", "kg"), number("Weight", "12", "kg")}},
				offerOf{seller: "werk", name: "Large", summary: "A winch", attributes: []catalog.Attribute{number(capacity, "900", "kg"), number("Weight", "30", "kg")}},
			)), nil)
			if r, names := asked(t, x, Query{Text: one.query}); asTold(patternsOf(r.Interpreted)) != one.told || strings.Join(names, "|") != one.finds {
				t.Errorf("%s %q finds %q, told as %q", one.language, one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestACategoryOfTwoWordsIsNamedByOne(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, query := range []string{"ebike", "ebikes", "e-bike", "E bikes", "ebike wheels"} {
			r, names := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: query})
			if !slices.Equal(names, []string{"Tug"}) || !strings.Contains(asTold(r.Interpreted), "=> E-bikes") || strings.Contains(asTold(r.Interpreted), "corrected") {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestAFormOfACategorysWordIsNotMisspelt(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		catalog := bazaar("en", []string{"werk Berlin DE"}, map[string]string{"trailers": "Trailers"},
			offerOf{seller: "werk", name: "Barge", summary: "Behind", categories: []string{"trailers"}}, offerOf{seller: "werk", name: "Video", summary: "With a trainer"})
		if r, names := asked(t, openMemory(t, extract(catalog), nil), Query{Text: "trailer"}); !slices.Equal(names, []string{"Barge"}) {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestWhoSpeaksALanguageComesFirst(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, told, first string }{
			{"en", "English-speaking repair", "preferred English-speaking => en", "Same day"},
			{"en", "repair by people who speak German", "preferred speak German => de-CH", "Mobile workshop"},
			{"en", "repair in a shop that speaks German or Dutch", "preferred speaks German or Dutch => de-CH,nl", "Mobile workshop"},
			{"de", "deutschsprachige Repair", "preferred deutschsprachige => de-CH", "Mobile workshop"},
			{"de", "Repair von Leuten, die Englisch sprechen", "preferred Englisch sprechen => en", "Same day"},
			{"en", "French-speaking repair", "", ""}, // nobody does
			{"en", "public speaking", "", ""},
			{"en", "not English-speaking repair", "", ""},
			{"en", "repair in German", "preferred German => de-CH", "Mobile workshop"},
			{"en", "repair in English please", "preferred English => en", "Same day"},
			{"en", "repair in German or Dutch for children", "preferred German or Dutch => de-CH,nl", "Mobile workshop"},
			{"en", "repair in French", "", ""},
			{"en", "repair in German workshops", "preferred German => DE", ""},
			{"de", "Repair auf Englisch", "preferred Englisch => en", "Same day"},
			{"nl", "repair in het Duits", "preferred Duits => de-CH", "Mobile workshop"},
		} {
			c := bikes(one.language)
			for slug, spoken := range map[string][]string{"werk": {"de-CH"}, "north": {"en"}, "dock": {"nl"}} {
				seller := *c.Node(catalog.SellerRef(slug)).Item().(*catalog.Seller)
				seller.Languages = spoken
				c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&seller}})
			}
			c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Offer{
				Head:     catalog.Head{Ref: catalog.Ref{Kind: catalog.KindService, Company: "north", Slug: "same-day"}, Name: "Same day", Summary: "We come and mend"},
				Delivery: "onsite", Categories: []catalog.Mention{{Ref: catalog.CategoryRef(catalog.KindService, "repair")}},
			}}})
			r, names := asked(t, openMemory(t, extract(c), nil), Query{Text: one.query})
			if got := asTold(patternsOf(r.Interpreted)); got != one.told {
				t.Errorf("%s %q is told as %q, want %q", one.language, one.query, got, one.told)
			}
			if one.first != "" && (len(names) == 0 || names[0] != one.first) {
				t.Errorf("%s %q finds %q, want %q first", one.language, one.query, names, one.first)
			}
		}
	})
}

// saws has listings that few words stand for.
func saws() *catalog.Catalog {
	engine := func(value string) []catalog.Attribute { return []catalog.Attribute{{Name: "Engine", Value: value}} }
	return bazaar("en", []string{"werk Leeds GB"}, map[string]string{"saws": "Chainsaws"},
		offerOf{seller: "werk", name: "Timber 35", summary: "Light", price: "190 GBP", categories: []string{"saws"}, attributes: engine("petrol")},
		offerOf{seller: "werk", name: "Timber 45", summary: "Heavy", price: "290 GBP", categories: []string{"saws"}, attributes: engine("petrol")},
		offerOf{seller: "werk", name: "Spark", summary: "Quiet", price: "150 GBP", categories: []string{"saws"}, attributes: append(engine("electric"), number("Weight", "3", "kg"))},
		offerOf{seller: "werk", name: "Kettle", summary: "Something else", price: "20 GBP"},
	)
}

func TestFewWordsStandForAListing(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, query := range []string{"alternatives to Timber 35", "like Timber 35", "Timber 35 alternatives"} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: query})
			if slices.Sort(names); !slices.Equal(names, []string{"Spark", "Timber 45"}) {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestWhatAnAttributeSaysInItsNameAndItsValueIsExcluded(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, query := range []string{"chainsaws without petrol engine", "chainsaws that are not petrol", "chainsaw that isn't petrol", "chainsaws, not petrol", "chainsaws without petrol", "chainsaws -petrol", "chainsaw  -petrol quiet"} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: query})
			if !slices.Equal(names, []string{"Spark"}) {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestPoundsAreMoneyWherePricesAreInThem(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for query, want := range map[string]string{
			"chainsaws under 200 pounds": "filter under 200 pounds => price=..200 GBP", "chainsaws up to 200 pounds sterling": "filter up to 200 pounds sterling => price=..200 GBP",
		} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: query})
			if got := asTold(patternsOf(r.Interpreted)); got != want || len(names) != 2 {
				t.Errorf("%q finds %q, told as %q, want %q", query, names, got, want)
			}
		}
		if r, _ := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: "cargo under 80 pounds"}); asTold(patternsOf(r.Interpreted)) != "filter under 80 pounds => attribute=Weight:..80 pounds" {
			t.Errorf("without such prices told as %q", asTold(r.Interpreted))
		}
	})
}

func TestEitherOfTwoCategoriesIsFound(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for query, want := range map[string]string{
			"trailers or cargo bikes": "Barge|Crate|Tug", "cargo bikes or trailers": "Barge|Crate|Tug", "trailers or cargo bikes under 3000": "Barge|Crate",
			"trailers or tyres": "Barge|Weg 40",
		} {
			r, names := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: query})
			if slices.Sort(names); strings.Join(names, "|") != want {
				t.Errorf("%q finds %q, want %q, told as %q", query, names, want, asTold(r.Interpreted))
			}
		}
	})
}

func TestAWordThatAListingHasIsNotMisspelt(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Can", summary: "Of copper"}, offerOf{seller: "werk", name: "Long", summary: "A lopper"})), nil)
		if r, names := asked(t, x, Query{Text: "copper"}); !slices.Equal(names, []string{"Can"}) || r.Interpreted != nil {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestAMisspeltWordNamesACategory(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		if r, _ := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: "trialers"}); asTold(r.Interpreted) != "corrected trialers => trailers; category trialers => Trailers" {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}

func TestAServiceFromElsewhereIsFoundWhereNobodyIs(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE", "north Oslo NO"}, nil,
			offerOf{seller: "werk", name: "Mending", summary: "Of things", delivery: "onsite", regions: []string{"NO"}},
			offerOf{seller: "north", name: "Other", summary: "Else", delivery: "onsite"})), nil)
		r, names := asked(t, x, Query{Text: "mending in Norway"})
		if got := asTold(r.Interpreted); !slices.Equal(names, []string{"Mending"}) || got != "preferred in Norway => NO" {
			t.Errorf("finds %q, told as %q", names, got)
		}
	})
}

func TestASellerIsNamedByWhoseThingsAreWanted(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for query, want := range map[string]string{
			"products by The dock company":         "filter products => kind=product; filter by The dock company => seller=dock",
			"cargo bikes made by The dock company": "filter made by The dock company => seller=dock",
			"cargo from the dock company":          "filter from the dock company => seller=dock",
			"cargo in The dock company":            "",
			"cargo by nobody":                      "",
			"cargo not from The north company":     "excluded not from The north company => the,north,company",
		} {
			r, _ := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: query})
			if got := asTold(patternsOf(r.Interpreted)); got != want && !strings.HasPrefix(query, "cargo not") {
				t.Errorf("%q is told as %q, want %q", query, got, want)
			}
		}
	})
}

// makers is a market in which names of sellers begin alike, and names of things end with
// abbreviations.
func makers() *catalog.Catalog {
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "en"}, Now: sampleNow(),
		Put: []catalog.Item{&catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "arms"), Name: "Arms"}}},
	}
	for slug, name := range map[string]string{"a": "Volt Works", "b": "Kilo North", "c": "Kilo South", "d": "Hand Made", "e": "Ohm East", "f": "Ohm South", "g": "Ohm West", "h": "Ohm North", "i": "The Last"} {
		change.Put = append(change.Put, &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: name}, ID: slug, OfficialDomain: slug + ".example"})
		for i, name := range map[string][]string{"a": {"Rigid Frame Arm (RFA)", "Crane (new)"}, "b": {"Bent Arm (BA)", "Short arm (LA)"}, "c": {"Long arm (LA)"}}[slug] {
			change.Put = append(change.Put, &catalog.Offer{
				Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: slug, Slug: fmt.Sprint("o", i)}, Name: name},
				Categories: []catalog.Mention{{Ref: catalog.CategoryRef(catalog.KindProduct, "arms")}},
			})
		}
		if slug > "c" {
			change.Put = append(change.Put, &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: slug, Slug: "thing"}, Name: "Thing of " + slug}})
		}
	}
	c := catalog.New()
	c.Apply(change)
	return c
}

func TestSellersAreMeantByTheFirstWordsOfTheirNames(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(makers()), nil)
		for query, want := range map[string]string{
			"products by volt":     "filter products => kind=product; filter by volt => seller=a",
			"arms from Volt Works": "filter from Volt Works => seller=a",
			"products by kilo":     "filter products => kind=product; filter by kilo => seller=b; filter by kilo => seller=c",
			"arms made by hand":    "", // not by the seller of that name
			"products by ohm":      "", // there are too many
			"products by the":      "",
			"products by works":    "",
		} {
			r, _ := asked(t, x, Query{Text: query})
			if got := asTold(slices.DeleteFunc(patternsOf(r.Interpreted), func(i Interpretation) bool { return i.As == document.AsLeftOut })); got != want {
				t.Errorf("%q is told as %q, want %q", query, got, want)
			}
		}
	})
}

func TestAThingIsNamedByTheAbbreviationBehindItsName(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(makers()), nil)
		for query, want := range map[string]string{
			"alternatives to RFA": "Bent Arm (BA)|Crane (new)|Long arm (LA)|Short arm (LA)",
			"compare rfa and ba":  "Bent Arm (BA)|Rigid Frame Arm (RFA)",
		} {
			_, names := asked(t, x, Query{Text: query})
			slices.Sort(names)
			if got := strings.Join(names, "|"); got != want {
				t.Errorf("%q finds %s, want %s", query, got, want)
			}
		}
		for _, query := range []string{"alternatives to LA", "alternatives to new"} { // two have it; it is no abbreviation
			if r, _ := asked(t, x, Query{Text: query}); strings.Contains(asTold(r.Interpreted), "similar") {
				t.Errorf("%q is told as %q", query, asTold(r.Interpreted))
			}
		}
	})
}

func TestACountryThatNobodyAskedForIsInIsLeftOut(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bikes("en")), nil)
		r, names := asked(t, x, Query{Text: "trailers from Germany"})
		if got := asTold(r.Interpreted); !slices.Equal(names, []string{"Barge"}) || got != "category trailers => Trailers; leftOut from Germany => country=DE" {
			t.Errorf("finds %q, told as %q", names, got)
		}
		// What is nearest there is found where nothing there has every word.
		if r, names := asked(t, x, Query{Text: "rubber trailers from Germany"}); !slices.Equal(names, []string{"Weg 40"}) {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestNamesWithAFullStopHaveAlternatives(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"stores": "Databases"},
			offerOf{seller: "werk", name: "Crate.io", summary: "Quick", categories: []string{"stores"}}, offerOf{seller: "werk", name: "Open source box", summary: "Slow", categories: []string{"stores"}},
			offerOf{seller: "werk", name: "Plain", summary: "Of open source", categories: []string{"stores"}})), nil)
		if r, names := asked(t, x, Query{Text: "alternatives to Crate.io"}); len(names) != 2 {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
		// A part of a name says too little of what is behind it.
		if r, _ := asked(t, x, Query{Text: "Plain open source alternative"}); patternsOf(r.Interpreted) != nil {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}

func TestANameThatBeginsLikeAPatternIsFoundBeforeItIsWhole(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"help": "Training"},
			offerOf{seller: "werk", name: "Like Minds Advice training courses", summary: "Quick", categories: []string{"help"}},
			offerOf{seller: "werk", name: "Harbour training courses", summary: "Slow", categories: []string{"help"}})), nil)
		for _, query := range []string{"Like Minds Advice training", "like minds advice trainign courses", "Like Minds Advice training course"} {
			if r, names := asked(t, x, Query{Text: query}); len(names) == 0 || names[0] != "Like Minds Advice training courses" {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestAMisspeltNameIsNoCategoryThatSharesItsStem(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"traces": "Tracing", "guards": "Guards"},
			offerOf{seller: "werk", name: "Tracee", summary: "Guards what runs", categories: []string{"guards"}},
			offerOf{seller: "werk", name: "Footprint", summary: "Quick", categories: []string{"traces"}},
			offerOf{seller: "werk", name: "Trail", summary: "Slow", categories: []string{"traces"}})), nil)
		for query, want := range map[string]string{
			"tracxee": "corrected tracxee => tracee", "trcaing": "corrected trcaing => tracing; category trcaing => Tracing",
		} {
			r, names := asked(t, x, Query{Text: query})
			if got := asTold(r.Interpreted); got != want || query == "tracxee" && names[0] != "Tracee" {
				t.Errorf("%q finds %q, told as %q, want %q", query, names, got, want)
			}
		}
	})
}

func TestSignsOfANameAreOfWhatIsLeftOut(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		var offers []offerOf
		for _, one := range []string{"C", "C++", "C#", "F#", ".NET", "Go"} {
			offers = append(offers, offerOf{seller: "werk", name: "Kit " + one, summary: "Quick", categories: []string{"kits"}})
		}
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"kits": "Kits"}, offers...)), nil)
		for query, want := range map[string]string{
			"kit without C++":       "excluded without C++ => c++: .NET|C|C#|F#|Go",
			"kit without C":         "excluded without C => c: .NET|C#|C++|F#|Go",
			"kit not c#":            "excluded not c# => c#: .NET|C|C++|F#|Go",
			"kits -C++":             "excluded C++ => c++: .NET|C|C#|F#|Go",
			"kits -F#":              "excluded F# => f#: .NET|C|C#|C++|Go",
			"kit non-C++":           "excluded non-C++ => c++: .NET|C|C#|F#|Go",
			"kit without .NET":      "excluded without .NET => net: C|C#|C++|F#|Go",
			"kit without Go or C++": "excluded without Go => go; excluded or C++ => c++: .NET|C|C#|F#",
			"kit. Without Go":       "excluded Without Go => go: .NET|C|C#|C++|F#",
		} {
			r, names := asked(t, x, Query{Text: query})
			slices.Sort(names)
			if got := asTold(patternsOf(r.Interpreted)) + ": " + strings.ReplaceAll(strings.Join(names, "|"), "Kit ", ""); got != want {
				t.Errorf("%q is %s, want %s", query, got, want)
			}
		}
	})
}

func TestEitherOfTwoWordsIsFound(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Border spade"}, offerOf{seller: "werk", name: "Garden fork"}, offerOf{seller: "werk", name: "Digging fork", summary: "Like a spade"}, offerOf{seller: "werk", name: "Rake"})), nil)
		r, err := x.Search(t.Context(), Query{Text: "spade or fork", Limit: 10})
		if err != nil || r.Total != 3 || r.Listings[0].Name != "Digging fork" {
			t.Errorf("finds %+v, %v", r, err)
		}
	})
}

func TestTheLastPartOfACompoundIsComparedByItsOwnForms(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("de", []string{"werk Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Heckenschere"}, offerOf{seller: "werk", name: "Mäherwartung"}, offerOf{seller: "werk", name: "Gartenplanung"})), nil)
		for query, want := range map[string]string{"Schere": "Heckenschere", "Scheren": "Heckenschere", "Wartung": "Mäherwartung", "Planung": "Gartenplanung"} {
			if r, names := asked(t, x, Query{Text: query}); !slices.Equal(names, []string{want}) {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestABoundMayBeWhatAListingHas(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ query, told, finds string }{
			{"cheaper than Timber 45", "filter cheaper than Timber 45 => price=..290 GBP", "Spark|Timber 35"},
			{"chainsaws cheaper than Timber 35", "filter cheaper than Timber 35 => price=..190 GBP", "Spark"},
			{"chainsaws more expensive than Spark", "filter more expensive than Spark => price=150.. GBP", "Timber 35|Timber 45"},
			{"like Timber 45 but cheaper", "similar like Timber 45 => Timber 45; filter cheaper => price=..290 GBP", "Spark|Timber 35"},
			{"alternatives to Timber 45 but cheaper", "similar alternatives to Timber 45 => Timber 45; filter cheaper => price=..290 GBP", "Spark|Timber 35"},
			{"chainsaw lighter than Spark", "filter lighter than Spark => attribute=Weight:..3 kg", ""}, // nothing else has a weight
			{"chainsaw lighter than Timber 45", "", ""},
			{"chainsaw cheaper than nothing", "", ""},
		} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: one.query})
			if got := asTold(patternsOf(r.Interpreted)); got != one.told && one.finds != "" {
				t.Errorf("%q is told as %q, want %q", one.query, got, one.told)
			}
			if slices.Sort(names); one.finds != "" && strings.Join(names, "|") != one.finds {
				t.Errorf("%q finds %q, want %q", one.query, names, one.finds)
			}
		}
	})
}
