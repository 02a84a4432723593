package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	mapPage    = "/market-maps/twenty-four-hours"
	drawn      = `document.querySelector("object").contentDocument`
	chosenLink = ".groups li:nth-child(3) a"
)

func TestMapPictureShowsTheSelectedSegment(t *testing.T) {
	s := serveContent(t, bench, "")
	for name, steps := range map[string][]step{"with scripts": nil, "without": {withoutScripts()}} {
		p := open(t, steps...)
		p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+mapPage))
		p.until(drawn + `?.querySelector("view#all:target") != null`)
		p.do(chromedp.Click(chromedp.CSS(chosenLink)))
		p.until(drawn + `?.querySelector("view#s1:target") != null`)
		if !p.is(`(d => getComputedStyle(d.querySelector(".h")).visibility === "hidden" && [...d.querySelectorAll("g[role=group]")].every((g, i) => (getComputedStyle(g).visibility === "visible") === (i === 1)))(` + drawn + `)`) {
			t.Errorf("%s: the picture shows other segments than the chosen one", name)
		}
		p.do(chromedp.Evaluate[chromedp.Void](drawn + `.querySelector("g[role=group]:nth-of-type(3) g a").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`))
		p.until(`location.pathname.startsWith("/companies/")`)
	}
}

func TestMapShowsASegmentSelectedBeforeItIsVisible(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(360, 200), chromedp.Navigate(s.url+mapPage))
	if !p.is(`document.querySelector("object").contentDocument === null`) {
		t.Error("the picture is loaded before anybody sees it")
	}
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("` + chosenLink + `").click()`))
	p.until(drawn + `?.querySelector("view#s1:target") != null`)
}
