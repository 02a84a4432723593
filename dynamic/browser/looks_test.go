package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// looked are pages of each kind, of the sample marketplace.
var looked = map[string]string{
	"home": "/", "seller": "/companies/brass-wren", "product": "/companies/brass-wren/products/wren-7", "category": "/categories/product/robots",
	"article": "/articles/a-robot-for-a-small-bench", "map": "/market-maps/twenty-four-hours", "search": "/search?q=wren", "nothing": "/search?q=nothingofthatname",
	"refused": "/search?limit=x", "claim": "/companies/brass-wren/claim", "remove": "/companies/brass-wren/remove", "404": "/nothing/here",
	"reference": "/docs/api", "companies": "/companies", "embed": embedded, "picture": "/market-maps/twenty-four-hours.svg", "articles": "/articles", "root": "/categories/product", "verify": "/verify/removal#id=x&token=y",
}

var widths = []int{360, 768, 1440}

func TestNoPageIsWiderThanTheScreen(t *testing.T) {
	s := serveContent(t, bench, "")
	for name, address := range looked {
		if name == "picture" {
			continue // it is as wide as it was drawn
		}
		p := open(t)
		for _, width := range widths {
			for _, colours := range []string{"light", "dark"} {
				p.do(chromedp.EmulateViewport(int64(width), 900), scheme(colours), chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+address))
				if got := get(p, chromedp.Evaluate[int](`document.documentElement.scrollWidth`)); got > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", address, got, width)
				}
				p.shootIfKept(fmt.Sprintf("%s-%d-%s", name, width, colours))
				if *shots == "" {
					break // the width is the same in both
				}
			}
		}
	}
}
