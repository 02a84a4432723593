package build_test

import (
	"strings"
	"testing"
)

const referenceFile = "docs/api.html"

func TestThePageOfTheAPIShowsRealAnswersOfNoRemovedSeller(t *testing.T) {
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
