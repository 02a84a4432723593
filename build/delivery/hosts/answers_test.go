//go:build unix

package hosts_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"souk/build/document"
	"souk/build/release"
)

// asked sends a request and returns the answer and its body.
func asked(t *testing.T, method, address string, header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "identity")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// TestServersSendTheHeadersOfSoukServe compares the answers of each server with those of
// souk serve, for a file of each kind.
func TestServersSendTheHeadersOfSoukServe(t *testing.T) {
	public, tree := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress, "brass-wren")
	own := serve(t, tree)
	kinds := map[string]string{}
	tree.Each(func(file string, _ release.Entry) {
		// The program answers at /search.
		if file != document.HealthFile && !document.IsFilled(file) && document.Address(file) != "" {
			kind := fmt.Sprint(document.ContentType(file), document.CacheFor(file), document.HeadersFor(file), filepath.Ext(file))
			kinds[kind] = max(kinds[kind], document.Address(file))
		}
	})
	if len(kinds) < 18 {
		t.Fatalf("too few kinds: %v", kinds)
	}
	kinds["nothing"] = "/api/v1/marketplace/companies/nobody"
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			base := start(t, name, public, program(t))
			for _, address := range kinds {
				for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
					same(t, method, own, base, address)
				}
			}
			preflight(t, own, base, "/api/v1/marketplace/articles")
		})
	}
}

// TestServersSendMarkdownLikeSoukServe compares quality values at pages, at other files,
// and at missing and removed addresses.
func TestServersSendMarkdownLikeSoukServe(t *testing.T) {
	public, tree := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress, "brass-wren")
	own := serve(t, tree)
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			base := start(t, name, public, "")
			for _, accept := range []string{
				"text/markdown", "text/*", "*/*", "text/markdown, text/html, */*", "Text/Markdown; variant=GFM;Q=0.8, text/html;q=0.8", "text/markdown;q=0",
				"text/markdown;q=0.000", "text/markdown;q=x", "text/markdown;q=0.5, text/html", "text/markdown;q=0.5, text/*;q=0.51", "text/markdown;q=0.5,*/*;q=0.50",
				"text/html;q=0.1, text/markdown;q=0.2, */*", "text/html;level=1;q=0.301 ,text/markdown ; q=0.31", "text/markdown;q=1.0, text/html;q=1",
				"*/*;q=0.9, text/*;q=0.2, text/markdown;q=0.3", "text/markdownish, text/html;q=0.1", "application/json, x-text/markdown", "text/html;q=0, text/markdown;q=0.001",
			} {
				for _, address := range []string{"/", "/companies", "/companies/ember-ledger", "/companies/ember-ledger?a=b"} {
					for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
						same(t, method, own, base, address, "Accept", accept)
					}
					got, _ := asked(t, http.MethodGet, base+address, "Accept", accept)
					if vary := strings.Join(got.Header.Values("Vary"), ", "); !regexp.MustCompile(`(?:^|, )Accept(?:,|$)`).MatchString(vary) {
						t.Errorf("%s: Vary: %q", address, vary)
					}
					if mediaType := got.Header.Get("Content-Type"); accept == "text/markdown" && mediaType != document.ContentType("a.md") {
						t.Errorf("%s is %s", address, mediaType)
					}
				}
			}
			for _, address := range []string{
				"/companies/ember-ledger.md", "/companies/ember-ledger/", "/companies/ember-ledger/claim", "/companies/brass-wren", "/companies/brass-wren.md", "/index",
				"/search", "/nothing", "/verify/claim", "/robots.txt", "/feed.atom", "/api/v1/marketplace", "/api/v1/marketplace/companies/ember-ledger",
			} {
				same(t, http.MethodGet, own, base, address, "Accept", "text/markdown")
			}
		})
	}
}

// same compares the answers of a server and of our own server.
func same(t *testing.T, method, own, base, address string, header ...string) {
	t.Helper()
	want, wantBody := asked(t, method, own+address, header...)
	got, body := asked(t, method, base+address, header...)
	address = strings.Join(append([]string{address}, header...), " ")
	if got.StatusCode != want.StatusCode {
		t.Errorf("%s %s: status %d, want %d", method, address, got.StatusCode, want.StatusCode)
	}
	// The bodies of these errors are worded differently, and nobody reads the body of a
	// redirect.
	if body != wantBody && got.StatusCode != http.StatusMethodNotAllowed && got.StatusCode != http.StatusPermanentRedirect {
		t.Errorf("%s %s: body %.200q, want %.200q", method, address, body, wantBody)
	}
	names := []string{"Content-Type", "Cache-Control", "Content-Security-Policy", "Referrer-Policy", "Location", "Link"}
	if want.StatusCode == http.StatusPermanentRedirect {
		names = names[1:]
	}
	for _, h := range document.EveryAnswer() {
		names = append(names, h.Name)
	}
	for _, name := range names {
		g, w := strings.Join(got.Header.Values(name), ", "), strings.Join(want.Header.Values(name), ", ")
		if g != w {
			t.Errorf("%s %s: %s: %q, want %q", method, address, name, g, w)
		}
	}
}

