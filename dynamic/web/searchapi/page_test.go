package searchapi

import (
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/theme"
	"souk/build/site"
	"souk/dynamic/search"
	"souk/dynamic/web"
	"souk/templates/texts"
)

// pageOf serves the search page of a marketplace.
func pageOf(t *testing.T, l *search.Live, siteURL string) http.Handler {
	t.Helper()
	s, err := site.New(site.Config{Name: "Market", Language: "en", SiteURL: siteURL, APIURL: siteURL + "/api/v1", Texts: texts.New("en", nil)}, theme.Theme{})
	if err != nil {
		t.Fatal(err)
	}
	var pages atomic.Pointer[site.Site]
	pages.Store(s)
	h, err := web.New(web.Config{
		Release: noFiles{}, Log: slog.New(slog.DiscardHandler), Pages: Pages(l, &pages),
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// all returns the matches of a pattern's first group in a page, as a person reads them.
func all(page, pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
		found = append(found, html.UnescapeString(m[1]))
	}
	return found
}

// sampleAt is like sample, for a site at siteURL.
func sampleAt(t *testing.T, removals *catalog.Register, siteURL string) *search.Live {
	t.Helper()
	c := readCatalog(t, "../../../content")
	return live(t, index.Extract(c, document.NewRenderer(c, siteURL)), search.Options{State: index.State{Release: "r1"}, Removals: removals})
}

const market = "https://market.example"

func TestSearchPageShowsTheResultsOfTheAPI(t *testing.T) {
	l := sampleAt(t, nil, market)
	h := pageOf(t, l, market)
	api := serve(t, Handlers(l))
	for _, query := range []string{"", "q=arm", "q=wren&kind=product", "kind=service", "q=arm&country=GB&country=PT", "q=desk&limit=1&offset=1", "seller=umlauf", "seller=nobody", "category=product/nothing", "attribute=Nothing:5+kg&country=GB"} {
		if w := ask(api, "GET", searchPath, query); w.Code != http.StatusOK {
			t.Fatalf("%q: %d", query, w.Code)
		}
		raw := query
		if !strings.Contains(raw, "limit=") {
			raw += "&limit=24"
		}
		q, err := parseQuery(document.ListingSearch(), strings.TrimPrefix(raw, "&"))
		if err != nil {
			t.Fatal(err)
		}
		result, err := l.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		w := ask(h, "GET", "/search", query)
		page := w.Body.String()
		var names, values, selected []string
		for _, hit := range result.Listings {
			names = append(names, hit.Name)
		}
		for _, f := range result.Filters {
			if !slices.ContainsFunc(f.Values, func(v document.SearchFilterValue) bool { return v.Selected || v.Count < result.Total }) {
				continue // omitting this parameter would change nothing
			}
			for _, v := range f.Values {
				values = append(values, v.Value)
				if v.Selected {
					selected = append(selected, v.Value)
				}
			}
		}
		shown := all(strings.NewReplacer("<mark>", "", "</mark>", "").Replace(page), `<h3><a href="[^"]*/(?:products|services)/[^"]*">([^<]*)</a></h3>`)
		if w.Code != http.StatusOK || !slices.Equal(shown, names) {
			t.Errorf("%q: %d shows %q, found %q", query, w.Code, shown, names)
		}
		if got := all(page, `<input type="(?:radio|checkbox)" name="[a-zA-Z]+" value="([^"]+)"`); !slices.Equal(got, values) {
			t.Errorf("%q offers %q, want %q", query, got, values)
		}
		if got := all(page, `<input type="(?:radio|checkbox)" name="[a-zA-Z]+" value="([^"]+)" checked`); !slices.Equal(got, selected) {
			t.Errorf("%q has selected %q, want %q", query, got, selected)
		}
	}
}

func TestSearchPageShowsTheCompaniesOfTheAPI(t *testing.T) {
	l := sampleAt(t, nil, market)
	h := pageOf(t, l, market)
	for address, of := range map[string]string{
		"/search?q=brass+wren": "all", "/search?q=brass+wren&limit=1&offset=1": "none", "/search?q=": "none", "/search?q=brass+wren&category=product/nothing": "none",
		"/companies/search": "all", "/companies/search?q=wren": "all", "/companies/search?q=&country=GB": "all", "/companies/search?q=&limit=2&offset=2": "all", "/companies/search?q=nothingofthatname": "none",
	} {
		path, query, _ := strings.Cut(address, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		w := ask(h, "GET", path, query)
		page := w.Body.String()
		asked := search.Query{Text: values.Get("q"), Limit: 5, Filters: map[string][]string{document.FilterCategory: values["category"], document.FilterCountry: values["country"]}}
		if path == "/companies/search" {
			if asked.Limit = 24; values.Has("limit") {
				asked.Limit, asked.Offset = 2, 2
			}
		}
		r, err := l.Companies(t.Context(), asked)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range r.Companies {
			names = append(names, c.Name)
		}
		if of == "none" {
			names = nil
		} else if len(names) == 0 {
			t.Errorf("%s finds nobody", address)
		}
		shown := all(page, `(?s)<li class="company">.*?<h3><a href="/companies/[^"]*">([^<]*)</a></h3>`)
		if w.Code != http.StatusOK || !slices.Equal(shown, names) {
			t.Errorf("%s: %d shows %q, found %q", address, w.Code, shown, names)
		}
		more := all(page, `<h3 class="quiet"><a href="(/companies/search\?[^"]*)">Companies`)
		if path == "/search" && (len(more) == 1) != (names != nil) {
			t.Errorf("%s leads to the companies %q", address, more)
		}
	}
}

func TestSearchPagesKeepTheirParameters(t *testing.T) {
	h := pageOf(t, sampleAt(t, nil, "https://x.example/market"), "https://x.example/market")
	asked := url.Values{"kind": {"product"}, "country": {"GB", "PT", ""}, "limit": {"2"}, "q": {""}}
	at := "/search?" + asked.Encode()
	seen := map[string]bool{}
	for at != "" {
		path, query, _ := strings.Cut(at, "?")
		if seen[at] || len(seen) > 100 {
			t.Fatalf("%s leads in a circle", at)
		}
		seen[at] = true
		got, err := url.ParseQuery(query)
		if err != nil || got.Get("kind") != "product" || !slices.Equal(got["country"][:2], []string{"GB", "PT"}) || got.Get("limit") != "2" {
			t.Fatalf("%s lost a parameter", at)
		}
		w := ask(h, "GET", path, query)
		page := w.Body.String()
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", at, w.Code)
		}
		if len(seen) > 1 && len(all(page, `<a rel="prev" href="(/market/search\?[^"]*)"`)) != 1 {
			t.Errorf("%s leads back nowhere", at)
		}
		next := all(page, `<a rel="next" href="/market(/search\?[^"]*)"`)
		if at = ""; len(next) > 0 {
			at = next[0]
		}
	}
	if len(seen) < 2 {
		t.Fatal("there is one page alone")
	}
}

func TestSearchPageHelpsWithoutResults(t *testing.T) {
	h := pageOf(t, sampleAt(t, nil, market), market)
	for query, status := range map[string]int{
		"limit=x": 400, "limit=101": 400, "offset=-1": 400, "kind=seller": 400, "kind=product&kind=service": 400, "q=%00": 400, "q=%zz": 400,
		"q=" + strings.Repeat("x", 201): 400, "q=%3Cscript%3Ealert(1)%3C/script%3E&limit=x": 400, "country=%3Cscript%3Ealert(1)%3C/script%3E": 400, "q=nothingofthatname": 200, "q=wren&country=PT": 200,
	} {
		w := ask(h, "GET", "/search", query)
		page := w.Body.String()
		if w.Code != status || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d %s", query, w.Code, w.Header().Get("Content-Type"))
		}
		if len(all(page, `<ul class="chips">\s*<li><a href="(/categories/[a-z/-]+)">`)) != 1 {
			t.Errorf("%s shows no category", query)
		}
		if status == 400 && (w.Header().Get("Cache-Control") == "" || !strings.Contains(page, "does not understand")) {
			t.Errorf("%s: %v", query, w.Header())
		}
	}
	for _, query := range []string{"q=wren&country=PT", "q=wren&seller=nobody"} {
		if page := ask(h, "GET", "/search", query).Body.String(); !strings.Contains(page, `<a href="/search?q=wren">Search without filters</a>`) {
			t.Errorf("%s: nothing leads out of the filters", query)
		}
	}
}

func TestSearchPageReportsWrongParametersLikeTheAPI(t *testing.T) {
	l := sampleAt(t, nil, market)
	h, api := pageOf(t, l, market), serve(t, Handlers(l))
	for query, fields := range map[string][]string{
		"limit=x&offset=y": {"limit", "offset"}, "kind=thing": {"Kind kind"}, "seller=%3Cb%3Enobody": {"Company seller"}, "country=de&q=arm": {"Country country"}, "q=a&q=b": {"q"}, "q=%zz": {""},
	} {
		w := ask(h, "GET", "/search", query)
		var want, got []string
		for _, fault := range refusal(t, ask(api, "GET", searchPath, query)).Errors {
			want = append(want, fault.Message)
		}
		for _, item := range all(w.Body.String(), `(?s)<ul class="advice">(.*?)</ul>`) {
			for _, one := range strings.Split(item, "<li>")[1:] {
				name, message, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(one), "</span>"), `<span lang="en" dir="ltr">`)
				got = append(got, message)
				name = strings.NewReplacer("<code>", "", "</code>: ", "").Replace(name)
				if !slices.Contains(fields, name) {
					t.Errorf("%s: %q is wrong", query, name)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if w.Code != http.StatusBadRequest || len(got) != len(fields) || !slices.Equal(got, want) {
			t.Errorf("%s: %d says %q, want %q", query, w.Code, got, want)
		}
	}
}

func TestSearchPageIsUTF8ForAnyQuery(t *testing.T) {
	w := ask(pageOf(t, sampleAt(t, nil, market), market), "GET", "/search", "q=a%FFb")
	if page := w.Body.String(); w.Code != http.StatusBadRequest || !utf8.ValidString(page) || !strings.Contains(page, `value="a`+"\uFFFD"+`b"`) {
		t.Errorf("%d %q", w.Code, page)
	}
}

// Newsletters and other sites add parameters to the links that they share.
func TestSearchPageIgnoresUnknownParameters(t *testing.T) {
	l := sampleAt(t, nil, market)
	h, api := pageOf(t, l, market), serve(t, Handlers(l))
	const plain = "q=robot&limit=2&offset=2"
	want := ask(h, "GET", "/search", plain).Body.String()
	for _, added := range []string{"utm_source=newsletter", "fbclid=abc", "gclid=1&gclid=2", "foo=%ff", "Q=arm"} {
		w := ask(h, "GET", "/search", plain+"&"+added)
		if w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d, and another page than without", added, w.Code)
		}
		if w := ask(api, "GET", searchPath, plain+"&"+added); w.Code != http.StatusBadRequest {
			t.Errorf("%s: the API answers %d", added, w.Code)
		}
	}
}

func TestSearchPageShowsNoRemovedSeller(t *testing.T) {
	var removals catalog.Register
	h := pageOf(t, sampleAt(t, &removals, market), market)
	before := ask(h, "GET", "/search", "q=umlauf")
	if !strings.Contains(before.Body.String(), "companies/umlauf") {
		t.Fatal("nobody is there")
	}
	if found := ask(h, "GET", "/companies/search", "q=umlauf").Body.String(); !strings.Contains(found, "companies/umlauf") {
		t.Fatal("nobody is among the companies")
	}
	removals.Learn(catalog.NewRemovals([]catalog.Removal{{ID: "umlauf"}}))
	for address, queries := range map[string][]string{
		"/search": {"q=umlauf", "", "seller=umlauf", "q=umlauf&limit=0"}, "/companies/search": {"q=umlauf", "", "q=umlauf&limit=0"},
	} {
		for _, query := range queries {
			w := ask(h, "GET", address, query, "If-None-Match", before.Header().Get("ETag"))
			if w.Code == http.StatusNotModified || strings.Contains(w.Body.String(), "companies/umlauf") || strings.Contains(w.Body.String(), "Umlauf") {
				t.Errorf("%s?%s: %d", address, query, w.Code)
			}
		}
	}
}

func TestSearchPageIsCachedBrieflyAndReportsWhenItCannotAnswer(t *testing.T) {
	l := sampleAt(t, nil, market)
	h := pageOf(t, l, market)
	get := ask(h, "GET", "/search", "q=arm")
	head := ask(h, "HEAD", "/search", "q=arm")
	if head.Code != http.StatusOK || head.Header().Get("ETag") != get.Header().Get("ETag") || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
	if get.Header().Get("Cache-Control") != document.SearchCache.Header() {
		t.Errorf("Cache-Control: %s", get.Header().Get("Cache-Control"))
	}
	if w := ask(h, "GET", "/search", "q=arm", "If-None-Match", get.Header().Get("ETag")); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("asked again: %d", w.Code)
	}
	if w := ask(h, "POST", "/search", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	w := ask(pageOf(t, &search.Live{}, market), "GET", "/search", "q=arm")
	page := w.Body.String()
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" ||
		!strings.Contains(page, ">Search is not available right now") || !strings.Contains(page, `value="arm"`) {
		t.Errorf("without an index: %d %v %s", w.Code, w.Header(), page)
	}
}

func TestWordsOfTheQueryAreMarked(t *testing.T) {
	h := pageOf(t, sampleAt(t, nil, market), market)
	for query, want := range map[string][]string{
		"wren": {"Wren", "Wren", "Wren"}, "WRÉN desk": {"Wren", "Wren", "Wren", "desk"}, "feath": {"Feath"}, "9 wren": {"Wren", "Wren", "Wren"},
	} {
		page := ask(h, "GET", "/search", "q="+url.QueryEscape(query)).Body.String()
		got := all(strings.Join(all(page, `<h3>(.*)</h3>`), ""), `<mark>([^<]*)</mark>`)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q marks %q, want %q", query, got, want)
		}
	}
}
