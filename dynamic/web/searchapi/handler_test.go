package searchapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/rendition"
	"souk/build/release"
	"souk/build/source"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
	"souk/dynamic/web"
)

// readCatalog reads a content folder at a time when everything in it is current.
func readCatalog(t testing.TB, folder string) *catalog.Catalog {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }
	f := source.Open(folder, t.TempDir()+"/cache", "test", rendition.Open(""), now)
	if err := f.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := f.All()
	change.Now = now()
	c := catalog.New()
	c.Apply(change)
	return c
}

// sample returns the index of the sample marketplace.
func sample(t testing.TB, removals *catalog.Register) *search.Live {
	t.Helper()
	c := readCatalog(t, "../../../content")
	return live(t, index.Extract(c, document.NewRenderer(c, "")), search.Options{State: index.State{Release: "r1"}, Removals: removals})
}

func live(t testing.TB, corpus *index.Corpus, o search.Options) *search.Live {
	t.Helper()
	l := &search.Live{}
	x, err := search.Open(t.Context(), corpus, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Swap(x); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Swap(nil); err != nil {
			t.Error(err)
		}
	})
	return l
}

// noFiles is a release without files.
type noFiles struct{}

func (noFiles) Lookup(string) (release.Entry, bool)    { return release.Entry{}, false }
func (noFiles) OpenFile(file string) (*os.File, error) { return nil, os.ErrNotExist }
func (noFiles) ID() string                             { return "r1" }

