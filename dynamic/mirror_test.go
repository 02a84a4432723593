package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/build"
	"souk/build/delivery/publish"
	"souk/build/delivery/replica"
	"souk/build/document"
	"souk/build/release"
	"souk/dynamic/machines/mirror"
)

// publishing makes a house publish to a folder, with quick retries.
func (h *house) publishing(destination string, forServers bool) {
	h.Helper()
	p, err := publish.Open(destination, publish.Options{
		State: filepath.Join(h.home, "var"), Requests: publish.Requests{Attempts: 1}, ForServers: forServers,
		Sleep: func(ctx context.Context, _ time.Duration) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(20 * time.Millisecond):
				return nil
			}
		},
	})
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() {
		if err := p.Close(); err != nil {
			h.Error(err)
		}
	})
	h.Publish = p
}

func there(elements ...string) bool {
	_, err := os.Stat(filepath.Join(elements...))
	return err == nil
}

func TestRemovalReachesThePublishedCopyBeforeTheAnswer(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	copied := filepath.Join(h.home, "copy")
	h.publishing(copied, false)
	h.open()
	file := document.SellerFile("gone")
	h.until("the first release is published", func() bool { return there(copied, file) && there(copied, document.ReleaseFile) })
	address, body := h.askRemoval("gone", "jane@gone.example")
	answer := h.must(http.StatusOK, address, "", body)
	if got := answer.Value("publicCopy"); got != mirror.Done {
		t.Errorf("the copy is told to be %q", got)
	}
	if there(copied, file) || !there(copied, document.GoneFile(file)) {
		t.Error("the copy still has the seller, or no stub of it")
	}
}

// Keywords are in no document, so editing only these makes no new release.
func TestServersThatCopyAReleaseGetItsSearchParts(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.write("sellers/acme/products/walnut-press.yaml", press)
	copied := filepath.Join(h.home, "copy")
	h.publishing(copied, true)
	h.open()
	for i := range 8 {
		word := fmt.Sprintf("nutcracker%d", i)
		h.write("sellers/acme/products/walnut-press.yaml", press+"keywords: ["+word+"]\n")
		h.untilAnswer("/listings/search?interpret=off&q="+word, http.StatusOK, `"slug":"walnut-press"`)
		head, err := os.ReadFile(filepath.Join(build.SearchFolder(h.Config.Build.Public), "head"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.FromSlash(replica.FileKey(release.DigestOf(head)))
		h.until("the head of the search parts is published", func() bool { return there(copied + file) })
	}
}

func TestCopyIsRetriedUntilItSucceeds(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	copied := filepath.Join(h.home, "disk", "copy")
	if err := os.WriteFile(filepath.Dir(copied), []byte("in the way"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.publishing(copied, false)
	h.open()
	address, body := h.askRemoval("gone", "jane@gone.example")
	answer := h.must(http.StatusOK, address, "", body)
	if got := answer.Value("publicCopy"); got != mirror.Pending {
		t.Errorf("the copy is told to be %q", got)
	}
	if err := os.Remove(filepath.Dir(copied)); err != nil {
		t.Fatal(err)
	}
	file := document.SellerFile("gone")
	h.until("the copy has the stub", func() bool { return there(copied, document.GoneFile(file)) && !there(copied, file) })
}

func TestCopyKeepsUnexplainedStubsAndDelaysNoRemoval(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	copied := filepath.Join(h.home, "copy")
	// Another machine, whose ledger is lost, published the removal of rival.
	rival, gone := document.SellerFile("rival"), document.SellerFile("gone")
	path := filepath.Join(copied, filepath.FromSlash(document.GoneFile(rival)))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, document.GoneBody(), 0o644); err != nil {
		t.Fatal(err)
	}
	h.publishing(copied, false)
	h.open()
	address, body := h.askRemoval("gone", "jane@gone.example")
	answer := h.must(http.StatusOK, address, "", body)
	if got := answer.Value("publicCopy"); got != mirror.Pending {
		t.Errorf("the copy is told to be %q", got)
	}
	h.until("the removal is published", func() bool { return there(copied, document.GoneFile(gone)) })
	if there(copied, rival) || !there(copied, document.GoneFile(rival)) {
		t.Error("the stub of rival gave way to its document")
	}
	data, err := os.ReadFile(filepath.Join(copied, filepath.FromSlash(document.ReleaseFile)))
	var says document.Release
	if err := errors.Join(err, json.Unmarshal(data, &says)); err != nil || says.ID != "" || says.Publishing == "" {
		t.Errorf("the release is told to be there: %s %v", data, err)
	}
}
