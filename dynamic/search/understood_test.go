package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/match"
	"souk/dynamic/search/suggest"
)

// understood returns how a query is interpreted.
func understood(t *testing.T, x *Index, query string) (leftOut, corrected, categories []string) {
	t.Helper()
	r := match.Parse(query, x.Language)
	_, told, err := x.find(t.Context(), r, nil, x.visibleNow())
	if err != nil {
		t.Fatal(err)
	}
	part := func(from, to int) string { return query[r.Words[from].From:r.Words[to-1].To] }
	for _, i := range told.LeftOut {
		leftOut = append(leftOut, part(i, i+1))
	}
	for _, c := range told.Corrected {
		corrected = append(corrected, fmt.Sprint(part(c.Word, c.Word+1), c.To))
	}
	for _, c := range told.Categories {
		categories = append(categories, part(c.FromWord, c.ToWord)+"="+x.Corpus.Categories[c.Category].Link.Slug)
	}
	return leftOut, corrected, categories
}

func TestAnswerReportsInterpretations(t *testing.T) {
	x := openMemory(t, extract(market("en", "Robot arm: For Ä-plants", "Robot: Welds", "Gripper: Holds", "The Arm: Of law")), nil)
	for query, want := range map[string][2]string{
		"the robot arm":    {"the", ""},
		"The Arm":          {"", ""}, // the whole text is a name
		"Rob\u00f6t weldz": {"", "weldz[welds]"},
		"robto":            {"", "robto[robot]"},
		"robotarm":         {"", ""}, // joined words are indexed
		"gripperrobot":     {"", ""}, // no listing has both
		"armrobot":         {"", "armrobot[arm robot]"},
		// Unknown words are ignored if the rest has results.
		"robot xyzzyqq":                        {"xyzzyqq", ""},
		"xyzzyqq the robot":                    {"xyzzyqq,the", ""},
		"xyzzyqq":                              {"", ""},
		"xyzzyqq qqxyzzy":                      {"", ""},
		"robot law":                            {"", ""}, // each word occurs
		"xyzzyqq robot arm which welds plants": {"xyzzyqq,which", ""},
	} {
		leftOut, corrected, _ := understood(t, x, query)
		if got := [2]string{strings.Join(leftOut, ","), strings.Join(corrected, ",")}; got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestStopWordsAreNeverCorrected(t *testing.T) {
	eachEngine(t, testAWordWithoutMeaningIsNeverCorrected)
}

func testAWordWithoutMeaningIsNeverCorrected(t *testing.T) {
	x := openMemory(t, extract(market("en", "The Hat", "Chat: With them", "White seed: Whole", "Theme", "One lamp")), nil)
	for query, want := range map[string][]string{
		"what": {}, "while": {}, "need": {}, "what while": {}, "their": {},
		"them":      {"Theme"}, // prefix
		"the":       {"The Hat", "Theme"},
		"ohne lamp": {"One lamp"}, // a word in another language, not a misspelt "one"
		"wite":      {"White seed"}, "seeed": {"White seed"},
	} {
		r, got := asked(t, x, Query{Text: query})
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
		if corrected := strings.Contains(asTold(r.Interpreted), "corrected"); corrected != (query == "wite" || query == "seeed") {
			t.Errorf("%q is told as %q", query, asTold(r.Interpreted))
		}
	}
}

// A query for an attribute finds the listings that have it, not those that say they lack
// it.
func TestAttributeWithValueNoIsNotFoundByName(t *testing.T) {
	eachEngine(t, testAnAttributeThatSaysNo)
}

func testAnAttributeThatSaysNo(t *testing.T) {
	has := func(value string) []catalog.Attribute {
		return []catalog.Attribute{{Name: "WLAN", Kind: catalog.BooleanValue, Value: value}}
	}
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"printers": "Printers"},
		offerOf{seller: "acme", name: "Printer one", categories: []string{"printers"}, attributes: has("false")},
		offerOf{seller: "acme", name: "Printer two", categories: []string{"printers"}, attributes: has("true")},
	)), nil)
	for query, want := range map[string][]string{"printer with WLAN": {"Printer two"}, "WLAN": {"Printer two"}, "printer without WLAN": {"Printer one"}} {
		if _, got := asked(t, x, Query{Text: query}); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestAnswerReportsUnmatchedWords(t *testing.T) {
	x := openMemory(t, extract(market("en", "Robot arm: Welds", "Robot: Welds")), nil)
	r, _ := asked(t, x, Query{Text: "robot, xyzzyqq"})
	if want := []Interpretation{{Text: "xyzzyqq", Start: 7, End: 14, As: document.AsLeftOut}}; r.Total != 2 || !reflect.DeepEqual(r.Interpreted, want) {
		t.Errorf("%d are found, and %+v is told, want %+v", r.Total, r.Interpreted, want)
	}
}

func TestNothingIsCorrectedToWordsOfHiddenListings(t *testing.T) {
	c := market("en", "Gripper: Holds", "Other: Gripped holders hold")
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{
		&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("gone"), Name: "Gone"}, ID: "gone", OfficialDomain: "gone.example"},
		&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "gone", Slug: "p"}, Name: "Grippen holds", Summary: "gripper gripper holdfast hold fast holdfasts"}},
	}})
	x := openMemory(t, extract(c), nil)
	if _, corrected, _ := understood(t, x, "holdfazt"); !slices.Equal(corrected, []string{"holdfazt[holdfast]"}) {
		t.Errorf("before the removal: %q", corrected)
	}
	x.removals = &catalog.Register{}
	remove(x.removals, "gone")
	if leftOut, _, _ := understood(t, x, "gripped fast"); !slices.Equal(leftOut, []string{"fast"}) {
		t.Errorf("left out is %q, not what only a withheld listing has", leftOut)
	}
	for query, want := range map[string]string{"grippeb": "grippeb[gripped gripper]", "holdfazt": "", "holdfas": "", "grippen": "grippen[gripped gripper]"} {
		_, corrected, _ := understood(t, x, query)
		if got := strings.Join(corrected, ","); got != want {
			t.Errorf("%q is corrected to %q, want %q", query, got, want)
		}
	}
}

