package javascript

import (
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// platform implements the parts of the Fetch standard that the Worker uses, and a binding
// with a folder of assets.
const platform = `
class Headers {
  constructor(init) { this.all = {}; for (const name in init || {}) this.all[name.toLowerCase()] = String(init[name]); }
  get(name) { const v = this.all[name.toLowerCase()]; return v === undefined ? null : v; }
}
class URL {
  constructor(text, base) {
    if (text[0] === "/") text = new URL(base).origin + text;
    const m = /^(https?:\/\/[^\/?]+)([^?]*)(\?.*)?$/.exec(text);
    this.origin = m[1]; this.pathname = m[2] || "/"; this.search = m[3] || ""; this.href = this.origin + this.pathname + this.search;
  }
}
class Request {
  constructor(url, init) {
    this.url = url.href || String(url);
    this.method = (init && init.method) || "GET";
    this.headers = init && init.headers instanceof Headers ? init.headers : new Headers(init && init.headers);
  }
}
class Response {
  constructor(body, init) { this.body = body; this.status = init.status; this.headers = new Headers(init.headers); }
  async text() { return this.body; }
}
async function fetch(request) {
  if (away) throw new Error("nobody is there");
  return new Response("program " + request.method + " " + request.url, { status: 200, headers: {} });
}
const env = { ASSETS: { fetch: async function (request) {
  const body = assets[new URL(request.url).pathname];
  if (body === undefined) return new Response("no asset", { status: 404, headers: {} });
  if (request.headers.get("If-None-Match") === '"tag"') return new Response(null, { status: 304, headers: { ETag: '"tag"' } });
  return new Response(body, { status: 200, headers: { ETag: '"tag"', "Content-Type": "text/html" } });
} } };
async function ask(method, path, tag) {
  const r = await answer(new Request("https://market.example" + path, { method: method, headers: tag ? { "If-None-Match": tag } : {} }), env);
  return { status: r.status, body: r.body === null ? "" : r.body, headers: r.headers.all };
}
`

// An answer is a program's answer.
type answer struct {
	Status  int               `json:"status"`
	Body    string            `json:"body"`
	Headers map[string]string `json:"headers"`
}

// run calls an async function and returns its result.
func run(t *testing.T, vm *goja.Runtime, function string, into any, arguments ...any) {
	t.Helper()
	f, ok := goja.AssertFunction(vm.Get(function))
	if !ok {
		t.Fatalf("there is no function %s", function)
	}
	var values []goja.Value
	for _, a := range arguments {
		values = append(values, vm.ToValue(a))
	}
	value, err := f(goja.Undefined(), values...)
	if err != nil {
		t.Fatal(err)
	}
	promise, ok := value.Export().(*goja.Promise)
	if !ok || promise.State() != goja.PromiseStateFulfilled {
		t.Fatalf("%s did not answer: %v", function, value)
	}
	if err := vm.ExportTo(promise.Result(), into); err != nil {
		t.Fatal(err)
	}
}

// load runs sources one after the other.
func load(t *testing.T, vm *goja.Runtime, sources ...string) {
	t.Helper()
	vm.SetFieldNameMapper(goja.TagFieldNameMapper("json", true))
	for _, source := range sources {
		if _, err := vm.RunString(source); err != nil {
			t.Fatal(err)
		}
	}
}

// script reads a program and removes the parts that only a module may contain; it fails if
// they are missing.
func script(t *testing.T, file string, module ...string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, line := range module {
		if !strings.Contains(text, line+"\n") {
			t.Fatalf("%s lacks %q", file, line)
		}
		text = strings.Replace(text, line+"\n", "", 1)
	}
	return text
}

const (
	missing = `"code":"not-found"`
	gone    = `"code":"removed"`
	wrong   = `"code":"method-not-allowed"`
)

func worker(t *testing.T, away bool) *goja.Runtime {
	program := script(t, "../testdata/cloudflare/worker.js", "export default { fetch: answer };")
	program = replaced(t, program, `const program = "";`, `const program = "https://program.example";`)
	program = replaced(t, program, `const dynamicPath = /^(?!)/;`, `const dynamicPath = /^\/api\/v1\/marketplace\/listings\/search$/;`)
	assets := `const away = false; const assets = {
		"/api/v1/marketplace/companies/acme.json": "acme", "/api/v1/marketplace/companies/left.gone.json": '{"code":"removed"}',
		"/api/v1/release.json": "release", "/api/v1/health.json": "health", "/sitemap.xml": "sitemap", "/sitemap.xml.gz": "twin",
		"/index.html": "home", "/companies.html": "companies", "/companies/acme.html": "acme page", "/companies/acme.md": "acme text",
		"/companies/left.gone.html": "page of 410", "/companies/left.md.gone.html": "page of 410", "/search.html": "search", "/feed.json": "feed",
		"/errors/404.html": "page of 404", "/errors/410.html": "page of 410",
		"/media/a.svg": "picture", "/verify/claim/index.html": "claim", "/.well-known/api-catalog": "catalog"};`
	if away {
		assets = strings.Replace(assets, "false", "true", 1)
	}
	vm := goja.New()
	load(t, vm, assets+platform, program)
	return vm
}

func replaced(t *testing.T, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the program lacks %s", old)
	}
	return strings.Replace(text, old, with, 1)
}

