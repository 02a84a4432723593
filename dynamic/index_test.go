package dynamic

import (
	"net/http"
	"os"
	"path/filepath"
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

func TestSearchRefusesWhatItDoesNotKnowWithAProblem(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.untilAnswer("/listings/search?q=x&sort=name", http.StatusBadRequest, `"code":"invalid-parameter"`)
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
	// A folder with something in it stands where the manifest is renamed to.
	manifest := filepath.Join(h.Config.Build.State, "search", "manifest.json")
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(manifest, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.write("sellers/acme/products/walnut-press.yaml", press)
	h.until("health tells that search is behind", func() bool {
		status, health := h.health()
		return status == http.StatusOK && health.Checks["search"] != "ok"
	})
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"total":0`)
	if err := os.RemoveAll(manifest); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/listings/search?q=walnut+press", http.StatusOK, `"slug":"walnut-press"`)
	h.until("health is well", func() bool {
		_, health := h.health()
		return health.Checks["search"] == "ok"
	})
}
