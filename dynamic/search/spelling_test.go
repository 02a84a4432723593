package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search/suggest"
)

// suggested returns the names suggested for a text.
func suggested(t *testing.T, x *Index, typed string) []string {
	t.Helper()
	a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: suggest.MaxSuggestions})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range a.Suggestions {
		list = append(list, s.Name)
	}
	return list
}

func TestUmlautsMatchHoweverTheyAreTyped(t *testing.T) {
	x := openMemory(t, extract(market("de", "Müsli: Zum Frühstück", "Muesli: Aus der Schweiz", "Gefäß: Aus Glas", "Käse-Überzug: Rot", "Blaue Kanne: Steuer")), nil)
	for query, want := range map[string][]string{
		"muesli":        {"Muesli", "Müsli"},
		"Müsli":         {"Müsli", "Muesli"},
		"mu\u0308sli":   {"Müsli", "Muesli"},
		"musli":         {"Müsli"},
		"gefaess":       {"Gefäß"},
		"Gefäss":        {"Gefäß"},
		"gefäß":         {"Gefäß"},
		"fruehstueck":   {"Müsli"},
		"kaeseueberzug": {"Käse-Überzug"},
		"kaese ueber":   {"Käse-Überzug"},
		"kaseuberzug":   {"Käse-Überzug"},
		"mueslis":       {"Müsli", "Muesli"},
	} {
		if got := names(t, x, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	// Letters that only look like an umlaut are not folded: "Blaue" is not "Blae".
	if got := names(t, x, "Stür"); slices.Contains(got, "Blaue Kanne") {
		t.Errorf("Stür finds %q", got)
	}
	for typed, want := range map[string][]string{
		"mues": {"Muesli", "Müsli"}, "Müs": {"Muesli", "Müsli"}, "gefaes": {"Gefäß"}, "kaese ue": {"Käse-Überzug"}, "überz": {"Käse-Überzug"},
	} {
		got := suggested(t, x, typed)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q suggests %q, want %q", typed, got, want)
		}
	}
	if got := suggested(t, x, "müsli"); len(got) != 2 || got[0] != "Müsli" {
		t.Errorf("müsli suggests %q", got)
	}
}

func TestTypedUmlautsAreHighlighted(t *testing.T) {
	x := openMemory(t, extract(market("de", "Müsli", "Muesli extra")), nil)
	for typed, want := range map[string]map[string][][2]int{
		"mues": {"Müsli": {{0, 3}}, "Muesli extra": {{0, 4}}},
		"müs":  {"Müsli": {{0, 3}}, "Muesli extra": {{0, 4}}},
	} {
		a, err := x.Suggest(t.Context(), suggest.Query{Text: typed, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Suggestions) != len(want) {
			t.Errorf("%q suggests %+v", typed, a.Suggestions)
		}
		for _, s := range a.Suggestions {
			if !slices.Equal(s.Highlight, want[s.Name]) {
				t.Errorf("%q in %q: %v, want %v", typed, s.Name, s.Highlight, want[s.Name])
			}
		}
	}
}

func TestNameWithPunctuationIsSuggestedFirst(t *testing.T) {
	x := openMemory(t, extract(market("en", "C", "C++", "C#", "Pandora2.0", "Pandora", "Pandora 20", "Node.js", "NodeJS", "Node", "Node.js tools", "A.B")), nil)
	for typed, want := range map[string]string{
		"C++": "C++", "c++": "C++", "C": "C", "c#": "C#", "c+": "C++",
		"Pandora2.0": "Pandora2.0", "pandora2.0": "Pandora2.0", "pandora 2.0": "Pandora2.0", "Pandora2.": "Pandora2.0", "pandora": "Pandora",
		"pandora 20": "Pandora 20", "Node.js": "Node.js", "nodejs": "NodeJS", "node.j": "Node.js", "a.b": "A.B",
	} {
		if got := suggested(t, x, typed); len(got) == 0 || got[0] != want {
			t.Errorf("%q suggests %q, want %q first", typed, got, want)
		}
	}
	for query, want := range map[string]string{
		"C++": "C++", "c": "C", "C#": "C#", "pandora2.0": "Pandora2.0", "Pandora 20": "Pandora 20", "node.js": "Node.js", "NODEJS": "NodeJS",
	} {
		if got := names(t, x, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %q, want %q first", query, got, want)
		}
	}
}

// withVariants returns a marketplace of one product with a SKU and variants, each given as
// "name/SKU".
func withVariants(t *testing.T, name, sku string, variants ...string) *Index {
	t.Helper()
	c := market("en", "Other thing")
	o := &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "p"}, Name: name}, SKU: sku}
	for _, v := range variants {
		name, sku, _ := strings.Cut(v, "/")
		o.Variants = append(o.Variants, catalog.Variant{Name: name, SKU: sku})
	}
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{o}})
	return openMemory(t, extract(c), nil)
}

