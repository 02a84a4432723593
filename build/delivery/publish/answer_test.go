package publish

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build/document"
)

// A host serves a bucket by the three rules, through a cache that keeps answers until it is
// purged.
type host struct {
	*httptest.Server
	a *arrangement
	// start means that unknown addresses are answered with a start page.
	start bool
	// keep means that webhooks do not purge the cache.
	keep bool

	mu     sync.Mutex
	cached map[string]int
	events []string
}

func newHost(t *testing.T, a *arrangement) *host {
	t.Helper()
	h := &host{a: a, cached: map[string]int{}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	a.options.Host.Gone, a.options.Host.BaseURL = 0, h.URL
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // a test that sends half a body fails later
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/indexnow":
		h.events = append(h.events, "announce "+string(body))
	case r.Method == http.MethodPost:
		h.events = append(h.events, "purge "+string(body))
		if !h.keep {
			clear(h.cached)
		}
	default:
		file := strings.TrimPrefix(r.URL.Path, "/")
		status, known := h.cached[file]
		if !known {
			status = h.status(file)
			h.cached[file] = status
		}
		w.WriteHeader(status)
	}
}

func (h *host) status(file string) int {
	if h.a.memory.has(file + ".gone.json") {
		return http.StatusGone
	}
	if h.a.memory.has(file+".json") || h.start {
		return http.StatusOK
	}
	return http.StatusNotFound
}

