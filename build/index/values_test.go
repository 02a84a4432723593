package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
)

// said returns the values by which the listing at an index is counted, in order.
func said(p *Part, at int) (list []string) {
	values := p.Values()
	for _, n := range p.ListingValues(at) {
		v := values[n]
		list = append(list, strings.TrimRight(fmt.Sprintf("%d %s %d %s %s", v.Of, v.Name, v.Kind, v.Text, v.Unit), " "))
	}
	return list
}

// valuesOf returns the values by which each living listing of a Set is counted, including
// those stored outside its record.
func valuesOf(s *Set) (list []string) {
	for _, v := range s.Views {
		for at := range v.live {
			list = append(list, fmt.Sprint(v.Ref(at), " ", said(v.Part, at), v.KeyBeginning(at), v.Published(at)))
		}
	}
	slices.Sort(list)
	return list
}

func TestAPartStoresEachValueOnceAndItsNumberForEachListing(t *testing.T) {
	m := newMarket(0)
	tools := &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "tools"), Name: "Tools"}}
	weight := []catalog.Attribute{{Name: "Weight", Value: "2", Unit: "kg", Kind: catalog.NumberValue}}
	arm := product("one", "arm", "Arm")
	arm.PublishedAt.Time = time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)
	arm.Categories = []catalog.Mention{{Ref: tools.Ref}, {Ref: catalog.CategoryRef(catalog.KindProduct, "nowhere")}}
	arm.Availability = "inStock"
	arm.Delivery, arm.Regions, arm.Proof = "remote", []string{"EU", "US"}, []catalog.Proof{{Kind: "certification", Title: "ISO"}}
	arm.Price, arm.Attributes = &catalog.Price{Amount: "9.90", Currency: "EUR", Unit: "hour"}, weight
	arm.Variants = []catalog.Variant{{Name: "Long", Availability: "preOrder", Price: &catalog.Price{Amount: "9.90", Currency: "EUR", From: true}, Attributes: weight}}
	leg := product("one", "leg", "Leg")
	leg.PublishedAt = catalog.Date{}
	leg.Attributes = []catalog.Attribute{{Name: "Weight", Value: "2", Unit: "g", Kind: catalog.NumberValue}, {Name: "Rugged", Value: "true", Kind: catalog.BooleanValue}}
	m.put(seller("one"), tools, arm, leg)
	p := mustWrite(t, m.corpus(), Options{}).Views[0].Part
	got := map[string][]string{}
	for at := range p.Documents() {
		got[p.Name(at)] = said(p, at)
		if said := len(p.ListingValues(at)) > 0; said != (p.Kind(at).Offer() || p.Kind(at) == catalog.KindSeller) {
			t.Errorf("%s says something: %v", p.Name(at), said)
		}
		switch p.Name(at) {
		case "Arm":
			if !p.Published(at).Equal(arm.PublishedAt.Time) {
				t.Errorf("it was published %v", p.Published(at))
			}
		case "Leg":
			if !p.Published(at).IsZero() {
				t.Errorf("it was published %v, which nobody said", p.Published(at))
			}
		}
	}
	for name, want := range map[string][]string{
		"Arm": {
			"0  0 product", "1  0 one", "2 product 0 tools", "3  0 inStock", "4  0 remote", "5  0 EU", "5  0 US", "6  0 certification",
			"7 EUR 0 9.90", "8  0 hour", fmt.Sprintf("9 Weight %d 2 kg", catalog.NumberValue), "3  0 preOrder", "7 EUR 0 9.90", fmt.Sprintf("9 Weight %d 2 kg", catalog.NumberValue),
		},
		"Leg": {"0  0 product", "1  0 one", fmt.Sprintf("9 Weight %d 2 g", catalog.NumberValue), fmt.Sprintf("9 Rugged %d true", catalog.BooleanValue)},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s says\n%q, want\n%q", name, got[name], want)
		}
	}
	if n := len(p.Values()); n != 14 {
		t.Errorf("there are %d values", n)
	}
}

func TestKeyBeginningsThatDifferCompareLikeTheirKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00é")), 0, 20, -1)
		var beginnings [2]KeyBeginning
		keys := [2]string{key.Draw(t, "one"), key.Draw(t, "other")}
		for i := range keys {
			beginnings[i] = (&Part{keys: keyBeginning(keys[i])}).KeyBeginning(0)
		}
		if got, want := beginnings[0].Compare(beginnings[1]), strings.Compare(keys[0], keys[1]); got != 0 && got != want {
			t.Fatalf("%q and %q compare as %d", keys[0], keys[1], got)
		}
		if beginnings[0].Compare(beginnings[1]) == 0 && keys[0][:min(16, len(keys[0]))] != keys[1][:min(16, len(keys[1]))] && !strings.Contains(keys[0]+keys[1], "\x00") {
			t.Fatalf("%q and %q begin alike", keys[0], keys[1])
		}
	})
}

func TestAPartThatLacksAListingsValueIsRejected(t *testing.T) {
	m := newMarket(2, "a")
	p := mustWrite(t, m.corpus(), Options{}).Views[0].Part
	data := slices.Clone(p.data)
	from := slices.Index(p.listingValues, slices.Max(p.listingValues))
	at := len(data) - (4*len(p.listingValues)+sectionStep-1)/sectionStep*sectionStep + 4*from
	if int(data[at]) != int(p.listingValues[from]) {
		t.Fatal("the numbers are elsewhere")
	}
	data[at] = byte(len(p.Values()))
	if _, err := openPart("p", data); err == nil {
		t.Error("it is read")
	}
}
