package site

import (
	"strings"
	"testing"

	"souk/build/document"
)

func TestACategoryShowsItsOffersBeforeItsChartsAndText(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	d := aMarket(s)["category"].(document.Category)
	d.ListingCount, d.Description = 2, "About these robots."
	d.Countries = []document.CountryCount{{Country: "CH", ListingCount: 1}, {Country: "DE", ListingCount: 1}}
	views, _ := s.view(d)
	body, at := mainOf(rendered(t, s, d)[views[0].file]), 0
	for _, part := range []string{`class="filters"`, `href="/m/search?category=` + d.RootKind + `%2f` + d.Slug + `&amp;sort=name"`, `class="cards"`, "About these robots.", `class="charts" data-markdown-ignore`} {
		next := strings.Index(body, part)
		if next < at {
			t.Errorf("%s is at %d, after something that begins at %d is wanted", part, next, at)
		}
		at = next
	}
}
