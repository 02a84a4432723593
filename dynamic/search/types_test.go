package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/corpus"
)

// typedMarket returns a market in which some sellers write attributes as text and others do
// not.
func typedMarket(t *testing.T) *Index {
	t.Helper()
	text := func(name, value string) catalog.Attribute { return catalog.Attribute{Name: name, Value: value} }
	number := func(name, value, unit string) catalog.Attribute {
		return catalog.Attribute{Name: name, Kind: catalog.NumberValue, Value: value, Unit: unit}
	}
	truth := func(name, value string) catalog.Attribute {
		return catalog.Attribute{Name: name, Kind: catalog.BooleanValue, Value: value}
	}
	c := market("en")
	change := catalog.Change{Now: sampleNow()}
	// Everything occurs twice, because attributes whose texts are nearly all distinct are
	// not shown.
	for i, attributes := range slices.Repeat([][]catalog.Attribute{
		{text("Wet", "true"), text("Ports", "4"), text("Range", "50 m")},
		{truth("Wet", "true"), number("Ports", "4", ""), number("Range", "50", "m")},
		{truth("Wet", "true"), number("Ports", "8", ""), number("Range", "5000", "cm")},
		{truth("Wet", "false"), number("Ports", "4.0", ""), text("Range", "far")},
		{truth("Wet", "true"), text("Wet", "true"), text("Ports", "many"), number("Ports", "4", "")},
	}, 2) {
		change.Put = append(change.Put, &catalog.Offer{
			Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: fmt.Sprint("t", i)}, Name: fmt.Sprint("T", i%5)},
			Attributes: attributes[:min(len(attributes), 3)], Variants: []catalog.Variant{{Name: "v", Attributes: attributes[min(len(attributes), 3):]}},
		})
	}
	c.Apply(change)
	return openMemory(t, extract(c), nil)
}

// toldOf formats the filters of an attribute: the type, the selected ranges, and the values
// with their counts. Selected values start with a star.
func toldOf(r *Result, attribute string) string {
	var all []string
	for _, f := range r.Filters {
		if f.Attribute != attribute {
			continue
		}
		list := []string{f.Type}
		list = append(list, f.Selected...)
		for _, v := range f.Values {
			list = append(list, strings.Repeat("*", map[bool]int{true: 1}[v.Selected])+v.Value+"="+fmt.Sprint(v.Count))
		}
		all = append(all, strings.Join(list, " "))
	}
	return strings.Join(all, "; ")
}

func TestValuesMatchAcrossTypes(t *testing.T) {
	x := typedMarket(t)
	for sent, want := range map[string][2]string{
		"Wet:true":        {"T0 T1 T2 T4", "boolean *Wet:true=8 Wet:false=2; text *Wet:true=8"},
		"Wet:false":       {"T3", "boolean Wet:true=8 *Wet:false=2; text Wet:true=8"},
		"Ports:4":         {"T0 T1 T3 T4", "number Ports:4; text *Ports:4=8 Ports:many=2"},
		"Ports:5..":       {"T2", "number Ports:5..; text Ports:4=8 Ports:many=2"},
		"Range:50 m":      {"T0 T1 T2", "text *Range:50 m=6 Range:far=2; number Range:50 m"},
		"Range:10..60 m":  {"T1 T2", "text Range:50 m=6 Range:far=2; number Range:10..60 m"},
		"Range:70..80 m":  {"", "text Range:50 m=6 Range:far=2; number Range:70..80 m"},
		"Range:far":       {"T3", "text Range:50 m=6 *Range:far=2; number"},
		"Range:elsewhere": {"", "text Range:50 m=6 Range:far=2 *Range:elsewhere=0; number"},
	} {
		r, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with("attribute", sent))
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, hit := range r.Listings {
			found = append(found, hit.Name)
		}
		name, _, _ := strings.Cut(sent, ":")
		told := toldOf(r, name)
		if got := strings.Join(slices.Compact(found), " "); got != want[0] || r.Total != len(found) || told != want[1] {
			t.Errorf("%s finds %q (%d) and tells %q, want %q and %q", sent, got, r.Total, told, want[0], want[1])
		}
	}
}

// TestHiddenListingsDoNotAffectTypes compares with a market that lacks only the withheld
// seller.
func TestHiddenListingsDoNotAffectTypes(t *testing.T) {
	open := func(with bool) *Index {
		c := market("en")
		change := catalog.Change{Now: sampleNow(), Put: []catalog.Item{
			&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("gone"), Name: "Gone"}, ID: "gone", OfficialDomain: "gone.example"},
			&catalog.Offer{
				Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "p"}, Name: "P"},
				Attributes: []catalog.Attribute{{Name: "Ports", Kind: catalog.NumberValue, Value: "4"}, {Name: "Colour", Value: "red"}},
			},
		}}
		if with {
			change.Put = append(change.Put, &catalog.Offer{
				Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "gone", Slug: "p"}, Name: "P"},
				Attributes: []catalog.Attribute{{Name: "Ports", Value: "4"}, {Name: "Ports", Value: "many"}, {Name: "Colour", Value: "red "}},
			})
		}
		c.Apply(change)
		x := openMemory(t, extract(c), nil)
		x.removals = &catalog.Register{}
		remove(x.removals, "gone")
		return x
	}
	with, without := open(true), open(false)
	for _, sent := range []string{"Ports:4", "Ports:many", "Ports:5", "Ports:..9", "Colour:red "} {
		var answers []string
		for _, x := range []*Index{with, without} {
			r, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with("attribute", sent))
			if err != nil {
				answers = append(answers, err.Error())
				continue
			}
			answers = append(answers, fmt.Sprint(r.Total, toldOf(r, "Ports"), toldOf(r, "Colour")))
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: %q with a withheld seller who writes texts, else %q", sent, answers[0], answers[1])
		}
	}
}

