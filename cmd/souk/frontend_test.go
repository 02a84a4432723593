//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// The tests in this file run the unmodified example of docs/frontend.md against a real
// `souk serve`.

const examples = "../../docs/examples"

// front is a running marketplace at the address that its documents contain.
type front struct {
	*server
	api string
	// lost is the number of further list pages that answer 404, as if the list had been
	// split differently.
	lost atomic.Int32
}

// marketFront serves a market whose list has several pages.
func marketFront(t *testing.T) *front {
	t.Helper()
	files := map[string]string{
		"marketplace.yaml":                 "name: Market\nsiteUrl: https://market.example\n",
		"categories/product/robots.yaml":   "name: Robots\nsynonyms: [arms]\n",
		"categories/service/training.yaml": "name: Training\n",
		"sellers/acme/seller.md":           "---\nofficialDomain: acme.example\nversions: [{version: 1, name: \"Acme & <b>Sons</b>\", tagline: Robot arms}]\n---\n\nWe *make* arms.\n",
		"sellers/acme/services/course.yaml": "name: \"🤖 Robot course\"\ncategories: [training]\n" +
			"price: {amount: \"95\", currency: EUR, unit: hour, from: true}\n",
	}
	for i := range 230 {
		files[fmt.Sprintf("sellers/acme/products/arm-%03d.yaml", i)] = fmt.Sprintf("name: Arm %03d\ncategories: [robots]\nattributes: {reach: {value: %d, unit: mm}}\n", i, i)
	}
	f := &front{}
	var behind atomic.Pointer[url.URL]
	further := regexp.MustCompile(`/pages/[^/]+$`)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if further.MatchString(r.URL.Path) && f.lost.Add(-1) >= 0 {
			r.URL.Path += "-that-went"
		}
		httputil.NewSingleHostReverseProxy(behind.Load()).ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	f.api = proxy.URL + "/api/v1"
	f.server = house(t, built(t), files).serve(t, "--site-url", proxy.URL)
	at, err := url.Parse(strings.TrimSuffix(f.base, "/api/v1/marketplace"))
	if err != nil {
		t.Fatal(err)
	}
	behind.Store(at)
	return f
}

// program returns the path of a program, or skips the test without it.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("the example of docs/frontend.md is not tried: there is no %s", strings.Join(names, " or "))
	return ""
}

