package search

import (
	"fmt"
	"slices"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/match"
)

func TestCountryAloneIsAlwaysTheFilter(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"kiwi Auckland NZ", "brit Leeds GB", "werk Berlin DE", "cork Dublin IE"}, map[string]string{"ireland": "Ireland"},
			offerOf{seller: "kiwi", name: "Pump", summary: "Moves water"}, offerOf{seller: "brit", name: "Kettle", summary: "Boils, unlike pumps of Germany"},
			offerOf{seller: "werk", name: "Valve", summary: "New, and made of Zealand zinc"}, offerOf{seller: "brit", name: "Map of Norway", summary: "A pump of New Zealand is on it"},
			offerOf{seller: "cork", name: "Peat", summary: "United we burn a kingdom"}, offerOf{seller: "cork", name: "Turf", categories: []string{"ireland"}},
		)), nil)
		for query, want := range map[string]struct {
			told  string
			names []string
		}{
			"Germany":                          {"filter Germany => country=DE", []string{"Valve"}},
			"Germany or Ireland":               {"filter Germany or Ireland => country=DE; filter Germany or Ireland => country=IE", []string{"Peat", "Turf", "Valve"}},
			"germany, ireland and new zealand": {"filter germany, ireland and new zealand => country=DE; filter germany, ireland and new zealand => country=IE; filter germany, ireland and new zealand => country=NZ", []string{"Peat", "Pump", "Turf", "Valve"}},
			"New Zealand":                      {"filter New Zealand => country=NZ", []string{"Pump"}},
			"new zealand please?":              {"filter new zealand => country=NZ", []string{"Pump"}},
			"United Kingdom":                   {"filter United Kingdom => country=GB", []string{"Kettle", "Map of Norway"}},
			"Map of Norway":                    {"", []string{"Map of Norway"}},
			"Ireland":                          {"", []string{"Turf"}},
			"pump New Zealand":                 {"", []string{"Map of Norway"}},
			"pump United Kingdom":              {"preferred United Kingdom => GB", []string{"Map of Norway", "Kettle", "Pump"}},
		} {
			r, got := asked(t, x, Query{Text: query})
			if told := asTold(patternsOf(r.Interpreted)); told != want.told {
				t.Errorf("%q is told as %q, want %q", query, told, want.told)
			}
			slices.Sort(got)
			if slices.Sort(want.names); !slices.Equal(got, want.names) {
				t.Errorf("%q finds %q, want %q", query, got, want.names)
			}
		}
	})
}

func TestColloquialCountryNamesAreUnderstood(t *testing.T) {
	x := openMemory(t, extract(bazaar("de", []string{"peak Kowloon HK", "delta Yangon MM", "most Mostar BA", "great Beijing CN", "hanok Busan KR", "usa Omaha US", "praha Prague CZ"}, nil,
		offerOf{seller: "peak", name: "Pump"}, offerOf{seller: "delta", name: "Kettle"}, offerOf{seller: "most", name: "Valve"}, offerOf{seller: "great", name: "Pipe"},
		offerOf{seller: "hanok", name: "Lamp"}, offerOf{seller: "usa", name: "Well"}, offerOf{seller: "praha", name: "Glass"},
	)), nil)
	for query, want := range map[string]string{"Hong Kong": "Pump", "Hongkong": "Pump", "in Hong Kong SAR China": "Pump", "Myanmar": "Kettle", "from Bosnia and Herzegovina": "Valve", "China": "Pipe",
		"from Korea": "Lamp", "South Korea": "Lamp", "from the United States of America": "Well", "Czech Republic": "Glass", "Tschechische Republik": "Glass"} {
		if r, names := asked(t, x, Query{Text: query}); !slices.Equal(names, []string{want}) || len(r.Interpreted) == 0 {
			t.Errorf("%q finds %q, told as %q", query, names, asTold(r.Interpreted))
		}
	}
}

