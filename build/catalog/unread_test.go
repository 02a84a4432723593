package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNumbersWrittenAsTextThroughoutACategoryGetAWarning(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		want   string
	}{
		{"a number with its unit", []string{"900 mm", "850 mm", "1,5 m"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "1,5 m": no range filter finds it (write it as in {value: 1.5, unit: m})`},
		{"a unit without a space", []string{"850mm"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "850mm": no range filter finds it (write it as in {value: 850, unit: mm})`},
		{"thousands", []string{"1,200 kg"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "1,200 kg": no range filter finds it (write it as in {value: 8.5, unit: kg})`},
		{"thousands with a point", []string{"1.200 kg"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "1.200 kg": no range filter finds it (write it as in {value: 8.5, unit: kg})`},
		{"thousands without a unit", []string{"1,200"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "1,200": no range filter finds it (write a number with a point, as in 8.5)`},
		{"a sign of YAML", []string{"5 %"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "5 %": no range filter finds it (write it as in {value: 5, unit: "%"})`},
		{"a decimal comma", []string{"8,5", "-10,25"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "-10,25": no range filter finds it (write a number with a point, as in -10.25)`},
		{"yes and no", []string{"no", "Yes"}, `p0.yaml:1:2: the attribute "R" is text in most listings of category:product/robots, as in "Yes": filters do not treat it as yes or no (write true or false; pages show it in the marketplace's language)`},
		{"a word beside them", []string{"850 mm", "on request"}, ""},
		{"a letter behind a number", []string{"3D", "4K"}, ""},
		{"a size", []string{"DN 50", "2 x 3 mm"}, ""},
		{"a range", []string{"10-20 mm"}, ""},
		{"a quoted number", []string{"07035", "2.0"}, ""},
		{"no unit of the table", []string{"5 ports"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := []Item{seller("acme"), category("robots", "")}
			for i, value := range c.values {
				o := product(fmt.Sprintf("acme/p%d", i), "P", "robots")
				o.Attributes = []Attribute{{Name: "A", Value: "a", Line: 1, Column: 1}, {Name: "R", Value: value, Line: 1, Column: 2}}
				items = append(items, o)
			}
			var got string
			for _, p := range filled(items...).Warnings() {
				got += strings.TrimPrefix(p.String(), "sellers/acme/products/")
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNumbersAmongNumericTextsGetNoWarning(t *testing.T) {
	for _, c := range []struct {
		products []string
		want     int
	}{
		{[]string{"R=850 mm", "R=900 mm", "R=850mm", "R=900mm", "R=950mm"}, 1},
		{[]string{"R=850mm", "R=900mm", "R=3 mm", "R=4 mm"}, 0},
		{[]string{"R=850mm", "R=2 mm", "R=3 mm", "R=4 mm"}, 1},
	} {
		got := differs(c.products...)
		if len(got) != c.want || len(got) > 0 && !strings.Contains(got[0], `"R" is text`) {
			t.Errorf("of %q is said %q", c.products, got)
		}
	}
}

func TestNumbersWrittenAsTextAreReportedOnlyForTheParentCategory(t *testing.T) {
	arm := product("acme/arm", "Arm", "arms")
	arm.Attributes = []Attribute{{Name: "Reach", Value: "850 mm", Line: 7, Column: 3}}
	leg := product("acme/leg", "Leg", "robots")
	leg.Variants = []Variant{{Name: "A", Attributes: []Attribute{{Name: "reach", Value: "900 mm", Line: 9, Column: 5}}}}
	want := []string{`sellers/acme/products/arm.yaml:7:3: the attribute "Reach" is text in most listings of category:product/robots, as in "850 mm": no range filter finds it (write it as in {value: 850, unit: mm})`}
	c := filled(seller("acme"), category("robots", ""), category("arms", "robots"), arm, leg)
	for range 2 { // the second time with the data that images store for categories
		var got []string
		for _, p := range c.Warnings() {
			got = append(got, p.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
		for _, n := range c.categories {
			n.keep()
		}
	}
}
