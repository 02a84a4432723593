package probe_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"souk/build/inspect/probe"
)

// broken lets fault change each answer of a correct handler.
func broken(right http.Handler, fault func(r *http.Request, a *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := httptest.NewRecorder()
		right.ServeHTTP(a, r)
		if r.Method != http.MethodHead {
			a.Header().Del("Content-Length")
		}
		fault(r, a)
		for name, values := range a.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(a.Code)
		if r.Method != http.MethodHead && a.Code != http.StatusNotModified && a.Code != http.StatusNoContent {
			_, _ = w.Write(a.Body.Bytes())
		}
	})
}

// swap passes the chosen requests to another handler.
func swap(right http.Handler, chosen func(r *http.Request) bool, wrong http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if chosen(r) {
			wrong(w, r)
			return
		}
		right.ServeHTTP(w, r)
	})
}

func TestProbeFinds(t *testing.T) {
	public, tree := built(t)
	right := handler(t, tree)
	type answer = *httptest.ResponseRecorder
	header := func(status int, name, value string) func(*http.Request, answer) {
		return func(_ *http.Request, a answer) {
			if a.Code == status {
				a.Header().Del(name)
				if value != "" {
					a.Header().Set(name, value)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		fault func(r *http.Request, a answer)
		check string
		in    string
	}{
		"a document without CORS":              {header(200, "Access-Control-Allow-Origin", ""), "cors", "GET /"},
		"an unchanged document without CORS":   {header(304, "Access-Control-Allow-Origin", ""), "cors", "If-None-Match"},
		"a 404 without CORS":                   {header(404, "Access-Control-Allow-Origin", ""), "cors", "/nothing"},
		"a 410 without CORS":                   {header(410, "Access-Control-Allow-Origin", ""), "cors", "brass-wren"},
		"CORS for one origin only":             {header(200, "Access-Control-Allow-Origin", "https://elsewhere.example"), "cors", "GET"},
		"CORS told twice":                      {func(_ *http.Request, a answer) { a.Header().Add("Access-Control-Allow-Origin", "*") }, "cors", "GET"},
		"a document without Cache-Control":     {header(200, "Cache-Control", ""), "cache", "GET"},
		"a document kept for an hour":          {header(200, "Cache-Control", "public, max-age=3600"), "cache", "GET"},
		"a document kept by shared caches":     {header(200, "Cache-Control", "max-age=60, s-maxage=86400"), "cache", "GET"},
		"a document used stale for a day":      {header(200, "Cache-Control", "max-age=60, stale-while-revalidate=86400"), "cache", "GET"},
		"a 410 kept for five minutes":          {header(410, "Cache-Control", "public, max-age=300"), "cache", "brass-wren"},
		"a 404 kept for five minutes":          {header(404, "Cache-Control", "public, max-age=300"), "cache", "/nothing"},
		"an unchanged document kept for long":  {header(304, "Cache-Control", "public, max-age=3600"), "cache", "If-None-Match"},
		"a document as text/html":              {header(200, "Content-Type", "text/html"), "type", "GET"},
		"a document of no type":                {header(200, "Content-Type", "-"), "type", "GET"},
		"a 410 as plain JSON":                  {header(410, "Content-Type", "application/json"), "type", "brass-wren"},
		"a 404 of the API as a page":           {header(404, "Content-Type", "text/html"), "type", "no-such-company"},
		"a 404 as a problem":                   {header(404, "Content-Type", "application/problem+json"), "type", "/nothing"},
		"a page of 404 that is another":        {spoil(404, "<h1>Not found</h1>"), "body", "/nothing"},
		"a page of 404 without its policy":     {header(404, "Content-Security-Policy", ""), "policy", "/nothing"},
		"a page without its policy":            {header(200, "Content-Security-Policy", ""), "policy", "/companies/"},
		"a page that tells who sent":           {header(200, "Referrer-Policy", "unsafe-url"), "policy", "/companies/"},
		"a page of 410 without its policy":     {header(410, "Referrer-Policy", ""), "policy", " /companies/brass-wren"},
		"a removed page as a problem":          {header(410, "Content-Type", "application/problem+json"), "type", " /companies/brass-wren"},
		"a removed page kept for five minutes": {header(410, "Cache-Control", "public, max-age=300"), "cache", " /companies/brass-wren"},
		"a search that is a document":          {header(200, "Content-Type", "application/json"), "type", "/search"},
		"a slash that leads elsewhere":         {header(308, "Location", "https://elsewhere.example/"), "leads", "/ "},
		"a slash that leads home":              {header(308, "Location", "/"), "leads", "/ "},
		"a slash that leads to another port":   {before(func(*http.Request) string { return "http://127.0.0.1:1" }), "leads", "/ "},
		"a slash that leads to another scheme": {before(func(r *http.Request) string { return "https://" + r.Host }), "leads", "/ "},
		"a slash that leads for good":          {header(308, "Cache-Control", "public, max-age=31536000"), "cache", "/ "},
		"no ETag":                              {header(200, "ETag", ""), "etag", "GET"},
		"a weak ETag":                          {weaken, "etag", "GET"},
		"one ETag for all codings":             {header(200, "ETag", `"same"`), "etag", "gzip"},
		"codings that caches cannot tell":      {header(200, "Vary", ""), "vary", "GET"},
		"a promise of Markdown that is broken": {onlyIf("text/markdown", header(200, "Content-Type", "text/html")), "type", "(Accept)"},
		"Markdown for a wildcard":              {onlyIf("*/*", header(200, "Content-Type", "text/markdown")), "type", "(Accept)"},
		"a coding that nobody asked for":       {mislabel, "encoding", "identity"},
		"a body that is not its coding":        {spoil(200, "no gzip"), "encoding", "gzip"},
		"another body":                         {another, "body", "GET"},
		"the stub with a name in it":           {spoil(410, `{"status":410,"code":"removed","detail":"brass-wren left"}`), "body", "brass-wren"},
		"a 404 without a problem":              {spoil(404, "<h1>Not found</h1>"), "problem", "no-such-company"},
		"a 404 with the problem of another":    {spoil(404, `{"status":410,"code":"removed"}`), "problem", "no-such-company"},
		"a removed address that is only 404":   {recode(410, 404), "status", "brass-wren"},
		"an unknown address that is the start": {recode(404, 200), "status", "/nothing"},
		"HEAD that tells less":                 {onlyFor(http.MethodHead, header(200, "ETag", "")), "head", "HEAD"},
		"HEAD of another length":               {onlyFor(http.MethodHead, header(200, "Content-Length", "1")), "head", "HEAD"},
		"HEAD that is refused":                 {onlyFor(http.MethodHead, recode(200, 405)), "head", "HEAD"},
		"POST that does not find it gone":      {onlyFor(http.MethodPost, recode(410, 404)), "status", "POST"},
		"a method that is not said":            {header(405, "Allow", ""), "allow", "POST"},
		"a preflight that allows nothing":      {header(204, "Access-Control-Allow-Methods", ""), "allow", "OPTIONS"},
		"a preflight that allows no headers":   {header(204, "Access-Control-Allow-Headers", "content-type"), "allow", "OPTIONS"},
		"a preflight that finds it gone":       {preflightOf("brass-wren", 410), "status", "OPTIONS /api/v1/marketplace/companies/brass-wren"},
		"a preflight that finds nothing":       {preflightOf("/nothing", 404), "status", "OPTIONS /nothing"},
		"a picture without its policy":         {header(200, "Content-Security-Policy", ""), "policy", "/media/"},
		"an unchanged document with no ETag":   {header(304, "ETag", ""), "unchanged", "If-None-Match"},
		"health that is kept":                  {header(200, "Cache-Control", "max-age=60"), "cache", "/health"},
	} {
		t.Run(name, func(t *testing.T) { expect(t, public, broken(right, c.fault), c.check, c.in) })
	}
	for name, c := range map[string]struct {
		handler http.Handler
		check   string
		in      string
	}{
		"conditions that are ignored": {withoutConditions(right), "unchanged", "If-None-Match"},
		"a slash that is taken off": {swap(right, func(r *http.Request) bool { return len(r.URL.Path) > 1 && strings.HasSuffix(r.URL.Path, "/") },
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, strings.TrimSuffix(r.URL.Path, "/"), http.StatusMovedPermanently)
			}), "status", "/ "},
		"spellings that are mended": {mending(right), "status", "/./"},
		"files by their own names":  {byName(right, public), "status", ".json"},
		"stubs by their own names":  {byName(right, public), "status", ".gone"},
		"pages by their own names":  {byName(right, public), "status", ".html"},
		"a folder before its page": {swap(right, func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, "/companies/") && !strings.ContainsRune(r.URL.Path, '.') && !strings.HasSuffix(r.URL.Path, "/")
		},
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Path+"/", http.StatusMovedPermanently)
			}), "status", " /companies/"},
		"a page with a slash that answers too": {swap(right, func(r *http.Request) bool { return len(r.URL.Path) > 1 && strings.HasSuffix(r.URL.Path, "/") },
			func(w http.ResponseWriter, r *http.Request) {
				r.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
				right.ServeHTTP(w, r)
			}), "status", "/ "},
		"a link of a mail that leads on": {swap(right, func(r *http.Request) bool { return strings.Contains(r.RequestURI, "%23") },
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "/verify/claim", http.StatusFound)
			}), "status", "/verify/claim%23"},
		"a link of a mail that is kept": {broken(right, func(r *http.Request, a *httptest.ResponseRecorder) {
			if strings.HasPrefix(r.URL.Path, "/verify/") {
				a.Header().Set("Cache-Control", "public, max-age=120")
			}
		}), "cache", "/verify/claim%23"},
		"capitals that are lowered": {lowering(right), "status", "BRASS-WREN"},
		"a condition that empties a 410": {swap(right, func(r *http.Request) bool {
			return r.Header.Get("Range") != "" && strings.Contains(r.URL.Path, "brass-wren")
		}, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusPreconditionFailed)
		}), "status", "Range"},
	} {
		t.Run(name, func(t *testing.T) { expect(t, public, c.handler, c.check, c.in) })
	}
}

