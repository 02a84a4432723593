//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/internal/testing/postgrestest"
)

// Tests of servers whose ledger is unavailable.

// wantRefused fails unless a call that needs the ledger is answered 503 with Retry-After.
func (s *server) wantRefused(call string, a answer) {
	s.Helper()
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, `"unavailable"`) {
		s.Errorf("without its ledger %s answers %s", call, a)
	}
}

// wantNoLedger makes every kind of call to a server without its ledger. The seller gone was
// removed, and id and token would remove another one. A server that shares the ledger
// answers nothing at all, because it would not learn of removals by others.
func (s *server) wantNoLedger(gone, id, token, bearer string, shared bool) {
	s.Helper()
	s.wantRefused("the start of a removal", s.start("removal-requests", "seller-04"))
	s.wantRefused("the start of a claim", s.start("claims", "seller-04"))
	s.wantRefused("the proof of a removal", s.verify(id, token))
	s.wantRefused("the proof of a claim", s.ask(http.MethodPost, "/company-claims/claim-x/verify", `{"token":"x"}`, "Authorization", "Bearer "+bearer))
	// Search may be one index behind, because writing an index needs the ledger too.
	until(s.T, "health tells which part is down", func() bool {
		status, checks := s.health()
		return status == http.StatusServiceUnavailable && checks["ledger"] != "ok" && checks["release"] == "ok"
	})
	for _, address := range []string{"/companies/seller-04", "/listings/search?q=arm", "/search/suggestions?q=arm"} {
		if shared {
			until(s.T, address+" answers nothing", func() bool { return s.get(address).status == http.StatusServiceUnavailable })
			s.wantRefused(address, s.get(address))
			continue
		}
		if a := s.get(address); a.status != http.StatusOK {
			s.Errorf("without its ledger %s answers %s", address, a)
		}
	}
	// An edit waits, because a build publishes nothing if it cannot read the removals.
	write(s.T, s.content, map[string]string{"articles/news.yaml": "title: News\n"})
	until(s.T, "health tells of the edit that waits", func() bool {
		_, checks := s.health()
		return checks["content"] != "ok"
	})
	if shared {
		if s.read(s.T)["api/v1/marketplace/articles/news.json"].body != "" {
			s.Error("a release was made without the ledger")
		}
		return
	}
	if a := s.get("/articles/news"); a.status != http.StatusNotFound {
		s.Errorf("a release was made without the ledger: %s", a)
	}
	if a := s.get("/companies/" + gone); a.status != http.StatusGone {
		s.Errorf("without its ledger the removed seller answers %s", a)
	}
}

func TestServerSurvivesAPostgreSQLOutage(t *testing.T) {
	postgres, err := postgrestest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(postgres.Close)
	i, database := house(t, built(t), dozens()), []string{"--watch", "--database", postgres.Database(t)}
	s := i.serve(t, database...)
	first, proof := s.begin("seller-01")
	if a := s.patient(func() answer { return s.verify(first, proof) }); a.status != http.StatusOK {
		t.Fatalf("%s\n%s", a, s.said)
	}
	id, token := s.begin("seller-02")
	gone := addresses(s.read(t), "seller-02")
	postgres.Crash()
	s.wantNoLedger("seller-01", id, token, "souk_x", true)
	if err := postgres.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "all is well by itself", func() bool {
		status, checks := s.health()
		return status == http.StatusOK && checks["content"] == "ok" && checks["ledger"] == "ok" && checks["history"] == "ok" && checks["lease"] == "ok"
	})
	until(t, "the edit that waited is shown", func() bool { return s.get("/articles/news").status == http.StatusOK })
	if a := s.patient(func() answer { return s.verify(id, token) }); a.status != http.StatusOK {
		t.Fatalf("%s\n%s", a, s.said)
	}
	s.wantGone("seller-02", gone)
	s.kill()
	s = i.serve(t, database...)
	s.wantGone("seller-02", gone)
	s.stop()
}