func TestQueryWordsHavePositions(t *testing.T) {
	for query, want := range map[string][]string{
		"  The ROBOT, arm": {"The", "ROBOT", "arm"},
		"Mu\u0308sli ﬁx":   {"Mu\u0308sli", "ﬁx"},
		"größe's C++ 2,5m": {"größe", "C++", "2,5m"},
		"工具箱 a":            {"工具", "具箱", "a"},
	} {
		var got []string
		for _, w := range match.Parse(query, text.NewLanguage(nil, nil)).Words {
			got = append(got, query[w.From:w.To])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestRemovedSellerInfluencesNoCorrection compares with a marketplace in which the withheld
// seller never existed.
func TestRemovedSellerInfluencesNoCorrection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawnMarket(t)
		open := func(c *catalog.Catalog) *Index {
			x, err := Open(t.Context(), index.Extract(c, document.NewRenderer(c, "")), Options{State: index.State{Release: "r"}})
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		x := open(c)
		defer x.Close()
		x.removals = &catalog.Register{}
		remove(x.removals, "s0")
		change := catalog.Change{Now: sampleNow()}
		for _, n := range c.Nodes() {
			if r := n.Ref(); r.Company == "s0" || r == catalog.SellerRef("s0") {
				change.Delete = append(change.Delete, r)
			}
		}
		c.Apply(change)
		without := open(c)
		defer without.Close()
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"robto", "cabel", "usbcable", "balancr", "loadbalancer", "daash", "armrobot", "arm", "grunn", "the", "2.5"}), 1, 5).Draw(t, "query"), " ")
		_, withheld, err := x.find(t.Context(), match.Parse(query, x.Language), nil, x.visibleNow())
		if err != nil {
			t.Fatal(err)
		}
		_, gone, err := without.find(t.Context(), match.Parse(query, without.Language), nil, without.visibleNow())
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(withheld.LeftOut) != fmt.Sprint(gone.LeftOut) {
			t.Fatalf("of %q %v are left out, without the seller %v", query, withheld.LeftOut, gone.LeftOut)
		}
		if fmt.Sprint(withheld.Corrected) != fmt.Sprint(gone.Corrected) {
			t.Fatalf("%q is corrected to %v, without the seller to %v", query, withheld.Corrected, gone.Corrected)
		}
	})
}