func TestProbeFindsAStyleSheetCachedForAnHour(t *testing.T) {
	public, tree := built(t)
	expectAmong(t, 0, public, broken(handler(t, tree), func(r *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == http.StatusOK && strings.HasPrefix(r.URL.Path, "/assets/") {
			a.Header().Set("Cache-Control", "public, max-age=3600")
		}
	}), "cache", "GET /assets/style-")
}

// expect probes a broken host and requires a mismatch of a kind.
func expect(t *testing.T, public string, h http.Handler, check, in string) {
	t.Helper()
	expectAmong(t, 30, public, h, check, in)
}

// expectAmong is like expect, with a sample of the documents, or all for 0.
func expectAmong(t *testing.T, sample int, public string, h http.Handler, check, in string) {
	t.Helper()
	report, err := probe.Run(context.Background(), probe.Config{Base: served(t, h), Public: public, Sample: sample, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(report.Mismatches, func(m probe.Mismatch) bool {
		return m.Check == check && strings.Contains(m.Request+" ", in)
	})
	if !found {
		all := report.Mismatches
		t.Errorf("no mismatch of %s in %q among %d: %v", check, in, len(all), all[:min(len(all), 3)])
	}
}

func weaken(_ *http.Request, a *httptest.ResponseRecorder) {
	if tag := a.Header().Get("ETag"); tag != "" {
		a.Header().Set("ETag", "W/"+tag)
	}
}

func mislabel(r *http.Request, a *httptest.ResponseRecorder) {
	if a.Code == http.StatusOK && r.Header.Get("Accept-Encoding") == "identity" {
		a.Header().Set("Content-Encoding", "gzip")
	}
}

func another(_ *http.Request, a *httptest.ResponseRecorder) {
	if a.Code == http.StatusOK && a.Header().Get("Content-Encoding") == "" {
		a.Body.WriteString(" ")
	}
}

func spoil(status int, body string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(_ *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == status {
			a.Body = bytes.NewBufferString(body)
		}
	}
}

// before inserts something before the target of a redirect.
func before(what func(r *http.Request) string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if to := a.Header().Get("Location"); to != "" {
			a.Header().Set("Location", what(r)+to)
		}
	}
}

func recode(from, to int) func(*http.Request, *httptest.ResponseRecorder) {
	return func(_ *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == from {
			a.Code = to
		}
	}
}

func preflightOf(address string, status int) func(*http.Request, *httptest.ResponseRecorder) {
	return onlyFor(http.MethodOptions, func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, address) {
			a.Code = status
		}
	})
}

