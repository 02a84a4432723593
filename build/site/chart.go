package site

import (
	"html"
	"html/template"
	"net/url"
	"strings"

	"souk/build/document"
)

// A chart shows the distribution of a category's listings as bars with the numbers in its
// document.
type chart struct {
	Title string
	bars  []bar
}

// A bar is one row of a chart. URL is the search that finds the listings it counts, or "" if
// no search does.
type bar struct {
	Label, URL string
	Count      int
	// Width is a percentage of the longest bar.
	Width int
}

// shownBars is how many bars of a chart are shown before the rest is folded.
const shownBars = 8

// First returns the bars that are always shown.
func (c chart) First() []bar { return c.bars[:min(shownBars, len(c.bars))] }

// Rest returns the bars that are folded.
func (c chart) Rest() []bar { return c.bars[min(shownBars, len(c.bars)):] }

// charts returns the charts of a category: by country, and by price in the currency of most of
// its listings, since amounts in different currencies do not compare. It leaves out a chart
// with a single bar.
func (s *Site) charts(d document.Category) (all []chart) {
	countries := chart{Title: s.text("site.chart.countries")}
	for _, one := range d.Countries {
		countries.bars = append(countries.bars, bar{
			Label: s.format.country(one.Country), Count: one.ListingCount,
			URL: s.narrowed(d, url.Values{"country": {one.Country}}),
		})
	}
	all = append(all, countries)
	if len(d.PriceRanges) > 0 {
		all = append(all, s.prices(d))
	}
	var told []chart
	for _, c := range all {
		if len(c.bars) > 1 {
			c.measure()
			told = append(told, c)
		}
	}
	return told
}

// prices returns the chart of the first currency.
func (s *Site) prices(d document.Category) chart {
	currency := d.PriceRanges[0].Currency
	c := chart{Title: s.text("site.chart.prices", "currency", currency)}
	for _, one := range d.PriceRanges {
		if one.Currency != currency {
			break
		}
		b := bar{Label: s.priceRange(one), Count: one.ListingCount}
		if b.Count > 0 {
			b.URL = s.narrowed(d, url.Values{"price": {within(one)}, "currency": {currency}})
		}
		c.bars = append(c.bars, b)
	}
	return c
}

// within returns a range of prices as search takes it, and priceRange as people read it.
func within(one document.PriceRange) string { return one.Min + "..<" + one.Max }

func (s *Site) priceRange(one document.PriceRange) string {
	to := s.format.texts.RoundPrice(one.Max, one.Currency)
	if one.Min == "0" {
		return s.text("site.chart.below", "to", to)
	}
	return s.text("site.chart.range", "from", s.format.texts.RoundPrice(one.Min, one.Currency), "to", to)
}

// measure sets the widths of the bars. No bar has width 0.
func (c chart) measure() {
	most := 1
	for _, b := range c.bars {
		most = max(most, b.Count)
	}
	for i := range c.bars {
		b := &c.bars[i]
		if b.Width = b.Count * 100 / most; b.Count > 0 {
			b.Width = max(1, b.Width)
		}
	}
}

// counted returns a text about a number, with the number in bold.
func (s *Site) counted(key string, n int) template.HTML {
	text, number := html.EscapeString(s.text(key, "count", n)), html.EscapeString(s.format.count(n))
	return template.HTML(strings.Replace(text, number, "<b>"+number+"</b>", 1))
}
