package dynamic

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"souk/build"
	"souk/build/index"
)

const press = `name: Walnut press
summary: Presses walnuts.
categories: [tools]
`

func TestSearchFollowsWatchedContent(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.open()
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.write("sellers/acme/products/walnut-press.yaml", press)
	h.untilAnswer("/listings/search?q=walnt+pres", http.StatusOK, `"slug":"walnut-press"`)
	h.untilAnswer("/search/suggestions?q=waln", http.StatusOK, `"name":"Walnut press"`)
	h.remove("sellers/acme/products/walnut-press.yaml")
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"total":0`)
	if _, health := h.health(); health.Checks["search"] != "ok" {
		t.Errorf("health: %+v", health)
	}
}

// Keywords, pins and synonyms are in no document, so editing only these makes no new
// release.
func TestSearchFollowsEditsThatNoDocumentShows(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.write("sellers/acme/products/walnut-press.yaml", press)
	h.open()
	const list = "/listings/search?category=product%2Ftools"
	h.untilAnswer(list, http.StatusOK, `"slug":"walnut-press"`)
	_, before := h.health()
	tag := func() string { return h.ask(http.MethodGet, market+list, "").header.Get("ETag") }
	tags := map[string]bool{tag(): true}
	for _, edit := range []struct{ file, text string }{
		{"sellers/acme/products/walnut-press.yaml", press + "keywords: [nutcracker]\n"},
		{"synonyms.yaml", "- [walnut, juglans]\n"},
		{"synonyms.yaml", "- {from: walnut, to: juglans}\n"},
		{"categories/product/tools.yaml", "name: Tools\npins: [product:acme/walnut-press]\n"},
	} {
		h.write(edit.file, edit.text)
		h.until("the answer has another ETag", func() bool {
			now := tag()
			known := tags[now]
			tags[now] = true
			return !known
		})
	}
	h.untilAnswer("/listings/search?q=nutcracker", http.StatusOK, `"slug":"walnut-press"`)
	if _, after := h.health(); after.Release != before.Release {
		t.Errorf("the release is %s, not %s: the test is of edits that make no release", after.Release, before.Release)
	}
}

func TestSearchRejectsUnknownParametersWithAProblem(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.untilAnswer("/listings/search?q=x&sort=size", http.StatusBadRequest, `"code":"invalid-parameter"`)
	h.untilAnswer("/listings/search?limit=101", http.StatusBadRequest, `"field":"limit"`)
	h.untilAnswer("/search/suggestions", http.StatusBadRequest, `"field":"q"`)
}

func TestRestartWithTheSameReleaseSearchesAtOnce(t *testing.T) {
	h := newHouse(t)
	stop := h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
	stop()
	h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
}

func TestLostSearchPartsAreWrittenAgain(t *testing.T) {
	h := newHouse(t)
	h.write("sellers/acme/products/walnut-press.yaml", press)
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.open()
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
	folder := build.SearchFolder(h.Config.Build.Public)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	h.until("they are there again", func() bool {
		head, err := index.ReadHead(folder)
		return err == nil && len(head.Parts) > 0
	})
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
}

func TestSearchCatchesUpOnceItsFolderCanBeWrittenAgain(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
	// A non-empty folder is in the place to which the head is renamed.
	head := filepath.Join(build.SearchFolder(h.Config.Build.Public), "head")
	if err := os.Remove(head); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(head, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.write("sellers/acme/products/walnut-press.yaml", press)
	h.until("health tells that search is behind", func() bool {
		status, health := h.health()
		return status == http.StatusOK && health.Checks["search"] != "ok"
	})
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"total":0`)
	if err := os.RemoveAll(head); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
	h.until("health is well", func() bool {
		_, health := h.health()
		return health.Checks["search"] == "ok"
	})
}

// The seller's words are still in a part when it is no longer shown; its removal deletes
// that part.
func TestRemovingAHiddenSellerKeepsSearchComplete(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.fillMarket()
	h.open()
	gone := h.seller("gone")
	h.untilAnswer("/listings/search?seller=gone", http.StatusOK, `"total":1`)
	h.write("sellers/gone/seller.yaml", "officialDomain: gone.example\nstatus: draft\nversions:\n  - version: 1\n    name: The gone\n")
	h.untilAnswer("/companies/gone", http.StatusNotFound, "not-found")
	h.untilAnswer("/listings/search?seller=gone", http.StatusOK, `"total":0`)
	whole := func() bool {
		folder := build.SearchFolder(h.Config.Build.Public)
		head, err := index.ReadHead(folder)
		return err == nil && index.Holds(folder, head.State)
	}
	h.until("the parts are there", whole)
	held := func() bool {
		all, err := index.Companies(build.SearchFolder(h.Config.Build.Public))
		return err != nil || slices.ContainsFunc(all, func(one index.Holder) bool { return one.Slug == "gone" })
	}
	if !held() {
		t.Fatal("no part holds the seller: the test is of one that does")
	}
	one, found := FindSeller(h.content(), gone.OfficialDomain)
	if !found {
		t.Fatal("the content has no such seller")
	}
	if _, err := h.operator().Remove(t.Context(), SellersOf(h.content()), one, "a letter"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusGone, "removed")
	h.until("no part holds the seller, and all are there", func() bool { return !held() && whole() })
	if _, health := h.health(); health.Checks["search"] != "ok" {
		t.Errorf("health: %+v", health)
	}
}

// The saved state is lost, and the content has mistakes by now.
func TestSearchMatchesTheReleaseWhileMistakesPreventANewOne(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.write("sellers/acme/products/walnut-press.yaml", press)
	end := h.open()
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
	end()
	if err := os.RemoveAll(h.Config.Build.State); err != nil {
		t.Fatal(err)
	}
	h.remove("sellers/acme/products/walnut-press.yaml")
	h.write("sellers/acme/products/hazel-press.yaml", "name: Hazel press\ncategories: [tools]\nnam: x\n")
	h.open()
	<-h.mistakes
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
	h.untilAnswer("/listings/search?q=hazel+press", http.StatusOK, `"total":1`)
	if _, health := h.health(); health.Checks["search"] != "ok" || health.Checks["content"] == "ok" {
		t.Errorf("health: %+v", health)
	}
	h.write("sellers/acme/products/hazel-press.yaml", "name: Hazel press\ncategories: [tools]\n")
	h.untilAnswer("/listings/search?q=hazel", http.StatusOK, `"slug":"hazel-press"`)
	h.untilAnswer("/listings/search?q=walnut", http.StatusOK, `"total":0`)
}