// pageAddresses are addresses outside the API with their answers, in a release without
// brass-wren, both with and without pages.
var pageAddresses = []struct {
	path          string
	with, without int
}{
	{"/", 200, 404},
	{"/companies", 200, 404},
	{"/companies/ember-ledger", 200, 404},
	{"/companies/ember-ledger?q=.html", 200, 404},
	{"/companies/ember-ledger/products/kiln-clerk", 200, 404},
	{"/companies/ember-ledger.md", 200, 404},
	{"/companies/ember-ledger/claim", 200, 404},
	{"/categories/product/robots", 200, 404},
	{"/market-maps/by-height.svg", 200, 404},
	{"/categories/product/robots.svg", 200, 404},
	{"/embed/market-maps/by-height", 200, 404},
	{"/embed/market-maps/by-height?theme=dark&columns=3", 200, 404},
	{"/embed/market-maps/by-height/", 308, 404},
	{"/embed/market-maps/by-height.html", 404, 404},
	{"/embed/nothing", 404, 404},
	{"/feed.atom", 200, 404},
	{"/feed.json", 200, 404},
	{"/favicon.svg", 200, 404},
	{"/search?q=kiln", 200, 404},
	{"/verify/claim", 200, 200},
	{"/verify/claim/", 200, 200},
	{"/verify/claim?id=a&token=b", 200, 200},
	{"/verify/claim/?id=a&token=b", 200, 200},
	{"/verify/claim%23id=a&token=b", 200, 200},
	{"/verify/claim/%23id=a&token=b", 200, 200},
	{"/verify/removal%2523id%253Da%2526token%253Db", 200, 200},
	{"/verify/removal%252523id=a&amp;token=b?utm_source=c", 200, 200},
	{"/verify/removal&id=a;token=b", 200, 200},
	{"/verify/removal/a.b", 200, 200},
	{"/verify/removal//%23id=a", 200, 200},
	{"/verify/removal%ff%20", 200, 200},
	{"/verify/other%23id=a", 404, 404},
	{"/verify%2Fclaim%23id=a", 404, 404},
	{"/x/verify/claim%23id=a", 404, 404},
	{"/robots.txt", 200, 200},
	{"/companies/", 308, 404},
	{"/companies/ember-ledger/?a=b&c=d", 308, 404},
	{"/companies/brass-wren/", 308, 404},
	{"/search/?q=kiln", 308, 404},
	{"/companies/brass-wren", 410, 404},
	{"/companies/brass-wren.md", 410, 404},
	{"/companies/brass-wren/remove", 410, 404},
	{"/companies/brass-wren/products/wren-4", 410, 404},
	{"/companies/brass-wren/products/wren-4.md", 410, 404},
	{"/api/v1/marketplace/companies/brass-wren", 410, 410},
	{"/nothing", 404, 404},
	{"/nothing/", 404, 404},
	{"/companies/nobody", 404, 404},
	{"/companies/ember-ledger/products", 404, 404},
	{"/companies/ember-ledger.html", 404, 404},
	{"/companies/ember-ledger.html/", 404, 404},
	{"/companies/ember-ledger.md/", 404, 404},
	{"/companies/ember-ledger.md.html", 404, 404},
	{"/companies/brass-wren.gone", 404, 404},
	{"/companies/brass-wren.gone/", 404, 404},
	{"/companies/brass-wren.md.gone", 404, 404},
	{"/companies/brass-wren.gone.html", 404, 404},
	{"/companies/brass-wren.md.gone.html", 404, 404},
	{"/companies/%65mber-ledger", 404, 404},
	{"/companies//ember-ledger", 404, 404},
	{"/index", 404, 404},
	{"/index/", 404, 404},
	{"/index.html", 404, 404},
	{"/search.html", 404, 404},
	{"/verify/claim/index", 404, 404},
	{"/verify/claim/index.html", 404, 404},
	{"/errors/404", 404, 404},
	{"/errors/404.html", 404, 404},
	{"/errors/410.html", 404, 404},
	{"/feed", 404, 404},
	{"/media/", 404, 404},
	{"/api", 404, 404},
	{"/api/v1/nothing.html", 404, 404},
	{"/api.html", 404, 404},
	{"/requests/claim", 404, 404},
}