func TestAskingVerbsAreDroppedBeforeCountries(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		offers := []offerOf{{seller: "swiss", name: "Cluster care", summary: "Clusters, kept well", delivery: "remote"}}
		for i := range 2 * match.FewAnswers { // enough results contain the verb even without the country
			offers = append(offers, offerOf{seller: "werk", name: fmt.Sprint("Tool ", i), summary: "A cluster that runs, operates and manages itself"})
		}
		x := openMemory(t, extract(bazaar("en", []string{"swiss Bern CH", "werk Berlin DE"}, nil, offers...)), nil)
		for query, told := range map[string]string{
			"Who in Switzerland runs clusters for me?":             "filter in Switzerland => country=CH",
			"who operates a cluster in Switzerland for us":         "filter in Switzerland => country=CH",
			"a company in Switzerland that manages clusters":       "filter in Switzerland => country=CH",
			"I need someone in Switzerland to run our cluster":     "filter in Switzerland => country=CH",
			"who runs clusters? not in Germany":                    "excluded not in Germany => DE",
			"someone who maintains clusters from Switzerland only": "filter from Switzerland => country=CH",
		} {
			if r, got := asked(t, x, Query{Text: query}); len(got) != 1 || got[0] != "Cluster care" || asTold(patternsOf(r.Interpreted)) != told {
				t.Errorf("%q finds %q, told as %q", query, got, asTold(r.Interpreted))
			}
		}
	})
}

func TestRegionAloneOrAtTheEndIsPreferred(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		c := bazaar("en", []string{"alp Chur CH", "brit Leeds GB", "werk Berlin DE"}, nil,
			offerOf{seller: "alp", name: "Pump"}, offerOf{seller: "brit", name: "Kettle"},
			offerOf{seller: "werk", name: "Repair", summary: "We mend a pump", delivery: "onsite", regions: []string{"England", "IT", "Upper Bavaria"}},
			offerOf{seller: "werk", name: "Valve", summary: "For upper floors, as in Saxony"},
		)
		alp := *c.Node(catalog.SellerRef("alp")).Item().(*catalog.Seller)
		alp.Headquarters = &catalog.Headquarters{City: "Chur", Region: "Graubünden", Country: "CH"}
		brit := *c.Node(catalog.SellerRef("brit")).Item().(*catalog.Seller)
		brit.Headquarters = &catalog.Headquarters{City: "Leeds", Region: "West Yorkshire", Country: "GB"}
		c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&alp, &brit}})
		x := openMemory(t, extract(c), nil)
		for query, want := range map[string][2]string{
			"Graubünden":      {"preferred Graubünden => Graubünden", "Pump"},
			"graubuenden":     {"preferred graubuenden => Graubünden", "Pump"},
			"near Chur":       {"preferred near Chur => Chur", "Pump"},
			"pump near Leeds": {"preferred near Leeds => Leeds", "Pump"},
			"in Graubünden":   {"preferred in Graubünden => Graubünden", "Pump"},
			"West Yorkshire":  {"preferred West Yorkshire => West Yorkshire", "Kettle"},
			"Chur":            {"preferred Chur => Chur", "Pump"},
			"England":         {"preferred England => England", "Repair"},
			"pump England":    {"preferred England => England", "Repair"},
			"Upper Bavaria":   {"preferred Upper Bavaria => Upper Bavaria", "Repair"},
			"Italy":           {"preferred Italy => IT", "Repair"},
			"Saxony":          {"", "Valve"}, // a word in a listing
			"can you mend it": {"", "Repair"},
		} {
			r, got := asked(t, x, Query{Text: query})
			if told := asTold(patternsOf(r.Interpreted)); told != want[0] || len(got) == 0 || !slices.Contains(got, want[1]) || query != "pump England" && got[0] != want[1] {
				t.Errorf("%q finds %q, told as %q, want %q first, told as %q", query, got, told, want[1], want[0])
			}
		}
	})
}
