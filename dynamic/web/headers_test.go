package web

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"souk/build/document"
)

func TestAddingToASharedHeaderFieldAffectsOnlyOneAnswer(t *testing.T) {
	first, next := http.Header{}, http.Header{}
	every.set(first)
	for name := range maps.Clone(first) {
		first.Add(name, "more")
	}
	every.set(next)
	for _, one := range document.EveryAnswer() {
		if got := next.Values(one.Name); !slices.Equal(got, []string{one.Value}) {
			t.Errorf("%s of the next answer is %q, want %q", one.Name, got, one.Value)
		}
	}
}

func TestLoggedPathsContainNoToken(t *testing.T) {
	for path, want := range map[string]string{
		"/verify/removal%23abc": "/verify/removal…", "/verify/claim/token=abc": "/verify/claim…", "/verify/claim/id.abc": "/verify/claim…",
		"/verify/claim/TOKEN%3Dabc": "/verify/claim…", "/verify/claim%2523id%253Da": "/verify/claim…", "/verify/token%25253Dabc": "/verify/…",
		"/verify%252Fclaim%26abc": "/verify%252Fclaim…", "/x//verify//claim;abc": "/x//verify//claim…", "/verify/claim": "/verify/claim",
		"/api/v1/marketplace/company-claims/claim-a/verify": "/api/v1/marketplace/company-claims/claim-a/verify", "/api/v1/marketplace/companies/token": "/api/v1/marketplace/companies/token",
	} {
		if got := redacted(path); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}
