package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// looked are pages of each kind, of the sample marketplace.
var looked = map[string]string{
	"home": "/", "seller": "/companies/brass-wren", "product": "/companies/brass-wren/products/wren-7", "category": "/categories/product/robots",
	"article": "/articles/a-robot-for-a-small-bench", "map": "/market-maps/twenty-four-hours", "search": "/search?q=wren", "nothing": "/search?q=nothingofthatname",
	"refused": "/search?limit=x", "claim": "/companies/brass-wren/claim", "remove": "/companies/brass-wren/remove", "404": "/nothing/here",
	"companies": "/companies", "embed": embedded, "picture": "/market-maps/twenty-four-hours.svg", "articles": "/articles", "root": "/categories/product", "verify": "/verify/removal#id=x&token=y",
}

var widths = []int{360, 768, 1440}

// TestPagesAreAccessible runs axe-core, whose file (axe.min.js of the npm package
// axe-core) the variable names, in every kind of page.
func TestPagesAreAccessible(t *testing.T) {
	file := os.Getenv("SOUK_TEST_AXE")
	if file == "" {
		t.Skip("the pages are not examined by axe-core: SOUK_TEST_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := serveContent(t, bench, "")
	for name, address := range looked {
		t.Run(name, func(t *testing.T) {
			for _, colours := range []string{"light", "dark"} {
				// The tables of articles are their authors': an empty head is no fault of the page.
				p := open(t, scheme(colours), chromedp.EmulateViewport(1280, 900))
				p.do(chromedp.Navigate(s.url+address), chromedp.Evaluate[chromedp.Void](string(axe)+"; undefined"))
				found := get(p, chromedp.Evaluate[[]string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
					rules: {"empty-table-header": {enabled: false}}}).then((r) =>
					r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html.slice(0, 160) + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message)))`, chromedp.EvalAwaitPromise))
				if len(found) > 0 {
					t.Errorf("%s, %s:\n%s", address, colours, strings.Join(found, "\n"))
				}
			}
		})
	}
}

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
