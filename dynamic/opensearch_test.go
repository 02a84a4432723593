//go:build unix

package dynamic

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/search/opensearch"
	"souk/internal/testing/opensearchtest"
)

// searching makes a house search in a cluster.
func (h *house) searching(c *opensearchtest.Cluster) {
	h.Helper()
	target, err := opensearch.Parse(c.Address("market"), "", "")
	if err != nil {
		h.Fatal(err)
	}
	h.Search = opensearch.Open(target, opensearch.Options{Log: h.Log})
}

// asked sends a search and returns the answer, with the Retry-After of an unavailable one.
func (h *house) asked(query string) (status int, body, retry string) {
	h.Helper()
	response, err := http.Get(h.base + "/api/v1/marketplace/listings/search?" + query)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	text := new(strings.Builder)
	if err := response.Write(text); err != nil {
		h.Fatal(err)
	}
	_, body, _ = strings.Cut(text.String(), "\r\n\r\n")
	return response.StatusCode, body, response.Header.Get("Retry-After")
}

func TestOpenSearchAnswersLikeTheEmbeddedEngine(t *testing.T) {
	cluster := opensearchtest.New(t, 1)
	ledger := ""
	h := newHouse(t)
	ledger = filepath.Join(h.home, "ledger.db")
	h.fillMarket()
	plain, other := h.without(ledger), h.without(ledger)
	h.searching(cluster)
	other.searching(cluster)
	h.open()
	plain.Search = nil
	plain.open()
	other.open()
	found := func(h *house) {
		h.Helper()
		h.until("search answers", func() bool {
			status, _, _ := h.asked("")
			return status == http.StatusOK
		})
	}
	found(h)
	found(other)
	for _, query := range []string{"", "q=thing", "q=thing+of+gone", "q=robot&limit=0", "kind=product&sort=name&limit=3&offset=1", "category=product%2Frobots", "q=thnig"} {
		_, want, _ := plain.asked(query)
		for _, h := range []*house{h, other} {
			if status, got, _ := h.asked(query); status != http.StatusOK || got != want {
				t.Errorf("%s: %d %s\nin memory %s", query, status, got, want)
			}
		}
	}
	if _, all, _ := other.asked("q=thing&limit=100"); !strings.Contains(all, "companies/gone") {
		t.Fatalf("nobody is to be removed: %s", all)
	}
	h.leave("gone", "jane@gone.example")
	other.until("it is withheld", func() bool {
		_, all, _ := other.asked("q=thing&limit=100")
		return !strings.Contains(all, "companies/gone")
	})
	if _, all, _ := h.asked("q=thing&limit=100"); strings.Contains(all, "companies/gone") {
		t.Errorf("after the answer of the removal search finds %s", all)
	}
	_, want, _ := plain.asked("q=thing&limit=100&seller=rival")
	if _, got, _ := h.asked("q=thing&limit=100&seller=rival"); got != want {
		t.Errorf("after the removal: %s\nin memory %s", got, want)
	}

	cluster.Nodes[0].Kill()
	status, body, retry := h.asked("q=thing+again")
	if status != http.StatusServiceUnavailable || retry == "" || !strings.Contains(body, document.CodeUnavailable) || strings.Contains(body, cluster.Nodes[0].Host) {
		t.Errorf("without the cluster: %d, Retry-After %q, %s", status, retry, body)
	}
	if status, body := h.get("/search/suggestions?q=thi"); status != http.StatusOK {
		t.Errorf("suggestions without the cluster: %d %s", status, body)
	}
}