func TestServersAnswerWithThePagesOfTheRelease(t *testing.T) {
	for _, pages := range []bool{true, false} {
		public, tree := builtWith(t, pages, filepath.Join("..", "..", "..", "content"), release.NoPrecompress, "brass-wren")
		own := serve(t, tree)
		for _, name := range append([]string{"souk"}, servers...) {
			t.Run(fmt.Sprintf("%s, pages %v", name, pages), func(t *testing.T) {
				base := own
				if name != "souk" {
					base = start(t, name, public, "")
				}
				for _, c := range pageAddresses {
					status, mediaType := c.without, document.ProblemType
					if pages {
						status = c.with
						if !document.BelowAPI(c.path) {
							mediaType = "text/html; charset=utf-8"
						}
					}
					got, _ := asked(t, http.MethodGet, base+c.path)
					if got.StatusCode != status {
						t.Errorf("%s: status %d, want %d", c.path, got.StatusCode, status)
					}
					if sent := got.Header.Get("Content-Type"); status >= 400 && sent != mediaType {
						t.Errorf("%s: Content-Type %q, want %q", c.path, sent, mediaType)
					}
					slashed, query, _ := strings.Cut(c.path, "?")
					to := url.URL{Path: strings.TrimSuffix(slashed, "/"), RawQuery: query}
					if at := got.Header.Get("Location"); status == http.StatusPermanentRedirect && at != to.String() {
						t.Errorf("%s: leads to %s, want %s", c.path, at, to.String())
					}
					same(t, http.MethodGet, own, base, c.path)
					same(t, http.MethodHead, own, base, c.path)
					preflight(t, own, base, c.path)
				}
			})
		}
	}
}

