package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/build/document"
)

// offerOf is a short form of a seller's offer.
type offerOf struct {
	seller, name, summary, price, delivery string
	categories                             []string
	keywords, regions                      []string
	attributes                             []catalog.Attribute
}

func number(name, value, unit string) catalog.Attribute {
	return catalog.Attribute{Name: name, Kind: catalog.NumberValue, Value: value, Unit: unit}
}

// bazaar returns a marketplace of sellers, each given as "slug city country", with their
// offers. Offers with a delivery are services. Categories of services are given as
// "service/slug".
func bazaar(language string, sellers []string, categories map[string]string, offers ...offerOf) *catalog.Catalog {
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: language},
		Now:         sampleNow(),
	}
	for slug, name := range categories {
		root := catalog.KindProduct
		if below, is := strings.CutPrefix(slug, "service/"); is {
			root, slug = catalog.KindService, below
		}
		change.Put = append(change.Put, &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(root, slug), Name: name}})
	}
	for _, s := range sellers {
		part := strings.Split(s, " ")
		change.Put = append(change.Put, &catalog.Seller{
			Head: catalog.Head{Ref: catalog.SellerRef(part[0]), Name: "The " + part[0] + " company"}, ID: part[0], OfficialDomain: part[0] + ".example",
			Headquarters: &catalog.Headquarters{City: part[1], Country: part[2]},
		})
	}
	for i, o := range offers {
		kind := catalog.KindProduct
		if o.delivery != "" {
			kind = catalog.KindService
		}
		item := &catalog.Offer{
			Head:       catalog.Head{Ref: catalog.Ref{Kind: kind, Company: o.seller, Slug: fmt.Sprint("o", i)}, Name: o.name, Summary: o.summary, Keywords: o.keywords},
			Attributes: o.attributes, Delivery: o.delivery, Regions: o.regions,
		}
		if amount, currency, told := strings.Cut(o.price, " "); told {
			currency, unit, _ := strings.Cut(currency, " per ")
			item.Price = &catalog.Price{Amount: amount, Currency: currency, Unit: unit}
		}
		for _, c := range o.categories {
			item.Categories = append(item.Categories, catalog.Mention{Ref: catalog.CategoryRef(kind, c)})
		}
		change.Put = append(change.Put, item)
	}
	c := catalog.New()
	c.Apply(change)
	return c
}