func TestUnmatchedSelectedValueIsListedOnce(t *testing.T) {
	c := market("en")
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Offer{
		Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "p"}, Name: "P"},
		Attributes: []catalog.Attribute{{Name: "Wet", Kind: catalog.BooleanValue, Value: "false"}, {Name: "Colour", Value: "red"}},
	}}})
	x := openMemory(t, extract(c), nil)
	for attribute, test := range map[string]struct {
		sent []string
		want string
	}{
		"Wet":    {[]string{"Wet:true", "wet: TRUE"}, "boolean Wet:false=1 *Wet:true=0"},
		"Colour": {[]string{"Colour:blue", "colour:Blue", "Colour:grey"}, "text Colour:red=1 *Colour:blue=0 *Colour:grey=0"},
	} {
		r, err := x.Search(t.Context(), Query{Limit: MaxLimit}.with("attribute", test.sent...))
		if err != nil {
			t.Fatal(err)
		}
		if got := toldOf(r, attribute); got != test.want {
			t.Errorf("%v is told as %q, want %q", test.sent, got, test.want)
		}
	}
}

func TestValueWithSurroundingSpaceCanBeSentBack(t *testing.T) {
	c := market("en")
	change := catalog.Change{Now: sampleNow()}
	for i, colour := range []string{"Blue", "blue", "Blue ", "blue ", "blue ", "  blue", "Red", "Red"} {
		change.Put = append(change.Put, &catalog.Offer{
			Head:       catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: fmt.Sprint("p", i)}, Name: "P"},
			Attributes: []catalog.Attribute{{Name: "Colour", Value: colour}},
		})
	}
	c.Apply(change)
	x := openMemory(t, extract(c), nil)
	all, err := x.Search(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := toldOf(all, "Colour"), "text Colour:blue =3 Colour:Blue=2 Colour:Red=2 Colour:  blue=1"; got != want {
		t.Fatalf("told are %q, want %q", got, want)
	}
	for sent, want := range map[string]int{"Colour:blue ": 3, "Colour:Blue": 2, "Colour:  blue": 1, "Colour: red ": 2, "Colour: BLUE": 2} {
		r, err := x.Search(t.Context(), Query{}.with("attribute", sent))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(toldOf(r, "Colour"), "*"); r.Total != want || got != 1 {
			t.Errorf("%q finds %d and %d values are selected, want %d and 1: %s", sent, r.Total, got, want, toldOf(r, "Colour"))
		}
	}
	// Every selected value is listed, even without results.
	none, err := x.Search(t.Context(), Query{Filters: map[string][]string{"attribute": {"Colour:blue ", "Colour:Blue"}, "kind": {"service"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := toldOf(none, "Colour"), "text *Colour:Blue=0 *Colour:blue =0"; got != want {
		t.Errorf("without results told are %q, want %q", got, want)
	}
}

func TestUnmatchedSelectedValuesAreSortedByName(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	for filter, want := range map[string][]string{
		"country":   {"AX", "AR", "SZ", "ZM"}, // sorted by name, not code: Åland Islands, Argentina, Eswatini
		"region":    {"Africa", "AR", "asia", "Überall", "Zagreb"},
		"priceUnit": {"Acre", "barrel", "Yard"},
	} {
		for _, sent := range [][]string{want, append(slices.Clone(want[2:]), want[:2]...)} {
			r, err := x.Search(t.Context(), Query{}.with(filter, sent...))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Filters {
				for _, v := range f.Values {
					if f.Name == filter && v.Count == 0 {
						got = append(got, v.Value)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q are told as %q", filter, sent, got)
			}
		}
	}
}

func TestRegionsGivenAsCountryCodesHaveNames(t *testing.T) {
	x := openMemory(t, extract(bazaar("de", []string{"acme Berlin DE"}, nil,
		offerOf{seller: "acme", name: "Repair", delivery: "onsite", regions: []string{"DE", "Benelux", "EG"}},
		offerOf{seller: "acme", name: "Setup", delivery: "onsite", regions: []string{"Oberland", "EG"}})), nil)
	r, err := x.Search(t.Context(), Query{}.with("region", "eg"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Filters {
		for _, v := range f.Values {
			if f.Name == "region" {
				got = append(got, fmt.Sprintf("%s=%s %d %v", v.Value, v.Label, v.Count, v.Selected))
			}
		}
	}
	want := []string{"EG=Ägypten 2 true", "Benelux=Benelux 1 false", "DE=Deutschland 1 false", "Oberland=Oberland 1 false"}
	if !slices.Equal(got, want) {
		t.Errorf("regions are %q, want %q", got, want)
	}
}

func TestRegionalLanguagesHaveDistinctNames(t *testing.T) {
	c := &corpus.Corpus{Language: "en"}
	for tag, want := range map[string]string{"en": "English", "en-IE": "English (Ireland)", "en-GB": "British English", "zh-Hant-TW": "Traditional Chinese (Taiwan)"} {
		if got := c.Spoken(tag); got != want {
			t.Errorf("%s is %q, want %q", tag, got, want)
		}
	}
}