func TestWorkerAnswers(t *testing.T) {
	vm := worker(t, false)
	for _, c := range []struct {
		method, path, tag string
		status            int
		body              string
		headers           map[string]string
	}{
		{"GET", "/api/v1/marketplace/companies/acme", "", 200, "acme", map[string]string{"content-type": "application/json", "cache-control": "public, max-age=120", "etag": `"tag"`, "vary": "Accept-Encoding"}},
		{"GET", "/api/v1/marketplace/companies/acme?x=1", "", 200, "acme", nil},
		{"HEAD", "/api/v1/marketplace/companies/acme", "", 200, "", map[string]string{"content-type": "application/json"}},
		{"GET", "/api/v1/marketplace/companies/acme", `"tag"`, 304, "", map[string]string{"etag": `"tag"`, "cache-control": "public, max-age=120"}},
		{"POST", "/api/v1/marketplace/companies/acme", "", 405, wrong, map[string]string{"allow": "GET, HEAD, OPTIONS"}},
		{"OPTIONS", "/api/v1/marketplace/companies/acme", "", 204, "", map[string]string{"access-control-allow-methods": "GET, HEAD, OPTIONS"}},
		{"OPTIONS", "/api/v1/marketplace/companies/left", "", 204, "", map[string]string{"access-control-allow-methods": "GET, HEAD, OPTIONS"}},
		{"OPTIONS", "/api/v1/marketplace/companies/acme.json", "", 204, "", nil},
		{"GET", "/api/v1/marketplace/companies/left", "", 410, gone, map[string]string{"content-type": "application/problem+json", "cache-control": "public, max-age=30"}},
		{"POST", "/api/v1/marketplace/companies/left", "", 410, gone, nil},
		{"HEAD", "/api/v1/marketplace/companies/left", "", 410, "", nil},
		{"GET", "/api/v1/marketplace/companies/nobody", "", 404, missing, map[string]string{"cache-control": "public, max-age=30", "content-type": "application/problem+json"}},
		{"POST", "/api/v1/marketplace/companies/nobody", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/acme/", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/ACME", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/%61cme", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/acme.json", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/left.gone", "", 404, missing, nil},
		{"GET", "/api/v1/marketplace/companies/left.gone.json", "", 404, missing, nil},
		{"GET", "/api/v1/release.json", "", 200, "release", map[string]string{"cache-control": "public, max-age=10"}},
		{"GET", "/api/v1/release", "", 200, "release", map[string]string{"cache-control": "public, max-age=10"}},
		{"GET", "/api/v1/health", "", 200, "health", map[string]string{"cache-control": "no-store"}},
		{"GET", "/sitemap.xml", "", 200, "sitemap", map[string]string{"content-type": "application/xml", "cache-control": "public, max-age=300"}},
		{"GET", "/sitemap.xml.gz", "", 404, "page of 404", nil},
		{"GET", "/sitemap.xml/", "", 404, "page of 404", nil},
		{"GET", "//sitemap.xml", "", 404, "page of 404", nil},
		{"GET", "/", "", 200, "home", map[string]string{"content-type": "text/html; charset=utf-8", "content-security-policy": "frame-ancestors 'none'", "referrer-policy": "strict-origin-when-cross-origin"}},
		{"GET", "/companies", "", 200, "companies", nil},
		{"GET", "/companies/acme", "", 200, "acme page", nil},
		{"GET", "/companies/acme", `"tag"`, 304, "", map[string]string{"content-security-policy": "frame-ancestors 'none'"}},
		{"POST", "/companies/acme", "", 405, wrong, nil},
		{"GET", "/companies/acme.md", "", 200, "acme text", map[string]string{"content-type": "text/markdown; charset=utf-8"}},
		{"GET", "/feed.json", "", 200, "feed", map[string]string{"content-type": "application/feed+json"}},
		{"GET", "/companies/", "", 308, "", map[string]string{"location": "/companies", "cache-control": "public, max-age=30"}},
		{"GET", "/companies/acme/?a=b", "", 308, "", map[string]string{"location": "/companies/acme?a=b"}},
		{"GET", "/companies/left/", "", 308, "", map[string]string{"location": "/companies/left"}},
		{"GET", "/companies/left", "", 410, "page of 410", map[string]string{"content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=30", "content-security-policy": "frame-ancestors 'none'"}},
		{"HEAD", "/companies/left", "", 410, "", nil},
		{"POST", "/companies/left", "", 410, "page of 410", nil},
		{"GET", "/companies/left.md", "", 410, "page of 410", nil},
		{"GET", "/companies/left.gone", "", 404, "page of 404", map[string]string{"content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=30", "content-security-policy": "frame-ancestors 'none'"}},
		{"GET", "/companies/left.gone.html", "", 404, "page of 404", nil},
		{"GET", "/companies/acme.html", "", 404, "page of 404", nil},
		{"GET", "/index", "", 404, "page of 404", nil},
		{"GET", "/errors/404", "", 404, "page of 404", nil},
		{"GET", "/search", "", 200, "search", nil},
		{"GET", "/api", "", 404, missing, nil},
		{"GET", "/media/a.svg", "", 200, "picture", map[string]string{"content-type": "image/svg+xml", "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'"}},
		{"GET", "/verify/claim", "", 200, "claim", map[string]string{"content-type": "text/html; charset=utf-8", "content-security-policy": "frame-ancestors 'none'", "referrer-policy": "no-referrer"}},
		{"GET", "/verify/claim/", "", 200, "claim", map[string]string{"cache-control": "no-store"}},
		{"GET", "/verify/claim%23id=a&token=b", "", 200, "claim", map[string]string{"cache-control": "no-store", "referrer-policy": "no-referrer"}},
		{"HEAD", "/verify/claim/%2523id%253Da?x=y", "", 200, "", nil},
		{"POST", "/verify/claim%23id=a", "", 405, wrong, nil},
		{"GET", "/verify/claim/index.html", "", 404, "page of 404", nil},
		{"GET", "/verify/other%23id=a", "", 404, "page of 404", nil},
		{"GET", "/.well-known/api-catalog", "", 200, "catalog", map[string]string{"content-type": `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`}},
	} {
		var got answer
		run(t, vm, "ask", &got, c.method, c.path, c.tag)
		compare(t, c.method+" "+c.path, got, c.status, c.body, c.headers)
		if got.Headers["access-control-allow-origin"] != "*" || got.Headers["x-content-type-options"] != "nosniff" {
			t.Errorf("%s %s: headers %v", c.method, c.path, got.Headers)
		}
	}
	var got answer
	run(t, vm, "ask", &got, "GET", "/api/v1/marketplace/listings/search?q=a", "")
	compare(t, "search", got, 200, "program GET https://program.example/api/v1/marketplace/listings/search?q=a", nil)
}

func TestWorkerReportsAnUnavailableProgram(t *testing.T) {
	var got answer
	run(t, worker(t, true), "ask", &got, "GET", "/api/v1/marketplace/listings/search?q=a", "")
	compare(t, "search", got, 503, `"code":"unavailable"`, map[string]string{"cache-control": "no-store", "retry-after": "2", "access-control-allow-origin": "*"})
	vm := worker(t, true)
	if _, err := vm.RunString(`dynamicPath.test = function () { return true; };`); err != nil {
		t.Fatal(err)
	}
	run(t, vm, "ask", &got, "GET", "/search?q=a", "")
	compare(t, "the page of the search", got, 503, "search", map[string]string{"cache-control": "no-store", "retry-after": "2", "content-type": "text/html; charset=utf-8"})
	run(t, vm, "ask", &got, "POST", "/requests/claim", "")
	compare(t, "a form", got, 503, `"code":"unavailable"`, nil)
}

func compare(t *testing.T, request string, got answer, status int, body string, headers map[string]string) {
	t.Helper()
	// A problem is compared by its code, anything else by the whole body.
	same := got.Body == body || strings.HasPrefix(body, `"code"`) && strings.Contains(got.Body, body)
	if got.Status != status || !same {
		t.Errorf("%s: %d %q, want %d %q", request, got.Status, got.Body, status, body)
	}
	for name, want := range headers {
		if got.Headers[name] != want {
			t.Errorf("%s: %s: %q, want %q", request, name, got.Headers[name], want)
		}
	}
}
