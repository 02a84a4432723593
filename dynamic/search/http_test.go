package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"souk/build/document"
)

func liveSample(t testing.TB) *Live {
	t.Helper()
	l := &Live{}
	x, err := Open(context.Background(), extract(readCatalog(t, sampleFolder)), Options{Release: "r1", Withheld: l.Withheld()})
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

// An answer is what was written, or the error instead of it.
type answer struct {
	*httptest.ResponseRecorder
	err error
}

func get(h func(http.ResponseWriter, *http.Request) error, method, query string, header ...string) answer {
	r := httptest.NewRequest(method, "/api/v1/marketplace/listings/search", nil)
	r.URL.RawQuery = query
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	err := h(w, r)
	return answer{w, err}
}

func TestSearchAnswersOverHTTP(t *testing.T) {
	h := &Handler{Live: liveSample(t)}
	w := get(h.Search, "GET", "q=wren&limit=2&kind=product")
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	want := map[string]string{
		"Content-Type": "application/json", "Cache-Control": "public, max-age=30",
	}
	for name, value := range want {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"query", "total", "offset", "limit", "listings", "filters", "categoryDirections", "categoryMatch", "sellerMatch"} {
		if _, stands := body[field]; !stands {
			t.Errorf("there is no %s in %s", field, w.Body)
		}
	}
	tag := w.Header().Get("ETag")
	if again := get(h.Search, "GET", "q=wren&limit=2&kind=product", "If-None-Match", `"x", W/`+tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("with its ETag: %d %s", again.Code, again.Body)
	}
	if head := get(h.Search, "HEAD", "q=wren&limit=2&kind=product"); head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
	other := get(h.Search, "GET", "q=wren")
	h.Live.Withheld().Add("umlauf")
	if a, b := other.Header().Get("ETag"), get(h.Search, "GET", "q=wren").Header().Get("ETag"); a == tag || a == b {
		t.Errorf("ETags do not tell answers apart: %s %s %s", tag, a, b)
	}
}

func TestTheNextPageIsTheOneThatTheAnswerNames(t *testing.T) {
	h := &Handler{Live: liveSample(t)}
	query, pages, seen := "limit=7&country=CH&country=DE&kind=product", 0, map[string]bool{}
	for query != "" {
		w := get(h.Search, "GET", query)
		var r Result
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

// badParameters gives query strings with the first fault of each; the message
// holds what stands here.
func badParameters() map[string]document.FieldError {
	return map[string]document.FieldError{
		"Q=a":                            {Field: "Q", Code: faultUnknownParameter, Message: `did you mean "q"?`},
		"colour=red":                     {Field: "colour", Code: faultUnknownParameter, Message: "choose from"},
		"q=a&q=b":                        {Field: "q", Code: faultRepeated, Message: "2 times"},
		"limit=1&limit=1":                {Field: "limit", Code: faultRepeated},
		"kind=product&kind=service":      {Field: "kind", Code: faultRepeated},
		"kind=thing":                     {Field: "kind", Code: faultUnknownValue, Message: "choose product or service"},
		"kind=":                          {Field: "kind", Code: faultUnknownValue},
		"limit=101":                      {Field: "limit", Code: faultOutOfRange, Message: "0 to 100"},
		"limit=-1":                       {Field: "limit", Code: faultInvalid},
		"limit=":                         {Field: "limit", Code: faultInvalid},
		"limit=1e1":                      {Field: "limit", Code: faultInvalid},
		"limit=99999999999999999999":     {Field: "limit", Code: faultOutOfRange},
		"offset=10001":                   {Field: "offset", Code: faultOutOfRange, Message: "0 to 10000"},
		"q=%ff":                          {Field: "q", Code: faultInvalid, Message: "UTF-8"},
		"q=a%00b":                        {Field: "q", Code: faultInvalid, Message: "NUL"},
		"seller=%ff":                     {Field: "seller", Code: faultInvalid, Message: "UTF-8"},
		"q=%zz":                          {Field: "", Code: faultInvalid},
		"q=a;b":                          {Field: "", Code: faultInvalid},
		"q=" + strings.Repeat("ä", 201):  {Field: "q", Code: faultTooLong, Message: "201"},
		"category=product/robot-arm":     {Field: "category", Code: faultUnknownValue, Message: `did you mean "product/robot-arms"?`},
		"category=robot-arms":            {Field: "category", Code: faultUnknownValue, Message: `did you mean "product/robot-arms"?`},
		"category=service/robot-arms":    {Field: "category", Code: faultUnknownValue, Message: `did you mean "product/robot-arms"?`},
		"category=product/zzzzzzzzz":     {Field: "category", Code: faultUnknownValue},
		"seller=bras-wren":               {Field: "seller", Code: faultUnknownValue, Message: `did you mean "brass-wren"?`},
		"seller=umlauf":                  {Field: "seller", Code: faultUnknownValue, Message: `there is no seller "umlauf"`},
		"country=de":                     {Field: "country", Code: faultUnknownValue, Message: `did you mean "DE"?`},
		"country=XX":                     {Field: "country", Code: faultUnknownValue},
		"country=DEU":                    {Field: "country", Code: faultUnknownValue},
		"seller=brass-wren&seller=nobdy": {Field: "seller", Code: faultUnknownValue},
	}
}

func TestBadParametersAreNamed(t *testing.T) {
	h := &Handler{Live: liveSample(t)}
	h.Live.Withheld().Add("umlauf")
	for query, want := range badParameters() {
		w := get(h.Search, "GET", query)
		var p *InvalidError
		if !errors.As(w.err, &p) || len(p.Errors) == 0 || w.Body.Len() > 0 {
			t.Errorf("%s: %v %s", query, w.err, w.Body)
			continue
		}
		if got := p.Errors[0]; got.Field != want.Field || got.Code != want.Code || !strings.Contains(got.Message, want.Message) {
			t.Errorf("%s: got %+v, want %+v", query, got, want)
		}
		if strings.Contains(fmt.Sprint(p.Errors), "Umlauf") {
			t.Errorf("%s: the answer names a withheld seller: %+v", query, p.Errors)
		}
	}
	for _, query := range []string{"", "q=", "limit=0", "limit=100&offset=10000", "country=NZ", "seller=brass-wren&seller=brass-wren", "category=service/robots&kind=product", "q=%F0%9F%A4%96"} {
		if w := get(h.Search, "GET", query); w.err != nil || w.Code != http.StatusOK {
			t.Errorf("%s: %v %d %s", query, w.err, w.Code, w.Body)
		}
	}
	for _, query := range []string{"", "q=", "q=a&limit=0", "q=a&limit=21", "q=a&kind=article", "q=a&offset=0", "q=a&q=b", "q=%ff"} {
		if w := get(h.Suggest, "GET", query); !errors.As(w.err, new(*InvalidError)) {
			t.Errorf("suggestions of %s: %v %s", query, w.err, w.Body)
		}
	}
	if w := get(h.Suggest, "GET", "q=wr&kind=product&kind=seller&limit=20"); w.err != nil || w.Code != http.StatusOK {
		t.Errorf("suggestions: %d %s", w.Code, w.Body)
	}
}

func TestSearchIsUnavailableWithoutAnIndexAndWithoutTime(t *testing.T) {
	h := &Handler{Live: &Live{}}
	if w := get(h.Search, "GET", "q=a"); !errors.Is(w.err, ErrNotReady) || w.Body.Len() > 0 {
		t.Errorf("%v %s", w.err, w.Body)
	}
	late := &Handler{Live: liveSample(t), Timeout: 1}
	if w := get(late.Search, "GET", "q=robot"); !errors.Is(w.err, context.DeadlineExceeded) || w.Body.Len() > 0 {
		t.Errorf("%v %s", w.err, w.Body)
	}
}

func TestTheAnswerIsWrittenAsEncodingJSONWritesIt(t *testing.T) {
	l := liveSample(t)
	for _, q := range []Query{{Limit: 100}, {Text: `wren "7"` + "\u2028<b>", Limit: 3}, {Text: "umlauf", Limit: 5, Countries: []string{"DE"}}, {Text: "...", Limit: 1}} {
		r, err := l.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		r.Filters[0].Values = append(r.Filters[0].Values, FilterValue{Value: "a\"b\\c", Label: "Ärger\n<&>", Count: -1, Selected: true})
		got, err := appendResult([]byte("x"), r)
		if err != nil {
			t.Fatal(err)
		}
		var back Result
		if err := json.Unmarshal(got[1:], &back); err != nil {
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