func TestServerReportsThatItsLedgerWasReplaced(t *testing.T) {
	program := built(t)
	garbage := bytes.Repeat([]byte("garbage "), 10_000)
	for _, c := range []struct {
		name string
		// take does it to the ledger's file.
		take func(file string) error
		// says is part of the next server's error message.
		says string
	}{
		{"deleted", os.Remove, "the file is missing, but its log"},
		{"overwritten", func(file string) error { return os.WriteFile(file, garbage, 0o600) }, "backup"},
		{"emptied", func(file string) error { return os.Truncate(file, 0) }, "the file is empty"},
		{"replaced", func(file string) error {
			if err := os.WriteFile(file+".garbage", garbage, 0o600); err != nil {
				return err
			}
			return os.Rename(file+".garbage", file)
		}, "backup"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := house(t, program, dozens())
			s := i.serve(t, "--watch")
			if a := s.verify(s.begin("seller-01")); a.status != http.StatusOK {
				t.Fatalf("%s\n%s", a, s.said)
			}
			id, token := s.begin("seller-02")
			file := filepath.Join(i.state, "ledger.db")
			if err := c.take(file); err != nil {
				t.Fatal(err)
			}
			s.wantNoLedger("seller-01", id, token, "souk_x", false)
			if !strings.Contains(s.said.String(), "deleted or replaced") {
				t.Errorf("the log does not say what happened:\n%s", s.said)
			}
			s.kill()
			// A restart does not show removed sellers again either.
			code, _, said := souk("serve", "--listen", "127.0.0.1:0", "--content", i.content, "--public", i.public, "--state", i.state)
			if code != exitWrong || !strings.Contains(said, c.says) {
				t.Errorf("the next server ended with %d and said %s", code, said)
			}
			if got := i.read(t); len(addresses(got, "seller-02")) == 0 || got["api/v1/marketplace/companies/seller-01.gone.json"].body == "" {
				t.Error("the output was touched")
			}
		})
	}
}

// failCommits makes commits fail at their very end, like a failed sync would: the foreign
// key is only checked then.
const failCommits = `
CREATE TABLE fault (name TEXT REFERENCES meta (name) DEFERRABLE INITIALLY DEFERRED);
CREATE TRIGGER fault_requests AFTER INSERT ON removal_requests BEGIN INSERT INTO fault VALUES ('nothing'); END;
CREATE TRIGGER fault_removals AFTER INSERT ON removals BEGIN INSERT INTO fault VALUES ('nothing'); END;`

func TestFailedCommitIsNotAcknowledged(t *testing.T) {
	i := house(t, built(t), dozens())
	s := i.serve(t)
	id, token := s.begin("seller-02")
	gone := addresses(s.read(t), "seller-02")
	db, err := sql.Open("sqlite", "file:"+filepath.Join(i.state, "ledger.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), failCommits); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s.wantRefused("a start", s.start("removal-requests", "seller-03"))
		s.wantRefused("a proof", s.verify(id, token))
	}
	if !strings.Contains(s.said.String(), "commit: ") {
		t.Errorf("no commit failed:\n%s", s.said)
	}
	if a := s.get(gone[0]); a.status != http.StatusOK {
		t.Errorf("nothing is on record, and the seller answers %s", a)
	}
	if _, err := db.ExecContext(t.Context(), "DROP TRIGGER fault_requests; DROP TRIGGER fault_removals"); err != nil {
		t.Fatal(err)
	}
	s.begin("seller-03")
	if a := s.verify(id, token); a.status != http.StatusOK {
		t.Fatalf("%s\n%s", a, s.said)
	}
	s.wantGone("seller-02", gone)
	s.kill()
	if n := records(t, i.state, "SELECT COUNT(*) FROM removal_requests"); n != 2 {
		t.Errorf("%d requests are on record, and 2 were acknowledged", n)
	}
}