func TestPartOfANameIsNotACategory(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	for query, want := range map[string]bool{"robot arms": true, "robot arms that lift": true, "Arm Five": false, "The acme company": false} {
		r, _ := asked(t, x, Query{Text: query})
		if got := strings.Contains(asTold(r.Interpreted), "category"); got != want {
			t.Errorf("%q is told as %q", query, asTold(r.Interpreted))
		}
	}
	c := bazaar("en", []string{"acme Berlin DE"}, map[string]string{"arms": "Robot arms"},
		offerOf{seller: "acme", name: "Robot arms deluxe", categories: []string{"arms"}}, offerOf{seller: "acme", name: "Other", categories: []string{"arms"}})
	if r, _ := asked(t, openMemory(t, extract(c), nil), Query{Text: "robot arms deluxe"}); len(r.Interpreted) > 0 {
		t.Errorf("a name is told as %q", asTold(r.Interpreted))
	}
}

func TestListingsOfTheRequestedCategoryComeFirst(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"machines": "Espresso machines", "hire": "Hire"},
		offerOf{seller: "acme", name: "Espresso machine rental: espresso machine of your choice", categories: []string{"hire"}},
		offerOf{seller: "acme", name: "Duetta", categories: []string{"machines"}})), nil)
	for query, first := range map[string]string{
		"espresso machine": "Duetta", "I am looking for an espresso machine": "Duetta",
		"espresso machine rental": "Espresso machine rental: espresso machine of your choice",
	} {
		r, _ := asked(t, x, Query{Text: query, Limit: 5})
		if len(r.Listings) == 0 || r.Listings[0].Name != first {
			t.Errorf("%q finds %v, want %q first", query, r.Listings, first)
		}
	}
	if r, _ := asked(t, x, Query{Text: "espresso machine", Literal: true, Limit: 5}); r.Listings[0].Name == "Duetta" {
		t.Error("nothing is to be understood beyond the words, and the category comes first")
	}
}

func TestTwoCategoriesInATextSelectNeither(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"runtimes": "Runtime", "safety": "Security", "guards": "Compliance", "boxes": "Boxes"},
			offerOf{seller: "acme", name: "Falcon", summary: "Runtime security: runtime security for whatever runs", categories: []string{"guards"}},
			offerOf{seller: "acme", name: "Engine", summary: "Runs code in a box with some security", categories: []string{"runtimes"}},
			offerOf{seller: "acme", name: "Lock", summary: "Shuts a box at runtime", categories: []string{"safety"}},
			offerOf{seller: "acme", name: "Box", summary: "Boxes for boxes", categories: []string{"boxes"}})), nil)
		for query, first := range map[string]string{"runtime security": "Falcon", "security runtime": "Falcon", "runtime": "Engine", "security": "Lock"} {
			if r, names := asked(t, x, Query{Text: query}); len(names) < 2 || names[0] != first {
				t.Errorf("%q finds %q, want %q first: %s", query, names, first, asTold(r.Interpreted))
			}
		}
	})
}

func TestFrequentWordIsIgnoredNextToACategory(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		offers := []offerOf{
			{seller: "acme", name: "Watcher", summary: "Sees what harbours do", categories: []string{"watching"}},
			{seller: "acme", name: "Harbour services", summary: "Harbour work of all kinds, with some monitoring", categories: []string{"work"}},
			{seller: "acme", name: "Tide monitoring", summary: "For a lonely lighthouse", categories: []string{"work"}},
			{seller: "acme", name: "Gulls", summary: "Counts what is on a lighthouse", categories: []string{"watching"}},
		}
		for i := range 10 {
			offers = append(offers, offerOf{seller: "acme", name: fmt.Sprint("Crane ", i), summary: "Lifts things in a harbour", categories: []string{"work"}})
		}
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"watching": "Monitoring", "work": "Work"}, offers...)), nil)
		for query, first := range map[string]string{"harbour monitoring": "Watcher", "monitoring harbours": "Watcher", "lighthouse monitoring": "Tide monitoring"} {
			if r, names := asked(t, x, Query{Text: query}); len(names) < 2 || names[0] != first {
				t.Errorf("%q finds %q, want %q first: %s", query, names, first, asTold(r.Interpreted))
			}
		}
	})
}

