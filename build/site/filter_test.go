package site

import (
	"testing"

	"souk/build/document"
)

func TestARangeIsWrittenAsTheLanguageWritesNumbers(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	price, reach := document.SearchFilter{Name: document.FilterPrice}, document.SearchFilter{Name: document.FilterAttribute}
	for _, c := range []struct {
		filter     document.SearchFilter
		sent, want string
	}{
		{price, "2000..4999.99", "2.000 – 4.999,99"}, {price, "..0.5", "≤ 0,5"}, {price, "1000..", "≥ 1.000"}, {price, "..", "Alle"},
		{reach, "Reach:0.855..12000 m", "0,855 – 12.000 m"}, {reach, "Built:1998..2026", "1998 – 2026"}, {reach, "Reach: ..1.5mm", "≤ 1,5 mm"}, {reach, "Reach:far", "far"},
	} {
		if got := s.span(c.filter, c.sent); got != c.want {
			t.Errorf("%s is %q, want %q", c.sent, got, c.want)
		}
	}
}

func TestCategoriesOfBothRootsThatAreCalledTheSameAreToldApart(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	all := s.sets([]document.SearchFilter{{Name: document.FilterCategory, Values: []document.SearchFilterValue{
		{Value: "product/robots", Label: "Robots"}, {Value: "product/arms", Label: "Arms"}, {Value: "service/robots", Label: "Robots"},
	}}})
	for i, want := range []string{"Robots (Products)", "Arms", "Robots (Services)"} {
		if got := all[0].First[i].Label; got != want {
			t.Errorf("%s is called %q, want %q", all[0].First[i].Value, got, want)
		}
	}
}
