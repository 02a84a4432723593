package dynamic

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// checkSpread checks a category's counts by country and price against its listings' own
// documents.
func (c *census) checkSpread(address string, doc map[string]any, within map[string]bool, offers map[string]map[string]any) {
	c.Helper()
	countries, prices := map[string]int{}, map[string][]*big.Rat{}
	for at := range within {
		offer := offers[at]
		seller := c.docs[offer["seller"].(map[string]any)["apiUrl"].(string)]
		if where, told := seller["headquarters"].(map[string]any); told && where["country"] != nil {
			countries[where["country"].(string)]++
		}
		if price, priced := offer["price"].(map[string]any); priced {
			amount, _ := new(big.Rat).SetString(price["amount"].(string))
			currency := price["currency"].(string)
			prices[currency] = append(prices[currency], amount)
		}
	}
	order := slices.SortedFunc(maps.Keys(countries), func(a, b string) int {
		return cmp.Or(cmp.Compare(countries[b], countries[a]), cmp.Compare(a, b))
	})
	var want, got []string
	for _, country := range order {
		want = append(want, fmt.Sprint(country, " ", countries[country]))
	}
	for _, one := range doc["countries"].([]any) {
		got = append(got, fmt.Sprint(one.(map[string]any)["country"], " ", one.(map[string]any)["listingCount"]))
	}
	if !slices.Equal(got, want) {
		c.Errorf("%s has the countries %v, and there are %v", address, got, want)
	}
	told := map[string]int{}
	for _, one := range doc["priceRanges"].([]any) {
		r := one.(map[string]any)
		currency := r["currency"].(string)
		from, _ := new(big.Rat).SetString(r["min"].(string))
		to, _ := new(big.Rat).SetString(r["max"].(string))
		inside := 0
		for _, amount := range prices[currency] {
			if amount.Cmp(from) >= 0 && amount.Cmp(to) < 0 {
				inside++
			}
		}
		if r["listingCount"] != float64(inside) {
			c.Errorf("%s: of %v to %v %s there are %d, not %v", address, r["min"], r["max"], currency, inside, r["listingCount"])
		}
		told[currency] += inside
	}
	if len(told) != min(3, len(prices)) {
		c.Errorf("%s tells prices in %v, and there are %d currencies", address, told, len(prices))
	}
	for currency, n := range told {
		if n != len(prices[currency]) {
			c.Errorf("%s: %d prices in %s are in a range, and there are %d", address, n, currency, len(prices[currency]))
		}
	}
}