func TestWordsForTradersAreIgnored(t *testing.T) {
	english := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE", "globex Milan IT"}, map[string]string{"printers": "Printers", "firms": "Testing firms"},
		offerOf{seller: "acme", name: "Printer one", categories: []string{"printers"}}, offerOf{seller: "globex", name: "Printer two", categories: []string{"printers"}},
		offerOf{seller: "globex", name: "Check", categories: []string{"firms"}}, offerOf{seller: "acme", name: "Testing device", categories: []string{"printers"}})), nil)
	german := openMemory(t, extract(bazaar("de", []string{"acme Berlin DE", "globex Mailand IT"}, map[string]string{"drucker": "Drucker"},
		offerOf{seller: "acme", name: "Drucker eins", categories: []string{"drucker"}}, offerOf{seller: "globex", name: "Drucker zwei", categories: []string{"drucker"}})), nil)
	polished := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE", "globex Lodz PL"}, map[string]string{"care": "Care"},
		offerOf{seller: "acme", name: "Nail polish", categories: []string{"care"}}, offerOf{seller: "acme", name: "Floor polish", categories: []string{"care"}},
		offerOf{seller: "globex", name: "Soap", categories: []string{"care"}})), nil)
	for _, c := range []struct {
		x     *Index
		query string
		total int
	}{
		{english, "printer manufacturers", 3},
		{english, "which printer manufacturers are there", 3},
		{english, "printer companies in Italy", 1},
		{english, "vendors in Italy", 2},
		{english, "testing firms", 1},
		{german, "Hersteller aus Deutschland", 1},
		{german, "Drucker Hersteller", 2},
		{english, "Italian companies", 2},
		{polished, "Polish vendors", 1},
		{english, "printer in German please", 3},
		{polished, "polish vendors", 2},
		{polished, "polisher tools", 2},
		{english, "printers from Italian manufacturers", 1},
		{english, "printers, but no German vendors", 1},
		{german, "deutsche Hersteller", 1},
		{german, "Drucker von italienischen Herstellern", 1},
	} {
		r, _ := asked(t, c.x, Query{Text: c.query, Limit: 5})
		if r.Total != c.total {
			t.Errorf("%q finds %d, want %d: %s", c.query, r.Total, c.total, asTold(r.Interpreted))
		}
	}
	if r, _ := asked(t, english, Query{Text: "testing firms", Limit: 5}); len(r.Interpreted) != 1 || r.Total != 1 {
		t.Errorf("a category's name finds %d, and is told as %s", r.Total, asTold(r.Interpreted))
	}
}

func TestNumberAndUnitMatchWithoutASpace(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"drills": "Drills"},
		offerOf{seller: "acme", name: "Drill one", categories: []string{"drills"}, attributes: []catalog.Attribute{number("Voltage", "36", "V"), number("Weight", "1.5", "kg")}},
		offerOf{seller: "acme", name: "Drill two", categories: []string{"drills"}, attributes: []catalog.Attribute{number("Voltage", "18", "V")}},
		offerOf{seller: "acme", name: "Drill three of 36V", categories: []string{"drills"}})), nil)
	for query, want := range map[string]string{
		"36V": "Drill one,Drill three of 36V", "drill 36v": "Drill one,Drill three of 36V", "36 V drill": "Drill one,Drill three of 36V", "18V drill": "Drill two", "1.5kg drill": "Drill one", "12V": "",
	} {
		_, names := asked(t, x, Query{Text: query, Limit: 5})
		slices.Sort(names)
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q finds %s, want %s", query, got, want)
		}
	}
}

func TestAmountsMatchInOtherUnits(t *testing.T) { eachEngine(t, testAnAmountIsFoundInAnotherUnit) }

func testAnAmountIsFoundInAnotherUnit(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"power": "Power"},
		offerOf{seller: "acme", name: "One", categories: []string{"power"}, attributes: []catalog.Attribute{number("Capacity", "1", "kWh"), number("Speed", "36", "km/h")}},
		offerOf{seller: "acme", name: "Two", categories: []string{"power"}, attributes: []catalog.Attribute{number("Capacity", "1000", "Wh"), number("Weight", "0.5", "kg")}},
		offerOf{seller: "acme", name: "Three", categories: []string{"power"}, attributes: []catalog.Attribute{number("Capacity", "2000", "Wh"), number("Weight", "1500", "kg")}})), nil)
	for query, want := range map[string]string{
		"1000 Wh": "One,Two", "1 kWh": "One,Two", "1,000Wh power": "One,Two", "1 kilowatt hour": "One,Two", "2 kWh": "Three", "500 grams": "Two", "500g": "Two", "10 m/s": "One", "1.5 t": "Three",
		"at most 600 g": "Two",
	} {
		r, names := asked(t, x, Query{Text: query, Limit: 5})
		slices.Sort(names)
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q finds %s, want %s; understood: %s", query, got, want, asTold(r.Interpreted))
		}
	}
}

