package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/web"
)

// registry is one dynamic endpoint.
func registry(method string) []document.Endpoint {
	return []document.Endpoint{{ID: "doIt", Method: method, Path: "/things/{id}/do", Dynamic: true}}
}

// dynamic serves a Handler at POST /api/v1/things/{id}/do.
func dynamic(t *testing.T, log io.Writer, h web.Handler) *httptest.Server {
	t.Helper()
	handler, err := web.New(web.Config{
		Release: newHalfway(t), Endpoints: registry(http.MethodPost), Dynamic: map[string]web.Handler{"doIt": h},
		Log: slog.New(slog.NewTextHandler(log, nil)), RequestID: func() string { return "request-1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func post(t *testing.T, address, body string) answer {
	t.Helper()
	response, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(text)}
}

func TestHandlersAndRegistryMustMatch(t *testing.T) {
	nothing := func(http.ResponseWriter, *http.Request) error { return nil }
	for name, c := range map[string]struct {
		endpoints []document.Endpoint
		handlers  map[string]web.Handler
		want      string
	}{
		"a row without handler":  {registry("POST"), nil, "doIt (POST /things/{id}/do) is dynamic and has no handler"},
		"a handler without row":  {registry("POST"), map[string]web.Handler{"doIt": nothing, "other": nothing}, "the handler other"},
		"a handler of a static":  {[]document.Endpoint{{ID: "get", Method: "GET", Path: "/x", Static: true}}, map[string]web.Handler{"get": nothing}, "the handler get"},
		"a row that none serves": {[]document.Endpoint{{ID: "put", Method: "PUT", Path: "/x", Static: true}}, nil, "put (PUT /x)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := web.New(web.Config{Release: newHalfway(t), Endpoints: c.endpoints, Dynamic: c.handlers, Log: slog.New(slog.DiscardHandler)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestDynamicHandlerGetsPathValuesAndItsErrorsBecomeProblems(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		body   string
	}{
		"known":    {&web.Error{Code: document.CodeInvalidField, Detail: "the id is odd", Fields: []document.FieldError{{Field: "id", Code: "odd", Message: "take an even one"}}, Cause: errors.New("a secret")}, 422, `"errors":[{"field":"id","code":"odd","message":"take an even one"}]`},
		"wrapped":  {fmt.Errorf("while doing: %w", &web.Error{Code: document.CodeRateLimited, RetryAfter: 7}), 429, `"code":"rate-limited"`},
		"unknown":  {errors.New("a secret"), 503, `"code":"unavailable"`},
		"too late": {context.DeadlineExceeded, 503, `"code":"unavailable"`},
		"no code":  {&web.Error{Code: "nonsense"}, 503, `"status":503`},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			server := dynamic(t, &log, func(w http.ResponseWriter, r *http.Request) error {
				if r.PathValue("id") != "42" {
					t.Errorf("the id is %q", r.PathValue("id"))
				}
				w.Header().Set("ETag", `"half"`)
				return c.err
			})
			got := post(t, server.URL+"/api/v1/things/42/do", "{}")
			server.Close()
			if got.StatusCode != c.status || !strings.Contains(got.body, c.body) || strings.Contains(got.body, "secret") {
				t.Errorf("%d %s", got.StatusCode, got.body)
			}
			if got.Header.Get("ETag") != "" || got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Content-Type") != document.ProblemType {
				t.Errorf("headers %v", got.Header)
			}
			if c.status == 429 && got.Header.Get("Retry-After") != "7" {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
			if strings.Contains(c.err.Error(), "secret") && !strings.Contains(log.String(), "a secret") {
				t.Errorf("the cause is not in the log:\n%s", log.String())
			}
		})
	}
}

func TestBodyOverSixteenKibibytesIsRejected(t *testing.T) {
	server := dynamic(t, io.Discard, func(w http.ResponseWriter, r *http.Request) error {
		_, err := io.ReadAll(r.Body)
		if err != nil {
			return fmt.Errorf("read the body: %w", err)
		}
		return web.JSON(w, http.StatusAccepted, map[string]string{"status": "pending"})
	})
	if got := post(t, server.URL+"/api/v1/things/1/do", strings.Repeat("x", 16<<10)); got.StatusCode != http.StatusAccepted || got.body != "{\"status\":\"pending\"}\n" {
		t.Errorf("at the limit: %d %s", got.StatusCode, got.body)
	}
	if got := post(t, server.URL+"/api/v1/things/1/do", strings.Repeat("x", 16<<10+1)); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("above: %d %s", got.StatusCode, got.body)
	}
}

func TestDynamicAddressesAllowTheMethodsOfTheRegistry(t *testing.T) {
	server := dynamic(t, io.Discard, func(http.ResponseWriter, *http.Request) error { return nil })
	if got := fetch(t, server.URL+"/api/v1/things/1/do"); got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "OPTIONS, POST" {
		t.Errorf("%d, Allow %q", got.StatusCode, got.Header.Get("Allow"))
	}
}

func TestPanicIsAnsweredAndLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	server := dynamic(t, &log, func(http.ResponseWriter, *http.Request) error { panic("what a surprise") })
	got := post(t, server.URL+"/api/v1/things/1/do", "{}")
	server.Close()
	if got.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got.body, `"code":"unavailable"`) || strings.Contains(got.body, "surprise") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	if text := log.String(); !strings.Contains(text, "what a surprise") || !strings.Contains(text, "handler_test.go") {
		t.Errorf("the log lacks the panic or its stack:\n%s", text)
	}
}

func TestPanicDuringADynamicAnswerGetsACompleteErrorAnswer(t *testing.T) {
	server := dynamic(t, io.Discard, func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "half")
		panic("what a surprise")
	})
	if got := post(t, server.URL+"/api/v1/things/1/do", "{}"); got.StatusCode != http.StatusServiceUnavailable || !strings.HasPrefix(got.body, "{") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

func TestAccessLogHasTheRequestWithoutQueryAndHeaders(t *testing.T) {
	var log bytes.Buffer
	h := newHalfway(t)
	h.entries[acmeFile] = h.put(t, acmeFile, "some text")
	server := serve(t, h, &log)
	request := must(http.NewRequest(http.MethodGet, server.URL+acmeAddress+"?q=a-query", nil))
	request.Header.Set("Authorization", "Bearer a-proof")
	request.Header.Set("User-Agent", "an-agent")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	// Programs that encode the "#" of a mail's link as %23 send what follows it.
	for _, link := range []string{"/verify/removal%23id=a&token=a-token", "/verify/claim&TOKEN%3Da-token", "/verify/claim/token=a-token"} {
		must(http.Get(server.URL + link)).Body.Close()
	}
	server.Close()
	for _, want := range []string{"method=GET", "path=" + acmeAddress + " ", "status=200", "bytes=9", "id=request-1", "seconds="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	for _, secret := range []string{"a-query", "a-proof", "an-agent", "a-token"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %s:\n%s", secret, log.String())
		}
	}
}

func TestFailingHealthHasTheSameShape(t *testing.T) {
	recorder := httptest.NewRecorder()
	h := web.Health(func(context.Context) document.Health {
		return document.Health{Status: web.StatusDown, Version: "1", Checks: map[string]string{"release": "there is none yet"}}
	})
	if err := h(recorder, httptest.NewRequest(http.MethodGet, "/health", nil)); err != nil {
		t.Fatal(err)
	}
	if want := `{"status":"down","version":"1","checks":{"release":"there is none yet"}}` + "\n"; recorder.Code != 503 || recorder.Body.String() != want {
		t.Errorf("%d %s", recorder.Code, recorder.Body)
	}
}
