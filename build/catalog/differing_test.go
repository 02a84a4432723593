package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// differs returns the warnings about attributes of products. The position of the n-th
// attribute of the m-th product is m:n.
func differs(products ...string) (all []string) {
	items := []Item{seller("acme"), category("robots", "")}
	for i, text := range products {
		o := product(fmt.Sprintf("acme/p-%d", i), "P", "robots")
		o.Attributes = attributesOf(text)
		for j := range o.Attributes {
			o.Attributes[j].Line, o.Attributes[j].Column = uint32(i+1), uint16(j+1)
		}
		items = append(items, o)
	}
	for _, p := range filled(items...).Warnings() {
		_, place, _ := strings.Cut(p.String(), ".yaml:")
		all = append(all, place)
	}
	return all
}

func TestAttributesUnlikeOthersInTheirCategoryGetAWarning(t *testing.T) {
	const most = ": most of category:product/robots have a number in mm (length) (no filter finds both)"
	for _, c := range []struct {
		name     string
		products []string
		want     []string
	}{
		{"units of a dimension", []string{"R=1 m", "R=1 mm", "r=1 in"}, nil},
		{"another dimension", []string{"R=1 mm", "R=1 mm", "A=1, R=1 kg"}, []string{`3:2: the attribute "R" is a number in kg (mass)` + most}},
		{"no unit", []string{"R=1 mm", "R=1 mm", "R=1"}, []string{`3:1: the attribute "R" is a number without a unit` + most}},
		{"text and truth", []string{"R=1 mm", "R=1 m", "R=1 mm", "r=1 mm", "R=far", "R=true", "r=2 mm"},
			[]string{`5:1: the attribute "R" is text` + most, `6:1: the attribute "R" is true or false` + most}},
		{"a unit that nobody else has", []string{"R=1 mm", "R=1 mm", "R=3 spans"}, []string{`3:1: the attribute "R" is a number of "spans"` + most}},
		{"most are texts", []string{"R=far", "R=near", "R=1 mm"},
			[]string{`3:1: the attribute "R" is a number in mm (length): most of category:product/robots have text (no filter finds both)`}},
		{"one against one", []string{"R=1 mm", "R=1 kg"}, nil},
		{"no half", []string{"R=1 mm", "R=1 mm", "R=1 kg", "R=far"}, nil},
		{"one of each alone", []string{"R=1 mm"}, nil},
	} {
		if got := differs(c.products...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestWarningsAboutVariantsHaveTheirPosition(t *testing.T) {
	long := product("acme/long", "Long", "robots")
	long.Variants = []Variant{{Name: "A", Attributes: []Attribute{{Name: "Reach", Kind: NumberValue, Value: "1", Unit: "kg", Line: 9, Column: 7}}}}
	draft := product("acme/draft", "Draft", "robots")
	draft.Attributes, draft.Status = long.Variants[0].Attributes, Draft
	var items []Item
	for i := range 3 {
		o := product(fmt.Sprintf("acme/p-%d", i), "P", "robots")
		o.Attributes = attributesOf("reach=1 mm")
		items = append(items, o)
	}
	c := filled(append(items, seller("acme"), category("robots", ""), long, draft)...)
	list := c.Warnings()
	if len(list) != 1 || !list[0].Warning || list[0].File != long.File || list[0].Line != 9 || list[0].Column != 7 {
		t.Errorf("the warnings are %v", list)
	}
}

func TestWarningsAboutAttributesAreLimited(t *testing.T) {
	var products []string
	for i := range 300 {
		products = append(products, []string{"R=1 mm", "R=1 mm", "R=1 kg"}[i%3])
	}
	if got := differs(append(products, "R=far", "R=far")...); len(got) != 101 || !strings.HasPrefix(got[100], "1:1: 2 more attributes differ") {
		t.Errorf("there are %d warnings, the last %q", len(got), got[len(got)-1])
	}
}
