package trace_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/operator/trace"
)

const acmeFile = "api/v1/marketplace/companies/acme.json"

// acme is the seller in the small trees below.
var acme = trace.Subject{
	Slugs: []string{"acme"}, Names: []string{"Acmé Rôbots", "Acmé Rôbots GmbH & Co. KG", "Arm", `Ro "X" 7`}, Domains: []string{"acme.com", "xn--acm-dma.example"},
	Media: []string{picture + ".svg"}, Addresses: []string{"companies/acme/products/arm-7", "companies/old-acme/products/arm-6"},
}

const pictureBytes = `<svg xmlns="http://www.w3.org/2000/svg"/>`

var picture = strings.TrimSuffix(mediaName(pictureBytes), ".svg")

// mediaName returns the name of a picture, which depends on its bytes.
func mediaName(svg string) string {
	sum := sha256.Sum256([]byte(svg))
	return hex.EncodeToString(sum[:16]) + ".svg"
}

func zipped(body string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(body))
	w.Close()
	return b.String()
}

// tell returns findings as lines: file, place, what and whether it is a warning.
func tell(t *testing.T, files map[string]string) []string {
	t.Helper()
	dir := write(t, files)
	all, err := trace.Trace(t.Context(), acme, trace.Config{Public: dir, SiteURLs: []string{"https://market.example", "https://api.market.example/api/v1"}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range all {
		line := fmt.Sprintf("%s %s %s", f.File, f.Where, f.What)
		if f.Twin != "" {
			line = fmt.Sprintf("%s.%s %s %s", f.File, f.Twin, f.Where, f.What)
		}
		if f.Warning {
			line += " warning"
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	cranePage = "companies/globex/products/crane.html"
	craneFile = "api/v1/marketplace/companies/globex/products/crane.json"
)

// page returns a page that trace recognizes as written by a build.
func page(path, body string) string {
	return `<!doctype html><meta name="generator" content="Souk"><link rel="canonical" href="https://market.example/` + path + `">` + body
}

// mapPicture shows a map with a tile of acme, whose name takes two lines.
var mapPicture = `<svg xmlns="http://www.w3.org/2000/svg"><title>Map</title><metadata>Souk</metadata><g><a href="/companies/acme"><title>Acmé Rôbots</title>` +
	`<image href="/media/` + picture + `.svg"/><text y="5">Acmé <tspan x="4" dy="12">Rôbots</tspan></text></a></g></svg>`

const crane = `"kind":"product","slug":"crane","companySlug":"globex"`

var gone = string(document.GoneBody())

var places = []struct {
	name  string
	files map[string]string
	want  []string
}{
	// Files that should not exist.
	{"a document at its address", map[string]string{acmeFile: `{}`}, []string{acmeFile + " file address"}},
	{"a document at a former address", map[string]string{"api/v1/marketplace/companies/old-acme/products/arm-6.json": `{}`},
		[]string{"api/v1/marketplace/companies/old-acme/products/arm-6.json file address"}},
	{"a stub that tells more", map[string]string{"api/v1/marketplace/companies/acme.gone.json": `{"code":"removed","detail":"See acme.com"}`},
		[]string{"api/v1/marketplace/companies/acme.gone.json file stub", "api/v1/marketplace/companies/acme.gone.json detail domain"}},
	{"a twin without its document", map[string]string{acmeFile + ".gz": zipped(`{"website":"https://acme.com"}`)},
		[]string{acmeFile + ".gz file address", acmeFile + ".gz website domain"}},
	{"a twin that is not as its document", map[string]string{"a.json": `{}`, "a.json.gz": zipped(`{"website":"https://acme.com"}`)},
		[]string{"a.json.gz website domain"}},
	{"a twin that does not decompress", map[string]string{"a.json.br": "no brotli at all"}, []string{"a.json.br file unreadable warning"}},
	{"a picture", map[string]string{"media/" + picture + ".svg": "<svg/>"}, []string{"media/" + picture + ".svg file media"}},
	{"a copy of a picture", map[string]string{"img/logo.svg": pictureBytes}, []string{"img/logo.svg file media"}},
	{"a picture that is shown", map[string]string{"a.json": `{"image":{"url":"https://market.example/media/` + picture + `.svg"}}`},
		[]string{"a.json image.url media"}},
	{"a foreign copy of the profile", map[string]string{"backup/profile.json": `{"kind":"seller","slug":"acme","name":"Acmé Rôbots"}`},
		[]string{"backup/profile.json name name", "backup/profile.json slug slug"}},
	{"a foreign file of its name", map[string]string{"export/acme.csv": ""}, []string{"export/acme.csv file slug"}},
	{"a foreign folder of its name", map[string]string{"acme/index.html": ""}, []string{"acme/index.html file slug"}},
	{"a foreign page", map[string]string{"about.html": "<p>\n<a href='https://www.acme.com/'>ACME &amp; co</a>"}, []string{"about.html line 2 domain"}},
	{"an entry of a sitemap", map[string]string{"sitemaps/products.xml": "<urlset>\n<loc>https://market.example/companies/acme/products/arm-7</loc>"},
		[]string{"sitemaps/products.xml line 2 address"}},
	{"a card", map[string]string{"a.json": `{"items":[{"kind":"product","slug":"arm-7","companySlug":"acme","name":"Arm 7"}]}`},
		[]string{"a.json items[0].companySlug slug", "a.json items[0].name name"}},
	{"a card in the list of companies", map[string]string{"a.json": `{"kind":"sellerList","slug":"companies","items":[{"kind":"seller","slug":"acme","name":"Acmé Rôbots","tagline":"Acmé Rôbots"}]}`},
		[]string{"a.json items[0].name name", "a.json items[0].slug slug", "a.json items[0].tagline name"}},
	{"a card among the companies of a category", map[string]string{"a.json": `{"kind":"category","slug":"x","companies":{"total":1,"items":[{"kind":"seller","slug":"acme","name":"Acmé Rôbots","url":"https://market.example/companies/acme"}]}}`},
		[]string{"a.json companies.items[0].name name", "a.json companies.items[0].slug slug", "a.json companies.items[0].url address"}},
	{"a page of companies of a category", map[string]string{"a.json": `{"kind":"page","of":{"kind":"category","slug":"x"},"items":[{"kind":"seller","slug":"acme"}]}`},
		[]string{"a.json items[0].slug slug"}},
	{"the page of the search of companies", map[string]string{"companies/search.html": page("companies/search", `<a href="/companies/acme">Acmé Rôbots</a>`)},
		[]string{"companies/search.html a href address", "companies/search.html text of a name"}},
	{"an entry of a map", map[string]string{"a.json": `{"kind":"marketMap","slug":"m","segments":[{"entries":[{"kind":"seller","slug":"acme","logo":{"url":"https://market.example/media/` + picture + `.svg"}}]}]}`},
		[]string{"a.json segments[0].entries[0].logo.url media", "a.json segments[0].entries[0].slug slug"}},
	{"a Link", map[string]string{"a.json": `{` + crane + `,"related":[{"kind":"seller","slug":"acme","url":"https://market.example/companies/acme"}]}`},
		[]string{"a.json related[0].slug slug", "a.json related[0].url address"}},
	{"the name of a seller", map[string]string{"a.json": `{"kind":"category","slug":"x","seller":"ACME ROBOTS"}`}, []string{"a.json seller name"}},
	{"escaped text", map[string]string{"a.json": `{"seller":"Acm\u00e9 R\u00f4bots","next":"https:\/\/market.example\/companies\/acme"}`},
		[]string{"a.json next address", "a.json seller name"}},
	{"a name with marks", map[string]string{"a.json": `{"seller":"Ro \"X\" 7"}`}, []string{"a.json seller name"}},
	{"letters and accents apart", map[string]string{"a.json": "{\"seller\":\"Acme\u0301 Ro\u0302bots\"}"}, []string{"a.json seller name"}},
	{"a domain as people write it", map[string]string{"a.json": `{"website":"https://acmé.example"}`}, []string{"a.json website domain"}},
	{"its mail", map[string]string{"a.json": `{"contact":"desk@ACME.com"}`}, []string{"a.json contact domain"}},

	{"a page of its own", map[string]string{"companies/acme.html": page("companies/acme", "")}, []string{"companies/acme.html file address", "companies/acme.html link href address"}},
	{"a form and a page as Markdown", map[string]string{"companies/acme/claim.html": page("companies/acme/claim", ""), "companies/acme.md": "# A\n"},
		[]string{"companies/acme.md file address", "companies/acme/claim.html file address", "companies/acme/claim.html link href address"}},
	{"a page that leads to it", map[string]string{craneFile: `{` + crane + `}`,
		cranePage: page("companies/globex/products/crane", `<p><a href="/companies/acme">it</a><img src="/media/`+picture+`.svg" alt="x"></p>`)},
		[]string{cranePage + " a href address", cranePage + " img src media"}},
	{"a page whose document does not say what it says", map[string]string{craneFile: `{` + crane + `}`,
		cranePage: page("companies/globex/products/crane", `<h1>Acm&eacute; <b></b>R&ocirc;bots</h1><img alt="Acmé Rôbots" src="/x.png"><p>ACME.com</p>`)},
		[]string{cranePage + " img alt name", cranePage + " text of p domain"}},
	{"a preview's picture and JSON-LD", map[string]string{"articles/a.html": page("articles/a", `<meta property="og:image" content="https://market.example/media/`+picture+`.svg">`+
		`<script type="application/ld+json">{"@type":"Product","brand":{"name":"Acm\u00e9 R\u00f4bots","url":"https://market.example/companies/acme"}}</script>`)},
		[]string{"articles/a.html meta og:image content media", "articles/a.html JSON-LD name", "articles/a.html JSON-LD address"}},
	{"Markdown and feeds that lead to it", map[string]string{
		"articles/a.md": "# A\n[it](https://market.example/companies/acme)\n",
		"feed.atom":     "<feed><generator>Souk</generator><link href=\"https://market.example/companies/acme/products/arm-7\"/></feed>",
		"feed.json":     `{"_generator":{"name":"Souk"},"items":[{"url":"https://market.example/companies/acme"}]}`},
		[]string{"articles/a.md text address", "feed.atom text address", "feed.json text address"}},
	{"the picture of a map", map[string]string{"market-maps/m.svg": mapPicture},
		[]string{"market-maps/m.svg a href address", "market-maps/m.svg text of title name", "market-maps/m.svg image href media", "market-maps/m.svg text of text name"}},
	{"the picture of a map whose document says the same", map[string]string{"market-maps/m.svg": mapPicture,
		"api/v1/marketplace/market-maps/m.json": `{"kind":"marketMap","slug":"m","segments":[{"entries":[{"kind":"seller","slug":"globex","name":"Acmé Rôbots"}]}]}`},
		[]string{"market-maps/m.svg a href address", "market-maps/m.svg image href media"}},
	{"a page for frames", map[string]string{"embed/market-maps/m.html": page("embed/market-maps/m", `<a href="/companies/acme">Acmé Rôbots</a>`)},
		[]string{"embed/market-maps/m.html a href address", "embed/market-maps/m.html text of a name"}},
	{"words in a picture of somebody else's", map[string]string{"media/" + mediaName("x"): `<svg><text>Acmé <tspan>Rô</tspan><tspan dy="9">bots</tspan></text></svg>`},
		[]string{"media/" + mediaName("x") + " line 1 name warning"}},
	{"a gone page that names somebody", map[string]string{"errors/410.html": page("", "Gone"), "companies/acme.gone.html": page("", "Gone"),
		"companies/acme.md.gone.html": page("", "Acmé Rôbots is gone"), "companies/acme/claim.gone.html": page("", "Gone")},
		[]string{"companies/acme.md.gone.html file stub", "companies/acme.md.gone.html line 1 name warning"}},
	{"the page of all gone addresses that names somebody", map[string]string{"errors/410.html": page("", "<p>acme.com left</p>")},
		[]string{"errors/410.html text of p domain"}},

	// Texts by other authors.
	{"an article", map[string]string{"a.json": `{"kind":"article","slug":"a","source":"By Acme\n Robots, see [it](https://market.example/companies/acme) and acme.com."}`},
		[]string{"a.json source address warning", "a.json source domain warning", "a.json source name warning"}},
	{"a description and a remark", map[string]string{"a.json": `{"kind":"marketMap","slug":"m","segments":[{"entries":[{` + crane + `,"note":"Unlike Acme Robots"}]}]}`},
		[]string{"a.json segments[0].entries[0].note name warning"}},
	{"the description of the API", map[string]string{document.OpenAPIFile: `{"example":{"companySlug":"acme"}}`},
		[]string{document.OpenAPIFile + " example.companySlug slug warning"}},
	{"a part of it", map[string]string{document.PartFile("companies"): `{"example":{"companySlug":"acme"}}`},
		[]string{document.PartFile("companies") + " example.companySlug slug warning"}},
	{"an answer on the page of the API", map[string]string{document.ReferenceFile: page("docs/api", `<code data-answer="getCompany">{"kind":"seller","slug":"acme","apiUrl":"https://market.example/api/v1/marketplace/companies/acme"}</code>`)},
		[]string{document.ReferenceFile + " getCompany.apiUrl address", document.ReferenceFile + " getCompany.slug slug"}},
	{"somebody else's answer on the page of the API", map[string]string{document.ReferenceFile: page("docs/api", `<code data-answer="getMarketMap">{"kind":"marketMap","slug":"m","segments":[{"entries":[{`+crane+`,"note":"Unlike Acme Robots"}]}]}</code>`)},
		[]string{document.ReferenceFile + " getMarketMap.segments[0].entries[0].note name warning"}},

	{"a page that repeats what its document says", map[string]string{
		"api/v1/marketplace/articles/a.json": `{"kind":"article","slug":"a","source":"At acme.com, by Acmé Rôbots: https://market.example/companies/acme"}`,
		"articles/a.html":                    page("articles/a", `<p>At <a rel="nofollow noopener ugc" href="https://market.example/companies/acme">acme.com</a>, by Acmé Rôbots</p>`),
		"articles/a.md":                      "# A\nAt acme.com, by Acmé Rôbots: https://market.example/companies/acme\n"},
		[]string{"api/v1/marketplace/articles/a.json source address warning", "api/v1/marketplace/articles/a.json source domain warning",
			"api/v1/marketplace/articles/a.json source name warning"}},

	// Places that do not show the seller.
	{"stubs and twins as they should be", map[string]string{
		"api/v1/marketplace/companies/acme.gone.json":                gone,
		"api/v1/marketplace/companies/acme/products/arm-7.gone.json": gone,
		"a.json": `{"a":1}`, "a.json.gz": zipped(`{"a":1}`)}, nil},
	{"longer slugs", map[string]string{
		"api/v1/marketplace/companies/acme-gmbh.json": `{"kind":"seller","slug":"acme-gmbh","url":"https://market.example/companies/acme-gmbh"}`,
		"api/v1/marketplace/companies/old-acme.json":  `{"kind":"seller","slug":"old-acme","url":"https://market.example/companies/old-acme"}`}, nil},
	{"other domains", map[string]string{"a.json": `{"a":"notacme.com my-acme.com acme.com.evil.example acme.community éacme.com"}`}, nil},
	{"names within words", map[string]string{"a.json": `{"a":"Pharmacy, armed, Armé, Acme Robotswerke"}`}, nil},
	{"a category of its slug and name", map[string]string{"a.json": `{` + crane + `,"categories":[{"kind":"category","slug":"acme","name":"Arm"}]}`}, nil},
	{"cards of others that repeat what their documents say", map[string]string{
		"a.json": `{"kind":"articleList","slug":"articles","items":[{"kind":"article","slug":"a","title":"Arm","summary":"Arm","authors":["Acmé Rôbots"],"image":{"alt":"Arm"}}]}`,
		"b.json": `{"kind":"sellerList","slug":"companies","items":[{"kind":"seller","slug":"globex","name":"Globex","tagline":"Unlike Acme Robots"}]}`}, nil},
	{"words of HTML, of SVG and of the style, and an initial", map[string]string{
		"articles/a.html":   page("articles/a", `<p class="arm big"><a rel="arm next" type="arm" href="/x">x</a><span class="plate" aria-hidden="true">Arm</span></p>`),
		"market-maps/m.svg": strings.Replace(mapPicture[:strings.Index(mapPicture, "<g>")], "<svg ", `<svg font-family="system-ui,-arm-system" `, 1)}, nil},
	{"a label that is cut short", map[string]string{"market-maps/m.svg": strings.Replace(mapPicture[:strings.Index(mapPicture, "<g>")], "</title>", "</title><text>Big (Arm…</text>", 1)}, nil},
	{"words of a style that tell more", map[string]string{"articles/a.html": page("articles/a", `<p class="acme.com"></p>`)},
		[]string{"articles/a.html p class domain"}},
	{"another site", map[string]string{"a.json": `{"url":"https://other.example/companies/acme"}`}, nil},
	{"another seller of its name", map[string]string{"a.json": `{"kind":"seller","slug":"arm-inc","name":"Arm"}`}, []string{"a.json name name warning"}},
}

func TestEachPlaceIsReportedOnceWithItsKind(t *testing.T) {
	for _, test := range places {
		t.Run(test.name, func(t *testing.T) {
			if got := tell(t, test.files); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestMarketplacesOwnDomainIsNotATrace(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"url":"https://market.acme.com/articles/a"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string]int{"https://market.acme.com:8080": 0, "https://market.example": 1} {
		all, err := trace.Trace(t.Context(), acme, trace.Config{Public: dir, SiteURLs: []string{site}})
		if err != nil || len(all) != want {
			t.Errorf("under %s: %d findings, error %v, want %d", site, len(all), err, want)
		}
	}
}

func TestNameWithinItsDomainIsReportedAsTheDomain(t *testing.T) {
	dir := write(t, map[string]string{"a.json": `{"kind":"article","slug":"a","source":"At acme.com."}`})
	all, err := trace.Trace(t.Context(), trace.Subject{Names: []string{"Acme"}, Domains: []string{"acme.com"}}, trace.Config{Public: dir})
	if err != nil || len(all) != 1 || all[0].What != trace.WhatDomain {
		t.Errorf("findings %v, error %v", all, err)
	}
}

func TestExcerptsQuoteTheText(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("Ünder ", 20) + "the roof of ACME\n  Rôbots" + strings.Repeat(" it rains", 20)
	if err := os.WriteFile(filepath.Join(dir, "a.json"), fmt.Appendf(nil, `{"a":%q}`, text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := trace.Trace(t.Context(), acme, trace.Config{Public: dir})
	if err != nil || len(all) != 1 {
		t.Fatalf("findings %v, error %v", all, err)
	}
	got := all[0].Excerpt
	if !strings.Contains(got, "the roof of ACME Rôbots it rains") || len(got) > 120 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("the excerpt is %q", got)
	}
}

func TestMissingFolderIsAnError(t *testing.T) {
	if _, err := trace.Trace(t.Context(), acme, trace.Config{Public: filepath.Join(t.TempDir(), "public")}); err == nil {
		t.Error("a missing folder holds nothing of anybody")
	}
}

func TestLineOfTheSnapshotIsReportedLikeADocument(t *testing.T) {
	const shard = "api/v1/snapshot/product/all.jsonl.gz"
	got := tell(t, map[string]string{shard: zipped(`{"kind":"product","companySlug":"globex","slug":"crane","name":"Crane"}
{"kind":"product","companySlug":"acme","slug":"arm-7","name":"A tool","url":"https://market.example/companies/acme/products/arm-7"}
{"kind":"article","slug":"news","source":"Of [them](https://market.example/companies/acme) too."}
`)})
	want := []string{
		shard + " line 2: companySlug slug",
		shard + " line 2: url address",
		shard + " line 3: source address warning",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := tell(t, map[string]string{shard: "acme"}); len(got) != 1 || !strings.Contains(got[0], "unreadable") {
		t.Errorf("a shard that cannot be read: %q", got)
	}
}

func TestNameInTheSitesOwnTextsIsAWarningOnPages(t *testing.T) {
	dir := write(t, map[string]string{
		"search.html":   page("search", `<form action="/search"><button>Search</button></form>`),
		"articles.html": page("articles", `<a href="https://market.example/companies/search">Search</a>`),
	})
	for name, test := range map[string]struct {
		subject         trace.Subject
		found, warnings int
	}{
		"a word of the site":         {trace.Subject{Names: []string{"Search"}}, 0, 3},
		"its address all the same":   {trace.Subject{Names: []string{"Search"}, Slugs: []string{"search"}}, 1, 3},
		"a name that it never says":  {trace.Subject{Names: []string{"Acme"}}, 0, 0},
		"a name with a word of them": {trace.Subject{Names: []string{"Search Acme"}}, 0, 0},
	} {
		all, err := trace.Trace(t.Context(), test.subject, trace.Config{Public: dir, Texts: slices.Values([]string{"Search for", "Close"})})
		found, warnings := all.Split()
		if err != nil || len(found) != test.found || len(warnings) != test.warnings {
			t.Errorf("%s: found %+v, warnings %+v, %v", name, found, warnings, err)
		}
	}
}
