package site

import (
	"net/url"

	"souk/build/document"
)

// leastShare excludes attributes of fewer than 1 in 20 listings, as search does.
const leastShare = 20

// filterables returns the filters of a category that its document has numbers for. They are
// those of search, but each value is a link to the search that finds its listings.
func (s *Site) filterables(d document.Category) (all sets) {
	for _, f := range append(append(s.countryFilter(d), s.priceFilters(d)...), s.attributeFilters(d)...) {
		for _, one := range s.sets([]document.SearchFilter{f}, d.ListingCount) {
			for _, values := range [][]choice{one.First, one.Rest} {
				for i := range values {
					by := url.Values{f.Name: {values[i].Value}}
					if f.Name == document.FilterPrice {
						by.Set("currency", f.Unit)
					}
					values[i].URL = s.narrowed(d, by)
				}
			}
			all = append(all, one)
		}
	}
	return all
}

func (s *Site) countryFilter(d document.Category) []document.SearchFilter {
	f := document.SearchFilter{Name: document.FilterCountry}
	for _, one := range d.Countries {
		f.Values = append(f.Values, document.SearchFilterValue{Value: one.Country, Label: s.format.country(one.Country), Count: one.ListingCount})
	}
	return []document.SearchFilter{f}
}

// priceFilters returns a filter for each currency.
func (s *Site) priceFilters(d document.Category) (all []document.SearchFilter) {
	for _, one := range d.PriceRanges {
		if len(all) == 0 || all[len(all)-1].Unit != one.Currency {
			all = append(all, document.SearchFilter{Name: document.FilterPrice, Unit: one.Currency})
		}
		if f := &all[len(all)-1]; one.ListingCount > 0 {
			f.Values = append(f.Values, document.SearchFilterValue{Value: within(one), Label: s.priceRange(one), Count: one.ListingCount})
		}
	}
	return all
}

func (s *Site) attributeFilters(d document.Category) (all []document.SearchFilter) {
	for _, one := range d.Attributes {
		if one.Count*leastShare < d.ListingCount {
			continue
		}
		f := document.SearchFilter{Name: document.FilterAttribute, Attribute: one.Name, Type: one.Type, Unit: one.Unit, Min: one.Min, Max: one.Max}
		for _, v := range one.Values {
			label := v.Value
			if one.Type == "boolean" {
				label = s.value(document.Attribute{Value: v.Value == "true"})
			}
			f.Values = append(f.Values, document.SearchFilterValue{Value: one.Name + ":" + v.Value, Label: label, Count: v.Count})
		}
		all = append(all, f)
	}
	return all
}

// narrowed returns the address of a search among a category's listings.
func (s *Site) narrowed(d document.Category, by url.Values) string {
	by.Set("category", d.RootKind+"/"+d.Slug)
	return s.searchAt(document.ListingSearch(), by, 0)
}