func TestMatchedNamesTheTypedVariant(t *testing.T) {
	x := withVariants(t, "Frost Bell", "FB", "Large silver/FB-1", "Large/FB-10", "Small/FB-1-S", "Silver/")
	for query, want := range map[string]string{
		"FB":                  " FB",
		"fb frost bell":       " FB",
		"FB-1":                "Large silver FB-1",
		"fb 1":                "Large silver FB-1",
		"FB1":                 "Large silver FB-1",
		"FB-10":               "Large FB-10",
		"frost bell FB-1":     "Large silver FB-1",
		"FB-1-S":              "Small FB-1-S",
		"bell FB-1-S":         "Small FB-1-S",
		"frost bell large":    "Large FB-10",
		"Large":               "Large FB-10",
		"FB large":            "Large FB-10",
		"frost bell silver":   "Silver ",
		"silver large bell":   "Large silver FB-1",
		"frost bell":          "",
		"frost":               "",
		"FB frost bell small": "Small FB-1-S",
	} {
		r, err := x.Search(t.Context(), Query{Text: query, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Listings) == 0 || r.Listings[0].Name != "Frost Bell" {
			t.Errorf("%q finds %+v", query, r.Listings)
			continue
		}
		got := ""
		if m := r.Listings[0].Matched; m != nil {
			got = m.Variant + " " + m.SKU
		}
		if got != want {
			t.Errorf("%q: matched is %q, want %q", query, got, want)
		}
	}
}

func TestSellerMatchAcceptsDomainsWithUmlauts(t *testing.T) {
	change := catalog.Change{Now: sampleNow(), Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "de"}}
	for i, domain := range []string{"xn--bcher-kva.example", "plain.example", "käse.example"} {
		slug := fmt.Sprint("s", i)
		change.Put = append(change.Put, &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: "Seller " + slug}, ID: slug, OfficialDomain: domain})
	}
	c := catalog.New()
	c.Apply(change)
	x := openMemory(t, index.Extract(c, document.NewRenderer(c, "")), nil)
	for query, want := range map[string]string{
		"bücher.example": "s0", "BÜCHER.example": "s0", "xn--bcher-kva.example": "s0", "buecher.example": "s0", "plain.example": "s1",
		"käse.example": "s2", "xn--kse-qla.example": "s2", "kaese.example": "s2", "other.example": "",
	} {
		r, err := x.Search(t.Context(), Query{Text: query, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r.SellerMatch != nil {
			got = r.SellerMatch.Slug
		}
		if got != want {
			t.Errorf("%q names %q, want %q", query, got, want)
		}
	}
}

func TestMisspelledSingularFindsAPlural(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		for _, one := range []struct{ language, query, name string }{
			{"de", "Fahrad", "Fahrräder"}, {"de", "Lastenfarrad", "Lastenfahrräder"}, {"de", "Fahrradlicht", "Lichter"},
			{"en", "bicylce", "Bicycles"}, {"en", "lokc", "Locks"},
		} {
			x := openMemory(t, extract(bazaar(one.language, []string{"werk Berlin DE"}, nil, offerOf{seller: "werk", name: one.name, summary: "Nothing else"})), nil)
			if r, names := asked(t, x, Query{Text: one.query}); !slices.Equal(names, []string{one.name}) {
				t.Errorf("%q finds %q, told as %q", one.query, names, asTold(r.Interpreted))
			}
		}
	})
}

func TestUnsuccessfulCorrectionIsNotReported(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Quartet", summary: "Music for a wedding"}, offerOf{seller: "werk", name: "Walks", summary: "At five"})), nil)
		r, names := asked(t, x, Query{Text: "live music wedding"})
		if got := asTold(r.Interpreted); !slices.Equal(names, []string{"Quartet"}) || got != "leftOut live" {
			t.Errorf("finds %q, told as %q", names, got)
		}
		if r, names := asked(t, x, Query{Text: "fivr walks"}); !slices.Equal(names, []string{"Walks"}) || asTold(r.Interpreted) != "corrected fivr => five" {
			t.Errorf("finds %q, told as %q", names, asTold(r.Interpreted))
		}
	})
}

func TestWordIsCorrectedToACategoryName(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE"}, map[string]string{"hosting": "Hosting"},
			offerOf{seller: "werk", name: "Cloud One", summary: "Runs what you have", categories: []string{"hosting"}}, offerOf{seller: "werk", name: "Scan", summary: "Looks through a blog"})), nil)
		r, names := asked(t, x, Query{Text: "blog hostng"})
		slices.Sort(names)
		if got := asTold(r.Interpreted); strings.Join(names, "|") != "Cloud One|Scan" || got != "corrected hostng => hosting" {
			t.Errorf("%q, told as %q", names, got)
		}
	})
}

func TestCorrectionMustMatchTheOtherWords(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"werk Berlin DE"}, nil,
			offerOf{seller: "werk", name: "Havoc", summary: "Chaos in a cluster"}, offerOf{seller: "werk", name: "Purse", summary: "For your money"},
			offerOf{seller: "werk", name: "Prometheus", summary: "Counts"}, offerOf{seller: "werk", name: "Order", summary: "Ends chaos, saves a penguin"})), nil)
		for query, want := range map[string][2]string{
			"chaos monkey":      {"Havoc|Order", "leftOut monkey"},
			"monkey":            {"Purse", "corrected monkey => money"},
			"chaos pengiun":     {"Order", "corrected pengiun => penguin"},
			"promethius zebra":  {"Prometheus", "corrected promethius => prometheus; leftOut zebra"},
			"chaos promethius":  {"Havoc|Order|Prometheus", "corrected promethius => prometheus"}, // the corrected word matches a name
			"zebra money chaos": {"Havoc|Order|Purse", "leftOut zebra"},
		} {
			r, names := asked(t, x, Query{Text: query})
			slices.Sort(names)
			if got := asTold(r.Interpreted); strings.Join(names, "|") != want[0] || got != want[1] {
				t.Errorf("%q finds %q, told as %q", query, names, got)
			}
		}
	})
}
