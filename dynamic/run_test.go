package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/problem"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// test is a testing.TB one level deeper, so that h.Log is the field of Config.
type test struct{ testing.TB }

// A house is a content folder and the program that serves it.
type house struct {
	test
	Config
	home string
	base string
	// close ends the program that was last opened.
	close func()
	// mistakes receives the reported lists of mistakes.
	mistakes chan problem.List
}

// newHouse returns a house with the content of the web package's tests.
func newHouse(t testing.TB) *house {
	t.Helper()
	return newHouseOf(t, "web/testdata/content")
}

// newHouseOf returns a house with a copy of a content folder.
func newHouseOf(t testing.TB, content string) *house {
	t.Helper()
	h := &house{test: test{t}, home: t.TempDir(), mistakes: make(chan problem.List, 100)}
	if err := os.CopyFS(filepath.Join(h.home, "content"), os.DirFS(content)); err != nil {
		t.Fatal(err)
	}
	h.Config = Config{
		Build: build.Config{
			Content: filepath.Join(h.home, "content"), Public: filepath.Join(h.home, "public"), State: filepath.Join(h.home, "var"),
			Clock: time.Now, Program: "test", Pages: true, Snapshot: true,
		},
		Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler),
		Mistakes: func(l problem.List) { h.mistakes <- l },
	}
	l, err := ledger.Open(t.Context(), filepath.Join(h.home, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	h.Verification = VerificationConfig{Ledger: l, Sender: mail.Folder{Path: filepath.Join(h.home, "mail")}, Unlimited: true}
	return h
}

// open runs the program until the test ends or close is called.
func (h *house) open() (close func()) {
	h.Helper()
	serving := make(chan net.Addr, 1)
	h.Serving = func(s Served) { serving <- s.Addr }
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, h.Config) }()
	close = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			h.Errorf("Run: %v", err)
		}
	})
	h.close = close
	h.Cleanup(close)
	select {
	case a := <-serving:
		h.base = "http://" + a.String()
	case err := <-ended:
		ended <- nil
		h.Fatalf("Run: %v", err)
	}
	return close
}

func (h *house) write(file, text string) {
	h.Helper()
	path := filepath.Join(h.Config.Build.Content, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.Fatal(err)
	}
}

func (h *house) remove(file string) {
	h.Helper()
	if err := os.RemoveAll(filepath.Join(h.Config.Build.Content, filepath.FromSlash(file))); err != nil {
		h.Fatal(err)
	}
}

// get returns the status and the body of an address below /api/v1/marketplace.
func (h *house) get(address string) (status int, body string) {
	h.Helper()
	h.patiently(func() (int, string) {
		response, err := http.Get(h.base + "/api/v1/marketplace" + address)
		if err != nil {
			h.Fatal(err)
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil {
			h.Fatal(err)
		}
		status, body = response.StatusCode, string(data)
		return status, body
	})
	return status, body
}

// patiently retries for seconds while a server on PostgreSQL has no lease, as on a busy
// machine. Such a request has no effect.
func (h *house) patiently(ask func() (status int, body string)) {
	shared := h.Verification.Ledger != nil && h.Verification.Ledger.Shared()
	for end := time.Now().Add(5 * time.Second); ; <-time.After(50 * time.Millisecond) {
		status, body := ask()
		if !shared || status != http.StatusServiceUnavailable || !strings.Contains(body, document.UnavailableDetail) || time.Now().After(end) {
			return
		}
	}
}

func (h *house) health() (int, document.Health) {
	h.Helper()
	response, err := http.Get(h.base + "/health")
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	var got document.Health
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		h.Fatal(err)
	}
	return response.StatusCode, got
}

// until retries until the answer is right.
func (h *house) until(what string, right func() bool) {
	h.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for again := time.NewTicker(5 * time.Millisecond); !right(); <-again.C {
		if time.Now().After(deadline) {
			h.Fatal("waited in vain until " + what)
		}
	}
}

func (h *house) untilAnswer(address string, status int, fragment string) {
	h.Helper()
	h.until(address+" answers "+http.StatusText(status)+" with "+fragment, func() bool {
		got, body := h.get(address)
		return got == status && strings.Contains(body, fragment)
	})
}

