//go:build unix

package dynamic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/dynamic/ledger"
)

// without returns a server without content that serves a house's release, with its own
// connection to a ledger in the same database.
func (h *house) without(target string) *house {
	h.Helper()
	f := &house{test: h.test, home: h.home, mistakes: h.mistakes, Config: h.Config}
	f.Build = build.Config{Clock: time.Now, Program: "test"}
	f.From, f.Watch = h.Build.Public, false
	l, err := ledger.Open(h.Context(), target)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = l.Close() })
	f.Verification.Ledger = l
	return f
}

// withoutSearch checks that no document names a seller.
func (h *house) withoutSearch(slug string) {
	h.Helper()
	if status, body := h.get("/companies/" + slug); status != http.StatusGone || body != string(document.GoneBody()) {
		h.Errorf("%s answers %d: %s", slug, status, body)
	}
	for _, address := range []string{"/categories/product/robots", "/category-roots/product", "/categories/robots", "/companies"} {
		if status, body := h.get(address); status != http.StatusOK || strings.Contains(body, "companies/"+slug) {
			h.Errorf("%s answers %d and names %s: %s", address, status, slug, body)
		}
	}
}

func removesWithout(t *testing.T, builder *house, target string) {
	here, there := builder.without(target), builder.without(target)
	builder.open()
	here.open()
	there.open()
	for _, h := range []*house{here, there} {
		if status, now := h.health(); status != http.StatusOK || now.Checks["release"] != "ok" || now.Checks["ledger"] != "ok" || now.Release != builder.id() {
			t.Errorf("health is %d %+v", status, now)
		}
	}
	// Requested there and verified here, while the builder makes the release.
	a := there.must(http.StatusAccepted, "/companies/gone/removal-requests", "", requester{"Jane Doe", "jane@gone.example"})
	id := a.Value("requestId")
	here.must(http.StatusOK, "/company-removal-requests/"+id+"/verify", "", tokenBody{here.mailed(id).token})
	here.withoutSearch("gone")
	builder.gone("gone")
	there.untilAnswer("/companies/gone", http.StatusGone, "removed")
	there.until("its release is there too", func() bool {
		_, list := there.get("/categories/product/robots")
		return !strings.Contains(list, "companies/gone")
	})
	there.withoutSearch("gone")
	there.must(http.StatusGone, "/companies/gone/claims", "", requester{"Jane Doe", "jane@gone.example"})
	// A claim works without content.
	_, secret, err := here.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	address, proof := there.askClaim("rival", "jane@rival.example")
	here.must(http.StatusOK, address, secret.Reveal(), proof)
	// Nobody builds: the removal is recorded and withheld, and the next build completes it.
	late := builder.without(target)
	late.Verification.Patience = time.Second
	late.open()
	builder.close()
	address, proof = here.askRemoval("rival", "jane@rival.example")
	refused := late.must(http.StatusServiceUnavailable, address, "", proof)
	if refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.Body, "recorded and final") {
		t.Errorf("without a builder: %v %s", refused.Header, refused.Body)
	}
	late.untilAnswer("/companies/rival", http.StatusGone, "removed")
	here.untilAnswer("/companies/rival", http.StatusGone, "removed")
	here.untilAnswer("/companies/rival/products/thing", http.StatusGone, "removed")
	builder.open()
	here.until("the release is there", func() bool {
		_, list := here.get("/categories/product/robots")
		return !strings.Contains(list, "companies/rival")
	})
	here.withoutSearch("rival")
}

// id returns the id of the release in the public folder.
func (h *house) id() string {
	h.Helper()
	data, err := os.ReadFile(filepath.Join(h.Build.Public, "api/v1/release.json"))
	if err != nil {
		h.Fatal(err)
	}
	var d struct{ ID string }
	if err := json.Unmarshal(data, &d); err != nil {
		h.Fatal(err)
	}
	return d.ID
}

