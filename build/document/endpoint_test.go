package document

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"souk/internal/testing/docsection"
)

var updateFiles = flag.Bool("update", false, "write the files that are compared with")

var wildcard = regexp.MustCompile(`\{([^}]+)\}`)

func TestEveryEndpointIsComplete(t *testing.T) {
	ids := map[string]bool{}
	tags := map[string]bool{}
	for _, tag := range endpointTags {
		tags[tag.name] = true
	}
	camel := regexp.MustCompile(`^[a-z]+([A-Z][A-Za-z]*)*$`)
	for _, e := range Endpoints() {
		if !camel.MatchString(e.ID) || ids[e.ID] {
			t.Errorf("%s %s: the id %q is not in camelCase or stands twice", e.Method, e.Path, e.ID)
		}
		ids[e.ID] = true
		if e.Summary == "" || strings.HasSuffix(e.Summary, ".") || e.Description == "" || !tags[e.Tag] {
			t.Errorf("%s: want a summary without full stop, a description and a known group", e.ID)
		}
		if e.Status == 0 || e.Response == nil && e.MediaType == "" {
			t.Errorf("%s: does not say what success is", e.ID)
		}
		if !e.Static && !e.Dynamic {
			t.Errorf("%s: nothing answers it", e.ID)
		}
		for _, code := range e.Problems {
			if ProblemStatus(code) == 0 {
				t.Errorf("%s: no problem has the code %q", e.ID, code)
			}
		}
		var inPath []string
		for _, p := range e.Params {
			if p.In == InPath {
				inPath = append(inPath, "{"+p.Name+"}")
			}
			if p.Description == "" || p.Type == "" || p.In == InPath && !p.Required {
				t.Errorf("%s: the parameter %s is not described, or optional in a path", e.ID, p.Name)
			}
		}
		if got, want := strings.Join(inPath, " "), strings.Join(wildcard.FindAllString(e.Path, -1), " "); got != want {
			t.Errorf("%s: parameters %q for the path %s", e.ID, got, e.Path)
		}
	}
}

// A ServeMux panics if two patterns conflict.
func TestEndpointsAreRoutesThatDoNotClash(t *testing.T) {
	mux := http.NewServeMux()
	for _, e := range Endpoints() {
		mux.Handle(e.Method+" "+e.Pattern(), http.NotFoundHandler())
	}
}

func TestOnlyAddressesOfCompaniesCanBeGone(t *testing.T) {
	for _, e := range Endpoints() {
		removable := strings.HasPrefix(e.Path, "/marketplace/companies/{companySlug}") || e.ID == VerifyClaimID || e.ID == VerifyRemovalID ||
			e.ID == CheckClaimID || e.ID == CheckRemovalID
		if got := strings.Contains(strings.Join(e.Problems, " "), CodeRemoved); got != removable {
			t.Errorf("%s: may be gone %t, want %t", e.ID, got, removable)
		}
	}
}

func TestNoAnswerIsCachedLongerThanARemovalMayTake(t *testing.T) {
	const page, gone, picture = 300, 60, 86400
	for file, limit := range map[string]Cache{
		"api/v1/release.json": page, "api/v1/openapi.json": page, "api/v1/health.json": 0,
		"api/v1/marketplace/companies/acme.json": page, "api/v1/marketplace/companies/acme.gone.json": gone,
		"api/v1/marketplace/companies/acme.gone.json.br":                          gone,
		"api/v1/marketplace/articles/pages/0f3a9c5be27d416885d0c1f2a7b3e946.json": page,
		"sitemap.xml": page, "sitemaps/products-01.xml": page, "robots.txt": page, "llms.txt": page,
		".well-known/api-catalog": page, "verify/claim/index.html": page,
		"assets/style-0f.css": page, "assets/script-0f.js.br": page, "assets/preview-0f.png": page, "assets/theme-0f.woff2": page,
		"media/0f.png": picture, "media/0f.svg.gz": picture, "whatever": page,
	} {
		if got := CacheFor(file); got > limit {
			t.Errorf("%s may be kept for %d s, more than %d", file, got, limit)
		}
	}
	for _, e := range Endpoints() {
		if e.Cache > page {
			t.Errorf("%s may be kept for %d s", e.ID, e.Cache)
		}
	}
	if ErrorCache > gone {
		t.Errorf("errors may be kept for %d s", ErrorCache)
	}
}