// visit makes the cache store the current answer of an address.
func (h *host) visit(t *testing.T, file string) {
	t.Helper()
	response, err := http.Get(h.URL + "/" + strings.TrimSuffix(file, ".json"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

func TestARemovalFailsIfTheHostAnswersWithAStartPage(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.remove(t, "acme")
	h := newHost(t, a)
	h.start = true
	report, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Removals != 8 || !strings.Contains(err.Error(), "answers 200") {
		t.Fatalf("it ends with %v", err)
	}
	if report.Uploaded+report.Deleted != 0 {
		t.Errorf("it changed something: %+v", report)
	}
	if _, err := a.publisher(t).Plan(t.Context(), s.tree, nil); !errors.As(err, new(*RefusedError)) {
		t.Errorf("a dry run ends with %v", err)
	}
	h.start = false
	clear(h.cached)
	if report := a.publish(t, s); report.Verified != 8 {
		t.Errorf("%d addresses were seen to be gone", report.Verified)
	}
}

func TestARemovalFailsIfTheAnswersOfTheHostAreUnknown(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.options.Host.Gone = 0
	a.publish(t, s) // without a removal there is nothing to verify
	s.remove(t, "acme")
	for gone, want := range map[int]string{0: "--base-url", 200: "answers 200"} {
		a.options.Host.Gone = gone
		if _, err := a.publisher(t).Plan(t.Context(), s.tree, nil); !errors.As(err, new(*RefusedError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("for %d a dry run ends with %v", gone, err)
		}
		if _, err := a.publisher(t).Publish(t.Context(), s.tree, nil); !errors.As(err, new(*RefusedError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("with a host of %d it ends with %v", gone, err)
		}
	}
	a.options.Host.Gone = 404
	a.publish(t, s)
	a.holds(t, s)
}

func TestSearchEnginesAreNotifiedOnceTheAddressIsGone(t *testing.T) {
	a := arrange(t, Options{IndexNow: IndexNow{Key: "0123456789"}})
	s := newShelf(t, t.TempDir())
	h := newHost(t, a)
	a.options.IndexNow.Endpoint = h.URL + "/indexnow"
	a.options.Purge.URL = h.URL + "/purge"
	a.publish(t, s)
	h.visit(t, companies+"acme.json")
	s.remove(t, "acme")

	// The cache keeps answering, and nobody is notified.
	h.keep, h.events = true, nil
	now := time.Now()
	a.options.Now = func() time.Time { now = now.Add(time.Second); return now }
	_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	var left *NotGoneError
	if !errors.As(err, &left) || len(left.Answers) != 1 || left.Answers[h.URL+"/api/v1/marketplace/companies/acme"] != "200" {
		t.Fatalf("it ends with %v", err)
	}
	for _, event := range h.events {
		if strings.HasPrefix(event, "announce") {
			t.Errorf("search engines were told: %s", event)
		}
	}

	// The next run verifies again, and notifies them.
	clear(h.cached)
	h.events = nil
	report := a.publish(t, s)
	if report.Uploaded+report.Deleted != 0 || report.Verified != 1 || report.Announced == 0 {
		t.Errorf("the next run: %+v", report)
	}
	var told struct {
		Host, Key string
		URLList   []string
	}
	if len(h.events) != 1 || json.Unmarshal([]byte(strings.TrimPrefix(h.events[0], "announce ")), &told) != nil {
		t.Fatalf("it was told %q", h.events)
	}
	want := "https://market.example/companies/acme https://market.example/companies/acme/products/arm"
	if got := strings.Join(told.URLList, " "); got != want || told.Host != "market.example" || told.Key != "0123456789" {
		t.Errorf("it was told %+v, not of %s", told, want)
	}
}

func TestCachesArePurgedOfARemovalBeforeOtherUploads(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.docs["api/v1/marketplace/articles/news.json"] = "changed"
	s.remove(t, "acme")
	h := newHost(t, a)
	a.options.Purge.URL = h.URL + "/purge"
	p := a.publisher(t)
	d := &diary{store: p.store}
	p.store = d
	before := -1
	h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && before < 0 {
			d.mu.Lock()
			before = len(d.lines)
			d.mu.Unlock()
		}
		h.ServeHTTP(w, r)
	})
	report, err := p.Publish(t.Context(), s.tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	if before != 17 {
		t.Errorf("%d steps were done when the caches were told, not the 17 of the removal: %q", before, d.lines)
	}
	first := h.events[0]
	if !strings.Contains(first, `"https://market.example/api/v1/marketplace/companies/acme"`) || strings.Contains(first, "news") {
		t.Errorf("they were told first of %s", first)
	}
	if all := strings.Join(h.events, ""); !strings.Contains(all, "/marketplace/articles/news") || !strings.Contains(all, "https://market.example/media/") {
		t.Errorf("they were told of %s", all)
	}
	if report.Purged != len(report.Changed) {
		t.Errorf("they were told of %d URLs, %d changed", report.Purged, len(report.Changed))
	}
}

func TestAFailedPurgeIsRetriedAndRevealsNoSecret(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Attempts: 2}})
	s := newShelf(t, t.TempDir())
	status, asked := http.StatusInternalServerError, 0
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(status)
	}))
	defer hook.Close()
	a.options.Purge.URL = hook.URL + "/purge?token=secret"
	_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	if err == nil || strings.Contains(err.Error(), "secret") || asked != 2 {
		t.Fatalf("after %d requests it ends with %v", asked, err)
	}
	a.holds(t, s)
	status, asked = http.StatusNoContent, 0
	report := a.publish(t, s)
	if report.Uploaded != 0 || report.Purged == 0 || asked != 1 {
		t.Errorf("the next run uploads %d and tells of %d URLs in %d requests", report.Uploaded, report.Purged, asked)
	}
	if report := a.publish(t, s); report.Purged != 0 {
		t.Errorf("it tells of %d URLs again", report.Purged)
	}
	hook.Close()
	s.docs[document.HealthFile] = "{}"
	s.build(t)
	if _, err := a.publisher(t).Publish(t.Context(), s.tree, nil); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("with a hook that is not there it ends with %v", err)
	}
}

func TestAPurgeCommandGetsTheChangedURLs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "urls")
	a := arrange(t, Options{Purge: Purge{Command: "cat >> " + file, Batch: 4}})
	s := newShelf(t, t.TempDir())
	report := a.publish(t, s)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(data), "\n"); got != report.Purged || got != len(report.Changed) {
		t.Errorf("it got %d URLs, of %d", got, len(report.Changed))
	}
	for _, url := range report.Changed {
		if !strings.Contains(string(data), url+"\n") {
			t.Errorf("it did not get %s", url)
		}
	}
}
