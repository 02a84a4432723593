package document_test

import (
	"slices"
	"strings"
	"testing"

	"souk/build/document"
)

func TestTheAddressOfAFileLeadsBackToIt(t *testing.T) {
	for file, want := range map[string]string{
		"api/v1/marketplace/companies/acme.json":          "/api/v1/marketplace/companies/acme",
		"api/v1/marketplace/companies/acme.gone.json":     "/api/v1/marketplace/companies/acme",
		"api/v1/marketplace/companies/acme.json.gz":       "",
		"api/v1/health.json":                              "/api/v1/health",
		"api/v1/openapi.json":                             "/api/v1/openapi.json",
		"api/v1/release.json":                             "/api/v1/release.json",
		"media/0123456789abcdef0123456789abcdef.svg":      "/media/0123456789abcdef0123456789abcdef.svg",
		"verify/claim/index.html":                         "/verify/claim",
		"index.html":                                      "/",
		".well-known/api-catalog":                         "/.well-known/api-catalog",
		"sitemap.xml.br":                                  "",
		"api/v1/marketplace/companies/acme/products.json": "/api/v1/marketplace/companies/acme/products",
	} {
		if got := document.Address(file); got != want {
			t.Errorf("%s answers at %q, want %q", file, got, want)
		}
	}
}

func TestPathsBelowTheAPIAreComparedAsSent(t *testing.T) {
	for path, want := range map[string]bool{
		"/api": true, "/api/": true, "/api/v1/x.html": true, "/api/../x": true,
		"/": false, "/apiary": false, "//api/v1": false, "/API/v1": false, "/%61pi/v1": false, "/api.html": false, "/x/api/v1": false,
	} {
		if got := document.BelowAPI(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestPageFileNamesAreNotAddresses(t *testing.T) {
	for path, want := range map[string]bool{
		"companies.html": true, "companies/acme.gone.html": true, "companies/acme.md.gone.html": true, "companies/acme.gone": true, "companies/acme.gone/": true, "a.gone.b": true, "errors/404": true,
		"index": true, "index/": true, "verify/claim/index": true,
		"": false, "companies": false, "companies/acme.md": false, "companies/begone": false, "articles/index-of-all": false, "errors": false,
	} {
		if got := document.IsPageName(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestThePageOfALinkAnswersForAnyPathBelowIt(t *testing.T) {
	for path, want := range map[string]string{
		"/verify/claim": document.VerifyClaimFile, "/verify/claim/": document.VerifyClaimFile, "/verify/claim%23id=a&token=b": document.VerifyClaimFile,
		"/verify/removal%2523id%3Da": document.VerifyRemovalFile, "/verify/removal/a.b": document.VerifyRemovalFile,
		"/verify/claim/index.html": "", "/verify/claim/index": "", "/verify": "", "/verify/other%23id=a": "", "/x/verify/claim": "", "/verify%2Fclaim": "", "//verify/claim": "",
	} {
		if got := document.LinkedPage(path); got != want {
			t.Errorf("%s opens %q, want %q", path, got, want)
		}
	}
}

func TestOnlyPicturesAndPagesCarryAPolicy(t *testing.T) {
	for file, want := range map[string]string{
		"index.html":                                 "frame-ancestors 'none'",
		"companies/acme.html":                        "frame-ancestors 'none'",
		"companies/acme.gone.html":                   "frame-ancestors 'none'",
		"errors/404.html":                            "frame-ancestors 'none'",
		"companies/acme.md":                          "",
		"embed/market-maps/a.html":                   "frame-ancestors *",
		"market-maps/embed.html":                     "frame-ancestors 'none'",
		"market-maps/a.svg":                          "",
		"feed.atom":                                  "",
		"media/0123456789abcdef0123456789abcdef.svg": "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'",
		"verify/removal/index.html":                  "frame-ancestors 'none'",
		"api/v1/marketplace/articles.json":           "",
		"sitemap.xml":                                "",
	} {
		got := ""
		for _, h := range document.HeadersFor(file) {
			if h.Name == "Content-Security-Policy" {
				got = h.Value
			}
		}
		if got != want {
			t.Errorf("%s carries the policy %q, want %q", file, got, want)
		}
	}
}

func TestLinksOfASiteWithAPathGoThroughItsProxy(t *testing.T) {
	for _, test := range []struct{ site, api, desc, doc string }{
		{"https://x.example", "https://x.example/api/v1", "</api/v1/openapi.json>", "</llms.txt>"},
		{"https://x.example/shop", "https://x.example/shop/api/v1", "</shop/api/v1/openapi.json>", "</shop/llms.txt>"},
		{"https://x.example/a%20b", "https://x.example/a%20b/api/v1", "</a%20b/api/v1/openapi.json>", "</a%20b/llms.txt>"},
		{"https://x.example/shop", "https://api.x.example/api/v1", "<https://api.x.example/api/v1/openapi.json>", "<https://x.example/shop/llms.txt>"},
	} {
		at := document.Addresses{Site: test.site, API: test.api}
		for _, file := range []string{document.HomeFile, document.MarketFile} {
			var all []string
			for _, h := range at.LinksFor(file) {
				to, _, _ := strings.Cut(h.Value, ";")
				all = append(all, to)
			}
			if !slices.Contains(all, test.desc) || !slices.Contains(all, test.doc) {
				t.Errorf("%s with its API at %s: %s has links to %q", test.site, test.api, file, all)
			}
		}
		if more := at.LinksFor(document.LLMsFile); more != nil {
			t.Errorf("%s has links, too", document.LLMsFile)
		}
	}
}