func TestWatchedContentIsServedAsItChanges(t *testing.T) {
	h := newHouse(t)
	if _, _, err := h.operator().NewAPIToken(t.Context(), "team"); err != nil { // otherwise there is a warning about claims
		t.Fatal(err)
	}
	h.Watch = true
	var said strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelWarn}))
	end := h.open()
	h.untilAnswer("/companies/acme/products/arm-7", 200, "Arm 7")

	h.write("sellers/acme/products/arm-7.md", "---\nname: Arm Seven\ncategories: [robots]\n---\nText.\n")
	h.untilAnswer("/companies/acme/products/arm-7", 200, "Arm Seven")

	h.write("sellers/newcomer/seller.yaml", "officialDomain: newcomer.example\nversions:\n  - version: 1\n    name: Newcomer\n")
	h.write("sellers/newcomer/products/deep-thing.yaml", "name: Deep Thing\ncategories: [robots]\n")
	h.untilAnswer("/companies/newcomer/products/deep-thing", 200, "Deep Thing")

	h.remove("sellers/newcomer")
	h.untilAnswer("/companies/newcomer", 404, "not-found")
	h.untilAnswer("/companies/newcomer/products/deep-thing", 404, "not-found")
	if end(); said.Len() > 0 {
		t.Errorf("the operator is warned: %s", said.String())
	}
}

func TestMistakeKeepsTheLastReleaseUntilItIsFixed(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.open()
	_, before := h.health()
	if before.Checks["content"] != "ok" || before.Version != "test" || before.Release == "" {
		t.Errorf("at first: %+v", before)
	}

	h.write("sellers/acme/products/arm-7.md", "---\nnaem: Arm Seven\ncategories: [robots]\n---\n")
	if list := <-h.mistakes; !strings.Contains(list[0].String(), "sellers/acme/products/arm-7.md:2:1") {
		t.Errorf("told of %v", list)
	}
	h.until("health tells of the mistakes", func() bool {
		status, now := h.health()
		return status == 200 && now.Status == "ok" && now.Release == before.Release &&
			strings.HasPrefix(now.Checks["content"], "the last rebuild failed: ")
	})
	h.untilAnswer("/companies/acme/products/arm-7", 200, "Arm 7")

	h.write("sellers/acme/products/arm-7.md", "---\nname: Arm Eight\ncategories: [robots]\n---\n")
	h.untilAnswer("/companies/acme/products/arm-7", 200, "Arm Eight")
	h.until("health is as before", func() bool {
		_, now := h.health()
		return now.Checks["content"] == "ok" && now.Release != before.Release
	})
}

// TestFixedContentIsReportedOnce reverts mistakes, which leaves nothing to rebuild, and fixes
// some by an edit.
func TestFixedContentIsReportedOnce(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	var said strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&said, nil))
	end := h.open()
	good, err := os.ReadFile(filepath.Join(h.Config.Build.Content, "articles/welcome.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, mended := range []string{string(good), "---\ntitle: Mended\n---\n"} {
		h.write("articles/welcome.md", "no front matter")
		<-h.mistakes
		for _, ok := range []bool{false, true} {
			if ok {
				h.write("articles/welcome.md", mended)
			}
			h.until("health tells of it", func() bool {
				_, now := h.health()
				return now.Checks["content"] == "ok" == ok
			})
		}
	}
	h.write("articles/welcome.md", "---\ntitle: Edited\n---\n")
	h.untilAnswer("/articles/welcome", 200, "Edited")
	if end(); strings.Count(said.String(), `msg="the content has no mistakes any more"`) != 2 {
		t.Errorf("the operator is told\n%s", said.String())
	}
}

// TestUnexplainedStubsAreWarnedOfOnce starts without the ledger that knows the removals.
func TestUnexplainedStubsAreWarnedOfOnce(t *testing.T) {
	h := newHouse(t)
	h.Verification.Removals = catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", Slug: "acme"}})
	h.open()()
	h.Verification.Removals = nil
	h.Watch = true
	var said strings.Builder
	h.Log = slog.New(slog.NewTextHandler(&said, nil))
	end := h.open()
	for _, title := range []string{"One", "Two"} {
		h.write("articles/welcome.md", "---\ntitle: "+title+"\n---\n")
		h.untilAnswer("/articles/welcome", 200, title)
	}
	if end(); strings.Count(said.String(), "removed addresses without a recorded removal") != 1 {
		t.Errorf("the operator is told\n%s", said.String())
	}
}

