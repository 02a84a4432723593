package javascript

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// asFunction calls the function as CloudFront does, and converts answers and requests that
// are passed on to the bucket into one form.
const asFunction = `
async function ask(method, address) {
  const uri = address.split("?")[0];
  const querystring = {};
  for (const one of (address.split("?")[1] || "").split("&")) {
    const [name, value] = one.split("=");
    if (!name) continue;
    if (querystring[name]) querystring[name].multiValue.push({ value: value });
    else querystring[name] = { value: value, multiValue: [{ value: value }] };
  }
  const r = await handler({ request: { method: method, uri: uri, headers: {}, querystring: querystring } });
  const headers = {};
  for (const name in r.headers || {}) headers[name] = r.headers[name].value;
  return r.statusCode ? { status: r.statusCode, body: r.body ? r.body.data : "", headers: headers } : { status: 0, body: r.uri, headers: {} };
}
`

// function returns CloudFront's function with its list.
func function(t *testing.T) *goja.Runtime {
	t.Helper()
	data, err := os.ReadFile("../testdata/cloudfront/removed.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Data []struct{ Key, Value string }
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Data) != 6 {
		t.Fatal(len(list.Data), err)
	}
	vm := goja.New()
	set := func(name string, value any) {
		if err := vm.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	listed := map[string]string{}
	for _, one := range list.Data {
		listed[one.Key] = one.Value
	}
	set("listed", func(key string) bool { return listed[key] != "" })
	set("value", func(key string) string { return listed[key] })
	set("digest", func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	})
	program := script(t, "../testdata/cloudfront/function.js", "import cf from 'cloudfront';", "import crypto from 'crypto';")
	program = replaced(t, program, `const dynamicPath = /^(?!)/;`, `const dynamicPath = /^\/api\/v1\/marketplace\/listings\/search$/;`)
	const services = `
const cf = { kvs: function () { return { exists: async function (key) { return listed(key); }, get: async function (key) { return value(key); } }; } };
const crypto = { createHash: function () { return { update: function (text) { return { digest: function () { return digest(text); } }; } }; } };
`
	load(t, vm, services, program, asFunction)
	return vm
}

// gonePage is the page with which the list was written; it is longer than one value.
var gonePage = "<!doctype html>\n<title>Gone</title>\n" + strings.Repeat("<p>für immer\n", 100)

