package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const bench = "../../content"

// withoutScripts disables scripts in a tab, as a reader may.
func withoutScripts() step {
	return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// until waits until a condition holds on whatever page is open by then.
func (p *page) until(condition string) {
	p.t.Helper()
	var last error
	for deadline, again := time.Now().Add(15*time.Second), time.NewTicker(20*time.Millisecond); time.Now().Before(deadline); <-again.C {
		holds, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](condition))
		if err == nil && holds {
			return
		}
		last = err
	}
	p.t.Fatalf("waited in vain until %s (%v) in\n%s", condition, last, p.text("body"))
}

// texts returns the texts of all elements that match a selector.
func (p *page) texts(selector string) []string {
	p.t.Helper()
	return get(p, chromedp.Evaluate[[]string](fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.textContent)`, selector)))
}

const (
	field   = `.head .find input[name=q]`
	options = `document.querySelectorAll('.head [role=option]')`
	listed  = options + `.length > 0`
	active  = `document.querySelector('` + field + `').getAttribute('aria-activedescendant')`
)

// TestSuggestionsAreReadableWithForcedColours tests the page with the system's colors
// instead of ours, which replaces our backgrounds and inherited colors.
func TestSuggestionsAreReadableWithForcedColours(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t)
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: "dark"}},
	}))
	p.do(chromedp.Navigate(s.url+"/companies"), chromedp.SendKeys(chromedp.CSS(field), "wren"))
	p.until(listed)
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	// The text of a mark is in the system's black, so it needs the system's background too.
	if ground := get(p, chromedp.Evaluate[string](`getComputedStyle(document.querySelector(".suggestions mark")).backgroundColor`)); ground != "rgb(255, 255, 0)" {
		t.Errorf("what was typed stands on %s", ground)
	}
	look := func(at int) string {
		return get(p, chromedp.Evaluate[string](fmt.Sprintf(`(() => { const s = getComputedStyle(%s[%d]); return s.outlineStyle + s.borderStyle; })()`, options, at)))
	}
	if look(0) == look(1) {
		t.Error("the chosen suggestion looks like the others")
	}
	if p.is(`getComputedStyle(document.querySelector(".head button")).borderStyle === "none"`) {
		t.Error("the button has no edge")
	}
}

func TestTypingSuggestsAndTheKeyboardSelects(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t)
	p.do(chromedp.Navigate(s.url+"/companies"), chromedp.SendKeys(chromedp.CSS(field), "wren"))
	p.until(listed)
	box := `document.querySelector('` + field + `')`
	if !p.is(box + `.role === "combobox" && ` + box + `.getAttribute("aria-expanded") === "true" && document.getElementById(` + box + `.getAttribute("aria-controls")).role === "listbox"`) {
		t.Error("the field is no combobox")
	}
	if said := p.texts(`.head [role=status]`); len(said) != 1 || !strings.HasPrefix(said[0], "Suggestions: ") {
		t.Errorf("a screen reader hears %q", said)
	}
	if p.is(`document.querySelector('.head [role=status]').getBoundingClientRect().width > 1`) {
		t.Error("what a screen reader hears is seen, too")
	}
	if !p.is(active+` === null`) || !p.is(options+`[0].querySelector("mark").textContent.toLowerCase() === "wren"`) {
		t.Error("something is chosen before anybody chose, or nothing is marked")
	}
	if p.is(`![...` + options + `].every((o) => o.querySelector("small").textContent !== "")`) {
		t.Error("a suggestion does not say what else its name is of")
	}
	chosen := func() int {
		return get(p, chromedp.Evaluate[int](`[...`+options+`].findIndex((o) => o.getAttribute("aria-selected") === "true" && o.id === `+active+`)`))
	}
	last := get(p, chromedp.Evaluate[int](options+`.length`)) - 1
	if last < 1 {
		t.Fatal("there is one suggestion alone")
	}
	for _, press := range []struct {
		key  string
		want int
	}{{kb.ArrowDown, 0}, {kb.ArrowDown, 1}, {kb.End, last}, {kb.ArrowDown, 0}, {kb.ArrowUp, last}, {kb.Home, 0}, {kb.ArrowDown, 1}} {
		p.do(chromedp.KeyEvent(press.key))
		if got := chosen(); got != press.want {
			t.Errorf("after a key suggestion %d is chosen, want %d", got, press.want)
		}
	}
	p.shootIfKept("suggestions")
	p.do(chromedp.KeyEvent(kb.Escape))
	if !p.is(box+`.getAttribute("aria-expanded") === "false" && `+active+` === null`) || p.text(`.head [role=listbox]`) != "" || p.is(box+`.value !== "wren"`) {
		t.Error("Escape does not close the list alone")
	}
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.until(`document.querySelector('.head [role=listbox]').checkVisibility()`)
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	want := get(p, chromedp.Evaluate[string](options+`[0].address`))
	p.clean(s.url) // the next page shows a picture of another site
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(fmt.Sprintf(`location.pathname === %q && document.readyState === "complete"`, want))
	if !strings.HasPrefix(want, "/market/") || p.is(`document.querySelector("h1") === null`) {
		t.Errorf("Enter leads to %s", want)
	}
}

func TestFiltersNarrowAndTheBackButtonUndoesIt(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t, chromedp.EmulateViewport(1280, 900))
	p.do(chromedp.Navigate(s.url + "/search?q="))
	count := `document.querySelector(".count").textContent`
	cards := `document.querySelectorAll(".results .card").length`
	all := p.texts(".count")[0]
	box := `.filters input[type=checkbox][name=country]`
	value := get(p, chromedp.Evaluate[string](`document.querySelector('`+box+`').value`))
	n := get(p, chromedp.Evaluate[string](`document.querySelector('`+box+`').closest("label").querySelector(".n").textContent`))
	p.do(chromedp.Focus(chromedp.CSS(box)), chromedp.KeyEvent(" "))
	p.until(fmt.Sprintf(`%s === "%s found"`, count, n))
	if !p.is(fmt.Sprintf(`new URLSearchParams(location.search).get("country") === %q && location.pathname === "/market/search"`, value)) {
		t.Error("the address does not tell the filter")
	}
	if !p.is(fmt.Sprintf(`document.activeElement.name === "country" && document.activeElement.value === %q && document.activeElement.checked`, value)) {
		t.Error("the filter lost the focus")
	}
	if !p.is(fmt.Sprintf(`%s === %s`, cards, n)) {
		t.Error("the results are others than the filter said")
	}
	p.do(chromedp.Click(chromedp.CSS(`.filters input[name=kind][value=service]`)))
	p.until(`new URLSearchParams(location.search).get("kind") === "service" && !document.querySelector(".results").hasAttribute("aria-busy")`)
	for _, want := range []string{n + " found", all} {
		p.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
		p.until(fmt.Sprintf(`%s === %q`, count, want))
	}
	if p.is(`document.querySelector('` + box + `').checked`) {
		t.Error("the filter is still chosen")
	}
	// A search in the header stays in the page and has its own address.
	p.do(chromedp.SendKeys(chromedp.CSS(field), "nothingofthatname"+kb.Enter))
	p.until(count + ` === "0 found" && document.querySelector(".chips a") !== null`)
	if names := p.texts(".chips a"); !slices.Contains(names, "Robots (Products) 12") || !slices.Contains(names, "Robots (Services) 7") {
		t.Errorf("categories of both roots are not told apart in %q", names)
	}
	if got := strings.Join(p.texts(".results h3"), "; "); got != "Things to try; Or start with a category" {
		t.Errorf("where nothing is found, the page says %q", got)
	}
	if !p.is(`document.title === "nothingofthatname · Search · Bench & Byre"`) {
		t.Errorf("the tab says %q", get(p, chromedp.Evaluate[string](`document.title`)))
	}
	p.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	p.until(fmt.Sprintf(`%s === %q && document.title === "Search · Bench & Byre"`, count, all))
	p.clean(s.url)
}

func TestSearchWithoutScriptsShowsTheSame(t *testing.T) {
	s := serveContent(t, photographed(t), "/market")
	for _, address := range []string{"/search?q=photographed", "/search?q=wren", "/search?q=WRÉN+9&kind=product", "/search?q=&limit=5", "/search?q=&limit=5&offset=5", "/search?q=nothing-of-it", "/search?q=gauge", "/search?country=GB&q=the", "/search?q=&limit=5&utm_source=x", "/search?q=wren&limit=x&country=%3Cb%3E", "/search?q=robots+under+900+EUR&sort=price&currency=EUR", "/search?q=lighter+than+5+kg", "/search?q=wren&category=product/nothing&attribute=Nothing:5+kg&price=1..2&currency=KWD", "/search?category=product/bench-robots&price=100..&currency=CHF&attribute=Needs+a+fence:false", "/search?category=product/robot-arms&price=1000..4999.990&currency=CHF&attribute=Reach:0.4..1000+m",
		"/search?q=mare+baixa", "/search?q=brass+wren&category=product/nothing", "/companies/search", "/companies/search?q=wren&limit=1", "/companies/search?q=&country=GB&sort=name",
		"/companies/search?q=&limit=2&offset=2", "/companies/search?q=nothing-of-it", "/companies/search?q=x&kind=product&country=%3Cb%3E"} {
		search, query, _ := strings.Cut(address, "?")
		looks := func(p *page) []string {
			parts := append(p.texts(".results h3, .results .card p, .results .company p, .results .logo, .results .direct, .nothing, .chips li"), p.texts("mark")...)
			parts = append(parts, get(p, chromedp.Evaluate[string](`document.title`)))
			parts = append(parts, p.texts(".filters:not([hidden]) label, .filters:not([hidden]) legend, .count")...)
			parts = append(parts, get(p, chromedp.Evaluate[[]string](`[...document.querySelectorAll(".results a, .results img")].map((e) => [...e.attributes].map((a) => a.name + "=" + a.value).sort().join(" "))`))...)
			for i, text := range parts {
				parts[i] = strings.Join(strings.Fields(text), "")
			}
			return parts
		}
		plain := open(t, withoutScripts())
		plain.do(chromedp.Navigate(s.url + address))
		want := looks(plain)
		if address == "/search?q=photographed" && !strings.Contains(strings.Join(want, "\n"), "320w,") {
			t.Errorf("the cards lack the widths of their picture: %q", want)
		}
		scripted := open(t)
		scripted.do(chromedp.Navigate(s.url+search+"?q=nothing-of-this"),
			chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`history.replaceState(null, "", %q); dispatchEvent(new PopStateEvent("popstate"))`, "?"+query)))
		scripted.until(`!document.querySelector(".results").hasAttribute("aria-busy") && (document.querySelector(".nothing") === null || document.querySelector(".chips:not(.chosen)") !== null)`)
		got := looks(scripted)
		// Links may have their parameters in another order.
		if !slices.Equal(sorted(got), sorted(want)) {
			t.Errorf("%s: with a script %q\nwithout %q", address, got, want)
		}
		scripted.clean(s.url)
	}
}

// photographed returns the sample with a picture that has smaller versions.
func photographed(t *testing.T) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 700, 100))
	noise := uint32(1)
	for i := range m.Pix {
		noise = noise*1664525 + 1013904223
		if m.Pix[i] = uint8(noise >> 24); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	var photo bytes.Buffer
	if err := png.Encode(&photo, m); err != nil {
		t.Fatal(err)
	}
	content := t.TempDir()
	if err := os.CopyFS(content, os.DirFS(bench)); err != nil {
		t.Fatal(err)
	}
	for file, body := range map[string]string{
		"sellers/mare-baixa/products/media/photo.png":   photo.String(),
		"sellers/mare-baixa/products/photographed.yaml": "name: Photographed\ncategories: [robots]\nmedia: [{file: media/photo.png, alt: A photograph}]\n",
		"sellers/mare-baixa/products/second.yaml":       "name: Second photographed\ncategories: [robots]\nmedia: [{file: media/photo.png, alt: A photograph}]\n",
	} {
		path := filepath.Join(content, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return content
}

func sorted(parts []string) (all []string) {
	for _, part := range parts {
		path, query, _ := strings.Cut(part, "?")
		parameters := strings.Split(query, "&")
		slices.Sort(parameters)
		all = append(all, path+"?"+strings.Join(parameters, "&"))
	}
	return all
}

func TestSearchFormsWorkWithoutScripts(t *testing.T) {
	s := serveContent(t, bench, "/market")
	p := open(t, withoutScripts())
	p.do(chromedp.Navigate(s.url+"/"), chromedp.SendKeys(chromedp.CSS(".find.big input[name=q]"), "wren"+kb.Enter))
	p.until(`location.pathname === "/market/search" && document.querySelector(".count").textContent.endsWith(" found")`)
	// On a small screen the filters are folded.
	p.do(chromedp.Click(chromedp.CSS(`.fold > summary`)), chromedp.Click(chromedp.CSS(`.filters input[name=kind][value=product]`)), chromedp.Click(chromedp.CSS(`.filters .apply`)))
	p.until(`new URLSearchParams(location.search).get("kind") === "product" && new URLSearchParams(location.search).get("q") === "wren" && document.readyState === "complete"`)
	if !p.is(`document.querySelector(".filters input[name=kind][value=product]").checked && !document.querySelector(".fold").open && document.querySelector(".chosen") !== null && document.querySelectorAll(".card").length > 0`) {
		t.Error("the filter does not hold")
	}
	p.do(chromedp.Click(chromedp.CSS(".card h3 a")))
	p.until(`location.pathname.startsWith("/market/companies/") && document.querySelector("h1") !== null`)
}

// hostFiles serves the files of a release, without any special rules.
func hostFiles(t *testing.T, s *served) *httptest.Server {
	t.Helper()
	var host *httptest.Server
	host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := os.ReadFile(filepath.Join(s.public, r.URL.Path+".html"))
		if err != nil {
			http.ServeFile(w, r, filepath.Join(s.public, r.URL.Path))
			return
		}
		_, _ = w.Write([]byte(strings.ReplaceAll(string(data), s.url, host.URL)))
	}))
	t.Cleanup(host.Close)
	return host
}

func TestSearchReportsAHostWithoutTheProgram(t *testing.T) {
	s := serveContent(t, bench, "")
	host := hostFiles(t, s)
	p := open(t)
	p.do(chromedp.Navigate(host.URL + "/search?q=wren"))
	p.until(`document.querySelector(".results").innerText.includes("has no search")`)
	p.do(chromedp.SendKeys(chromedp.CSS(field), "s"))
	p.until(`performance.getEntriesByType("resource").some((e) => e.name.includes("/search/suggestions"))`)
	if p.is(listed) || p.is(`document.querySelector('`+field+`').getAttribute("aria-expanded") === "true"`) {
		t.Error("something is suggested")
	}
}