// shop is the market for testing most patterns. Tests withhold its last seller.
func shop(language string) *catalog.Catalog {
	return bazaar(language, []string{"acme Berlin DE", "belle Paris FR", "weg Oslo NO"},
		map[string]string{"switches": "Network switches", "arms": "Robot arms"},
		offerOf{seller: "acme", name: "Switch Four", summary: "Moves packets fast", price: "40 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "4", ""), number("RAM", "16", "GB")}},
		offerOf{seller: "belle", name: "Switch Eight", summary: "Moves packets quietly", price: "80.50 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "8", ""), {Name: "Fan", Kind: catalog.BooleanValue, Value: "true"}}},
		offerOf{seller: "belle", name: "Switch Sixteen", summary: "Without a fan it is quiet", price: "1500 EUR", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Port", "16", ""), {Name: "Fan", Kind: catalog.BooleanValue, Value: "false"}}},
		offerOf{seller: "acme", name: "Arm Five", summary: "A robot arm that lifts boxes", price: "900 EUR", categories: []string{"arms"}, attributes: []catalog.Attribute{number("Payload", "5", "kg")}},
		offerOf{seller: "belle", name: "Arm Fifty", summary: "A robot arm that lifts cars", price: "20000 EUR", categories: []string{"arms"}, attributes: []catalog.Attribute{number("Payload", "50000", "g")}, keywords: []string{"hydraulics"}},
		offerOf{seller: "acme", name: "Repair", summary: "Mends what is broken", delivery: "onsite", price: "70 EUR"},
		offerOf{seller: "belle", name: "Repair by phone", summary: "Mends what is broken", delivery: "remote", regions: []string{"Île-de-France", "North"}},
		offerOf{seller: "weg", name: "Switch Away", summary: "Moves packets away", price: "60 NOK", categories: []string{"switches"}, attributes: []catalog.Attribute{number("Lasers", "3", "")}},
		offerOf{seller: "weg", name: "NoCloud box", summary: "Nothing else"},
		offerOf{seller: "weg", name: "Sweeping", summary: "Nothing is left", delivery: "hybrid", regions: []string{"Fjord Land"}},
		offerOf{seller: "weg", name: "Oven", summary: "It bakes", attributes: []catalog.Attribute{number("Heat", "250", "°C")}},
	)
}

// asTold writes interpretations, one per line.
func asTold(list []Interpretation) string {
	var lines []string
	for _, i := range list {
		line := i.As + " " + i.Text
		if i.Filter != "" {
			line += " => " + strings.TrimSpace(i.Filter+"="+i.Value+" "+i.Currency)
		}
		if i.Link != nil {
			line += " => " + i.Link.Name
		} else if len(i.To) > 0 {
			line += " => " + strings.Join(i.To, ",")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func patternsOf(list []Interpretation) (patterns []Interpretation) {
	for _, i := range list {
		if i.As != document.AsLeftOut && i.As != document.AsCorrected && i.As != document.AsCategory {
			patterns = append(patterns, i)
		}
	}
	return patterns
}

func asked(t *testing.T, x *Index, q Query) (*Result, []string) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = MaxLimit
	}
	r, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	names := []string{}
	for _, h := range firm(t, x, q, r.Listings) {
		names = append(names, h.Name)
	}
	return r, names
}

func TestUnsafeInterpretationsAreOnlyWords(t *testing.T) { eachEngine(t, testWhatIsNotSafeIsOnlyWords) }

func testWhatIsNotSafeIsOnlyWords(t *testing.T) {
	for _, one := range []struct{ language, query string }{
		{"en", "NOR flash switch"},                    // a kind of memory
		{"en", "switch 50 EUR"},                       // no bound
		{"en", "switch under fifty EUR"},              // no number
		{"en", "switch between 100 and 50 EUR"},       // no range
		{"en", "switch over 100 EUR under 50 EUR"},    // no range
		{"en", "switch under 50 EUR or over 100 EUR"}, // two ranges
		{"en", "at least 4 lines"},                    // no attribute
		{"en", "payload over 5"},                      // no attribute
		{"en", "5 kg payload"},                        // no bound
		{"en", "switch at least 2 lazers"},            // misspelt
		{"en", "arm in boxes"},                        // no place
		{"en", "switch in Atlantis"},                  // no country
		{"en", "switch in Spain"},                     // no seller is there
		{"de", "arm five wie switch four"},            // a comparison
		{"en", "would you like switch four"},          // a wish
		{"en", "alternative to switches"},             // no listing
		{"en", "switch alternatives"},                 // no listing
		{"en", "alternative to"},
		{"en", "without"},
		{"en", "Switch Four"},            // a name
		{"en", "the acme company"},       // a seller
		{"en", "network switches"},       // a category
		{"en", "switch aus Deutschland"}, // another language
		{"en", "switch self-hosted"},
		{"en", "switch, no cloud"}, // could be NoCloud
		{"en", "switch remote"},
		{"en", ""},
		{"en", "..."},
	} {
		x := openMemory(t, extract(shop(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(patternsOf(r.Interpreted)); got != "" {
			t.Errorf("%s %q is understood as %q", one.language, one.query, got)
		}
		if _, literal := asked(t, x, Query{Text: one.query, Literal: true}); !slices.Equal(names, literal) {
			t.Errorf("%s %q finds %q, its words %q", one.language, one.query, names, literal)
		}
	}
}

func TestBoundsWithoutResultsAreDropped(t *testing.T) {
	eachEngine(t, testBoundsThatLeaveNothingAreLeftOut)
}

func testBoundsThatLeaveNothingAreLeftOut(t *testing.T) {
	for _, one := range []struct{ query, told, rest string }{
		{"switch under 1 EUR", "leftOut under 1 EUR => price=..<1 EUR", "switch"},
		{"switch 2000-3000 EUR", "leftOut 2000-3000 EUR => price=2000..3000 EUR", "switch"},
		{"switch under -5 EUR", "leftOut under -5 EUR => price=..<-5 EUR", "switch"}, // no price is negative
		{"switch under -50€", "leftOut under -50€ => price=..<-50 EUR", "switch"},
		{"switch <-50 EUR", "leftOut <-50 EUR => price=..<-50 EUR", "switch"},
		{"switch under €-50", "leftOut under €-50 => price=..<-50 EUR", "switch"},
		{"switch between -50 and -10 EUR", "leftOut between -50 and -10 EUR => price=-50..-10 EUR", "switch"},
		{"switch at least 4 kg", "leftOut at least 4 kg => attribute=Payload:4.. kg", "switch"},
		{"arm payload <-10 kg", "leftOut payload <-10 kg => attribute=Payload:..<-10 kg", "arm"},
		{"switch under 50 USD", "leftOut under 50 USD", "switch"}, // no price is in dollars
		{"switch under $50", "leftOut under $50", "switch"},
		{"switch $50 or less", "leftOut $50 or less", "switch"},
		{"switch not over $50", "leftOut not over $50", "switch"},
		{"switch between $20 and $50", "leftOut between $20 and $50", "switch"},
		{"switch under 1 EUR in Germany", "leftOut under 1 EUR => price=..<1 EUR; filter in Germany => country=DE", "switch in Germany"},
		{"switch under 1 EUR with at least 8 ports", "leftOut under 1 EUR => price=..<1 EUR; leftOut with; filter at least 8 ports => attribute=Port:8..", "switch with at least 8 ports"},
	} {
		x := openMemory(t, extract(shop("en")), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(r.Interpreted); got != one.told {
			t.Errorf("%q is told as %q, want %q", one.query, got, one.told)
		}
		if _, rest := asked(t, x, Query{Text: one.rest}); !slices.Equal(names, rest) {
			t.Errorf("%q finds %q, %q finds %q", one.query, names, one.rest, rest)
		}
	}
}

func TestOnlyABoundWithoutResultsIsOnlyWords(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	r, names := asked(t, x, Query{Text: "under 1 EUR"})
	if _, literal := asked(t, x, Query{Text: "under 1 EUR", Literal: true}); !slices.Equal(names, literal) || asTold(patternsOf(r.Interpreted)) != "" {
		t.Errorf("finds %q, its words %q", names, literal)
	}
}

func TestNegationsWithoutAnOppositeAreDropped(t *testing.T) {
	eachEngine(t, testWhatIsDeniedAndHasNoOppositeIsLeftOut)
}

func testWhatIsDeniedAndHasNoOppositeIsLeftOut(t *testing.T) {
	for _, one := range []struct{ language, query, out, rest string }{
		{"en", "switch not similar to Switch Four", "not similar to Switch Four", "switch"},
		{"en", "switch, do not trust", "do not trust", "switch"},
		{"en", "switch without going online", "without going online", "switch"},
		{"en", "switch, not expensive", "not expensive", "switch"},
		{"en", "switch without this and that or anything of the other many things", "without this and that or anything of the other many things", "switch"},
	} {
		x := openMemory(t, extract(shop(one.language)), nil)
		r, names := asked(t, x, Query{Text: one.query})
		if got := asTold(r.Interpreted); got != "leftOut "+one.out {
			t.Errorf("%s %q is told as %q", one.language, one.query, got)
		}
		if _, want := asked(t, x, Query{Text: one.rest}); !slices.Equal(names, want) {
			t.Errorf("%s %q finds %q, want %q", one.language, one.query, names, want)
		}
	}
}

func TestListingIsNotAnAlternativeToItself(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	_, names := asked(t, x, Query{Text: "alternative to Switch Four"})
	if len(names) < 3 || slices.Contains(names, "Switch Four") || !strings.HasPrefix(names[0], "Switch") {
		t.Errorf("finds %q", names)
	}
	_, names = asked(t, x, Query{Text: "like Switch Four but quiet"})
	if len(names) == 0 || names[0] != "Switch Sixteen" && names[0] != "Switch Eight" {
		t.Errorf("the rest of the text does not count: %q", names)
	}
}

func TestPreferencesOnlyAffectTheOrder(t *testing.T) {
	eachEngine(t, testPreferencesOrderAndExcludeNothing)
}

func testPreferencesOrderAndExcludeNothing(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	for query, first := range map[string]string{
		"mends what in Paris": "Repair by phone", "mends in Berlin": "Repair", "mends on site": "Repair", "mends in the north": "Repair by phone", "mends": "Repair",
	} {
		if _, names := asked(t, x, Query{Text: query}); len(names) != 2 || names[0] != first {
			t.Errorf("%q finds %q", query, names)
		}
	}
}

func TestExclusionsMatchCompoundsAndTwoWords(t *testing.T) {
	eachEngine(t, testWhatIsExcludedMayBeWrittenAsOneWordOrAsTwo)
}

func testWhatIsExcludedMayBeWrittenAsOneWordOrAsTwo(t *testing.T) {
	truth := func(name, value string) []catalog.Attribute {
		return []catalog.Attribute{{Name: name, Kind: catalog.BooleanValue, Value: value}}
	}
	for _, attribute := range []string{"Wi-Fi", "WiFi"} {
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, nil, offerOf{seller: "acme", name: "Box One", attributes: truth(attribute, "true")},
			offerOf{seller: "acme", name: "Box Two", attributes: truth(attribute, "false")}, offerOf{seller: "acme", name: "Box Three"})), nil)
		for _, query := range []string{"box without wifi", "box without wi-fi", "box, no Wi-Fi", "boxes that are not wifi"} {
			_, names := asked(t, x, Query{Text: query})
			if slices.Sort(names); !slices.Equal(names, []string{"Box Three", "Box Two"}) {
				t.Errorf("where it is called %s, %q finds %q", attribute, query, names)
			}
		}
	}
}

func TestParametersOverrideInterpretations(t *testing.T) {
	eachEngine(t, testWhatIsSentWinsOverWhatIsUnderstood)
}

func testWhatIsSentWinsOverWhatIsUnderstood(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	filter := func(pairs ...string) map[string][]string {
		f := map[string][]string{}
		for i := 0; i < len(pairs); i += 2 {
			f[pairs[i]] = append(f[pairs[i]], pairs[i+1])
		}
		return f
	}
	for _, one := range []struct {
		q     Query
		finds string
		// told means that the filter in the text is still reported because it still
		// applies.
		told bool
	}{
		{Query{Text: "switch under 50 EUR", Filters: filter("price", "50..100"), Currency: "EUR"}, "Switch Eight", false},
		{Query{Text: "switch in Germany", Filters: filter("country", "FR")}, "Switch Eight|Switch Sixteen", false},
		{Query{Text: "switch in France", Filters: filter("attribute", "Port:16..")}, "Switch Sixteen", true},
		{Query{Text: "switch at least 8 ports", Filters: filter("attribute", "port:4")}, "Switch Four", false},
		{Query{Text: "switch at least 8 ports", Filters: filter("attribute", "Fan:true")}, "Switch Eight", true},
		{Query{Text: "switch under 50 EUR", Sort: document.SortPrice, Currency: "NOK"}, "Switch Away|Switch Eight|Switch Four|Switch Sixteen", false},
		{Query{Text: "switch under 100 EUR", Sort: document.SortPrice, Currency: "EUR"}, "Switch Eight|Switch Four", true},
	} {
		answer, names := asked(t, x, one.q)
		if told := slices.ContainsFunc(answer.Interpreted, func(i Interpretation) bool { return i.As == document.AsFilter }); told != one.told {
			t.Errorf("%+v tells a filter: %v", one.q, told)
		}
		slices.Sort(names)
		if got := strings.Join(names, "|"); got != one.finds {
			t.Errorf("%+v finds %q, want %q", one.q, got, one.finds)
		}
	}
}

func TestInterpretedFilterCountsAsSelected(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	r, _ := asked(t, x, Query{Text: "switch in Germany"})
	for _, f := range r.Filters {
		if f.Name != document.FilterCountry {
			continue
		}
		for _, v := range f.Values {
			if v.Selected != (v.Value == "DE") || v.Count == 0 {
				t.Errorf("%+v", v)
			}
		}
		if len(f.Values) < 2 {
			t.Errorf("its own selection is not ignored: %+v", f.Values)
		}
	}
	// The reported filter can be sent back.
	sent, _ := asked(t, x, Query{Text: "switch", Literal: true, Filters: map[string][]string{r.Interpreted[0].Filter: {r.Interpreted[0].Value}}})
	if sent.Total != r.Total {
		t.Errorf("%d are found, %d with what was told", r.Total, sent.Total)
	}
}

func TestNegatedPropertiesAreExcluded(t *testing.T) {
	yes := func(name, value string) []catalog.Attribute {
		return []catalog.Attribute{{Name: name, Kind: catalog.BooleanValue, Value: value}}
	}
	for language, queries := range map[string]map[string]string{"en": {
		"printers that are not enclosed":          "excluded not enclosed => enclosed",
		"printers that aren't enclosed":           "excluded aren't enclosed => enclosed",
		"a printer that isn’t enclosed":           "excluded isn’t enclosed => enclosed",
		"not enclosed printers":                   "excluded not enclosed => enclosed",
		"printers, not food safe":                 "excluded not food safe => food,safe",
		"printers that are not enclosed chambers": "excluded not enclosed => enclosed",
		"printers that are not sold":              "",
	}, "de": {
		"Drucker, die nicht geschlossen sind": "excluded nicht geschlossen => geschlossen",
		"nicht geschlossene Drucker":          "excluded nicht geschlossene => geschlossene",
		"Drucker aber nicht geschlossen":      "excluded aber nicht geschlossen => geschlossen",
		"Drucker ohne Geschlossen":            "excluded ohne Geschlossen => geschlossen",
	}} {
		name := map[string]string{"en": "Enclosed", "de": "geschlossen"}[language]
		x := openMemory(t, extract(bazaar(language, []string{"acme Berlin DE"}, map[string]string{"printers": "Printers"},
			offerOf{seller: "acme", name: "Printer One", summary: "Drucker printer", attributes: yes(name, "true")},
			offerOf{seller: "acme", name: "Printer Two", summary: "Drucker printer", attributes: yes(name, "false")},
			offerOf{seller: "acme", name: "Printer Three", summary: "Drucker printer", attributes: yes("Food safe", "true")},
		)), nil)
		for query, want := range queries {
			r, names := asked(t, x, Query{Text: query})
			if told := asTold(patternsOf(r.Interpreted)); told != want {
				t.Errorf("%q is understood as %q, want %q", query, told, want)
			}
			without := "Printer One"
			if strings.Contains(query, "food") {
				without = "Printer Three"
			}
			if want != "" && (len(names) != 2 || slices.Contains(names, without)) {
				t.Errorf("%q finds %q", query, names)
			}
		}
	}
}

func TestInterpretOffSearchesOnlyWords(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	// The last two have a category, and a word that no listing contains.
	for _, query := range []string{"switch under 50 EUR", "switch in Germany", "switch without a fan", "alternative to Switch Four", "fast network switches", "switch of unobtainium"} {
		if r, _ := asked(t, x, Query{Text: query, Limit: 1}); r.Interpreted == nil {
			t.Errorf("%q is understood as its words without interpret=off, so that it shows nothing", query)
		}
		r, _ := asked(t, x, Query{Text: query, Literal: true, Limit: 1})
		if r.Interpreted != nil {
			t.Errorf("%q is understood as %+v", query, r.Interpreted)
		}
		if r.Next != "" && !strings.Contains(r.Next, "interpret=off") {
			t.Errorf("%q goes on at %s", query, r.Next)
		}
	}
	if r, _ := asked(t, x, Query{Text: "swithc", Literal: true}); asTold(r.Interpreted) != "corrected swithc => switch" {
		t.Errorf("a typing error is told as %q", asTold(r.Interpreted))
	}
}

func TestExcludedNameIncludesItsNumber(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(market("en", "Wren 4 arm: Lifts", "Wren 7 arm: Lifts", "Wren 9 arm: Lifts", "Magpie: Lifts, and is no arm", "Perch: Lifts 9 kg")), nil)
		for query, want := range map[string][]string{
			"lifts without wren 9":           {"Magpie", "Perch", "Wren 4 arm", "Wren 7 arm"},
			"like wren 7 but not wren 9":     {"Magpie", "Perch", "Wren 4 arm"},
			"lifts without wren 7 or wren 9": {"Magpie", "Perch", "Wren 4 arm"},
			"lifts without wren 5":           {"Magpie", "Perch"},
		} {
			got := names(t, x, query)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}

func TestPatternsReportTheirPositions(t *testing.T) {
	x := openMemory(t, extract(shop("de")), nil)
	r, _ := asked(t, x, Query{Text: "Größe Switch ohne Fan unter 2.000 € aus Frankreich"})
	if len(patternsOf(r.Interpreted)) != 3 {
		t.Errorf("%s", asTold(r.Interpreted))
	}
	for _, i := range r.Interpreted {
		if got := string([]rune(r.Query)[i.Start:i.End]); got != i.Text || utf8.RuneCountInString(got) != i.End-i.Start {
			t.Errorf("%q is told at %q", i.Text, got)
		}
	}
}

func TestExcludedWordExcludesAllItsListings(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		offers := []offerOf{{seller: "acme", name: "Hub", summary: "Moves packets"}}
		for i := range 1000 {
			offers = append(offers, offerOf{seller: "acme", name: fmt.Sprint("Switch ", i), summary: "Moves packets"})
		}
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, nil, offers...)), nil)
		for query, total := range map[string]int{"packets without switch": 1, "packets without lasers": 1001} {
			if r, _ := asked(t, x, Query{Text: query, Limit: 1}); r.Total != total || !strings.HasPrefix(asTold(r.Interpreted), "excluded without ") {
				t.Errorf("%q finds %d and is understood as %q", query, r.Total, asTold(r.Interpreted))
			}
		}
	})
}

func TestProductIsExcludedOnlyIfAllVariantsMatch(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		of := func(attributes ...catalog.Attribute) catalog.Variant {
			return catalog.Variant{Name: "One", Attributes: attributes}
		}
		is := func(name, value string) catalog.Attribute { return catalog.Attribute{Name: name, Value: value} }
		c := bazaar("en", []string{"acme Berlin DE"}, nil, offerOf{seller: "acme", name: "Mug Red"})
		put := func(slug, name string, variants ...catalog.Variant) {
			c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: slug}, Name: name}, Variants: variants}}})
		}
		put("some", "Mug Some", of(is("Colour", "red")), of(is("Colour", "blue")))
		put("all", "Mug All", of(is("Colour", "red"), number("Volume", "1", "l")), of(is("Colour", "dark red"), number("Volume", "2", "l")))
		x := openMemory(t, extract(c), nil)
		for query, want := range map[string]string{"mug, not red": "Mug Some", "mug without colour": "Mug Red", "mug without volume": "Mug Red,Mug Some"} {
			if _, names := asked(t, x, Query{Text: query}); strings.Join(slices.Sorted(slices.Values(names)), ",") != want {
				t.Errorf("%q finds %q, want %s", query, names, want)
			}
		}
	})
}
