package hosts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"souk/build/delivery/hosts"
	"souk/build/document"
	"souk/internal/testing/docsection"
)

var update = flag.Bool("update", false, "write the configurations that are compared with")

// gonePage is longer than a value of CloudFront's store.
var gonePage = "<!doctype html>\n<title>Gone</title>\n" + strings.Repeat("<p>für immer\n", 100)

// stubs builds a release in which two companies with similar names had addresses and only
// one was removed.
func stubs(t *testing.T) string {
	t.Helper()
	public := t.TempDir()
	for file, body := range map[string]string{
		document.ReleaseFile:                                         `{"id":"1"}`,
		"api/v1/marketplace/companies/acme.gone.json":                string(document.GoneBody()),
		"api/v1/marketplace/companies/acme/products/arm-7.gone.json": string(document.GoneBody()),
		"api/v1/marketplace/companies/acme-gmbh.json":                `{}`,
		"companies/acme.gone.html":                                   gonePage,
		"companies/acme.md.gone.html":                                gonePage,
		"companies/acme-gmbh.html":                                   "<title>Acme GmbH</title>",
		document.RemovedFile:                                         gonePage,
	} {
		path := filepath.Join(public, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return public
}

// hostTable returns what the command prints about each offered host.
func hostTable() string {
	var b strings.Builder
	b.WriteString("| | removed: GET / POST | 410 body | 404 body | CORS, lifetime on errors | ETag per coding | compressed | one spelling | links of mails | Markdown by Accept | search | list to renew | tested |\n" +
		strings.Repeat("|---", 13) + "|\n")
	word := map[bool]hosts.Support{true: hosts.Yes, false: hosts.No}
	for _, h := range hosts.All() {
		if h.Refused == "" {
			fmt.Fprintf(&b, "| %s | %d / %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", h.Title, h.Gone, h.GonePost, h.GoneBody, h.MissingBody,
				h.ErrorHeaders, h.EncodingETag, h.Precompressed, h.Spelling, h.Links, h.Markdown, h.Dynamic, word[h.List], word[h.Proven])
		}
	}
	return b.String()
}

func TestReferenceOfHostsMatchesTheCommand(t *testing.T) {
	docsection.Hold(t, "../../../docs/reference/hosts.md", "<!-- hosts -->\n", "<!-- /hosts -->", "\n"+hostTable()+"\n", *update)
}

// TestConfigurationsAreAsReviewed compares with testdata, so that the effects of a change
// of a template or of package document on each host can be reviewed. The configurations
// have no dynamic server, so that a new endpoint does not change them.
func TestConfigurationsAreAsReviewed(t *testing.T) {
	for _, name := range hosts.Names() {
		host, _ := hosts.Lookup(name)
		s := hosts.Settings{Public: "/srv/market/public", Bind: ":80", ServerName: "market.example"}
		if host.List {
			s.Public = stubs(t)
		}
		files, err := host.Write(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			golden := filepath.Join("testdata", name, filepath.FromSlash(f.Name))
			if *update {
				if err := errors.Join(os.MkdirAll(filepath.Dir(golden), 0o755), os.WriteFile(golden, f.Body, 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(f.Body, want) {
				t.Errorf("%s of %s is not as reviewed: go test ./build/delivery/hosts -run Reviewed -update, and read the difference:\n%s", f.Name, name, f.Body)
			}
		}
	}
}

func TestEveryDynamicEndpointIsProxied(t *testing.T) {
	for _, name := range hosts.Names() {
		host, _ := hosts.Lookup(name)
		files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80", Dynamic: "https://program.example"})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range files {
			text += string(f.Body)
		}
		// Languages escape paths differently, so compare without backslashes.
		text = regexp.MustCompile(`\\+`).ReplaceAllString(text, "")
		for _, e := range document.Endpoints() {
			if !e.Dynamic {
				continue
			}
			end := e.Path[strings.LastIndex(e.Path, "/"):]
			if !strings.Contains(text, end) {
				t.Errorf("%s knows nothing of %s", name, e.Path)
			}
		}
		if !strings.Contains(text, "program.example") {
			t.Errorf("%s does not know the program", name)
		}
	}
}

func TestListsContainExactlyTheAddressesOfRemovedCompanies(t *testing.T) {
	for _, name := range hosts.Names() {
		host, _ := hosts.Lookup(name)
		files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80"})
		if err != nil {
			t.Fatal(err)
		}
		text := string(files[0].Body)
		for _, f := range files[1:] {
			text += string(f.Body)
		}
		if strings.Contains(text, "acme-gmbh") || strings.Contains(text, "acme*") || strings.Contains(text, "acme/*") {
			t.Errorf("the list of %s takes in a company of a similar name", name)
		}
		// If code runs or the stub decides, the configuration names no company.
		names := name == "netlify" || name == "vercel"
		if names != strings.Contains(text, "acme") {
			t.Errorf("%s names who was removed: %v, want %v", name, !names, names)
		}
		if host.List && name != "cloudfront" && !strings.Contains(text, "/companies/acme/products/arm-7") {
			t.Errorf("%s lacks a removed address", name)
		}
		if name == "cloudfront" && strings.Count(text, `"410"`) != 4 {
			t.Errorf("cloudfront lacks a removed address")
		}
	}
}

func TestJSONConfigurationsParse(t *testing.T) {
	for name, file := range map[string]string{"vercel": "vercel.json", "cloudfront": "removed.json"} {
		host, _ := hosts.Lookup(name)
		files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80", Dynamic: "https://program.example"})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f hosts.File) bool { return f.Name == file })
		if i < 0 || !json.Valid(files[i].Body) {
			t.Errorf("%s of %s is no JSON", file, name)
		}
	}
}

// TestVercelRoutesMatchTheRightAddresses applies the patterns as Vercel's router is
// documented to: the first match that does not continue counts.
func TestVercelRoutesMatchTheRightAddresses(t *testing.T) {
	host, _ := hosts.Lookup("vercel")
	files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80", Dynamic: "https://program.example"})
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Routes []struct {
			Src, Dest, Handle string
			Status            int
			Continue          bool
			Headers           map[string]string
		}
	}
	if err := json.Unmarshal(files[0].Body, &config); err != nil {
		t.Fatal(err)
	}
	// The test replaces what RE2 cannot express.
	const ahead, site = `(?!/v1/`, `(?!api(?:/|$)|verify/)`
	notSite := regexp.MustCompile(`^/(?:api(?:/|$)|verify/)`)
	for path, want := range map[string]string{
		"/api/v1/marketplace/companies/acme":                "/api/v1/marketplace/companies/acme.gone.json 410",
		"/api/v1/marketplace/companies/acme/products/arm-7": "/api/v1/marketplace/companies/acme/products/arm-7.gone.json 410",
		"/api/v1/marketplace/companies/acme-gmbh":           "/api/v1/marketplace/companies/acme-gmbh.json 0",
		"/api/v1/marketplace/companies/acme/products":       "/api/v1/marketplace/companies/acme/products.json 0",
		"/api/v1/marketplace/listings/search":               "https://program.example/api/v1/marketplace/listings/search 0",
		"/sitemap.xml.gz":                                   "/errors/404.html 404",
		"/sitemap.xml":                                      "filesystem",
		"/":                                                 "filesystem",
		"/companies":                                        "/companies.html 0",
		"/companies/acme-gmbh":                              "/companies/acme-gmbh.html 0",
		"/companies/acme-gmbh/":                             "/companies/acme-gmbh 308",
		"/companies/acme-gmbh.md":                           "filesystem",
		"/companies/acme-gmbh.html":                         "/errors/404.html 404",
		"/companies/acme":                                   "/errors/410.html 410",
		"/companies/acme.md":                                "/errors/410.html 410",
		"/companies/acmexmd":                                "/companies/acmexmd.html 0",
		"/companies/acme.gone":                              "/errors/404.html 404",
		"/verify/claim":                                     "/verify/claim/index.html 0",
		"/verify/claim/":                                    "/verify/claim/index.html 0",
		"/verify/removal%23id=a&token=b":                    "/verify/removal/index.html 0",
		"/verify/claim/index.html":                          "/errors/404.html 404",
		"/search":                                           "https://program.example/search 0",
	} {
		got := ""
		for _, r := range config.Routes {
			if r.Handle != "" {
				got = r.Handle
				break
			}
			if r.Continue || strings.Contains(r.Src, ahead) {
				continue
			}
			if strings.Contains(r.Src, site) && notSite.MatchString(path) {
				continue
			}
			pattern := regexp.MustCompile("^(?:" + strings.ReplaceAll(r.Src, site, "") + ")$")
			if m := pattern.FindStringSubmatch(path); m != nil {
				dest := r.Dest + r.Headers["Location"]
				if len(m) > 1 {
					dest = strings.ReplaceAll(dest, "$1", m[1])
				}
				got = fmt.Sprintf("%s %d", dest, r.Status)
				break
			}
		}
		if got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

// TestCloudFrontFunctionIsWithinTheSizeLimit checks the limit of 10 KB, which must not
// depend on the release or the registry.
func TestCloudFrontFunctionIsWithinTheSizeLimit(t *testing.T) {
	host, _ := hosts.Lookup("cloudfront")
	files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80", Dynamic: "https://program.example"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(files[0].Body); n > 10<<10 {
		t.Errorf("%s has %d bytes", files[0].Name, n)
	}
	var list struct{ Data []struct{ Key, Value string } }
	if err := json.Unmarshal(files[1].Body, &list); err != nil {
		t.Fatal(err)
	}
	page := ""
	for _, one := range list.Data {
		if len(one.Value) > 1024 || len(one.Key) > 512 {
			t.Errorf("%s is too long for the store", one.Key)
		}
		if strings.HasPrefix(one.Key, "page-") {
			page += one.Value
		}
	}
	if page != gonePage {
		t.Errorf("the pieces make %q", page)
	}
}

// TestListsOfAReleaseWithoutPagesContainNoPages covers a site that belongs to another program,
// for which nothing changes.
func TestListsOfAReleaseWithoutPagesContainNoPages(t *testing.T) {
	public := stubs(t)
	if err := errors.Join(os.RemoveAll(filepath.Join(public, "companies")), os.RemoveAll(filepath.Join(public, "errors"))); err != nil {
		t.Fatal(err)
	}
	recorded := []string{"/marketplace/companies/left"}
	for _, name := range []string{"netlify", "vercel", "cloudfront"} {
		host, _ := hosts.Lookup(name)
		files, err := host.Write(hosts.Settings{Public: public, Bind: ":80", Recorded: recorded})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if text := string(f.Body); strings.Contains(text, "errors/") && !strings.Contains(text, "hidden") || strings.Contains(text, `"/companies/`) || strings.Contains(text, ".html'") && !strings.Contains(text, "index.html'") {
				t.Errorf("%s of %s knows pages:\n%s", f.Name, name, text)
			}
			if name == "cloudfront" && f.Name == "removed.json" && (strings.Count(string(f.Body), `"key"`) != 3 || strings.Contains(string(f.Body), "page-")) {
				t.Errorf("the list is %s", f.Body)
			}
		}
	}
}

func TestListsContainThePagesOfRecordedCompanies(t *testing.T) {
	host, _ := hosts.Lookup("netlify")
	files, err := host.Write(hosts.Settings{Public: stubs(t), Bind: ":80", Recorded: []string{"/marketplace/companies/left"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"/companies/left", "/companies/left.md", "/companies/left/claim", "/companies/left/remove", "/api/v1/marketplace/companies/left", "/companies/acme"} {
		if !strings.Contains(string(files[0].Body), `from = "`+address+`"`) {
			t.Errorf("the list lacks %s", address)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		host     string
		settings hosts.Settings
		setting  bool
		want     string
	}{
		"a host that cannot say gone":        {"github-pages", hosts.Settings{}, false, "writes no configuration for"},
		"a folder that breaks out":           {"nginx", hosts.Settings{Public: "/srv/a;b", Bind: ":80"}, true, "remove quotes"},
		"a name that breaks out":             {"caddy", hosts.Settings{Public: "/srv", Bind: ":80", ServerName: "a {"}, true, "remove quotes"},
		"a name that is two":                 {"nginx", hosts.Settings{Public: "/srv", Bind: ":80", ServerName: "a b"}, true, "remove the space"},
		"a program with a path":              {"nginx", hosts.Settings{Public: "/srv", Bind: ":80", Dynamic: "http://127.0.0.1:8080/x"}, true, "scheme, host and port"},
		"a program that no service reaches":  {"vercel", hosts.Settings{Public: "/srv", Bind: ":80", Dynamic: "http://127.0.0.1:8080"}, true, "cannot reach a program"},
		"a list without a release":           {"cloudfront", hosts.Settings{Public: filepath.Join("nowhere", "at-all"), Bind: ":80"}, false, "build first"},
		"a program of a scheme without HTTP": {"apache", hosts.Settings{Public: "/srv", Bind: ":80", Dynamic: "ftp://a.example"}, true, "scheme, host and port"},
	} {
		t.Run(name, func(t *testing.T) {
			host, known := hosts.Lookup(c.host)
			if !known {
				t.Fatal("unknown host")
			}
			_, err := host.Write(c.settings)
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, hosts.ErrSetting) != c.setting {
				t.Errorf("error %v, want one with %q, of a setting: %v", err, c.want, c.setting)
			}
		})
	}
}

func TestTableIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range hosts.All() {
		if seen[h.Name] || h.Title == "" || h.Gone == 0 || h.GonePost == 0 {
			t.Errorf("%s stands twice or lacks something: %+v", h.Name, h)
		}
		seen[h.Name] = true
		for what, s := range map[string]hosts.Support{
			"410 body": h.GoneBody, "404 body": h.MissingBody, "error headers": h.ErrorHeaders,
			"ETag": h.EncodingETag, "spelling": h.Spelling, "links": h.Links, "dynamic": h.Dynamic,
		} {
			if !slices.Contains([]hosts.Support{hosts.Yes, hosts.No, hosts.Unproven}, s) {
				t.Errorf("%s: nothing is said of %s", h.Name, what)
			}
		}
		if offered := slices.Contains(hosts.Names(), h.Name); offered == (h.Refused != "") {
			t.Errorf("%s: offered %v, refused %q", h.Name, offered, h.Refused)
		}
		if h.Refused == "" && h.Gone != 410 {
			t.Errorf("%s is offered and answers %d", h.Name, h.Gone)
		}
	}
	for _, name := range []string{"nginx", "caddy", "apache", "netlify", "vercel", "cloudflare", "cloudfront", "github-pages", "s3-website", "firebase", "amplify"} {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
	if _, known := hosts.Lookup("nothing"); known {
		t.Error("Lookup knows nothing")
	}
}

func TestListsContainThePagesOfRecordedAddresses(t *testing.T) {
	host, _ := hosts.Lookup("netlify")
	for _, pages := range []bool{false, true} {
		public := stubs(t)
		if !pages {
			if err := os.Remove(filepath.Join(public, filepath.FromSlash(document.RemovedFile))); err != nil {
				t.Fatal(err)
			}
		}
		files, err := host.Write(hosts.Settings{Public: public, Recorded: []string{"/marketplace/companies/globex"}})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range files {
			text += string(f.Body)
		}
		if !strings.Contains(text, "/api/v1/marketplace/companies/globex") {
			t.Errorf("the list lacks an address on record: %s", text)
		}
		for _, page := range []string{`"/companies/globex"`, `"/companies/globex.md"`, `"/companies/globex/claim"`, `"/companies/globex/remove"`} {
			if strings.Contains(text, page) != pages {
				t.Errorf("with pages %v, the list has %q: %v", pages, page, !pages)
			}
		}
	}
}

func TestRedirectsOfASiteWithAPathGoThroughItsProxy(t *testing.T) {
	for name, leads := range map[string]string{
		"apache": "RewriteRule ^ /shop%{ENV:SOUK_BARE} ", "caddy": "redir * /shop{re.bare.1}", "cloudflare": `Location: "/shop" + bare`,
		"cloudfront": `location: "/shop" + uri`, "nginx": "return 308 /shop$souk_bare", "vercel": `"Location": "/shop$1"`,
	} {
		t.Run(name, func(t *testing.T) {
			public := stubs(t)
			write := func(site string) (all string, err error) {
				if err := os.WriteFile(filepath.Join(public, filepath.FromSlash(document.MarketFile)), []byte(`{"url":"`+site+`/"}`), 0o644); err != nil {
					t.Fatal(err)
				}
				host, _ := hosts.Lookup(name)
				files, err := host.Write(hosts.Settings{Public: public, Bind: ":80", Dynamic: "https://program.example"})
				for _, f := range files {
					all += string(f.Body)
				}
				return all, err
			}
			if all, err := write("https://x.example/shop"); err != nil || !strings.Contains(all, leads) {
				t.Errorf("it does not say %s (%v)", leads, err)
			}
			if all, err := write("https://x.example"); err != nil || strings.Contains(all, "shop") {
				t.Errorf("a site without a path is told of another's (%v)", err)
			}
			if _, err := write("https://x.example/a%20b"); !errors.Is(err, hosts.ErrSetting) {
				t.Errorf("a path that would be read otherwise: %v", err)
			}
		})
	}
}