func TestFrontEndGuideClientReadsServerAnswers(t *testing.T) {
	node := program(t, "node")
	f := marketFront(t)
	client, err := filepath.Abs(filepath.Join(examples, "souk.js"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(script string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "-e",
			fmt.Sprintf("import * as souk from %q;\nconst api = %q;\n%s", "file://"+client, f.api, script))
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
		return strings.TrimSpace(string(out))
	}
	names := `
const names = (await souk.all(api + "/marketplace/companies/acme", (d) => d.products ?? d)).map((l) => l.name);
console.log(names.length, new Set(names).size, names[0], names.at(-1));`
	for _, lost := range []int32{0, 1, 3} {
		f.lost.Store(lost)
		if got := run(names); got != "230 230 Arm 000 Arm 229" {
			t.Errorf("with %d pages that went, the list has %s", lost, got)
		}
	}
	f.lost.Store(1000)
	if got := run(`await souk.all(api + "/marketplace/companies/acme", (d) => d.products ?? d).catch((e) => console.log(souk.missing(e), e.status, e.code))`); got != "true 404 not-found" {
		t.Errorf("a list that never comes whole ends with %s", got)
	}
	if got := run(`
const r = await souk.get(souk.search(api, { q: "robto", kind: ["service"], category: "" }));
console.log(r.total, r.listings[0].slug);`); got != "1 course" {
		t.Errorf("search finds %s", got)
	}
	if got := run(`
const { suggestions } = await souk.get(souk.suggest(api, "course"));
console.log(JSON.stringify(souk.marks(suggestions[0].name, suggestions[0].highlight)));`); got != `[["🤖 Robot ",false],["course",true]]` {
		t.Errorf("the suggestion is marked as %s", got)
	}
	if got := run(`console.log(souk.srcset({ url: "/a", width: 900, variants: [{ url: "/b", width: 320 }] }), souk.srcset({ url: "/a", width: 9 }))`); got != "/b 320w, /a 900w /a 9w" {
		t.Errorf("the sources of pictures are %s", got)
	}
	id, token := f.begin("acme")
	if a := f.verify(id, token); a.status != http.StatusOK {
		t.Fatal(a)
	}
	if got := run(`await souk.get(api + "/marketplace/companies/acme").catch((e) => console.log(souk.removed(e), souk.missing(e), e.code))`); got != "true false removed" {
		t.Errorf("a seller that left answers %s", got)
	}
}

func TestFrontEndGuideContainsTheTestedClient(t *testing.T) {
	client, err := os.ReadFile(filepath.Join(examples, "souk.js"))
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../docs/frontend.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```js\n(.*?)```").FindAllSubmatch(guide, -1)
	if len(blocks) == 0 {
		t.Error("docs/frontend.md shows nothing of the client")
	}
	for _, block := range blocks {
		if !bytes.Contains(client, block[1]) {
			t.Errorf("souk.js does not contain this code of docs/frontend.md:\n%s", block[1])
		}
	}
}

func TestFrontEndGuidePageWorksInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	chromium := program(t, "chromium", "chromium-browser", "google-chrome")
	f := marketFront(t)
	page, err := os.ReadFile(filepath.Join(examples, "market.html"))
	if err != nil {
		t.Fatal(err)
	}
	// A script after the page's own acts as the visitor, and calls done at the end.
	var doing atomic.Pointer[string]
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/market.html" {
			http.FileServer(http.Dir(examples)).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "%s<script type=module>%s</script>", page, *doing.Load())
	}))
	t.Cleanup(pages.Close)
	until := "const until = async (holds) => { while (!holds()) await new Promise((r) => setTimeout(r, 20)); };\n"
	for _, c := range []struct {
		name, at, doing string
		want, wantNot   []string
	}{
		{"the categories", "", "", []string{">Robots</a> (230)", ">All services</a>"}, nil},
		{"a seller", "/marketplace/companies/acme", "", []string{"Acme &amp; &lt;b&gt;Sons&lt;/b&gt;", "We *make* arms.", "Products (230)", "from 95 EUR a hour", ">More</button>"}, []string{"<b>Sons"}},
		{"a seller's further pages", "/marketplace/companies/acme", until + `
			await until(() => document.querySelector(".more"));
			for (let more; (more = document.querySelector(".more")); ) { if (!more.disabled) more.click(); await until(() => document.querySelector(".more") !== more); }`,
			[]string{">Arm 000<", ">Arm 100<", ">Arm 229<"}, []string{">More</button>"}},
		{"a product", "/marketplace/companies/acme/products/arm-007", "", []string{"<h1>Arm 007</h1>", "<dt>reach</dt><dd>7 mm</dd>", ">Robots</a>"}, nil},
		{"a category", "/marketplace/categories/product/robots", "", []string{"Listings (230)", ">Arm 000<"}, nil},
		{"the categories of services", "/marketplace/category-roots/service", "", []string{">Training</a> (1)"}, nil},
		{"search", "/marketplace/listings/search?q=robto", "", []string{"<h1>231 results</h1>", "Services (1)", "Arm 000", ">Next page</a>"}, []string{"country:"}},
		{"suggestions", "", until + `
			const box = document.querySelector("#search input"); box.value = "rob"; box.dispatchEvent(new Event("input"));
			await until(() => document.querySelector("#suggestions mark"));`,
			[]string{"<mark>Rob</mark>"}, nil},
		{"what is not there", "/marketplace/companies/nobody", "", []string{"There is nothing here."}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			doing.Store(&c.doing)
			address := pages.URL + "/market.html?api=" + url.QueryEscape(f.api)
			if c.at != "" {
				address += "#" + f.api + c.at
			}
			out, err := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
				"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000", "--dump-dom", address).Output()
			if err != nil {
				t.Fatal(err)
			}
			shown, _, _ := strings.Cut(string(out), "<script")
			for _, want := range c.want {
				if !strings.Contains(shown, want) {
					t.Errorf("the page does not show %s:\n%.3000s", want, shown)
				}
			}
			for _, not := range c.wantNot {
				if strings.Contains(shown, not) {
					t.Errorf("the page shows %s", not)
				}
			}
		})
	}
}