// serve serves the endpoints of search as a server does.
func serve(t testing.TB, handlers map[string]web.Handler) http.Handler {
	t.Helper()
	var endpoints []document.Endpoint
	for _, e := range document.Endpoints() {
		if handlers[e.ID] != nil {
			endpoints = append(endpoints, e)
		}
	}
	h, err := web.New(web.Config{Release: noFiles{}, Endpoints: endpoints, Dynamic: handlers, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

const (
	searchPath  = "/api/v1/marketplace/listings/search"
	suggestPath = "/api/v1/marketplace/search/suggestions"
)

// ask sends one request; header alternates names and values.
func ask(h http.Handler, method, path, query string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.URL.RawQuery = query
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestSearchAnswersOverHTTP(t *testing.T) {
	var removals catalog.Register
	l := sample(t, &removals)
	h := serve(t, Handlers(l))
	const query = "q=wren&limit=2&kind=product"
	w := ask(h, "GET", searchPath, query)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Cache-Control": "public, max-age=30"} {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"query", "total", "offset", "limit", "listings", "filters", "categoryDirections", "categoryMatch", "sellerMatch"} {
		if _, there := body[field]; !there {
			t.Errorf("there is no %s in %s", field, w.Body)
		}
	}
	tag := w.Header().Get("ETag")
	if again := ask(h, "GET", searchPath, query, "If-None-Match", `"x", W/`+tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("with its ETag: %d %s", again.Code, again.Body)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	head, err := http.Head(server.URL + searchPath + "?" + query)
	if err != nil {
		t.Fatal(err)
	}
	head.Body.Close()
	if head.StatusCode != http.StatusOK || head.Header.Get("Content-Length") != w.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
	other := ask(h, "GET", searchPath, "q=wren")
	removals.Learn(catalog.NewRemovals([]catalog.Removal{{ID: "umlauf"}}))
	if a, b := other.Header().Get("ETag"), ask(h, "GET", searchPath, "q=wren").Header().Get("ETag"); a == tag || a == b {
		t.Errorf("ETags do not tell answers apart: %s %s %s", tag, a, b)
	}
}

func TestNextPageStartsWhereTheAnswerSays(t *testing.T) {
	h := serve(t, Handlers(sample(t, nil)))
	query, pages, seen := "limit=7&country=CH&country=DE&kind=product", 0, map[string]bool{}
	for query != "" {
		w := ask(h, "GET", searchPath, query)
		var r document.SearchResult
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", query, w.Code, w.Body)
		}
		for _, l := range r.Listings {
			seen[l.APIURL] = true
		}
		if pages++; pages > 20 {
			t.Fatal("there is no last page")
		}
		if query = ""; r.Next != "" {
			next, err := url.Parse(r.Next)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(r.Next, "https://benchandbyre.example/api/v1/marketplace/listings/search?") {
				t.Errorf("next is %s", r.Next)
			}
			query = next.RawQuery
		} else if len(seen) != r.Total {
			t.Errorf("%d pages give %d listings of %d", pages, len(seen), r.Total)
		}
	}
}

// badParameters returns query strings and the first error of each; the expected message
// contains the one here.
func badParameters() map[string]document.FieldError {
	return map[string]document.FieldError{
		"Q=a":                            {Field: "Q", Code: codeUnknownParameter, Message: `did you mean "q"?`},
		"colour=red":                     {Field: "colour", Code: codeUnknownParameter, Message: "choose from"},
		"q=a&q=b":                        {Field: "q", Code: codeRepeated, Message: "2 times"},
		"limit=1&limit=1":                {Field: "limit", Code: codeRepeated},
		"kind=product&kind=service":      {Field: "kind", Code: codeRepeated},
		"kind=thing":                     {Field: "kind", Code: "unknown-value", Message: "choose product or service"},
		"kind=":                          {Field: "kind", Code: "unknown-value"},
		"limit=101":                      {Field: "limit", Code: "out-of-range", Message: "0 to 100"},
		"limit=-1":                       {Field: "limit", Code: fault.Invalid, Message: "\"-1\" is not a whole number of at least 0"},
		"limit=":                         {Field: "limit", Code: fault.Invalid},
		"limit=1e1":                      {Field: "limit", Code: fault.Invalid},
		"limit=99999999999999999999":     {Field: "limit", Code: "out-of-range", Message: "this is out of range: choose from 0 to 100"},
		"offset=10001":                   {Field: "offset", Code: "out-of-range", Message: "0 to 10000"},
		"q=%ff":                          {Field: "q", Code: fault.Invalid, Message: "UTF-8"},
		"q=a%00b":                        {Field: "q", Code: fault.Invalid, Message: "NUL"},
		"seller=%ff":                     {Field: "seller", Code: fault.Invalid, Message: "UTF-8"},
		"q=%zz":                          {Field: "", Code: fault.Invalid},
		"q=a;b":                          {Field: "", Code: fault.Invalid},
		"q=" + strings.Repeat("ä", 201):  {Field: "q", Code: "too-long", Message: "201"},
		"category=robot-arms":            {Field: "category", Code: "unknown-value", Message: `did you mean "product/robot-arms"?`},
		"category=":                      {Field: "category", Code: "unknown-value"},
		"seller=Brass-Wren":              {Field: "seller", Code: "unknown-value", Message: `did you mean "brass-wren"?`},
		"seller=Umlauf":                  {Field: "seller", Code: "unknown-value", Message: `"Umlauf" is not a companySlug`},
		"country=de":                     {Field: "country", Code: "unknown-value", Message: `did you mean "DE"?`},
		"country=XX":                     {Field: "country", Code: "unknown-value"},
		"country=DEU":                    {Field: "country", Code: "unknown-value"},
		"seller=brass-wren&seller=Nobdy": {Field: "seller", Code: "unknown-value"},
	}
}

// refusal parses the problem in an answer.
func refusal(t *testing.T, w *httptest.ResponseRecorder) (p document.Problem) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return p
}

func TestBadParametersAreNamed(t *testing.T) {
	var removals catalog.Register
	l := sample(t, &removals)
	h := serve(t, Handlers(l))
	removals.Learn(catalog.NewRemovals([]catalog.Removal{{ID: "umlauf"}}))
	for query, want := range badParameters() {
		w := ask(h, "GET", searchPath, query)
		p := refusal(t, w)
		if w.Code != http.StatusBadRequest || p.Code != document.CodeInvalidParameter || len(p.Errors) == 0 {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
			continue
		}
		if got := p.Errors[0]; got.Field != want.Field || got.Code != want.Code || !strings.Contains(got.Message, want.Message) {
			t.Errorf("%s: got %+v, want %+v", query, got, want)
		}
		if strings.Contains(fmt.Sprint(p.Errors), "umlauf") {
			t.Errorf("%s: the answer names a withheld seller: %+v", query, p.Errors)
		}
		if w.Header().Get("Cache-Control") != document.ErrorCache.Header() {
			t.Errorf("%s: %v", query, w.Header())
		}
	}
	for _, query := range []string{"", "q=", "limit=0", "limit=100&offset=10000", "country=NZ", "seller=brass-wren&seller=brass-wren", "category=service/robots&kind=product", "category=product/nothing", "seller=umlauf", "seller=nobody", "attribute=Nobody:has+this", "q=%F0%9F%A4%96"} {
		if w := ask(h, "GET", searchPath, query); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	for _, query := range []string{"", "q=", "q=a&limit=0", "q=a&limit=21", "q=a&kind=article", "q=a&offset=0", "q=a&q=b", "q=%ff"} {
		if w := ask(h, "GET", suggestPath, query); w.Code != http.StatusBadRequest || refusal(t, w).Code != document.CodeInvalidParameter {
			t.Errorf("suggestions of %s: %d %s", query, w.Code, w.Body)
		}
	}
	if w := ask(h, "GET", suggestPath, "q=wr&kind=product&kind=seller&limit=20"); w.Code != http.StatusOK {
		t.Errorf("suggestions: %d %s", w.Code, w.Body)
	}
}

func TestSearchIsUnavailableWithoutAnIndexOrTime(t *testing.T) {
	for name, h := range map[string]handler{"no index": {&search.Live{}, answerTime}, "no time": {sample(t, nil), 1}} {
		w := ask(serve(t, map[string]web.Handler{document.SearchID: h.search}), "GET", searchPath, "q=robot")
		if w.Code != http.StatusServiceUnavailable || refusal(t, w).Code != document.CodeUnavailable || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestResultsAreEncodedLikeEncodingJSON(t *testing.T) {
	l := sample(t, nil)
	for _, q := range []search.Query{
		{Text: "alternative to wren 7 without umlauf under 90000 EUR in Germany", Limit: 5}, {Text: "rbot \"filters\":null, robto", Limit: 2}, {Text: "robot bench", Limit: 1}, {Limit: 100}, {Text: `wren "7"` + "\u2028<b>", Limit: 3}, {Text: "umlauf", Limit: 5, Filters: map[string][]string{"country": {"DE"}}}, {Text: "...", Limit: 1},
	} {
		r, err := l.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		r.Filters[0].Values = append(r.Filters[0].Values, document.SearchFilterValue{Value: "a\"b\\c", Label: "Ärger\n<&>", Count: -1, Selected: true})
		got, err := appendResult([]byte("x"), r)
		if err != nil {
			t.Fatal(err)
		}
		var back document.SearchResult
		numbers := json.NewDecoder(bytes.NewReader(got[1:]))
		numbers.UseNumber()
		if err := numbers.Decode(&back); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		want, err := appendValue([]byte("x"), r)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) || !reflect.DeepEqual(&back, r) {
			t.Errorf("%+v:\n got %s\nwant %s", q, got, want)
		}
	}
}

// counted counts searches by their text.
type counted map[string][2]int

func (c counted) Asked(text string, found bool) {
	n := c[text]
	n[0]++
	if !found {
		n[1]++
	}
	c[text] = n
}

func TestFirstPageOfEachSearchIsCounted(t *testing.T) {
	l, asked := sample(t, nil), counted{}
	l.Counter = asked
	h := serve(t, Handlers(l))
	const companies = "/api/v1/marketplace/companies/search"
	for path, queries := range map[string][]string{
		searchPath:  {"q=wren", "q=wren&offset=1", "q=wren&limit=0", "q=zzxqvy", "", "q=wren&limit=x", "q=zzxqvy"},
		companies:   {"q=wren", "q=wren&offset=20", "q=zzxqvy"},
		suggestPath: {"q=wren"},
	} {
		for _, query := range queries {
			ask(h, "GET", path, query)
		}
	}
	if want := (counted{"wren": {2, 0}, "zzxqvy": {3, 3}, "": {1, 0}}); !reflect.DeepEqual(asked, want) {
		t.Errorf("counted are %v, want %v", asked, want)
	}
}