func TestFunctionAnswersOrPassesTheRequestOn(t *testing.T) {
	vm := function(t)
	for _, c := range []struct {
		method, uri string
		status      int
		body        string
		headers     map[string]string
	}{
		// Status 0 means that the request is passed on with the uri given as the body here.
		{"GET", "/api/v1/marketplace/companies/acme-gmbh", 0, "/api/v1/marketplace/companies/acme-gmbh.json", nil},
		{"HEAD", "/api/v1/marketplace/companies/acme-gmbh", 0, "/api/v1/marketplace/companies/acme-gmbh.json", nil},
		{"GET", "/api/v1/marketplace/companies/acme", 410, gone, map[string]string{"content-type": "application/problem+json", "cache-control": "public, max-age=30", "access-control-allow-origin": "*"}},
		{"POST", "/api/v1/marketplace/companies/acme", 410, gone, nil},
		{"HEAD", "/api/v1/marketplace/companies/acme", 410, "", nil},
		{"GET", "/api/v1/marketplace/companies/acme/products/arm-7", 410, gone, nil},
		{"GET", "/api/v1/marketplace/companies/acme/products/arm-70", 0, "/api/v1/marketplace/companies/acme/products/arm-70.json", nil},
		{"GET", "/api/v1/marketplace/companies/acme.gone", 404, missing, map[string]string{"access-control-allow-origin": "*"}},
		{"GET", "/api/v1/marketplace/companies/acme.gone.json", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/acme.json", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/%61cme", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/ACME", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/acme/", 404, missing, nil},
		{"GET", "/api/v1/../v1/marketplace/companies/acme", 404, missing, nil},
		{"GET", "/api/v1/./marketplace/companies/acme", 404, missing, nil},
		{"GET", "//api/v1/marketplace/companies/acme", 0, "/.souk/missing", nil},
		{"POST", "//api/v1/marketplace/companies/acme", 404, missing, nil},
		{"POST", "/api/v1/marketplace/companies/acme-gmbh", 405, wrong, map[string]string{"allow": "GET, HEAD, OPTIONS"}},
		{"OPTIONS", "/api/v1/marketplace/companies/acme-gmbh", 204, "", map[string]string{"access-control-allow-methods": "GET, HEAD, OPTIONS", "access-control-allow-origin": "*"}},
		{"OPTIONS", "/api/v1/marketplace/companies/acme", 204, "", map[string]string{"access-control-allow-methods": "GET, HEAD, OPTIONS"}},
		{"OPTIONS", "/api/v1/marketplace/companies/acme.json", 204, "", nil},
		{"OPTIONS", "/companies/acme.html", 204, "", nil},
		{"GET", "/api/v1/release.json", 0, "/api/v1/release.json", nil},
		{"GET", "/api/v1/release", 0, "/api/v1/release.json", nil},
		{"GET", "/sitemap.xml", 0, "/sitemap.xml", nil},
		{"GET", "/sitemap.xml.br", 0, "/.souk/missing", nil},
		{"GET", "/verify/claim", 0, "/verify/claim/index.html", nil},
		{"GET", "/verify/claim/", 0, "/verify/claim/index.html", nil},
		{"GET", "/verify/removal%23id=a&token=b", 0, "/verify/removal/index.html", nil},
		{"GET", "/verify/claim/%2523id%253Da", 0, "/verify/claim/index.html", nil},
		{"GET", "/verify/claim/index.html", 0, "/.souk/missing", nil},
		{"GET", "/.well-known/api-catalog", 0, "/.well-known/api-catalog", nil},
		{"GET", "/", 0, "/index.html", nil},
		{"GET", "/companies", 0, "/companies.html", nil},
		{"GET", "/companies/acme-gmbh", 0, "/companies/acme-gmbh.html", nil},
		{"GET", "/companies/acme-gmbh.md", 0, "/companies/acme-gmbh.md", nil},
		{"GET", "/companies/acme-gmbh/", 308, "", map[string]string{"location": "/companies/acme-gmbh", "cache-control": "public, max-age=30"}},
		{"GET", "/search/?q=a%20b&category=x&category=y", 308, "", map[string]string{"location": "/search?q=a%20b&category=x&category=y"}},
		{"GET", "/search", 0, "/search.html", nil},
		{"GET", "/feed.json", 0, "/feed.json", nil},
		{"GET", "/companies/acme", 410, gonePage, map[string]string{"content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=30", "content-security-policy": "frame-ancestors 'none'"}},
		{"POST", "/companies/acme", 410, gonePage, nil},
		{"HEAD", "/companies/acme", 410, "", map[string]string{"content-type": "text/html; charset=utf-8"}},
		{"GET", "/companies/acme.md", 410, gonePage, nil},
		{"POST", "/companies/acme-gmbh", 405, wrong, nil},
		{"GET", "/companies/acme.html", 0, "/.souk/missing", nil},
		{"GET", "/companies/acme.gone", 0, "/.souk/missing", nil},
		{"GET", "/errors/410", 0, "/.souk/missing", nil},
		{"GET", "/index", 0, "/.souk/missing", nil},
		{"POST", "/api/v1/marketplace/listings/search", 0, "/api/v1/marketplace/listings/search", nil},
	} {
		var got answer
		run(t, vm, "ask", &got, c.method, c.uri)
		compare(t, c.method+" "+c.uri, got, c.status, c.body, c.headers)
	}
}
