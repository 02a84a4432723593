//go:build unix

package dynamic

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/release"
	"souk/dynamic/verification"
	"souk/internal/testing/script"
)

// blocked puts a non-empty folder in the place of a seller's future stub. A release with
// the stub is then committed but cannot be applied until mend is called.
func (h *house) blocked(slug string) (mend func()) {
	h.Helper()
	at := filepath.Join(h.Build.Public, filepath.FromSlash(release.StubOf(document.SellerFile(slug))))
	if err := os.MkdirAll(filepath.Join(at, "within"), 0o755); err != nil {
		h.Fatal(err)
	}
	return func() {
		if err := os.RemoveAll(at); err != nil {
			h.Error(err)
		}
	}
}

// TestRemovalIsAnsweredOnceEveryHostOfTheFolderHasIt removes a seller on a server without
// content while the builder can commit the release but not apply it. A web server for the
// same folder still shows the seller.
func TestRemovalIsAnsweredOnceEveryHostOfTheFolderHasIt(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	f := h.without(filepath.Join(h.home, "ledger.db"))
	h.open()
	f.open()
	reader, err := newFollower(f.Config.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.close()
	shown := filepath.Join(h.Build.Public, filepath.FromSlash(document.SellerFile("gone")))
	before := h.log()
	mend := h.blocked("gone")
	address, body := f.askRemoval("gone", "jane@gone.example")
	answered := make(chan error, 1)
	go func() {
		a, err := f.post(address, "", body)
		if err == nil && a.Status != http.StatusOK {
			err = errors.New(a.Body)
		}
		if _, there := os.Stat(shown); err == nil && !errors.Is(there, os.ErrNotExist) {
			err = errors.New("the removal is answered, and the public folder shows the seller")
		}
		answered <- err
	}()
	h.until("the release is committed and not in place", func() bool {
		_, now := h.health()
		return h.log() > before && now.Checks["content"] != "ok"
	})
	set, err := reader.record.Removals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reader.look(t.Context(), false)
	if reader.reader.Has(document.SellerFile("gone")) {
		t.Fatal("the release is not committed")
	}
	if reader.contains("gone", set.Revision) {
		t.Error("the removal would be answered, and the public folder shows the seller")
	}
	mend()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	reader.look(t.Context(), false)
	if !reader.contains("gone", set.Revision) {
		t.Error("the release is in place, and the removal would not be answered")
	}
	h.gone("gone")
	f.gone("gone")
}

// log returns the size of the release's log.
func (h *house) log() int64 {
	h.Helper()
	info, err := os.Stat(filepath.Join(release.Folder(h.Build.Public), "log"))
	if err != nil {
		h.Fatal(err)
	}
	return info.Size()
}

// TestRemovalWaitsForTheFoldersOfAllServers removes a seller on one of two servers
// with their own folders. The other cannot apply its release.
func TestRemovalWaitsForTheFoldersOfAllServers(t *testing.T) {
	target := postgres(t).Database(t)
	here, there := sharing(t, target), sharing(t, target)
	there.Verification.Sender = here.Verification.Sender
	here.open()
	there.open()
	before := there.log()
	mend := there.blocked("gone")
	shown := filepath.Join(there.Build.Public, filepath.FromSlash(document.SellerFile("gone")))
	address, body := here.askRemoval("gone", "jane@gone.example")
	answered := make(chan script.Answer, 1)
	go func() {
		a, err := here.post(address, "", body)
		if _, still := os.Stat(shown); err != nil || !errors.Is(still, os.ErrNotExist) {
			t.Errorf("it is answered %d, %v, and the folder of another server shows the seller", a.Status, err)
		}
		answered <- a
	}()
	there.until("the release is committed and not in place", func() bool {
		_, now := there.health()
		return there.log() > before && now.Checks["content"] != "ok"
	})
	mend()
	if a := <-answered; a.Status != http.StatusOK {
		t.Errorf("it is answered %d %s", a.Status, a.Body)
	}
	here.gone("gone")
	there.gone("gone")
}

// TestRemovalByAnotherProcessIsWithheldDuringABuild makes the server's build wait for
// the public folder, as for a build of another process, which may take minutes.
func TestRemovalByAnotherProcessIsWithheldDuringABuild(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.Watch = true
	waiting := make(chan struct{}, 1)
	h.Build.Waiting = func() { signal(waiting) }
	h.open()
	unlock, err := durable.LockFolder(t.Context(), h.Build.Public, func() {})
	if err != nil {
		t.Fatal(err)
	}
	h.write("articles/later.md", "---\ntitle: Later\n---\n")
	<-waiting
	if status, _ := h.get("/companies/gone"); status != http.StatusOK {
		t.Fatalf("before the removal it answers %d", status)
	}
	gone := verification.Seller{ID: "gone", Slug: "gone", Name: "The gone", OfficialDomain: "gone.example", Current: true}
	if _, err := h.operator().Remove(t.Context(), SellersOf(h.content()), gone, "a letter"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusGone, "removed")
	if _, found := h.get("/listings/search?q=gone"); strings.Contains(found, "companies/gone") {
		t.Errorf("search finds it: %s", found)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	h.until("the release is without it", func() bool {
		_, list := h.get("/categories/product/robots")
		return !strings.Contains(list, "companies/gone")
	})
	h.gone("gone")
}