func onlyFor(method string, fault func(*http.Request, *httptest.ResponseRecorder)) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if r.Method == method {
			fault(r, a)
		}
	}
}

// onlyIf applies a fault to requests with an Accept header.
func onlyIf(accept string, fault func(*http.Request, *httptest.ResponseRecorder)) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if r.Header.Get("Accept") == accept {
			fault(r, a)
		}
	}
}

func withoutConditions(right http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-None-Match")
		right.ServeHTTP(w, r)
	})
}

// mending corrects every spelling of a path, as many servers do.
func mending(right http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path, r.URL.RawPath = filepath.ToSlash(filepath.Clean(r.URL.Path)), ""
		right.ServeHTTP(w, r)
	})
}

func lowering(right http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = strings.ToLower(r.URL.Path)
		right.ServeHTTP(w, r)
	})
}

// byName also serves files under their own names, and adds .json to all other paths.
func byName(right http.Handler, public string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, ending := range []string{"", ".json"} {
			name := filepath.Join(public, filepath.FromSlash(r.URL.Path)+ending)
			if info, err := os.Stat(name); err == nil && !info.IsDir() && strings.Contains(r.URL.Path, ".") && strings.Contains(r.URL.Path, "/companies/") {
				http.ServeFile(w, r, name)
				return
			}
		}
		right.ServeHTTP(w, r)
	})
}