// Each server logs as its operator may have configured it.
func TestServersLogNoSecretOfALink(t *testing.T) {
	const secret = "c2VjcmV0LXRva2Vu"
	public, _ := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress)
	for _, logging := range append([]string{"apache with its own folder of logs", "apache without a folder of logs"}, servers...) {
		t.Run(logging, func(t *testing.T) {
			name, as, _ := strings.Cut(logging, " ")
			folder := open(t)
			if err := os.Chmod(folder, 0o777); err != nil { // the server writes there
				t.Fatal(err)
			}
			log := filepath.Join(folder, "access.log")
			if as == "with its own folder of logs" {
				log = filepath.Join(folder, "logs", "access_log")
				if err := os.Mkdir(filepath.Dir(log), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			base, server := startWith(t, name, public, program(t), func(text string) string {
				const format = "LogFormat \"%h \\\"%r\\\" %>s %U%q \\\"%{Referer}i\\\"\" combined\n"
				if as != "" {
					return "ServerRoot " + folder + "\n" + format + "CustomLog " + filepath.Join(folder, "all.log") + " combined\n" + text
				}
				switch name {
				case "nginx":
					return strings.Replace(text, "server {\n", "server {\n    access_log "+log+";\n    error_log "+log+" info;\n", 1)
				case "caddy":
					return strings.Replace(text, "\n\troot *", "\n\tlog {\n\t\toutput file "+log+"\n\t}\n\troot *", 1)
				default:
					return "Define APACHE_LOG_DIR " + folder + "\n" + format + text
				}
			})
			for _, path := range []string{
				"/verify/claim?id=a&token=", "/verify/removal/?id=a&token=", "/verify/claim%23id=a&token=", "/verify/removal%2523id%3Da%26token%3D", "/verify/removal/a.",
				"/verify/claim%23" + strings.Repeat("a", 4000) + "&token=",
			} {
				for _, method := range []string{http.MethodHead, http.MethodGet} {
					if got, _ := asked(t, method, base+path+secret); got.StatusCode != http.StatusOK {
						t.Errorf("%s %s: %s", method, path, got.Status)
					}
				}
				if got, _ := asked(t, http.MethodPost, base+path+secret); got.StatusCode != http.StatusMethodNotAllowed {
					t.Errorf("POST %s: %s", path, got.Status)
				}
				if got, _ := asked(t, http.MethodOptions, base+path+secret); got.StatusCode != http.StatusNoContent {
					t.Errorf("OPTIONS %s: %s", path, got.Status)
				}
			}
			for _, path := range []string{
				"/verify/claim/index.html?token=", "/verify/removal.html?id=a&token=", "/verify/other?token=", "/verify/?token=", "/verify?token=", "/verify%23id=a&token=",
				"//verify/claim?token=", "/verify%2Fclaim%23token=", "/Verify/claim?token=", "/verify/claim.gone.json?token=",
			} {
				for _, method := range []string{http.MethodHead, http.MethodGet, http.MethodPost} {
					if got, _ := asked(t, method, base+path+secret); got.StatusCode != http.StatusNotFound {
						t.Errorf("%s %s: %s", method, path, got.Status)
					}
				}
			}
			for _, raw := range []string{
				"GET /verify/claim%zz?token=" + secret, "GET /verify/claim?token=" + secret + strings.Repeat("a", 20000), "GET http://market.example/verify/claim?token=" + secret,
				"BREW /verify/claim?token=" + secret,
			} {
				rawly(t, base, raw)
			}
			asked(t, http.MethodGet, base+"/companies/ember-ledger")
			said := server.Stop()
			logged := false
			for _, file := range []string{log, filepath.Join(folder, "all.log")} {
				written, err := os.ReadFile(file)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				said += string(written)
				logged = logged || strings.Contains(string(written), "/companies/ember-ledger")
			}
			// A malformed path is in a server's error log; in nginx's only at level info.
			said = regexp.MustCompile(`.*(?: client sent .* while reading client request line|AH10244: invalid URI path).*\n`).ReplaceAllString(said, "")
			if strings.Contains(said, secret) || logged != (as != "without a folder of logs") {
				t.Errorf("the log is\n%s", said)
			}
		})
	}
}

// rawly sends a request with the given first line and waits for the answer.
func rawly(t *testing.T, base, line string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: market.example\r\nConnection: close\r\n\r\n", line); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c) // a server may reset unread data
}

func TestServersOfASiteWithAPathRedirectThroughItsProxy(t *testing.T) {
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			public := open(t)
			err := os.CopyFS(public, os.DirFS(stubs(t)))
			if err == nil {
				err = os.WriteFile(filepath.Join(public, filepath.FromSlash(document.MarketFile)), []byte(`{"url":"https://x.example/shop/"}`), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, _ := asked(t, http.MethodGet, start(t, name, public, "")+"/companies/acme-gmbh/?a=b")
			if to := got.Header.Get("Location"); got.StatusCode != http.StatusPermanentRedirect || to != "/shop/companies/acme-gmbh?a=b" {
				t.Errorf("%d to %q", got.StatusCode, to)
			}
		})
	}
}

// preflight compares the answers to preflight requests, also at missing and removed
// addresses.
func preflight(t *testing.T, own, base, address string) {
	t.Helper()
	want, _ := asked(t, http.MethodOptions, own+address, "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "GET")
	got, body := asked(t, http.MethodOptions, base+address, "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "GET")
	if got.StatusCode != http.StatusNoContent || want.StatusCode != http.StatusNoContent || body != "" {
		t.Errorf("preflight of %s: status %d with %q, that of the own server %d", address, got.StatusCode, body, want.StatusCode)
	}
	for _, header := range []string{"Access-Control-Allow-Headers", "Access-Control-Max-Age", "Access-Control-Allow-Origin", "Cache-Control"} {
		if g, w := strings.Join(got.Header.Values(header), ", "), want.Header.Get(header); g != w {
			t.Errorf("preflight of %s: %s: %q, want %q", address, header, g, w)
		}
	}
	for _, method := range []string{"GET", "HEAD", "OPTIONS"} {
		if !strings.Contains(got.Header.Get("Access-Control-Allow-Methods"), method) {
			t.Errorf("preflight of %s: %q lacks %s", address, got.Header.Get("Access-Control-Allow-Methods"), method)
		}
	}
}

var wildcard = regexp.MustCompile(`\{[^}]*\}`)

func TestServersPassOnTheProgramsAnswers(t *testing.T) {
	public, _ := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress, "brass-wren")
	page, err := os.ReadFile(filepath.Join(public, "verify", "claim", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			base := start(t, name, public, program(t))
			for _, e := range document.Endpoints() {
				if e.Dynamic {
					passedOn(t, base, e.Method, document.APIRoot+wildcard.ReplaceAllString(e.Path, "some-1")+"?q=a%2Fb&q=%C3%A4")
				}
			}
			passedOn(t, base, http.MethodGet, "/health")
			passedOn(t, base, http.MethodGet, "/search?q=a%2Fb&q=%C3%A4")
			passedOn(t, base, http.MethodPost, "/requests/claim")
			passedOn(t, base, http.MethodPost, "/requests/remove")
			passedOn(t, base, http.MethodPost, "/requests/verify-claim")
			passedOn(t, base, http.MethodPost, "/requests/verify-removal")
			passedOn(t, base, http.MethodPost, "/api/v1/marketplace/listings/search")
			got, _ := asked(t, http.MethodOptions, base+"/api/v1/marketplace/companies/some-1/claims", "Origin", "https://elsewhere.example")
			for header, want := range map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "OPTIONS, POST", "Allow": ""} {
				if g := strings.Join(got.Header.Values(header), ", "); g != want || got.StatusCode != http.StatusNoContent {
					t.Errorf("a preflight that the program answers: %d %s: %q, want %q", got.StatusCode, header, g, want)
				}
			}
			for _, address := range []string{"/verify/claim", "/verify/claim/"} {
				got, body := asked(t, http.MethodGet, base+address)
				if got.StatusCode != http.StatusOK || body != string(page) {
					t.Errorf("%s: %d %s", address, got.StatusCode, body)
				}
				for _, h := range append(document.HeadersFor("verify/claim/index.html"), document.EveryAnswer()...) {
					if g := strings.Join(got.Header.Values(h.Name), ", "); g != h.Value {
						t.Errorf("%s: %s: %q, want %q", address, h.Name, g, h.Value)
					}
				}
			}
		})
	}
}

