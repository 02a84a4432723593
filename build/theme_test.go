package build_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/kit/problem"
)

// follow builds the changes since the last build.
func (m *market) follow(t *testing.T) build.Report {
	t.Helper()
	var paths []string
	for path := range m.touched {
		paths = append(paths, path)
	}
	m.touched = map[string]bool{}
	report, err := m.builder.Build(t.Context(), m.set(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAThemeChangesEveryPageOfItsTemplates(t *testing.T) {
	m := newStaying(t, nil)
	m.removed["acme"] = true
	m.follow(t)
	const stub = "companies/acme.gone.html"
	before, gone := m.read("companies/bolt/products/nut-1.html"), m.read(stub)
	m.write("theme/product.html.tmpl", `{{define "main"}}<h1>Only {{.Doc.Name}}</h1>{{end}}`)
	m.write("theme/gone.html.tmpl", `{{define "main"}}<h1>Nothing</h1>{{end}}`)
	m.write("theme/style.css", "h1 { background: url(paper.svg) }")
	m.write("theme/paper.svg", square(11))
	m.write("theme/logo.svg", square(12))
	if report := m.follow(t); len(report.HeldBack) > 0 {
		t.Fatal(report.HeldBack)
	}
	page := m.read("companies/bolt/products/nut-1.html")
	if !strings.Contains(page, "<h1>Only Nut 1</h1>") || page == before {
		t.Errorf("the page has not the theme's template: %s", page)
	}
	style := regexp.MustCompile(`assets/style-[0-9a-f]+\.css`).FindString(page)
	if sheet := m.read(style); !regexp.MustCompile(`:root \{(?s:.*)h1 \{ background: url\(theme-[0-9a-f]{16}\.svg\) \}`).MatchString(sheet) {
		t.Errorf("the style sheet is not ours with the theme's behind it: …%s", sheet[len(sheet)-200:])
	}
	if !regexp.MustCompile(`class="brand" href="/"><img src="/assets/theme-[0-9a-f]{16}\.svg"`).MatchString(page) {
		t.Error("the head has not the theme's logo")
	}
	now := m.read(stub)
	if now == gone || now != m.read("errors/410.html") || now != m.read("companies/acme/products/arm.gone.html") {
		t.Error("the stubs are not the one page of the theme")
	}
	for _, file := range []string{"product.html.tmpl", "gone.html.tmpl", "style.css", "paper.svg", "logo.svg"} {
		m.remove("theme/" + file)
	}
	m.follow(t)
	if m.read("companies/bolt/products/nut-1.html") != before || m.read(stub) != gone {
		t.Error("without the theme the pages are not as they were")
	}
	if files, err := filepath.Glob(filepath.Join(m.dir, "public", "assets", "theme-*")); err != nil || len(files) > 0 {
		t.Errorf("of the theme there is still %v, %v", files, err)
	}
}

func TestABrokenThemeKeepsTheLastReleaseAndDelaysNoRemoval(t *testing.T) {
	m := newStaying(t, nil)
	before := m.read("companies/bolt/products/nut-1.html")
	m.write("theme/product.html.tmpl", "{{define \"main\"}}\n<p>{{.Doc.Nmae}}</p>{{end}}")
	m.write("sellers/bolt/products/nut-1.yaml", "name: Other\ncategories: [tools]\n")
	report := m.follow(t)
	want := `[theme/product.html.tmpl:2:10: the template fails at <.Doc.Nmae>: can't evaluate field Nmae (docs/reference/theme.md lists what each template gets)]`
	if got := fmt.Sprint(report.HeldBack); got != want {
		t.Errorf("held back are\n%s, not\n%s", got, want)
	}
	if m.read("companies/bolt/products/nut-1.html") != before {
		t.Error("a page changed although the theme is broken")
	}
	m.removed["acme"] = true
	if m.follow(t); !m.stands("companies/acme.gone.html") {
		t.Error("the removal waits for the theme")
	}
	m.write("theme/product.html.tmpl", `{{define "main"}}<h1>{{.Doc.Name}}</h1>{{end}}`)
	if report := m.follow(t); len(report.HeldBack) > 0 || !strings.Contains(m.read("companies/bolt/products/nut-1.html"), "<h1>Other</h1>") {
		t.Errorf("the theme is mended, and held back are %v", report.HeldBack)
	}
}

// atARange fails on a name that no sample has.
const atARange = `{{define "main"}}{{if eq .Doc.Name "acme"}}{{with index .Doc.Products.Items 0}}{{.Name}}{{end}}{{end}}<h1>{{.Doc.Name}}</h1>{{end}}`

func TestATemplateThatFailsOnAPageIsAMistakeUnlessARemovalNeedsThePage(t *testing.T) {
	m := newStaying(t, nil)
	m.write("theme/seller.html.tmpl", atARange)
	if report := m.follow(t); len(report.HeldBack) > 0 {
		t.Fatal(report.HeldBack)
	}
	m.remove("sellers/acme/products/arm.yaml")
	report := m.follow(t)
	if len(report.HeldBack) != 1 || report.HeldBack[0].File != "theme/seller.html.tmpl" || report.HeldBack[0].Line != 1 || !m.stands("companies/acme/products/arm.html") {
		t.Fatalf("held back are %v", report.HeldBack)
	}
	if _, list, err := build.Check(t.Context(), m.config("public", "other"), m.set()); err != nil || fmt.Sprint(mistakesIn(list)) != fmt.Sprint(report.HeldBack) {
		t.Errorf("souk check tells %v, %v", list, err)
	}
	fresh := m.config("afresh", "afresh-var")
	fresh.LongLived = false
	builder, err := build.New(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(t.Context(), m.set()); !errors.As(err, new(*problem.Error)) {
		t.Errorf("a first build makes a release, %v", err)
	}
	// Items that expire leave the same page.
	m.write("sellers/acme/products/arm.yaml", armOfAcme+"expiresAt: 2026-02-01\n")
	if report := m.follow(t); len(report.HeldBack) > 0 {
		t.Fatal(report.HeldBack)
	}
	m.now = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	report = m.follow(t)
	if len(report.Substituted) != 1 || m.stands("companies/acme/products/arm.html") || !strings.Contains(m.read("companies/acme.html"), `<div class="profile">`) {
		t.Errorf("the page is not the built-in one, and told is %v", report.Substituted)
	}
}

func mistakesIn(list problem.List) problem.List {
	mistakes, _ := list.Split()
	return mistakes
}

func TestNoThemeMakesAnythingPrivatePublic(t *testing.T) {
	m := newStaying(t, func(m *market, _ *build.Config) {
		m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\nprivate: {note: secret-1}\n")
		m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nid: secret-2\nformerDomains: [secret-3.example]\nversions:\n  - {version: 1, name: secret-4}\n  - {version: 2, name: acme}\nselectedVersion: 2\n"+
			"proof:\n  - {kind: award, title: secret-5, public: false}\n  - {kind: award, title: Prize, public: true, evidence: secret-6}\nprivate: secret-7\n")
		m.write("sellers/acme/products/draft.yaml", "name: secret-8\ncategories: [tools]\nstatus: draft\n")
		m.write("articles/news.md", "---\ntitle: News\neditorial: {by: secret-9}\nprivate: secret-10\n---\nText.\n")
		const all = `{{define "main"}}<pre>{{printf "%#v %+v" . .Doc}}{{printf "%#v" .Market}}</pre><h1>all of it</h1>{{end}}`
		for _, layout := range []string{"home", "seller", "product", "service", "category", "categories", "root", "summaries", "sellers", "article", "map", "listings", "search", "claim", "gone", "missing"} {
			m.write("theme/"+layout+".html.tmpl", all)
		}
	})
	shown := 0
	for file, body := range readTree(t, filepath.Join(m.dir, "public")) {
		if strings.Contains(string(body), "<h1>all of it</h1>") {
			shown++
		}
		if strings.Contains(string(body), "secret-") {
			t.Errorf("%s tells something private: %s", file, regexp.MustCompile(`.{0,80}secret-\d+`).Find(body))
		}
	}
	if shown < 50 {
		t.Errorf("the theme is in %d files alone", shown)
	}
}

func hasTwinEnding(file string) bool {
	return strings.HasSuffix(file, ".gz") || strings.HasSuffix(file, ".br")
}

func TestTheExampleThemeWorksOnTheSample(t *testing.T) {
	m := &market{dir: t.TempDir(), now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), touched: map[string]bool{}}
	content := filepath.Join(m.dir, "content")
	if err := os.CopyFS(content, os.DirFS("../content")); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../docs/themes/harbour/README.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(readme)
	settings, err := os.ReadFile("../content/marketplace.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m.write("marketplace.yaml", string(settings)+string(fields[1]))
	config := m.config("public", "var")
	config.Theme, config.LongLived = "../docs/themes/harbour", false
	_, list, err := build.Check(t.Context(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if !p.Warning || strings.HasPrefix(p.File, "theme/") || p.File == "marketplace.yaml" {
			t.Error(p)
		}
	}
	builder, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if page := m.read("articles/the-roof-that-closes-itself.html"); !strings.Contains(page, `<article class="logbook">`) {
		t.Error("an article has not the theme's template")
	}
	for file, body := range readTree(t, config.Public) {
		if ours := document.Ours(file, func() ([]byte, error) { return body, nil }); !ours && file != "robots.txt" && !strings.HasPrefix(file, ".souk") && !hasTwinEnding(file) {
			t.Errorf("%s is taken for somebody else's once the state is lost", file)
		}
	}
	if page := m.read("verify/removal/index.html"); !strings.Contains(page, "--accent: #14507a") {
		t.Error("the verification page has not the theme's colours")
	}
}
