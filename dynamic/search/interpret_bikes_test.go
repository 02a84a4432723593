package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
)

// bikes is a market with one currency and several attributes in kilograms and millimetres.
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

func TestTwoWordCategoryIsFoundByOneWord(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, query := range []string{"ebike", "ebikes", "e-bike", "E bikes", "ebike wheels"} {
			r, names := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: query})
			if !slices.Equal(names, []string{"Tug"}) || !strings.Contains(asTold(r.Interpreted), "=> E-bikes") || strings.Contains(asTold(r.Interpreted), "corrected") {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestFormsOfCategoryWordsAreNotCorrected(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		catalog := bazaar("en", []string{"werk Berlin DE"}, map[string]string{"trailers": "Trailers"},
			offerOf{seller: "werk", name: "Barge", summary: "Behind", categories: []string{"trailers"}}, offerOf{seller: "werk", name: "Video", summary: "With a trainer"})
		if r, names := asked(t, openMemory(t, extract(catalog), nil), Query{Text: "trailer"}); !slices.Equal(names, []string{"Barge"}) {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

// saws has listings with few words.
func saws() *catalog.Catalog {
	engine := func(value string) []catalog.Attribute { return []catalog.Attribute{{Name: "Engine", Value: value}} }
	return bazaar("en", []string{"werk Leeds GB"}, map[string]string{"saws": "Chainsaws"},
		offerOf{seller: "werk", name: "Timber 35", summary: "Light", price: "190 GBP", categories: []string{"saws"}, attributes: engine("petrol")},
		offerOf{seller: "werk", name: "Timber 45", summary: "Heavy", price: "290 GBP", categories: []string{"saws"}, attributes: engine("petrol")},
		offerOf{seller: "werk", name: "Spark", summary: "Quiet", price: "150 GBP", categories: []string{"saws"}, attributes: append(engine("electric"), number("Weight", "3", "kg"))},
		offerOf{seller: "werk", name: "Kettle", summary: "Something else", price: "20 GBP"},
	)
}

func TestExclusionsMatchAttributeNamesAndValues(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, query := range []string{"chainsaws without petrol engine", "chainsaws that are not petrol", "chainsaw that isn't petrol", "chainsaws, not petrol", "chainsaws without petrol", "chainsaws -petrol", "chainsaw  -petrol quiet"} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: query})
			if !slices.Equal(names, []string{"Spark"}) {
				t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestPoundsAreMoneyIfPricesAreInPounds(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for query, want := range map[string]string{
			"chainsaws under 200 pounds": "filter under 200 pounds => price=..<200 GBP", "chainsaws up to 200 pounds sterling": "filter up to 200 pounds sterling => price=..200 GBP",
		} {
			r, names := asked(t, openMemory(t, extract(saws()), nil), Query{Text: query})
			if got := asTold(patternsOf(r.Interpreted)); got != want || len(names) != 2 {
				t.Errorf("%q finds %q, told as %q, want %q", query, names, got, want)
			}
		}
		if r, _ := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: "cargo under 80 pounds"}); asTold(patternsOf(r.Interpreted)) != "filter under 80 pounds => attribute=Weight:..<80 pounds" {
			t.Errorf("without such prices told as %q", asTold(r.Interpreted))
		}
	})
}

func TestEitherOfTwoCategoriesMatches(t *testing.T) {
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

func TestWordsOfListingsAreNotCorrected(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Can", summary: "Of copper"}, offerOf{seller: "werk", name: "Long", summary: "A lopper"})), nil)
		if r, names := asked(t, x, Query{Text: "copper"}); !slices.Equal(names, []string{"Can"}) || r.Interpreted != nil {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestMisspelledWordFindsACategory(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		if r, _ := asked(t, openMemory(t, extract(bikes("en")), nil), Query{Text: "trialers"}); asTold(r.Interpreted) != "corrected trialers => trailers; category trialers => Trailers" {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}

func TestServicesOfForeignSellersMatchTheirRegions(t *testing.T) {
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

func TestMadeBySelectsASeller(t *testing.T) {
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

// makers is a market in which the names of several sellers start alike and names of
// products end with abbreviations.
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

func TestSellersAreFoundByTheFirstWordsOfTheirNames(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(makers()), nil)
		for query, want := range map[string]string{
			"products by volt":     "filter products => kind=product; filter by volt => seller=a",
			"arms from Volt Works": "filter from Volt Works => seller=a",
			"products by kilo":     "filter products => kind=product; filter by kilo => seller=b; filter by kilo => seller=c",
			"arms made by hand":    "", // no seller has this name
			"products by ohm":      "", // too many sellers match
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

func TestListingIsFoundByTheAbbreviationAfterItsName(t *testing.T) {
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
		for _, query := range []string{"alternatives to LA", "alternatives to new"} { // two products have the former, and the latter is not an abbreviation
			if r, _ := asked(t, x, Query{Text: query}); strings.Contains(asTold(r.Interpreted), "similar") {
				t.Errorf("%q is told as %q", query, asTold(r.Interpreted))
			}
		}
	})
}

func TestCountryWithoutResultsIsDropped(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bikes("en")), nil)
		r, names := asked(t, x, Query{Text: "trailers from Germany"})
		if got := asTold(r.Interpreted); !slices.Equal(names, []string{"Barge"}) || got != "category trailers => Trailers; leftOut from Germany => country=DE" {
			t.Errorf("finds %q, told as %q", names, got)
		}
		// If nothing there matches every word, the closest matches there are found.
		if r, names := asked(t, x, Query{Text: "rubber trailers from Germany"}); !slices.Equal(names, []string{"Weg 40"}) {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestNamesWithAFullStopCanHaveAlternatives(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, map[string]string{"stores": "Databases"},
			offerOf{seller: "werk", name: "Crate.io", summary: "Quick", categories: []string{"stores"}}, offerOf{seller: "werk", name: "Open source box", summary: "Slow", categories: []string{"stores"}},
			offerOf{seller: "werk", name: "Plain", summary: "Of open source", categories: []string{"stores"}})), nil)
		if r, names := asked(t, x, Query{Text: "alternatives to Crate.io"}); len(names) != 2 {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
		// Part of a name may mean anything.
		if r, _ := asked(t, x, Query{Text: "Plain open source alternative"}); patternsOf(r.Interpreted) != nil {
			t.Errorf("told as %q", asTold(r.Interpreted))
		}
	})
}

func TestUnfinishedNameThatStartsLikeAPatternIsFound(t *testing.T) {
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

func TestMisspelledNameIsNotACategoryWithItsStem(t *testing.T) {
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

func TestExcludedNamesKeepTheirSigns(t *testing.T) {
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

func TestEitherOfTwoWordsMatches(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Leeds GB"}, nil,
			offerOf{seller: "werk", name: "Border spade"}, offerOf{seller: "werk", name: "Garden fork"}, offerOf{seller: "werk", name: "Digging fork", summary: "Like a spade"}, offerOf{seller: "werk", name: "Rake"})), nil)
		r, err := x.Search(t.Context(), Query{Text: "spade or fork", Limit: 10})
		if err != nil || r.Total != 3 || r.Listings[0].Name != "Digging fork" {
			t.Errorf("finds %+v, %v", r, err)
		}
	})
}

func TestLastPartOfACompoundMatchesInAllForms(t *testing.T) {
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