func TestCacheHeader(t *testing.T) {
	for want, c := range map[string]Cache{
		"no-store":            CacheFor(HealthFile),
		"public, max-age=120": CacheFor("api/v1/marketplace/articles.json.gz"),
		"public, max-age=10":  CacheFor(ReleaseFile),
		"public, max-age=30":  ErrorCache,
	} {
		if got := c.Header(); got != want {
			t.Errorf("Cache-Control %q, want %q", got, want)
		}
	}
}

func TestContentTypeFollowsTheFormatOfTheFile(t *testing.T) {
	for file, want := range map[string]string{
		"api/v1/marketplace/articles.json":               "application/json",
		"api/v1/openapi.json.br":                         "application/json",
		"api/v1/marketplace/companies/acme.gone.json":    "application/problem+json",
		"api/v1/marketplace/companies/acme.gone.json.gz": "application/problem+json",
		"sitemap.xml":             "application/xml",
		"robots.txt":              "text/plain; charset=utf-8",
		"llms.txt":                "text/plain; charset=utf-8",
		".well-known/api-catalog": `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
		"verify/claim/index.html": "text/html; charset=utf-8",
		"media/0f.jpg":            "image/jpeg",
		"media/0f.svg":            "image/svg+xml",
		"media/0f.webp":           "image/webp",
		"media/0f":                "application/octet-stream",
		"files/Price-list.PDF":    "application/pdf",
	} {
		if got := ContentType(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestReferenceContainsTheTablesOfTheAPI(t *testing.T) {
	for name, table := range map[string]string{"endpoints": endpointTable(), "lifetimes": lifetimeTable(), "codes": codeTable()} {
		docsection.Hold(t, "../../docs/reference/api.md", "<!-- "+name+" -->\n", "<!-- /"+name+" -->", "\n"+table+"\n", *updateFiles)
	}
}

// lifetimeTable lists how long files may be cached.
func lifetimeTable() string {
	var b strings.Builder
	b.WriteString("| answer | `Cache-Control` |\n|---|---|\n")
	for _, row := range []struct {
		what  string
		cache Cache
	}{
		{"documents, pages and their lists", CacheFor(base + "marketplace/articles.json")},
		{"`/openapi.json`, sitemaps, feeds, `/robots.txt`, `/llms.txt`", CacheFor(OpenAPIFile)},
		{"style sheets, scripts and the like below `/assets`", CacheFor(AssetFolder + "style-0f.css")},
		{"`/release.json`", CacheFor(ReleaseFile)},
		{"pictures below `/media`", CacheFor(MediaFolder + "0f.png")},
		{"search and suggestions, a 400 of theirs too", SearchCache},
		{"404 and 410", ErrorCache},
		{"pages below `/verify`", CacheFor(VerifyFolder)},
		{"`/health`, claims and removals, other errors", CacheFor(HealthFile)},
	} {
		fmt.Fprintf(&b, "| %s | `%s` |\n", row.what, row.cache.Header())
	}
	return b.String()
}

// codeTable lists the codes of Problems by status.
func codeTable() string {
	codes := slices.SortedFunc(maps.Keys(problemCodes), func(a, b string) int {
		return cmp.Or(cmp.Compare(ProblemStatus(a), ProblemStatus(b)), cmp.Compare(a, b))
	})
	var b strings.Builder
	b.WriteString("| status | `code` | means |\n|---|---|---|\n")
	for _, code := range codes {
		fmt.Fprintf(&b, "| %d | `%s` | %s |\n", ProblemStatus(code), code, problemCodes[code].meaning)
	}
	return b.String()
}

// endpointTable returns the table of all endpoints in Markdown.
func endpointTable() string {
	var b strings.Builder
	b.WriteString("| Method | Address | What it answers |\n|---|---|---|\n")
	for _, e := range Endpoints() {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", e.Method, e.Path, strings.ReplaceAll(e.Summary, "|", `\|`))
	}
	return b.String()
}
