package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/web"
)

// compressing serves one text like a dynamic endpoint.
func compressing(t *testing.T, text string) *httptest.Server {
	t.Helper()
	handler, err := web.New(web.Config{
		Release: newHalfway(t), Endpoints: []document.Endpoint{{ID: "find", Method: http.MethodGet, Path: "/find", Dynamic: true}},
		Dynamic: map[string]web.Handler{"find": func(w http.ResponseWriter, _ *http.Request) error {
			web.Tagged(w, document.SearchCache, `"tag"`, []byte(text))
			return nil
		}},
		Pages: map[string]web.Handler{"GET /search": func(w http.ResponseWriter, _ *http.Request) error {
			web.Page(w, http.StatusOK, document.SearchCache, []byte(text))
			return nil
		}},
		Mounted: map[string]http.Handler{"/mcp": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			_, _ = io.WriteString(w, text[:len(text)/2])
			_, _ = io.WriteString(w, text[len(text)/2:])
		})},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// asking sends a request and returns the answer without decompressing it.
func asking(t *testing.T, method, address string, header map[string]string) answer {
	t.Helper()
	request := must(http.NewRequestWithContext(t.Context(), method, address, nil))
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return answer{response, string(must(io.ReadAll(response.Body)))}
}

func TestDynamicAnswerIsCompressedIfTheClientAcceptsIt(t *testing.T) {
	long := strings.Repeat(`{"name":"Arm 7"},`, 500)
	server := compressing(t, long)
	for address, method := range map[string]string{"/api/v1/find": http.MethodGet, "/search": http.MethodGet, "/mcp": http.MethodPost} {
		tags := map[string]string{}
		for accept, coding := range map[string]string{
			"": "", "gzip": "gzip", "br, gzip": "gzip", "br": "", "gzip;q=0": "", "gzip;q=0.5, identity;q=0.9": "", "*": "gzip", "identity;q=0, *": "gzip", "deflate, gzip;q=0.1": "gzip",
		} {
			got := asking(t, method, server.URL+address, map[string]string{"Accept-Encoding": accept})
			text := got.body
			if coding != "" {
				text = string(must(io.ReadAll(must(gzip.NewReader(strings.NewReader(got.body))))))
			}
			if got.StatusCode != http.StatusOK || got.Header.Get("Content-Encoding") != coding || text != long || got.Header.Get("Content-Length") != strconv.Itoa(len(got.body)) {
				t.Errorf("%s for %q: %d, %q, %d bytes of %s", address, accept, got.StatusCode, got.Header.Get("Content-Encoding"), len(got.body), got.Header.Get("Content-Length"))
			}
			if vary := got.Header.Get("Vary"); vary != "Accept-Encoding" {
				t.Errorf("%s for %q varies by %q", address, accept, vary)
			}
			if was, known := tags[coding]; known && was != got.Header.Get("ETag") {
				t.Errorf("%s for %q has the ETags %s and %s", address, accept, was, got.Header.Get("ETag"))
			}
			tags[coding] = got.Header.Get("ETag")
			if method == http.MethodGet {
				head := asking(t, http.MethodHead, server.URL+address, map[string]string{"Accept-Encoding": accept})
				head.Header.Del("Date")
				got.Header.Del("Date")
				head.Header.Del("X-Request-Id")
				got.Header.Del("X-Request-Id")
				var a, b bytes.Buffer
				_, _ = head.Header.Write(&a), got.Header.Write(&b)
				if head.StatusCode != http.StatusOK || head.body != "" || a.String() != b.String() {
					t.Errorf("HEAD of %s for %q has\n%s\nand GET\n%s", address, accept, &a, &b)
				}
			}
		}
		if method != http.MethodGet {
			continue
		}
		if tags[""] == tags["gzip"] || tags[""] == "" {
			t.Errorf("%s has the ETags %q", address, tags)
		}
		for _, c := range []struct {
			accept, known string
			status        int
		}{
			{"gzip", tags["gzip"], 304}, {"", tags[""], 304}, {"gzip", "*", 304}, {"gzip", tags[""], 200}, {"", tags["gzip"], 200},
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := asking(t, method, server.URL+address, map[string]string{"Accept-Encoding": c.accept, "If-None-Match": c.known})
				if got.StatusCode != c.status || c.status == 304 && (got.body != "" || got.Header.Get("Content-Encoding") != "" || got.Header.Get("Vary") != "Accept-Encoding") {
					t.Errorf("%s of %s, who accepts %q and knows %s, is answered %d with %v", method, address, c.accept, c.known, got.StatusCode, got.Header)
				}
			}
		}
	}
}

func TestSmallOrEmptyDynamicAnswerIsNotCompressed(t *testing.T) {
	server := compressing(t, `{"status":"ok"}`)
	accept := map[string]string{"Accept-Encoding": "gzip"}
	for _, c := range []struct {
		method, address string
		status          int
		tag             string
	}{
		{http.MethodGet, "/api/v1/find", 200, `"tag"`}, {http.MethodPost, "/mcp", 200, ""}, {http.MethodOptions, "/mcp", 204, ""},
	} {
		got := asking(t, c.method, server.URL+c.address, accept)
		if got.StatusCode != c.status || got.Header.Get("Content-Encoding") != "" || got.Header.Get("ETag") != c.tag || c.status == 200 && got.body != `{"status":"ok"}` {
			t.Errorf("%s of %s is answered %d %s with %v", c.method, c.address, got.StatusCode, got.body, got.Header)
		}
	}
}
