package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

const robots = "/categories/product/robots"

func TestCategoryFiltersNarrowThePage(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+robots))
	p.until(`document.querySelector(".find input").role === "combobox"`)
	p.do(chromedp.Evaluate[chromedp.Void](`window.same = true; scrollTo(0, 0)`))
	const selector = `.sets a[href*="country="]`
	link := `document.querySelector('` + selector + `')`
	country := get(p, chromedp.Evaluate[string](`new URLSearchParams(`+link+`.search).get("country")`))
	n := get(p, chromedp.Evaluate[string](link+`.querySelector(".n").textContent`))
	p.do(chromedp.Click(chromedp.CSS(selector)))
	p.until(fmt.Sprintf(`document.querySelector(".count")?.textContent === "%s found"`, n))
	if !p.is(fmt.Sprintf(`same && location.pathname === "/market%s" && location.search === "?country=%s" && document.querySelectorAll(".finding .card").length == %s`, robots, country, n)) {
		t.Errorf("the page is left, or has other cards: %s", get(p, chromedp.Evaluate[string](`location.href`)))
	}
	if !p.is(`document.querySelectorAll(".chosen a").length === 1 && document.querySelector(".sets [name=country]:checked") !== null && document.querySelector(".sets [name=category]") === null && document.querySelector(".sets [name=sort]") !== null`) {
		t.Error("the filter is not among the chosen ones, or the category is, or nothing sorts")
	}
	p.do(chromedp.Click(chromedp.CSS(`.chosen a`)))
	p.until(`document.querySelector(".chosen") === null && location.search === ""`)
	p.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	p.until(`document.querySelector(".chosen") !== null`)
	// The address alone has the same effect.
	p.do(chromedp.Reload())
	p.until(fmt.Sprintf(`document.querySelector(".count")?.textContent === "%s found" && document.querySelector(".chosen") !== null`, n))
	p.clean(s.url)
}

func TestCategoryFiltersWorkWithoutScripts(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t, withoutScripts())
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+robots), chromedp.SendKeys(chromedp.CSS(`.sets [name=max]`), "1"), chromedp.Click(chromedp.CSS(`.apply`)))
	p.until(`location.pathname === "/market/search" && document.querySelector(".chosen") !== null`)
	if !p.is(`document.querySelector("[name=category][value='product/robots']").checked && document.querySelectorAll(".card").length > 0`) {
		t.Errorf("the search is not in the category: %s %s", get(p, chromedp.Evaluate[string](`location.href`)), p.text("main"))
	}
	p.do(chromedp.Navigate(s.url+robots), chromedp.Click(chromedp.CSS(`.sets a`)))
	p.until(`location.pathname === "/market/search" && document.querySelector(".chosen") !== null`)
}

func TestCategoryFiltersOpenTheSearchPageWithoutTheProgram(t *testing.T) {
	host := hostFiles(t, serveContent(t, bench, ""))
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(host.URL+robots))
	p.until(`document.querySelector(".find input").role === "combobox"`)
	p.do(chromedp.Click(chromedp.CSS(`.sets a`)))
	p.until(`location.pathname === "/search" && document.querySelector(".results").innerText.includes("has no search")`)
}

func TestPhoneHeaderIsOneLineWithAMenu(t *testing.T) {
	s := serveContent(t, bench, "")
	for _, script := range [][]step{nil, {withoutScripts()}} {
		p := open(t, script...)
		for _, address := range []string{"/", robots, "/search?q=wren", "/nothing/here"} {
			p.do(chromedp.EmulateViewport(360, 780), chromedp.Navigate(s.url+address))
			if height := get(p, chromedp.Evaluate[float64](`document.querySelector(".head").getBoundingClientRect().height`)); height > 64 {
				t.Errorf("%s has a head of %.0f pixels", address, height)
			}
			if p.is(`document.querySelector(".menu nav").checkVisibility({contentVisibilityAuto: true})`) {
				t.Errorf("%s: the menu is open", address)
			}
			p.do(chromedp.Click(chromedp.CSS(".menu > summary")))
			if !p.is(`document.querySelector(".menu nav a").checkVisibility() && document.documentElement.scrollWidth === 360`) {
				t.Errorf("%s: the menu does not open, or is wider than the screen", address)
			}
		}
	}
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.url+robots))
	if !p.is(`document.querySelector(".menu nav a").checkVisibility({contentVisibilityAuto: true}) && !document.querySelector(".menu > summary").checkVisibility()`) {
		t.Error("on a wide screen the menu is folded")
	}
}

func TestRecentSearchesAreOfferedInAnEmptyField(t *testing.T) {
	s := serveContent(t, bench, "")
	p := open(t)
	p.do(chromedp.EmulateViewport(1280, 900))
	for _, text := range []string{"wren", "gauge", "wren"} {
		p.do(chromedp.Navigate(s.url + "/"))
		p.until(`document.querySelector(".find input").role === "combobox"`)
		p.do(chromedp.SendKeys(chromedp.CSS(".find.big input"), text), chromedp.Evaluate[chromedp.Void](`document.querySelector(".find.big").requestSubmit()`))
		p.until(`location.pathname === "/search"`)
	}
	p.do(chromedp.Navigate(s.url + "/"))
	p.until(`document.querySelector(".find input").role === "combobox"`)
	p.do(chromedp.Click(chromedp.CSS(".find.big input")))
	p.until(`document.querySelectorAll("[role=option]").length === 3`)
	if got := p.texts("[role=option] span"); fmt.Sprint(got) != "[wren gauge Clear]" {
		t.Errorf("offered are %q", got)
	}
	p.do(chromedp.Click(chromedp.CSS("[role=option]:last-child")))
	if !p.is(`JSON.parse(localStorage.getItem("souk.recent /")).length === 0 && document.querySelector(".suggestions").hidden`) {
		t.Error("what was searched for is still kept")
	}
	p.clean(s.url)
}
