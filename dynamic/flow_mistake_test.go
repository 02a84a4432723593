package dynamic

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// spoil adds mistakes and a correct change, and waits until the mistakes are reported.
func (h *house) spoil() {
	h.Helper()
	h.write("sellers/rival/products/thing.yaml", "name: Held back\ncategories: [robots]\n")
	h.write("articles/welcome.md", "---\ntitel: Spoilt\n---\n")
	<-h.mistakes
	h.until("health tells of the mistakes", func() bool {
		_, now := h.health()
		return now.Checks["content"] != "ok"
	})
}

// lastGood checks that everything not removed is as it was before the mistakes.
func (h *house) lastGood() {
	h.Helper()
	h.untilAnswer("/companies/rival/products/thing", http.StatusOK, "Thing of rival")
	h.untilAnswer("/articles/welcome", http.StatusOK, "Welcome")
	h.untilAnswer("/companies/acme", http.StatusOK, "Acme")
}

// copied returns a copy of the current content.
func (h *house) copied() string {
	h.Helper()
	folder := filepath.Join(h.TempDir(), "content")
	if err := os.CopyFS(folder, os.DirFS(h.Config.Build.Content)); err != nil {
		h.Fatal(err)
	}
	return folder
}

func TestRemovalDoesNotWaitForMistakesToBeFixed(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.fillMarket()
	h.Watch = true
	end := h.open()
	good := h.copied()
	h.spoil()

	h.leave("gone", "jane@gone.example")
	h.countsAgree()
	h.lastGood()
	h.asFresh(good)

	// Restart while the mistakes are still there.
	end()
	end = h.open()
	<-h.mistakes
	h.gone("gone")
	h.lastGood()
	h.leave("shop", "jane@shop.co.uk")
	h.countsAgree()
	h.lastGood()
	h.asFresh(good)

	// Restart after a crash that saved nothing.
	end()
	end = h.open()
	<-h.mistakes
	h.gone("gone")
	h.gone("shop")
	h.lastGood()

	h.write("articles/welcome.md", "---\ntitle: Mended\n---\n")
	h.untilAnswer("/articles/welcome", http.StatusOK, "Mended")
	h.untilAnswer("/companies/rival/products/thing", http.StatusOK, "Held back")
	h.gone("gone")
	h.gone("shop")
	h.asFresh(h.Config.Build.Content)
	end()
}

// Another machine removes a seller while this one, which has lost its saved state, waits
// until mistakes are fixed. The seller's own addresses are gone all the same.
func TestRemovalElsewhereTakesEffectWithoutSavedState(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()()
	caches, err := filepath.Glob(filepath.Join(h.Config.Build.State, "*-*"))
	if err != nil || len(caches) == 0 {
		t.Fatal("no caches", err)
	}
	for _, file := range caches {
		_ = os.Remove(file) // the folder with the release's log stays
	}
	h.write("articles/welcome.md", "---\ntitel: Spoilt\n---\n")
	h.Watch = true
	h.open()
	<-h.mistakes
	h.untilAnswer("/companies/gone", http.StatusOK, "The gone")
	h.removeElsewhere(&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("gone"), Name: "gone"}, ID: "gone", OfficialDomain: "gone.example"})
	h.untilAnswer("/companies/gone", http.StatusGone, "removed")
	h.untilAnswer("/companies/gone/products/thing", http.StatusGone, "removed")
	h.untilAnswer("/companies/rival", http.StatusOK, "The rival")
	h.write("articles/welcome.md", "---\ntitle: Mended\n---\n")
	h.untilAnswer("/articles/welcome", http.StatusOK, "Mended")
	h.untilAnswer("/listings/search?limit=0", http.StatusOK, "total")
	h.untilFollowed() // the first document of a release is served before the last
	h.gone("gone")
	h.asFresh(h.Config.Build.Content)
}

// If a server fails to start because of mistakes, it reports them, even if an earlier
// release has none.
func TestMistakesThatPreventAStartAreReported(t *testing.T) {
	h := newHouse(t)
	h.open()()
	h.write("articles/welcome.md", "---\ntitel: Spoilt\n---\n")
	if err := Run(t.Context(), h.Config); !errors.As(err, new(*problem.Error)) {
		t.Errorf("the start ends with %v", err)
	}
	select {
	case list := <-h.mistakes:
		if list[0].File != "articles/welcome.md" {
			t.Errorf("told is %v", list)
		}
	default:
		t.Error("no mistake is told")
	}
}

// A restore that brings mistakes waits in a starting server as it does in a running one:
// the last good release stays, and others may be removed meanwhile.
func TestServerStartsOnARestoreThatBringsMistakes(t *testing.T) {
	for _, watched := range []bool{false, true} {
		h := newHouse(t)
		for _, slug := range []string{"rival", "other"} {
			h.write("sellers/"+slug+"/seller.yaml", "officialDomain: "+slug+".example\nversions: [{version: 1, name: Else}]\n")
		}
		h.Watch = watched
		end := h.open()
		h.withdraw("acme", h.seller("acme").OfficialDomain)
		end()
		h.write("sellers/rival/products/thing.yaml", "name: Thing\ncategories: [robots]\naliases: [product:acme/arm-7]\n")
		h.open()()
		if _, err := h.operator().Restore(h.Context(), "acme", "it was a test"); err != nil {
			t.Fatal(err)
		}
		end = h.open()
		h.untilAnswer("/companies/rival/products/thing", http.StatusOK, "Thing")
		h.wantGone("/companies/acme")
		if list := <-h.mistakes; !strings.Contains(list[0].String(), "product:acme/arm-7") {
			t.Errorf("watched %t: told of %v", watched, list)
		}
		if _, now := h.health(); !strings.Contains(now.Checks["content"], "1 mistake") {
			t.Errorf("watched %t: health is %+v", watched, now)
		}
		h.withdraw("other", "other.example")
		h.wantGone("/companies/other")
		h.wantGone("/companies/acme")
		end()
		h.write("sellers/rival/products/thing.yaml", "name: Thing\ncategories: [robots]\n")
		h.open()
		h.untilAnswer("/companies/acme", http.StatusOK, "Acme")
		h.wantGone("/companies/other")
	}
}
