package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const embedded = "/embed/market-maps/twenty-four-hours"

// framedBy opens a page of another site that shows one of our addresses in a frame.
func framedBy(t *testing.T, address string) *page {
	t.Helper()
	elsewhere := hostOf(t, `<!doctype html><title>x</title><link rel="icon" href="data:,"><iframe src="`+address+`" title="x" width="600" height="600"></iframe>`)
	p := open(t)
	p.do(chromedp.Navigate(strings.Replace(elsewhere, "127.0.0.1", "localhost", 1)))
	return p
}

// asked reports whether the tab requested an address that contains a text.
func (p *page) asked(part string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.addresses, func(a string) bool { return strings.Contains(a, part) })
}

func TestOnlyEmbedPagesCanBeFramedByOtherSites(t *testing.T) {
	s := serveContent(t, bench, "")
	for address, refused := range map[string]bool{embedded: false, "/embed/categories/product/robots": false, "/market-maps/twenty-four-hours": true, "/": true} {
		p := framedBy(t, s.url+address)
		p.mu.Lock()
		complained := slices.ContainsFunc(p.complaints, func(c string) bool { return strings.Contains(c, "frame-ancestors") })
		p.mu.Unlock()
		if complained != refused {
			t.Errorf("%s in a frame of another site is refused: %t, want %t", address, complained, refused)
		}
	}
}

func TestEmbedPageStyleComesFromItsAddress(t *testing.T) {
	s := serveContent(t, bench, "")
	for query, want := range map[string]string{
		"":                                  "light dark/16px/auto",
		"?theme=dark&columns=2&size=large":  "dark/19px/2",
		"?theme=light&columns=12":           "light/16px/12",
		"?theme=auto&columns=99&size=huge":  "light dark/16px/auto",
		"?theme=dark%22%3E%3Cb%3E&columns=": "light dark/16px/auto",
	} {
		p := open(t)
		p.do(chromedp.EmulateViewport(900, 900), chromedp.Navigate(s.url+embedded+query))
		got := get(p, chromedp.Evaluate[string](`(() => {
			const page = getComputedStyle(document.documentElement);
			const tiles = getComputedStyle(document.querySelector(".logos")).gridTemplateColumns.split(" ").length;
			return page.colorScheme + "/" + page.fontSize + "/" + (document.documentElement.dataset.columns ? tiles : "auto");
		})()`))
		if got != want {
			t.Errorf("%q looks %s, want %s", query, got, want)
		}
		p.clean(s.url)
	}
}

func TestMapPictureHasLogosLinksAndText(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t, scheme("dark"))
	p.do(chromedp.Navigate(s.url + "/market-maps/twenty-four-hours.svg"))
	if got := get(p, chromedp.Evaluate[string](`getComputedStyle(document.documentElement).backgroundColor`)); got != "rgb(18, 22, 20)" {
		t.Errorf("in the dark the ground is %s", got)
	}
	if !p.asked("/media/") {
		t.Error("no logo was asked for")
	}
	if !p.is(`getSelection().selectAllChildren(document.documentElement), getSelection().toString().includes("Cow Clock")`) {
		t.Error("the names cannot be selected")
	}
	p.clean(s.url)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("a[href^='/companies/']").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})), undefined`))
	p.until(`location.pathname.startsWith("/companies/")`)
}
