package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// staticHost serves the public folder of a server as a host without a program does.
func staticHost(t *testing.T, s *served) string {
	t.Helper()
	var host *httptest.Server
	host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := filepath.Join(s.public, filepath.FromSlash(r.URL.Path))
		for _, file := range []struct {
			ending string
			status int
		}{{".html", 200}, {".json", 200}, {".gone.json", 410}, {"", 200}} {
			if data, err := os.ReadFile(at + file.ending); err == nil {
				if strings.HasSuffix(at, ".css") {
					w.Header().Set("Content-Type", "text/css")
				}
				w.WriteHeader(file.status)
				_, _ = w.Write([]byte(strings.ReplaceAll(string(data), s.url, host.URL)))
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(host.Close)
	return host.URL
}

// compared returns the texts of a comparison's table and messages.
func compared(p *page) []string {
	all := p.texts("main h1, main .direct, main .nothing, main .only, main th, main td")
	all = append(all, get(p, chromedp.Evaluate[[]string](`[...document.querySelectorAll("main table a")].map((a) => decodeURIComponent(a.pathname + a.search))`))...)
	for i, text := range all {
		all[i] = strings.Join(strings.Fields(text), " ")
	}
	return all
}

func TestServerAndScriptComparisonsAreEqual(t *testing.T) {
	content := t.TempDir()
	if err := os.CopyFS(content, os.DirFS(bench)); err != nil {
		t.Fatal(err)
	}
	for name, attributes := range map[string]string{
		"a": "{Weight: {value: 1.50, unit: kg}, Length: {value: 1, unit: yd}, Heat: {value: 20, unit: °C}, Truth: true, Year: 2026, Größe: L, Box: {value: 3, unit: Crates}}",
		"b": "{WEIGHT: {value: 2500, unit: Grams}, Length: {value: 1, unit: m}, Heat: {value: 68.0, unit: °F}, Truth: false, Year: 12345.50, größe: l, Box: {value: 3.0, unit: crates}}",
		"c": "{weight: {value: 1e3, unit: g}, Length: {value: 3, unit: feet}, Truth: \"yes\", Words: [\"<b>\", remote], Other: {value: -0.5, unit: l/min}}",
		"d": "{Other: {value: 30, unit: l·h⁻¹}}",
	} {
		file := filepath.Join(content, "sellers/mare-baixa/products/"+name+".yaml")
		if err := os.WriteFile(file, []byte("name: Product "+name+"\ncategories: [robots]\navailability: preOrder\nprice: {amount: \"10.5\", currency: EUR, list: \"12\"}\nattributes: "+attributes+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := serveContent(t, content, "")
	host := staticHost(t, s)
	refs := func(list ...string) string { return "/compare?ref=" + strings.Join(list, "&ref=") }
	product := func(name string) string { return "product:mare-baixa/" + name }
	for _, address := range []string{
		refs(product("a"), product("b"), product("c"), product("d")), refs(product("c"), product("a"), product("nothing"), product("a")), refs(product("d"), product("b"), product("c")),
		refs("product:brass-wren/wren-4", "product:brass-wren/wren-7", "product:umlauf/sieve-eye", "service:brass-wren/first-week"),
		"/compare", refs(product("a")), refs("seller:acme", "b"),
	} {
		plain := open(t, withoutScripts())
		plain.do(chromedp.Navigate(s.url + address))
		want := compared(plain)
		scripted := open(t)
		scripted.do(chromedp.Navigate(host + address))
		scripted.until(`document.querySelector("main table, main .nothing") !== null`)
		if address == refs("seller:acme", "b") { // the program explains what is wrong with each
			if got := compared(scripted); len(got) != 2 {
				t.Errorf("%s: %q", address, got)
			}
			continue
		}
		if got := compared(scripted); !slices.Equal(got, want) {
			t.Errorf("%s: with a script\n%q\nwithout\n%q", address, got, want)
		}
		scripted.clean(host)
	}
}

func TestBasketOpensAComparison(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t)
	p.do(chromedp.Navigate(s.url + "/search?q=wren"))
	p.until(`document.querySelectorAll(".card .compare").length > 2`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".card .compare")].slice(0, 2).forEach((button) => button.click())`))
	p.until(`document.querySelector(".basket a").textContent === "Compare (2)" && document.querySelectorAll(".compare[aria-pressed=true]").length === 2`)
	// The basket is kept on the next page, and that page's own listing can be added and
	// removed.
	p.do(chromedp.Navigate(s.url + "/companies/umlauf/products/sieve-eye"))
	p.until(`document.querySelector(".basket a").textContent === "Compare (2)"`)
	p.shootIfKept("basket")
	press := chromedp.Evaluate[chromedp.Void](`document.querySelector(".titled .compare").click()`)
	p.do(press)
	p.until(`document.querySelector(".basket a").textContent === "Compare (3)"`)
	p.do(press)
	p.until(`document.querySelector(".basket a").textContent === "Compare (2)"`)
	p.do(press, chromedp.Click(chromedp.CSS(".basket a")))
	p.until(`location.pathname === "/market/compare" && document.querySelectorAll("thead th").length === 3`)
	p.do(chromedp.Click(chromedp.CSS("thead th:last-child .out")))
	p.until(`document.querySelectorAll("thead th").length === 2`)
	// Without References the page shows the basket.
	p.do(chromedp.Navigate(s.url + "/compare"))
	p.until(`document.querySelectorAll("thead th").length === 2 && !location.search.includes("sieve-eye")`)
	// Eight is the maximum.
	p.do(chromedp.Navigate(s.url + "/search?q=&limit=20"))
	p.until(`document.querySelectorAll(".card .compare").length > 8`)
	p.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".card .compare:not([aria-pressed=true])")].slice(0, 8).forEach((button) => button.click())`))
	p.until(`document.querySelector(".basket a").textContent === "Compare (8)" && document.querySelector(".compare[aria-pressed=false]").disabled`)
	p.do(chromedp.Click(chromedp.CSS(".basket button")))
	p.until(`document.querySelector(".basket") === null && document.querySelector(".compare:disabled") === null`)
	p.clean(s.url)
}
