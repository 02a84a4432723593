//go:build unix

package dynamic

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"souk/dynamic/ledger"
	"souk/internal/testing/postgrestest"
)

// postgres runs a database server for a test, or skips the test.
func postgres(t *testing.T) *postgrestest.Server {
	t.Helper()
	s, err := postgrestest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(s.Close)
	return s
}

// sharing returns a house with its own folders and a ledger in a database.
func sharing(t *testing.T, target string) *house {
	t.Helper()
	h := newHouse(t)
	l, err := ledger.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	h.Verification.Ledger = l
	h.Verification.Unlimited = false
	h.fillMarket()
	return h
}

// Two servers have their own folders, share one ledger, and send mails to one place. A
// removal, a restore, bearer tokens and limits apply to both.
func TestServersThatShareALedgerActAsOne(t *testing.T) {
	s := postgres(t)
	target := s.Database(t)
	here, there := sharing(t, target), sharing(t, target)
	there.Verification.Sender = here.Verification.Sender
	here.open()
	there.open()

	// A removal is requested there and verified here.
	a := there.must(http.StatusAccepted, "/companies/gone/removal-requests", "", requester{"Jane Doe", "jane@gone.example"})
	id := a.Value("requestId")
	body := tokenBody{here.mailed(id).token}
	here.must(http.StatusOK, "/company-removal-requests/"+id+"/verify", "", body)
	here.gone("gone")
	there.must(http.StatusConflict, "/company-removal-requests/"+id+"/verify", "", body)
	// A recorded removal is refused at once, and gone within seconds.
	there.must(http.StatusGone, "/companies/gone/claims", "", requester{"Jane Doe", "jane@gone.example"})
	there.untilAnswer("/companies/gone", http.StatusGone, "removed")
	there.until("its lists are without it", func() bool {
		_, list := there.get("/categories/product/robots")
		return !strings.Contains(list, "companies/gone")
	})
	there.gone("gone")
	here.asFresh(here.Config.Build.Content)
	there.asFresh(there.Config.Build.Content)
	if _, err := here.operator().Restore(t.Context(), "gone", "a mistake"); err != nil {
		t.Fatal(err)
	}
	here.untilAnswer("/companies/gone", http.StatusOK, "The gone")
	there.untilAnswer("/companies/gone", http.StatusOK, "The gone")

	// A bearer token works on both servers, and stops working on both at once.
	made, secret, err := here.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	address, proof := here.askClaim("rival", "jane@rival.example")
	there.must(http.StatusOK, address, secret.Reveal(), proof)
	here.must(http.StatusOK, address, secret.Reveal(), proof)
	if _, err := there.operator().RevokeAPIToken(t.Context(), made.ID); err != nil {
		t.Fatal(err)
	}
	here.must(http.StatusUnauthorized, address, secret.Reveal(), proof)
	there.must(http.StatusUnauthorized, address, secret.Reveal(), proof)

	// Ten starts of claims per hour and address are allowed in total; one was made already.
	slugs := map[string]string{"acme": "acme.example", "moved": "moved.example", "shop": "shop.co.uk"}
	count := 1
	for round := range 4 {
		for slug, domain := range slugs {
			h := []*house{here, there}[count%2]
			want := http.StatusAccepted
			if count >= 10 {
				want = http.StatusTooManyRequests
			}
			h.must(want, "/companies/"+slug+"/claims", "", requester{"Jane", "jane" + strconv.Itoa(round) + "@" + domain})
			count++
		}
	}
}

// The database stops and starts again. Meanwhile nothing is promised and existing documents
// are served; afterwards everything works without a restart.
func TestServerSurvivesADatabaseOutage(t *testing.T) {
	s := postgres(t)
	const password = "db-hunter2"
	h := sharing(t, s.Database(t)+"&password="+password)
	h.Verification.Unlimited = true
	log := &capture{}
	h.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h.open()
	address, body := h.askRemoval("gone", "jane@gone.example")
	s.Crash()
	a := h.must(http.StatusServiceUnavailable, address, "", body)
	if retry, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || retry < 1 {
		t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	h.must(http.StatusServiceUnavailable, "/companies/gone/claims", "", requester{"Jane", "jane@gone.example"})
	if status, now := h.health(); status != http.StatusServiceUnavailable || now.Checks["ledger"] == "ok" {
		t.Errorf("health: %d %v", status, now)
	}
	// Another server may remove a seller meanwhile, so without a lease nothing is shown.
	for _, address := range []string{"/companies/gone", "/listings/search", "/search/suggestions?q=a", "/companies/nobody"} {
		h.untilAnswer(address, http.StatusServiceUnavailable, "unavailable")
	}
	for _, address := range []string{"/companies/gone", "/search?q=a", "/media/nothing.svg", "/mcp", "/nothing", "//"} {
		if response, err := http.Get(h.base + address); err != nil || response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			t.Errorf("%s answers %+v, %v", address, response, err)
		}
	}
	if status, now := h.health(); status != http.StatusServiceUnavailable || !strings.Contains(now.Checks["lease"], "the ledger does not answer") {
		t.Errorf("health: %d %v", status, now)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	h.until("the ledger can be read", func() bool {
		_, err := h.Verification.Ledger.LastRelease(context.Background())
		return err == nil
	})
	h.untilAnswer("/companies/gone", http.StatusOK, "gone")
	h.must(http.StatusOK, address, "", body)
	h.gone("gone")
	h.asFresh(h.Config.Build.Content)
	if text := log.String(); !strings.Contains(text, "PostgreSQL") || strings.Contains(text, password) {
		t.Errorf("the log says nothing of the database, or its password:\n%s", text)
	}
}

// Without a ledger that knows the removals, no build makes their sellers public again.
func TestServerWithAnEmptyLedgerKeepsUnexplainedStubs(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	end := h.open()
	h.leave("gone", "jane@gone.example")
	end()
	other, err := ledger.Open(t.Context(), filepath.Join(h.home, "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	h.Verification.Ledger, h.Watch = other, true
	for range 2 {
		end = h.open()
		h.gone("gone")
		// Its owner stays withheld, and other removals do not wait.
		h.write("articles/later.md", "---\ntitle: Later\n---\n")
		h.untilAnswer("/articles/later", http.StatusOK, "Later")
		h.gone("gone")
		h.remove("articles/later.md")
		h.untilAnswer("/articles/later", http.StatusNotFound, "not-found")
		end()
	}
	end = h.open()
	h.leave("rival", "jane@rival.example")
	h.gone("rival")
	h.gone("gone")
	end()
	// The operator's decision releases it.
	h.Config.Build.Forget = []string{"gone"}
	end = h.open()
	h.untilAnswer("/companies/gone", http.StatusOK, "gone")
	h.gone("rival")
	end()
}
