package search

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestListingsThatAreComparedComeFirst(t *testing.T) {
	eachEngine(t, testListingsThatAreComparedComeFirst)
}

func testListingsThatAreComparedComeFirst(t *testing.T) {
	for _, language := range []string{"en", "de"} {
		comparisons(t, language)
	}
}

func comparisons(t *testing.T, language string) {
	market := bazaar(language, []string{"acme Berlin DE"}, nil,
		offerOf{seller: "acme", name: "Beacon", summary: "A light"}, offerOf{seller: "acme", name: "Ember", summary: "A stove"},
		offerOf{seller: "acme", name: "North Star", summary: "A lamp, brighter than Beacon"},
		offerOf{seller: "acme", name: "Adapter", summary: "Fits Beacon and Ember"}, offerOf{seller: "acme", name: "Beacon or Ember", summary: "A game"},
	)
	x := openMemory(t, extract(market), nil)
	const both = "Beacon|Ember|Adapter|Beacon or Ember"
	queries := map[string]map[string]string{"en": {
		"compare Beacon and Ember":                         both,
		"compare the Beacon with Ember":                    both,
		"What is the difference between Beacon and Ember?": both,
		"Which is better, Ember or Beacon?":                both,
		"compare Beacon, Ember, and North Star":            "Beacon|Ember|North Star|Adapter|Beacon or Ember",
		"Beacon and Ember":                                 "Adapter|Beacon or Ember", // what has both
		"Beacon or Ember":                                  "Adapter|Beacon or Ember", // its name
		"not Beacon or Ember":                              "Adapter|Beacon or Ember",
		"adapter without Beacon or Ember":                  "Adapter",
	}, "de": {
		"Vergleiche Beacon mit Ember":                                both,
		"Was ist der Unterschied zwischen Beacon und Ember?":         both,
		"Beacon im Vergleich zum Ember":                              both,
		"Beacon oder Ember":                                          both,
		"Was ist besser: Beacon oder Ember?":                         both,
		"Unterschiede zwischen Beacon, Ember und North Star für uns": "Beacon|Ember|North Star|Adapter|Beacon or Ember",
	}}[language]
	maps.Copy(queries, map[string]string{
		"Beacon vs Ember":                  both,
		"beacon vs. ember":                 both,
		"Ember versus Beacon":              both,
		"Beacon compared to the Ember":     both,
		"Beacon in comparison with Ember?": both,
		"North Star vs Beacon":             "Beacon|North Star",
		"Beacon vs":                        "Adapter|Beacon|Beacon or Ember|North Star",
		"vs Beacon":                        "Adapter|Beacon|Beacon or Ember|North Star",
	})
	for query, want := range queries {
		r, names := asked(t, x, Query{Text: query})
		first := min(len(names), strings.Count(asTold(r.Interpreted), "preferred"))
		slices.Sort(names[:first])
		slices.Sort(names[first:])
		if got := strings.Join(names, "|"); got != want {
			t.Errorf("%q finds %q, want %q: %s", query, got, want, asTold(r.Interpreted))
		}
		for _, one := range r.Interpreted {
			if one.As == "preferred" && (one.Link == nil || !strings.EqualFold(one.Link.Name, one.Text) || one.Link.URL == "") {
				t.Errorf("%q tells %+v", query, one)
			}
		}
	}
	if r, names := asked(t, x, Query{Text: "Beacon vs Ember", Literal: true}); len(names) == 0 || names[0] != "Beacon or Ember" || r.Interpreted != nil {
		t.Errorf("as words it finds %q, %v", names, r.Interpreted)
	}
}
