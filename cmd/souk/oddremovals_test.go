package main

import (
	"io"
	"path/filepath"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/source"
)

func TestRemovalsWithUnusualIDsSurviveExport(t *testing.T) {
	odd := []string{
		"plain", "null", "true", "1e3", "0x10", "~", "- a", "a: b", "a #b", "[a]", "{a}", "'a'", `"a"`, `a\b`, "<a>&b", "ünïcode-株式会社", "a\u2028b", "a\u0085b", "a\u00a0b",
		"\U0001f41d", "a\tb", "a\nb", "a\u007fb", " a ", "2026-01-01", "*a", "&a", "!a", "%a", "@a", "`a`",
	}
	var all []removalJSON
	for _, id := range odd {
		all = append(all, removalJSON{ID: id, OfficialDomain: "acme.example", CompanySlug: "a", RemovedAt: "2026-01-01T00:00:00Z"})
	}
	file := filepath.Join(t.TempDir(), "removals.json")
	if err := exportRemovals(environment{stderr: io.Discard}, file, all); err != nil {
		t.Fatal(err)
	}
	removals, err := source.ReadRemovals(file, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range odd {
		if _, held := removals.Holds(catalog.Company{ID: id}); !held {
			t.Errorf("the removal of %q is lost", id)
		}
	}
	if n := len(removals.List()); n != len(odd) {
		t.Errorf("%d of %d", n, len(odd))
	}
}