func TestCompoundsMatchByTheirLastPart(t *testing.T) {
	eachEngine(t, testCompoundsAreFoundByTheirLastPart)
}

func testCompoundsAreFoundByTheirLastPart(t *testing.T) {
	tools := func(language string) *Index {
		return openMemory(t, extract(bazaar(language, []string{"acme Berlin DE"}, map[string]string{"tools": "Werkzeug"},
			offerOf{seller: "acme", name: "Akkuschrauber K 12", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Schlagschrauber", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Schrauber Solo", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Kleiderschränke", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Tablett", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Schrankwand", categories: []string{"tools"}})), nil)
	}
	german, english := tools("de-AT"), tools("en")
	for _, c := range []struct {
		x           *Index
		query, want string
	}{
		{german, "Schrauber", "Akkuschrauber K 12,Schlagschrauber,Schrauber Solo"},
		{german, "Schraubern", "Akkuschrauber K 12,Schlagschrauber,Schrauber Solo"},
		{german, "ein Schrauber mit Akku", "Akkuschrauber K 12"},
		{german, "Akkuschrauber", "Akkuschrauber K 12"},
		{german, "Schrank", "Kleiderschränke,Schrankwand"},
		{german, "bett", ""},
		{english, "Schrauber", "Schrauber Solo"},
	} {
		r, names := asked(t, c.x, Query{Text: c.query, Limit: 5})
		slices.Sort(names) // engines may order equal results differently
		if got := strings.Join(names, ","); got != c.want {
			t.Errorf("%q finds %s, want %s; understood: %s", c.query, got, c.want, asTold(r.Interpreted))
		}
	}
	r, _ := asked(t, german, Query{Text: "Schrank", Limit: 5})
	if marks := r.Listings[1].Highlight.Name; len(marks) != 1 || marks[0] != [2]int{0, 15} {
		t.Errorf("of Kleiderschränke %v is marked", marks)
	}
}

func TestServicesMatchCountriesOtherThanTheSellers(t *testing.T) {
	eachEngine(t, testAServiceMayBeDoneInACountryWhereItsSellerIsNot)
}

func testAServiceMayBeDoneInACountryWhereItsSellerIsNot(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE", "belle Bern CH", "weg Oslo NO"},
		map[string]string{"arms": "Robot arms", "service/setup": "Installation"},
		offerOf{seller: "acme", name: "Arm of Berlin", categories: []string{"arms"}},
		offerOf{seller: "belle", name: "Arm of Bern", categories: []string{"arms"}},
		offerOf{seller: "acme", name: "Setup", delivery: "onsite", categories: []string{"setup"}},
		offerOf{seller: "belle", name: "First week", delivery: "onsite", categories: []string{"setup"}, regions: []string{"CH", "DE", "IT"}},
		offerOf{seller: "weg", name: "Farewell", delivery: "onsite", categories: []string{"setup"}, regions: []string{"Norway"}})), nil)
	for _, c := range []struct{ query, told, names string }{
		{"installation in Germany", "preferred in Germany => DE", "Setup,First week,Farewell"},
		{"installation in Italy", "preferred in Italy => IT", "First week,Farewell,Setup"},
		{"installation in Norway or Germany", "preferred in Norway or Germany => NO,DE", "Farewell,Setup,First week"},
		{"installation not in Germany", "excluded not in Germany => DE", "Farewell,First week"},
		{"robot arms in Germany", "filter in Germany => country=DE", "Arm of Berlin"},
		{"Swiss robot arms", "preferred Swiss => CH", "Arm of Bern,Arm of Berlin"},
		{"Irish robot arms", "", "Arm of Berlin,Arm of Bern"},
		{"robot arms that are not Swiss", "excluded not Swiss => CH", "Arm of Berlin"},
		{"services in Germany", "filter services => kind=service; preferred in Germany => DE", "First week,Setup,Farewell"},
		{"service in Germany", "filter service => kind=service; preferred in Germany => DE", "First week,Setup,Farewell"},
		{"something in Germany", "filter in Germany => country=DE", "Arm of Berlin,Setup"},
	} {
		r, names := asked(t, x, Query{Text: c.query, Limit: 5})
		if told, got := asTold(patternsOf(r.Interpreted)), strings.Join(names, ","); got != c.names || told != c.told {
			t.Errorf("%q finds %s, understood as %s, want %s by %s", c.query, got, told, c.names, c.told)
		}
	}
}

func TestPartOfANameFindsItsListing(t *testing.T) {
	eachEngine(t, testAListingMayBeCalledByAPartOfItsName)
}

func testAListingMayBeCalledByAPartOfItsName(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"arms": "Robot arms", "drills": "Drills"},
		offerOf{seller: "acme", name: "Wren 4 desk arm", categories: []string{"arms"}},
		offerOf{seller: "acme", name: "Wren 7 arm", categories: []string{"arms"}},
		offerOf{seller: "acme", name: "Wren 70 lamp"},
		offerOf{seller: "acme", name: "Zyrcon bits", categories: []string{"drills"}},
		offerOf{seller: "acme", name: "???", keywords: []string{"riddle"}},
		offerOf{seller: "acme", name: "Fine drill of steel", categories: []string{"drills"}},
		offerOf{seller: "acme", name: "Fine drill of brass", categories: []string{"drills"}})), nil)
	for _, c := range []struct{ query, told, names string }{
		{"compare Wren 4 and Wren 7", "preferred Wren 4 => Wren 4 desk arm; preferred Wren 7 => Wren 7 arm", "Wren 4 desk arm,Wren 7 arm"},
		{"Wren 7 vs Wren 4 desk arm", "preferred Wren 7 => Wren 7 arm; preferred Wren 4 desk arm => Wren 4 desk arm", "Wren 4 desk arm,Wren 7 arm"},
		{"alternatives to Wren 7", "similar alternatives to Wren 7 => Wren 7 arm", "Wren 4 desk arm"},
		{"alternatives to desk arm", "similar alternatives to desk arm => Wren 4 desk arm", "Wren 7 arm"},
		{"alternatives to zyrcon", "similar alternatives to zyrcon => Zyrcon bits", "Fine drill of brass,Fine drill of steel"},
		{"zyrcon alternatives", "similar zyrcon alternatives => Zyrcon bits", "Fine drill of brass,Fine drill of steel"},
		{"zyrcon vs Wren 7", "preferred zyrcon => Zyrcon bits; preferred Wren 7 => Wren 7 arm", "Wren 7 arm,Zyrcon bits"},
		{"alternatives to lamp", "", "Wren 70 lamp"},
		{"riddle alternatives", "", "???"},
		{"alternatives to Fine drill", "", "Fine drill of brass,Fine drill of steel"},
		{"Wren vs drill", "", "Fine drill of brass,Fine drill of steel"},
	} {
		r, names := asked(t, x, Query{Text: c.query, Limit: 2})
		slices.Sort(names)
		if told, got := asTold(patternsOf(r.Interpreted)), strings.Join(names, ","); got != c.names || told != c.told {
			t.Errorf("%q finds %s, understood as %s, want %s by %s", c.query, got, told, c.names, c.told)
		}
	}
}

