package document_test

import (
	"testing"

	"souk/build/document"
)

func TestAddressOfAFileIsWhereItAnswers(t *testing.T) {
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

func TestOnlyPicturesAndVerificationPagesCarryAPolicy(t *testing.T) {
	for file, want := range map[string]string{
		"media/0123456789abcdef0123456789abcdef.svg": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
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
