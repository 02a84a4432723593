package search

import (
	"errors"
	"strings"
	"testing"

	"souk/dynamic/search/fault"
)

func TestInvalidCodeIsRefusedWithASuggestion(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	filter := func(name, value string) Query { return Query{Filters: map[string][]string{name: {value}}} }
	for _, one := range []struct {
		query Query
		hint  string
	}{
		{filter("country", "UK"), `"GB"`}, {filter("country", "de"), `"DE"`}, {filter("country", "USA"), `"US"`}, {filter("country", "Germany"), `"DE"`},
		{filter("country", "SU"), ""}, {filter("country", "xk"), `"XK"`}, {filter("country", "TA"), ""}, {filter("country", "UN"), ""},
		{filter("language", "en_GB"), `"en-GB"`}, {filter("language", "und"), ""},
		{Query{Sort: "price", Currency: "eur"}, `"EUR"`}, {Query{Sort: "price", Currency: "DEM"}, ""}, {Query{Sort: "price", Currency: "ITL"}, ""},
		{filter("category", "nope"), ""}, {filter("category", "arns"), `"product/arms"`}, {filter("category", "goods/arms"), `"product/arms"`}, {filter("category", "Arms"), `"product/arms"`},
		{filter("category", "category:product/arms"), `"product/arms"`}, {filter("category", "https://market.example/categories/product/arms"), `"product/arms"`},
		{filter("seller", "Acmee"), `"acme"`}, {filter("seller", "seller:acme"), `"acme"`}, {filter("seller", "https://market.example/companies/acme"), `"acme"`},
		{filter("seller", "product:acme/"), ""}, {filter("seller", "seller:nobody"), ""},
	} {
		err := x.Check(one.query)
		if invalid := (*fault.Error)(nil); !errors.As(err, &invalid) {
			t.Errorf("%+v is no fault: %v", one.query, err)
			continue
		}
		if _, hint, _ := strings.Cut(err.Error(), "did you mean "); strings.TrimSuffix(hint, "?)") != one.hint {
			t.Errorf("%+v: %v, want the hint %s", one.query, err, one.hint)
		}
	}
	for _, ok := range []Query{filter("country", "GB"), filter("country", "XK"), filter("language", "de-CH"), {Sort: "price", Currency: "CHF"}} {
		if err := x.Check(ok); err != nil {
			t.Errorf("%+v: %v", ok, err)
		}
	}
}
