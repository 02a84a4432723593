package build_test

import (
	"strings"
	"testing"

	"souk/build"
)

const referenceFile = "docs/api.html"

func TestTheAPIPageShowsRealAnswersWithoutRemovedSellers(t *testing.T) {
	m := newAliased(t)
	before := m.read(referenceFile)
	if !strings.Contains(before, `data-answer="getCompany"`) || !strings.Contains(before, "/marketplace/companies/acme") {
		t.Fatalf("the page of the API shows no seller: %.300q", before)
	}
	m.removed["acme"] = true
	m.build()
	if after := m.read(referenceFile); after == "" || strings.Contains(strings.ToLower(after), "/companies/acme") {
		t.Errorf("the page of the API is not there, or shows a removed seller: %.300q", after)
	}
}

func TestTheAPIPageLinksToTheSnapshotOnlyIfThereIsOne(t *testing.T) {
	for _, snapshot := range []bool{true, false} {
		m := newStaying(t, func(_ *market, c *build.Config) { c.Snapshot = snapshot })
		page := m.read(referenceFile)
		if leads := strings.Contains(page, "/snapshot/manifest.jsonl.gz"); leads != snapshot || leads != m.stands("api/v1/snapshot/manifest.jsonl.gz") {
			t.Errorf("with a snapshot: %t, the page leads to one: %t", snapshot, leads)
		}
		if !strings.Contains(page, `data-answer="getCompany"`) {
			t.Errorf("the page of the API shows no seller: %.300q", page)
		}
	}
}