// passedOn checks that a request reaches the program unchanged, and that its answer comes
// back unchanged.
func passedOn(t *testing.T, base, method, address string) {
	t.Helper()
	got, body := asked(t, method, base+address)
	if want := method + " " + address; body != want {
		t.Errorf("%s %s: %d %.100q, want %q", method, address, got.StatusCode, body, want)
	}
	if method == http.MethodPost && got.StatusCode != http.StatusGone {
		t.Errorf("%s %s: the program's status became %d", method, address, got.StatusCode)
	}
	for header, want := range map[string]string{"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", "Content-Type": "application/json"} {
		if g := strings.Join(got.Header.Values(header), ", "); g != want {
			t.Errorf("%s %s: %s: %q, want %q", method, address, header, g, want)
		}
	}
}

func TestServersReportAnUnavailableProgram(t *testing.T) {
	public, _ := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress)
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			// Nothing listens on the discard port.
			base := start(t, name, public, "http://127.0.0.1:9")
			got, body := asked(t, http.MethodGet, base+"/api/v1/marketplace/listings/search?q=x")
			if got.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, `"code":"unavailable"`) {
				t.Errorf("%d %s", got.StatusCode, body)
			}
			for header, want := range map[string]string{
				"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", "Content-Type": document.ProblemType, "Retry-After": "2",
			} {
				if g := strings.Join(got.Header.Values(header), ", "); g != want {
					t.Errorf("%s: %q, want %q", header, g, want)
				}
			}
			// For people, the search page is served instead.
			for _, filled := range document.FilledPages() {
				page, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(filled.File)))
				if err != nil {
					t.Fatal(err)
				}
				got, body = asked(t, http.MethodGet, base+filled.Path+"?q=x")
				if got.StatusCode != http.StatusServiceUnavailable || body != string(page) {
					t.Errorf("%s: %d %.200s", filled.Path, got.StatusCode, body)
				}
				for header, want := range map[string]string{
					"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8", "Retry-After": "2",
					"Content-Security-Policy": "frame-ancestors 'none'", "ETag": "",
				} {
					if g := strings.Join(got.Header.Values(header), ", "); g != want {
						t.Errorf("%s: %s: %q, want %q", filled.Path, header, g, want)
					}
				}
			}
		})
	}
}

func TestServersWithoutAProgramHaveNoSearch(t *testing.T) {
	public, _ := built(t, filepath.Join("..", "..", "..", "content"), release.NoPrecompress)
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			base := start(t, name, public, "")
			if got, body := asked(t, http.MethodGet, base+"/api/v1/marketplace/listings/search?q=x"); got.StatusCode != http.StatusNotFound || !strings.Contains(body, `"code":"not-found"`) {
				t.Errorf("%d %s", got.StatusCode, body)
			}
			if got, body := asked(t, http.MethodGet, base+"/api/v1/health"); got.StatusCode != http.StatusOK || got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%d %s %s", got.StatusCode, got.Header.Get("Cache-Control"), body)
			}
		})
	}
}
