package dynamic

import (
	"net/http"
	"os"
	"path/filepath"
	"souk/build"
	"testing"
)

const press = `name: Walnut press
summary: Presses walnuts.
categories: [tools]
`

func TestSearchFollowsTheContentThatIsWatched(t *testing.T) {
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

// Keywords, pins and synonyms are in no document, so that an edit of them alone
// makes no other release.
func TestSearchFollowsWhatNoDocumentShows(t *testing.T) {
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

func TestSearchRefusesWhatItDoesNotKnowWithAProblem(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.untilAnswer("/listings/search?q=x&sort=size", http.StatusBadRequest, `"code":"invalid-parameter"`)
	h.untilAnswer("/listings/search?limit=101", http.StatusBadRequest, `"field":"limit"`)
	h.untilAnswer("/search/suggestions", http.StatusBadRequest, `"field":"q"`)
}

func TestARestartWithTheSameReleaseSearchesAtOnce(t *testing.T) {
	h := newHouse(t)
	stop := h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
	stop()
	h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
}

func TestSearchCatchesUpOnceItsFolderCanBeWrittenAgain(t *testing.T) {
	h := newHouse(t)
	h.Watch = true
	h.write("categories/product/tools.yaml", "name: Tools\n")
	h.open()
	h.untilAnswer("/listings/search", http.StatusOK, `"total":`)
	// A folder with something in it stands where the head is renamed to.
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
