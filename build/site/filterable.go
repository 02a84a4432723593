package site

import (
	"net/url"

	"souk/build/document"
)

// A filterable is an attribute that can filter the listings of a category.
type filterable struct {
	Name string
	// Range contains the smallest and the largest number of the listings, and URL the search
	// within it. Both are empty if Values lists the values.
	Range, URL string
	Values     []bar
}

// filterables are the attributes that can filter a category. The first are shown, the rest is
// folded.
type filterables []filterable

const (
	shownAttributes  = 6
	shownChoices     = 8
	leastShare       = 20 // attributes of fewer than 1 in 20 listings are not shown
	narrowingChoices = 2
)

// First returns the attributes that are always shown.
func (f filterables) First() filterables { return f[:min(shownAttributes, len(f))] }

// Rest returns the attributes that are folded.
func (f filterables) Rest() filterables { return f[min(shownAttributes, len(f)):] }

// filterables returns the attributes of a category that offer a choice, each value with the
// search that finds the listings it counts.
func (s *Site) filterables(d document.Category) (all filterables) {
	for _, one := range d.Attributes {
		f := filterable{Name: one.Name}
		switch {
		case one.Count*leastShare < d.ListingCount:
			continue
		case one.Type == "number" && one.Min != one.Max:
			f.Range = s.text("site.filterable.range", "from", s.format.number(one.Min), "to", s.format.number(one.Max))
			within := one.Name + ":" + one.Min.String() + ".." + one.Max.String()
			if one.Unit != "" {
				f.Range += "\u00a0" + one.Unit
				within += " " + one.Unit
			}
			f.URL = s.narrowed(d, url.Values{"attribute": {within}})
		case len(one.Values) >= narrowingChoices:
			for _, v := range one.Values[:min(shownChoices, len(one.Values))] {
				f.Values = append(f.Values, s.choice(d, one, v))
			}
		default:
			continue
		}
		all = append(all, f)
	}
	return all
}

func (s *Site) choice(d document.Category, of document.AttributeUse, v document.AttributeValue) bar {
	label := v.Value
	if of.Type == "boolean" {
		label = s.value(document.Attribute{Value: v.Value == "true"})
	}
	return bar{Label: label, Count: v.Count, URL: s.narrowed(d, url.Values{"attribute": {of.Name + ":" + v.Value}})}
}

// narrowed returns the address of a search among a category's listings.
func (s *Site) narrowed(d document.Category, by url.Values) string {
	by.Set("category", d.RootKind+"/"+d.Slug)
	return s.searchAt(document.ListingSearch(), by, 0)
}