func TestCategoryWordsAreNotCorrected(t *testing.T) {
	eachEngine(t, testAWordOfACategoryIsNoMisspeltOne)
}

func testAWordOfACategoryIsNoMisspeltOne(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"service/hire": "Robot hire"},
		offerOf{seller: "acme", name: "Arm by the week", delivery: "onsite", categories: []string{"hire"}},
		offerOf{seller: "acme", name: "Robot for a hive"})), nil)
	for query, want := range map[string]string{"hire robot": "Arm by the week", "hife robot": "Arm by the week,Robot for a hive"} {
		r, names := asked(t, x, Query{Text: query, Limit: 5})
		slices.Sort(names)
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q finds %s, want %s; understood: %s", query, got, want, asTold(r.Interpreted))
		}
	}
}

func TestCorrectedWordsSelectCategories(t *testing.T) {
	eachEngine(t, testCorrectedWordsNameCategories)
}

func testCorrectedWordsNameCategories(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"arms": "Robot arms", "robots": "Robots", "field": "Field robots", "service/care": "Care"},
		offerOf{seller: "acme", name: "Nursing of a robot arm", delivery: "onsite", categories: []string{"care"}},
		offerOf{seller: "acme", name: "Seven", categories: []string{"arms"}},
		offerOf{seller: "acme", name: "Owl", categories: []string{"field"}},
		offerOf{seller: "acme", name: "Robots in a field", categories: []string{"robots"}})), nil)
	for _, c := range []struct{ query, told, first string }{
		{"robto arm", "corrected robto => robot; category robto arm => Robot arms", "Seven"},
		{"feild robots", "corrected feild => field; category feild robots => Field robots", "Owl"},
		{"robot arm", "category robot arm => Robot arms", "Seven"},
	} {
		r, names := asked(t, x, Query{Text: c.query, Limit: 5})
		if told := asTold(r.Interpreted); len(names) == 0 || names[0] != c.first || told != c.told {
			t.Errorf("%q finds %q, understood as %q, want %s first by %q", c.query, names, told, c.first, c.told)
		}
	}
}

