package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// This file counts a Category's listings by country and by price.

// A band is a range of prices in a currency. In the series 1, 2, 5, 10, 20, 50 …, range 0 is
// below the first member, and range n ends at member n. The zero value is that of an offer
// without a price.
type band struct {
	currency string
	at       int
}

// bandOf returns the band of a price. Its bounds are exact, because it compares digits.
func bandOf(p *Price) band {
	if p == nil {
		return band{}
	}
	whole, _, _ := strings.Cut(p.Amount, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		return band{p.Currency, 0}
	}
	at := 1 + 3*(len(whole)-1)
	switch {
	case whole[0] >= '5':
		at += 2
	case whole[0] >= '2':
		at++
	}
	return band{p.Currency, at}
}

// bound returns the lower bound of a range.
func bound(at int) string {
	if at == 0 {
		return "0"
	}
	return [...]string{"1", "2", "5"}[(at-1)%3] + strings.Repeat("0", (at-1)/3)
}

// A PriceRange is the number of listings that cost at least Min and less than Max.
type PriceRange struct {
	Currency string
	Min, Max string
	Listings int
}

// mostRanges is the maximum number of ranges of a currency. If prices vary more, the ranges
// are wider.
const mostRanges = 8

// PriceRanges returns how many listings of a Category have a price in each range, for up to
// most currencies: those with the most listings first, then by code. It includes empty ranges
// between the lowest and the highest price.
func (t *Tallies) PriceRanges(most int) (all []PriceRange) {
	currencies := map[string]map[int]int{}
	totals := map[string]int{}
	for b, listings := range t.prices {
		if currencies[b.currency] == nil {
			currencies[b.currency] = map[int]int{}
		}
		currencies[b.currency][b.at] = listings
		totals[b.currency] += listings
	}
	order := slices.SortedFunc(maps.Keys(totals), func(a, b string) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b))
	})
	for _, currency := range order[:min(most, len(order))] {
		all = append(all, rangesOf(currency, currencies[currency])...)
	}
	return all
}

// rangesOf returns the ranges of a currency, by whole decades if there would be too many.
func rangesOf(currency string, counts map[int]int) []PriceRange {
	steps := slices.Sorted(maps.Keys(counts))
	lowest, highest := steps[0], steps[len(steps)-1]
	width := 1
	group := func(at int) int {
		if width == 1 {
			return at
		}
		return max(0, at-1) / width // a decade begins with 1; lower prices belong to the first
	}
	for group(highest)-group(lowest) >= mostRanges {
		width = max(3, 2*width/3*3)
	}
	ranges := make([]PriceRange, group(highest)-group(lowest)+1)
	for i := range ranges {
		from, to := group(lowest)+i, group(lowest)+i+1
		if width > 1 {
			from, to = from*width+1, to*width+1
			if from == 1 {
				from = 0
			}
		}
		ranges[i] = PriceRange{Currency: currency, Min: bound(from), Max: bound(to)}
	}
	for at, listings := range counts {
		ranges[group(at)-group(lowest)].Listings += listings
	}
	return ranges
}

// A CountryCount is the number of listings of Sellers with their headquarters in a country, by
// ISO 3166-1 alpha-2 code.
type CountryCount struct {
	Country  string
	Listings int
}

// Countries returns the number of a Category's listings in each country, the highest first,
// then by code. Sellers without a country do not count.
func (t *Tallies) Countries() []CountryCount {
	counts := map[string]int{}
	for s, listings := range t.sellers {
		if seller, ok := s.item.(*Seller); ok && seller.Headquarters != nil && seller.Headquarters.Country != "" {
			counts[seller.Headquarters.Country] += listings
		}
	}
	all := make([]CountryCount, 0, len(counts))
	for country, listings := range counts {
		all = append(all, CountryCount{country, listings})
	}
	slices.SortFunc(all, func(a, b CountryCount) int {
		return cmp.Or(cmp.Compare(b.Listings, a.Listings), cmp.Compare(a.Country, b.Country))
	})
	return all
}
