package site

import (
	"net/url"
	"strings"
	"testing"

	"souk/build/document"
)

func TestNumbersInRangesFollowTheLanguage(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	price, reach := document.SearchFilter{Name: document.FilterPrice}, document.SearchFilter{Name: document.FilterAttribute}
	for _, c := range []struct {
		filter     document.SearchFilter
		sent, want string
	}{
		{price, "2000..4999.99", "2.000 – 4.999,99"}, {price, "..0.5", "≤ 0,5"}, {price, "1000..", "≥ 1.000"}, {price, "..", "Alle"},
		{price, "2000..<5000", "2.000 – < 5.000"}, {price, "..<100", "< 100"}, {reach, "Ports:4<..", "> 4"}, {reach, "Reach:4<..<100 m", "> 4 – < 100 m"},
		{reach, "Reach:0.855..12000 m", "0,855 – 12.000 m"}, {reach, "Built:1998..2026", "1998 – 2026"}, {reach, "Reach: ..1.5mm", "≤ 1,5 mm"}, {reach, "Reach:far", "far"},
	} {
		if got := s.span(c.filter, c.sent); got != c.want {
			t.Errorf("%s is %q, want %q", c.sent, got, c.want)
		}
	}
}

func TestABoundNamesItsAttribute(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for _, c := range []struct {
		one  document.Interpretation
		want string
	}{
		{document.Interpretation{Text: "lighter than 5 kg", As: document.AsFilter, Filter: document.FilterAttribute, Value: "Weight:..5 kg"}, "lighter than 5 kg (Weight), used as a filter"},
		{document.Interpretation{Text: "reach over 400 mm", As: document.AsFilter, Filter: document.FilterAttribute, Value: "Reach:400.. mm"}, "reach over 400 mm, used as a filter"},
		{document.Interpretation{Text: "under 5 kg", As: document.AsLeftOut, Filter: document.FilterAttribute, Value: "Weight:..5 kg"}, "under 5 kg (Weight), ignored because no result matches it"},
		{document.Interpretation{Text: "under 5 EUR", As: document.AsFilter, Filter: document.FilterPrice, Value: "..5", Currency: "EUR"}, "under 5 EUR, used as a filter"},
	} {
		if got := s.understood(c.one); got != c.want {
			t.Errorf("said is %q, not %q", got, c.want)
		}
	}
}

func TestAFilterIsShownOnlyIfItNarrowsTheResults(t *testing.T) {
	of := func(counts ...int) (values []document.SearchFilterValue) {
		for _, n := range counts {
			values = append(values, document.SearchFilterValue{Value: "v", Label: "V", Count: n})
		}
		return values
	}
	for name, one := range map[string]struct {
		filter document.SearchFilter
		shown  bool
	}{
		"all have the only value":     {document.SearchFilter{Name: "country", Values: of(3)}, false},
		"all have each of the values": {document.SearchFilter{Name: "category", Values: of(3, 3)}, false},
		"one has another":             {document.SearchFilter{Name: "country", Values: of(2, 1)}, true},
		"one has none":                {document.SearchFilter{Name: "proof", Values: of(2)}, true},
		"the only value is chosen":    {document.SearchFilter{Name: "country", Values: []document.SearchFilterValue{{Value: "v", Count: 3, Selected: true}}}, true},
		"all have the same number":    {document.SearchFilter{Name: "price", Type: "number", Min: "5", Max: "5", Count: 3}, false},
		"two have the same number":    {document.SearchFilter{Name: "price", Type: "number", Min: "5", Max: "5", Count: 2}, false},
		"numbers differ":              {document.SearchFilter{Name: "price", Type: "number", Min: "5", Max: "6", Count: 3}, true},
		"a range is chosen":           {document.SearchFilter{Name: "price", Type: "number", Min: "5", Max: "5", Count: 3, Selected: []string{"1.."}}, true},
		"a range that nobody has":     {document.SearchFilter{Name: "price", Type: "number", Selected: []string{"1.."}}, true},
		"nobody has any":              {document.SearchFilter{Name: "delivery"}, false},
	} {
		if shown := len(newSite(t, market("en", "https://market.example")).sets([]document.SearchFilter{one.filter}, 3)) > 0; shown != one.shown {
			t.Errorf("%s: it is shown: %t", name, shown)
		}
	}
}