func TestMistakesEndTheProgramWithoutWatch(t *testing.T) {
	h := newHouse(t)
	h.write("articles/welcome.md", "no front matter")
	err := Run(t.Context(), h.Config)
	if !errors.As(err, new(*problem.Error)) || len(h.mistakes) != 1 {
		t.Errorf("error %v, %d lists told", err, len(h.mistakes))
	}
}

func TestWatchStartsWithMistakesAndServesTheLastGoodRelease(t *testing.T) {
	h := newHouse(t)
	h.open()()
	h.Watch = true
	h.write("articles/welcome.md", "no front matter")
	h.open()
	<-h.mistakes
	h.untilAnswer("/articles/welcome", 200, "Welcome")
	h.write("articles/welcome.md", "---\ntitle: Mended\n---\n")
	h.untilAnswer("/articles/welcome", 200, "Mended")
}

func TestWatchWithoutAReleaseIsDownUntilTheContentIsFixed(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("articles/welcome.md", "no front matter")
	h.open()
	if status, now := h.health(); status != 503 || now.Status != "down" || now.Checks["release"] == "ok" {
		t.Errorf("%d %+v", status, now)
	}
	h.untilAnswer("/articles/welcome", 503, "unavailable")
	h.write("articles/welcome.md", "---\ntitle: Mended\n---\n")
	h.untilAnswer("/articles/welcome", 200, "Mended")
	if status, now := h.health(); status != 200 || now.Status != "ok" {
		t.Errorf("%d %+v", status, now)
	}
}

// A handClock only moves when it is set.
type handClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestItemsAppearAndExpireOnTime(t *testing.T) {
	h := newHouse(t)
	clock := &handClock{now: time.Date(2026, 3, 1, 11, 57, 30, 0, time.UTC)}
	h.Config.Build.Clock = clock.Now
	h.write("articles/soon.md", "---\ntitle: Soon\npublishedAt: 2026-03-01T12:00:00Z\nexpiresAt: 2026-03-01T18:00:00Z\n---\n")
	h.open()
	// The content is not watched: this stays unnoticed, whatever the clock says.
	h.write("articles/unseen.md", "---\ntitle: Unseen\n---\n")

	clock.Add(2 * time.Minute)
	if status, _ := h.get("/articles/soon"); status != 404 {
		t.Errorf("half a minute before its time: %d", status)
	}
	clock.Add(30 * time.Second)
	h.untilAnswer("/articles/soon", 200, "Soon")
	clock.Add(6 * time.Hour)
	h.untilAnswer("/articles/soon", 404, "not-found")
	if status, _ := h.get("/articles/unseen"); status != 404 {
		t.Errorf("what was written without a watch: %d", status)
	}
}

func TestFixedClockNeverAdvances(t *testing.T) {
	h := newHouse(t)
	clock := &handClock{now: time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC)}
	h.Config.Build.Clock = clock.Now
	h.Config.Build.At = clock.now
	h.write("articles/soon.md", "---\ntitle: Soon\npublishedAt: 2026-03-01T12:00:00Z\n---\n")
	b, err := newBuilds(t.Context(), h.Config.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if err := b.begin(t.Context()); err != nil || !b.due.IsZero() {
		t.Errorf("the next build is due at %s, %v", b.due, err)
	}
}

func TestNoGoroutineSurvivesRun(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.open()()
	// Their last instructions may still be running.
	h.until("no goroutine is left", func() bool {
		var all strings.Builder
		if err := pprof.Lookup("goroutine").WriteTo(&all, 2); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"dynamic.(*builds)", "dynamic.(*watch)", "dynamic.debounce", "(*inotify)", "net/http.(*Server)"} {
			if strings.Contains(all.String(), part) {
				return false
			}
		}
		return true
	})
}

func TestAddressInUseIsReportedBeforeTheBuild(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	h := newHouse(t)
	h.Listen = taken.Addr().String()
	if err := Run(t.Context(), h.Config); err == nil || !strings.Contains(err.Error(), h.Listen) || !strings.Contains(err.Error(), "another program is already listening") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(h.Build.Public); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was built all the same: %v", err)
	}
}