func TestServersWithoutContentRemoveWithOneBuilder(t *testing.T) {
	t.Run("with SQLite", func(t *testing.T) {
		target := filepath.Join(t.TempDir(), "ledger.db")
		builder := sharing(t, target)
		builder.Verification.Unlimited = true
		removesWithout(t, builder, target)
	})
	t.Run("with PostgreSQL", func(t *testing.T) {
		target := postgres(t).Database(t)
		builder := sharing(t, target)
		builder.Verification.Unlimited = true
		removesWithout(t, builder, target)
	})
}

// askRaw sends a request and returns the part of the answer that is the same on two
// servers.
func askRaw(t *testing.T, base, method, address, body string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, base+address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	response.Header.Del("Date")
	response.Header.Del("X-Request-Id")
	return response.StatusCode, string(text), response.Header
}

// TestServerWithoutContentAnswersLikeOneWithContent compares every file of a release and every
// dynamic answer except search.
func TestServerWithoutContentAnswersLikeOneWithContent(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.write("theme/style.css", "h1 { color: red }")
	f := h.without(filepath.Join(h.home, "ledger.db"))
	h.open()
	f.open()
	same := func(method, address, body string) int {
		t.Helper()
		status, text, header := askRaw(t, f.base, method, address, body)
		wantStatus, wantText, wantHeader := askRaw(t, h.base, method, address, body)
		if status != wantStatus || text != wantText || !reflect.DeepEqual(header, wantHeader) {
			t.Errorf("%s %s: %d %v\n%s\nwith content: %d %v\n%s", method, address, status, header, text, wantStatus, wantHeader, wantText)
		}
		return status
	}
	tree, err := release.Follow(h.Build.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	files := 0
	tree.Each(func(file string, _ release.Entry) {
		if files++; document.IsFilled(file) || file == "api/v1/health.json" {
			return // different for each request
		}
		same(http.MethodGet, document.Address(file), "")
		same(http.MethodGet, "/"+file, "")
	})
	if files < 50 {
		t.Errorf("there are only %d files", files)
	}
	for _, address := range []string{"/nothing", "/companies/nobody", "/api/v1/marketplace/companies/nobody", "/companies/acme/"} {
		same(http.MethodGet, address, "")
	}
	for _, form := range []string{document.ClaimForm, document.RemoveForm} {
		for body, want := range map[string]int{
			"companySlug=acme&requesterName=Jane&requesterEmail=jane%40other.example":  http.StatusUnprocessableEntity,
			"companySlug=acme&requesterName=&requesterEmail=nonsense":                  http.StatusUnprocessableEntity,
			"companySlug=nobody&requesterName=Jane&requesterEmail=jane%40acme.example": http.StatusNotFound,
			"nonsense": http.StatusUnprocessableEntity,
		} {
			if got := same(http.MethodPost, document.FormPath(form), body); got != want {
				t.Errorf("%s with %s answers %d, want %d", form, body, got, want)
			}
		}
	}
}

func TestAgentsGetTheMarketNameOfTheCard(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	f := h.without(filepath.Join(h.home, "ledger.db"))
	h.open()
	f.open()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for _, name := range []string{"Test Market", "Another Market"} {
		if name != "Test Market" {
			h.write("marketplace.yaml", "name: "+name+"\nsiteUrl: https://market.example\n")
		}
		for what, server := range map[string]*house{"with content": h, "without": f} {
			server.until("the server "+what+" says that it is "+name, func() bool {
				said := server.ask("POST", "/mcp", hello, "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
				card := server.ask("GET", "/"+document.ServerCardFile, "")
				title := `"title":"` + name + `"`
				return strings.Contains(string(said.body), title) && strings.Contains(strings.ReplaceAll(string(card.body), `": "`, `":"`), title)
			})
		}
	}
}

// TestSellersReadFromAReleaseEqualThoseOfItsContent compares the sellers that claims and removals
// use.
func TestSellersReadFromAReleaseEqualThoseOfItsContent(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	b, err := newBuilds(t.Context(), h.Config.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if err := b.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader, err := release.Follow(h.Build.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	l := &listed{release: reader, removals: b.record.Register()}
	want, err := b.sellers.view()
	if err != nil {
		t.Fatal(err)
	}
	current := 0
	for slug, s := range want.bySlug {
		got, ok, err := l.BySlug(t.Context(), slug)
		if err != nil || ok && got.Current != s.Current || s.Current && (!ok || got != s) {
			t.Errorf("at %s is %+v, %v, %v; want %+v", slug, got, ok, err, s)
		}
		if s.Current {
			current++
		}
	}
	for id, s := range want.byID {
		if got, ok, err := l.ByID(t.Context(), id); err != nil || s.Current && (!ok || got != s) || !s.Current && ok && got.Current {
			t.Errorf("of id %s is %+v, %v, %v; want %+v", id, got, ok, err, s)
		}
	}
	formerly := 0
	for domain, ids := range want.formerly {
		ids = slices.Clone(ids)
		slices.Sort(ids)
		got, err := l.Formerly(t.Context(), domain, []string{strings.TrimPrefix(domain, document.APIRoot)})
		if err != nil || !slices.Equal(got, slices.Compact(ids)) {
			t.Errorf("formerly at %s: %v, %v; want %v", domain, got, err, ids)
		}
		formerly++
	}
	if current < 4 || formerly < 1 {
		t.Errorf("%d sellers are current, %d domains and addresses are former ones", current, formerly)
	}
	for _, none := range []string{"", "nobody", "acme/products/arm"} {
		if got, ok, err := l.BySlug(t.Context(), none); ok || err != nil {
			t.Errorf("%q is %+v, %v", none, got, err)
		}
	}
	if _, ok, err := l.ByID(t.Context(), "nobody"); ok || err != nil {
		t.Errorf("nobody is there: %v", err)
	}
}

// TestReadersNeverSeeAPartialRelease reads documents from a server without content
// while another process makes releases. Each body must be complete and match its ETag, and
// none may be missing.
func TestReadersNeverSeeAPartialRelease(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	f := h.without(filepath.Join(h.home, "ledger.db"))
	h.Config.Build.LongLived = true
	builder, err := build.New(h.Config.Build)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(t.Context(), catalog.NewRemovals(nil), build.Whole); err != nil {
		t.Fatal(err)
	}
	f.open()
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			etags := map[string]string{}
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, address := range []string{"/companies/acme", "/companies/rival", "/categories/product/robots", "/companies"} {
					response, err := http.Get(f.base + "/api/v1/marketplace" + address)
					if err != nil {
						t.Error(err)
						return
					}
					body, err := io.ReadAll(response.Body)
					response.Body.Close()
					tag := response.Header.Get("ETag")
					if err != nil || response.StatusCode != http.StatusOK || !json.Valid(body) || etags[tag] != "" && etags[tag] != address+string(body) {
						t.Errorf("%s answers %d %s %s, %v", address, response.StatusCode, tag, body, err)
						return
					}
					etags[tag] = address + string(body)
				}
			}
		})
	}
	const releases = 15
	var last string
	for i := range releases {
		last = strings.Repeat("longer ", i) + "rival"
		h.write("sellers/rival/seller.yaml", "officialDomain: rival.example\nversions:\n  - version: 1\n    name: The "+last+"\n")
		if _, err := builder.Build(t.Context(), catalog.NewRemovals(nil), "sellers/rival/seller.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	f.untilAnswer("/companies/rival", http.StatusOK, "The "+last+`"`)
	close(stop)
	readers.Wait()
	f.until("it serves the release of the folder", func() bool { // a document is there a moment before
		_, now := f.health()
		return now.Release == h.id()
	})
}

func TestServerWithoutContentNeedsARelease(t *testing.T) {
	h := newHouse(t)
	f := h.without(filepath.Join(h.home, "ledger.db"))
	if err := Run(t.Context(), f.Config); err == nil || !strings.Contains(err.Error(), "souk build --public "+h.Build.Public) {
		t.Errorf("without a release: %v", err)
	}
	h.open()()
	if err := os.Remove(filepath.Join(release.Folder(h.Build.Public), "market")); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), f.Config); err == nil || !strings.Contains(err.Error(), "run 'souk build'") {
		t.Errorf("without what the market says of itself: %v", err)
	}
}

// TestServerWithoutContentKeepsServingTheLastReleaseItRead deletes the files that announce
// the next release, and restores them.
func TestServerWithoutContentKeepsServingTheLastReleaseItRead(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	f := h.without(filepath.Join(h.home, "ledger.db"))
	h.open()()
	f.open()
	before := h.id()
	if got := f.agent().call("get", args{"refs": []string{"seller:acme", "seller:nobody"}}); len(got.Items) != 2 || got.Items[0].Status != "found" || got.Items[1].Status != "unknown" {
		t.Errorf("agents are answered %s", got.whole)
	}
	if err := os.Remove(filepath.Join(release.Folder(h.Build.Public), "log")); err != nil {
		t.Fatal(err)
	}
	f.until("health tells of it", func() bool {
		_, now := f.health()
		return now.Checks["release"] != "ok" && now.Release == before
	})
	if status, _ := f.get("/companies/rival"); status != http.StatusOK {
		t.Errorf("meanwhile it answers %d", status)
	}
	h.write("sellers/rival/seller.yaml", "officialDomain: rival.example\nversions:\n  - version: 1\n    name: The other rival\n")
	h.open()
	f.untilAnswer("/companies/rival", http.StatusOK, "The other rival")
	f.until("health is well", func() bool {
		_, now := f.health()
		return now.Checks["release"] == "ok" && now.Release != before
	})
}

// TestLeasesAndReleasesDoNotWaitForSearch makes opening the search index hang: the head of
// its parts is a pipe that no process writes to.
func TestLeasesAndReleasesDoNotWaitForSearch(t *testing.T) {
	target := postgres(t).Database(t)
	builder := sharing(t, target)
	builder.Verification.Unlimited = true
	f := builder.without(target)
	builder.open()
	f.open()
	head := filepath.Join(build.SearchFolder(builder.Build.Public), "head")
	aside := filepath.Join(builder.home, "head")
	if err := errors.Join(os.Rename(head, aside), syscall.Mkfifo(head, 0o600)); err != nil {
		t.Fatal(err)
	}
	var pipe *os.File
	f.until("it opens search", func() (opened bool) {
		var err error
		pipe, err = os.OpenFile(head, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	t.Cleanup(func() { pipe.Close() }) // otherwise a failure below would wait for search forever
	if err := errors.Join(os.Remove(head), os.Rename(aside, head)); err != nil {
		t.Fatal(err)
	}
	address, body := f.askRemoval("gone", "jane@gone.example")
	f.must(http.StatusOK, address, "", body)
	f.withoutSearch("gone")
	if status, now := f.health(); status != http.StatusOK || now.Checks["lease"] != "ok" || now.Release != builder.id() {
		t.Errorf("health is %d %+v", status, now)
	}
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	f.until("search is that of the release", func() bool {
		_, now := f.health()
		return now.Checks["search"] == "ok"
	})
	f.gone("gone")
}

// The disk fails or the builder is down. No client waits for an answer here.
func TestStuckRemovalIsCountedUntilItIsReleased(t *testing.T) {
	builder := newHouse(t)
	builder.fillMarket()
	built, _ := builder.watched()
	follower := builder.without(filepath.Join(builder.home, "ledger.db"))
	followed, _ := follower.watched()
	pending := func(what string, n int) {
		t.Helper()
		want := fmt.Sprintf("\nsouk_removals_pending %d\n", n)
		for _, address := range []string{built, followed} {
			builder.until(fmt.Sprintf("%s %d are pending at %s", what, n, address), func() bool { return strings.Contains(builder.metrics(address), want) })
		}
	}
	pending("at first", 0)
	other, err := build.New(builder.Build)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	builder.removeElsewhere(builder.seller("gone"))
	pending("while another process has the folder", 1)
	if err := turn.End(); err != nil {
		t.Fatal(err)
	}
	pending("in the end", 0)
	builder.gone("gone")
}