func TestARangeOfOneNumberHasNoFields(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for name, c := range map[string]struct {
		filter document.SearchFilter
		want   string
	}{
		"one number":  {document.SearchFilter{Name: "price", Type: "number", Unit: "EUR", Min: "5", Max: "5", Selected: []string{"1.."}}, ""},
		"none":        {document.SearchFilter{Name: "price", Type: "number", Unit: "EUR", Selected: []string{"1.."}}, ""},
		"two numbers": {document.SearchFilter{Name: "price", Type: "number", Unit: "EUR", Min: "5", Max: "6"}, "price::EUR"},
	} {
		if got := s.sets([]document.SearchFilter{c.filter}, 3)[0].Range; got != c.want {
			t.Errorf("%s: the range is %q, want %q", name, got, c.want)
		}
	}
}

func TestEveryInterpretationIsShownWithAndWithoutALink(t *testing.T) {
	link := &document.Link{Kind: "product", Name: "Wren", URL: "https://market.example/companies/a/products/wren"}
	s := newSite(t, market("en", "https://market.example"))
	for as := range understoodTexts {
		for _, link := range []*document.Link{nil, link} {
			result := document.SearchResult{Interpreted: []document.Interpretation{{Text: "typed", As: as, To: []string{"Wren"}, Filter: document.FilterCountry, Value: "DE", Link: link}}}
			body, err := s.Search(document.ListingSearch(), url.Values{"q": {"typed vs another"}}, result, nil)
			if err != nil || !strings.Contains(string(body), "<li>typed") && !strings.Contains(string(body), "<li>Wren instead of typed") {
				t.Errorf("as %s with the link %v: %v, %s", as, link, err, body)
			}
		}
	}
}

func TestCategoriesOfBothRootsWithTheSameNameAreDistinguished(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	all := s.sets([]document.SearchFilter{{Name: document.FilterCategory, Values: []document.SearchFilterValue{
		{Value: "product/robots", Label: "Robots"}, {Value: "product/arms", Label: "Arms"}, {Value: "service/robots", Label: "Robots"},
	}}}, 1)
	for i, want := range []string{"Robots (Products)", "Arms", "Robots (Services)"} {
		if got := all[0].First[i].Label; got != want {
			t.Errorf("%s is called %q, want %q", all[0].First[i].Value, got, want)
		}
	}
}

func TestAChosenValueHasALinkThatRemovesOnlyIt(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	result := document.SearchResult{Total: 1, Filters: []document.SearchFilter{
		{Name: document.FilterCountry, Values: []document.SearchFilterValue{{Value: "DE", Label: "Germany", Count: 1, Selected: true}, {Value: "PT", Label: "Portugal", Count: 1}}},
		{Name: document.FilterPrice, Type: "number", Unit: "EUR", Min: "1", Max: "9", Selected: []string{"1..5"}},
		{Name: document.FilterAttribute, Attribute: "Colour", Type: "text", Values: []document.SearchFilterValue{{Value: "Colour:Red", Label: "Red", Count: 1, Selected: true}, {Value: "Colour:Blue", Label: "Blue", Count: 1, Selected: true}}},
	}}
	asked := url.Values{"q": {"arm"}, "country": {"DE"}, "price": {"1..5"}, "currency": {"EUR"}, "attribute": {"colour:red", "colour:blue"}, "offset": {"24"}}
	body, err := s.Search(document.ListingSearch(), asked, result, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range parsePage(t, "search.html", string(body)).Descendants() {
		if n.Data == "ul" && get(n, "class") == "chips chosen" {
			for a := range n.Descendants() {
				if a.Data == "a" {
					got = append(got, get(a, "aria-label")+" > "+get(a, "href"))
				}
			}
		}
	}
	want := []string{
		"Remove Country: Germany > /search?attribute=Colour%3ARed&attribute=Colour%3ABlue&currency=EUR&price=1..5&q=arm",
		"Remove Price (EUR): 1 – 5 > /search?attribute=Colour%3ARed&attribute=Colour%3ABlue&country=DE&q=arm",
		"Remove Colour: Red > /search?attribute=Colour%3ABlue&country=DE&currency=EUR&price=1..5&q=arm",
		"Remove Colour: Blue > /search?attribute=Colour%3ARed&country=DE&currency=EUR&price=1..5&q=arm",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("the chips are\n%s\nnot\n%s", a, b)
	}
}