func TestProbeFindsABodyAfterHead(t *testing.T) {
	public, tree := built(t)
	right := handler(t, tree)
	h := swap(right, func(r *http.Request) bool { return r.Method == http.MethodHead && r.Close }, func(w http.ResponseWriter, _ *http.Request) {
		conn, out, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = out.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody")
		out.Flush()
	})
	expect(t, public, h, "body", "HEAD")
}

func TestProbeRejectsOtherReleases(t *testing.T) {
	public, tree := built(t)
	address := served(t, handler(t, tree))
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://127.0.0.1:" + strconv.Itoa(closed.Addr().(*net.TCPAddr).Port)
	closed.Close()
	another := t.TempDir()
	if err := os.MkdirAll(filepath.Join(another, "api", "v1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(another, "api", "v1", "release.json"), []byte(`{"id":"another"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ base, public, want string }{
		"nobody listens":          {nobody, public, "cannot be reached: is the server running"},
		"another release":         {address, another, "has release another: publish the folder first"},
		"a folder of no release":  {address, t.TempDir(), "has no release: with --public, name the folder"},
		"a path behind the host":  {address + "/api", public, "not the web address of a host"},
		"no scheme":               {"market.example", public, "not the web address of a host"},
		"a scheme that is no web": {"ftp://market.example", public, "not the web address of a host"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := probe.Run(t.Context(), probe.Config{Base: c.base, Public: c.public})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if strings.Contains(c.want, "web address") != errors.Is(err, probe.ErrBase) {
				t.Errorf("%v: ErrBase is wrong", err)
			}
		})
	}
}

func TestProbeGivesUpOnAHostThatStopsAnswering(t *testing.T) {
	public, tree := built(t)
	h := swap(handler(t, tree), func(r *http.Request) bool { return !strings.HasSuffix(r.URL.Path, "release.json") },
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := probe.Run(t.Context(), probe.Config{Base: served(t, h), Public: public})
	if err == nil || !strings.Contains(err.Error(), "stopped answering") {
		t.Errorf("error %v", err)
	}
}

func TestSampleIsLimitedAndDeterminedByTheSeed(t *testing.T) {
	public, tree := built(t)
	asked := func(seed uint64) string {
		var mu sync.Mutex
		var paths []string
		h := handler(t, tree)
		base := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			paths = append(paths, r.URL.Path)
			mu.Unlock()
			h.ServeHTTP(w, r)
		}))
		report, err := probe.Run(t.Context(), probe.Config{Base: base, Public: public, Sample: 5, Seed: seed, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if report.Documents != 5 || report.Removed != 5 {
			t.Errorf("%d documents and %d removed addresses, want 5 of each", report.Documents, report.Removed)
		}
		return strings.Join(paths, "\n")
	}
	first, again, other := asked(1), asked(1), asked(2)
	if first != again {
		t.Error("one seed makes two samples")
	}
	if first == other {
		t.Error("two seeds make one sample")
	}
}
