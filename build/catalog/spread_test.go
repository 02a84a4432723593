package catalog

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ranges(amounts ...string) string {
	n := newTallies()
	for _, a := range amounts {
		amount, currency, _ := strings.Cut(a, " ")
		if currency == "" {
			currency = "EUR"
		}
		n.prices[bandOf(&Price{Amount: amount, Currency: currency})]++
	}
	var all []string
	for _, r := range n.PriceRanges(3) {
		all = append(all, fmt.Sprintf("%s %s-%s %d", r.Currency, r.Min, r.Max, r.Listings))
	}
	return strings.Join(all, ", ")
}

func TestPricesFallIntoRanges(t *testing.T) {
	for _, test := range []struct{ amounts, want string }{
		{"0", "EUR 0-1 1"},
		{"0.99 1 1.99 2 4.999 5", "EUR 0-1 1, EUR 1-2 2, EUR 2-5 2, EUR 5-10 1"},
		{"0012.50 45", "EUR 10-20 1, EUR 20-50 1"},
		{"100 900", "EUR 100-200 1, EUR 200-500 0, EUR 500-1000 1"},
		{"0.5 1999", "EUR 0-10 1, EUR 10-100 0, EUR 100-1000 0, EUR 1000-10000 1"},
		{"3 1" + strings.Repeat("0", 40), ""},
	} {
		got := ranges(strings.Fields(test.amounts)...)
		if test.want != "" && got != test.want {
			t.Errorf("%s: %s, not %s", test.amounts, got, test.want)
		}
		if n := strings.Count(got, "EUR"); n > mostRanges {
			t.Errorf("%s: %d ranges: %s", test.amounts, n, got)
		}
	}
	if got, want := ranges("1 CHF", "1 EUR", "1 EUR", "1 AUD", "1 USD"), "EUR 1-2 2, AUD 1-2 1, CHF 1-2 1"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// Ranges are adjacent, there are at most eight, and each price is counted in the right one.
func TestEveryPriceIsCountedInItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOfN(rapid.StringMatching(`[0-9]{1,12}(\.[0-9]{1,3})?`), 1, 12).Draw(t, "amounts")
		n := newTallies()
		for _, a := range amounts {
			n.prices[bandOf(&Price{Amount: a, Currency: "EUR"})]++
		}
		all := n.PriceRanges(1)
		number := func(text string) *big.Rat {
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%q is no number", text)
			}
			return r
		}
		if len(all) > mostRanges {
			t.Fatalf("there are %d ranges", len(all))
		}
		for i, r := range all {
			if i > 0 && all[i-1].Max != r.Min {
				t.Fatalf("the ranges do not adjoin: %v", all)
			}
			inside := 0
			for _, a := range amounts {
				if number(a).Cmp(number(r.Min)) >= 0 && number(a).Cmp(number(r.Max)) < 0 {
					inside++
				}
			}
			if inside != r.Listings {
				t.Fatalf("%v has %d of %v", r, inside, amounts)
			}
		}
	})
}