func TestArticleWordsAreNotCorrected(t *testing.T) {
	catalogue := bazaar("en", []string{"acme Berlin DE"}, map[string]string{"tools": "Tools"},
		offerOf{seller: "acme", name: "Sheet cutter", categories: []string{"tools"}},
		offerOf{seller: "acme", name: "Night lamp", categories: []string{"tools"}})
	catalogue.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Article{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "wool"}, Name: "Where the sheep sleep"}}}})
	x := openMemory(t, extract(catalogue), nil)
	for query, want := range map[string]string{"sheep lamp": "Night lamp", "sheep": "Sheet cutter"} {
		r, names := asked(t, x, Query{Text: query, Limit: 5})
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q finds %s, want %s; understood: %s", query, got, want, asTold(r.Interpreted))
		}
	}
}

func TestCompoundsAreSuggestedByTheirLastPart(t *testing.T) {
	suggested := func(language, text string) string {
		x := openMemory(t, extract(bazaar(language, []string{"acme Berlin DE"}, map[string]string{"tools": "Akkuschrauber"},
			offerOf{seller: "acme", name: "Bohrschrauber K 12", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Kleiderschränke", categories: []string{"tools"}},
			offerOf{seller: "acme", name: "Drei Sensoren", categories: []string{"tools"}})), nil)
		r, err := x.Suggest(t.Context(), suggest.Query{Text: text, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, s := range r.Suggestions {
			list = append(list, fmt.Sprint(s.Name, s.Highlight))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct{ language, text, want string }{
		{"de", "schraub", "Akkuschrauber[[0 13]],Bohrschrauber K 12[[0 13]]"},
		{"de", "Schränke", "Kleiderschränke[[0 15]]"},
		{"de", "schraenk", "Kleiderschränke[[0 15]]"},
		{"de", "eisen", ""},
		{"de", "schra", "Akkuschrauber[[0 13]],Kleiderschränke[[0 15]],Bohrschrauber K 12[[0 13]]"},
		{"de", "schr", ""},
		{"en", "schraub", ""},
	} {
		if got := suggested(c.language, c.text); got != c.want {
			t.Errorf("%s: %q suggests %s, want %s", c.language, c.text, got, c.want)
		}
	}
}

func TestUnknownCompoundMatchesByItsLastPart(t *testing.T) {
	eachEngine(t, testACompoundThatNobodyHasIsTakenForItsLastPart)
}

func testACompoundThatNobodyHasIsTakenForItsLastPart(t *testing.T) {
	market := func(language string) *Index {
		return openMemory(t, extract(bazaar(language, []string{"acme Berlin DE", "weg Wien AT"}, map[string]string{"saws": "Sägen"},
			offerOf{seller: "acme", name: "Kettensäge", summary: "Eine Säge", categories: []string{"saws"}},
			offerOf{seller: "acme", name: "Tablett"},
			offerOf{seller: "weg", name: "Schlauch"})), nil)
	}
	german := market("de")
	for _, c := range []struct {
		x                 *Index
		query, told, want string
	}{
		{german, "Motorsäge", "corrected Motorsäge => säge; category Motorsäge => Sägen", "Kettensäge"},
		{german, "Motorsägen", "corrected Motorsägen => sägen; category Motorsägen => Sägen", "Kettensäge"},
		{german, "Gartenschlauch", "corrected Gartenschlauch => schlauch", "Schlauch"},
		{german, "Motorbett", "", ""},
		{market("en"), "Motorsäge", "", ""},
	} {
		r, names := asked(t, c.x, Query{Text: c.query, Limit: 5})
		if told, got := asTold(r.Interpreted), strings.Join(names, ","); got != c.want || told != c.told {
			t.Errorf("%q finds %q, understood as %q, want %q by %q", c.query, got, told, c.want, c.told)
		}
	}
}
