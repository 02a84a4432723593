package browser

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The judges are external programs that rate the pages. They run if SOUK_TEST_JUDGES names
// the folder node_modules that contains them:
//
//	npm install lighthouse@13.5 afdocs@0.22.2 axe-core linkinator vnu-jar @adobe/structured-data-validator @marbec/web-auto-extractor
var lighthouseRuns = flag.Int("lighthouse-runs", 5, "how often Lighthouse rates a page; the median counts")

// judge returns the path of a file of the judges.
func judge(t *testing.T, file string) string {
	t.Helper()
	folder := os.Getenv("SOUK_TEST_JUDGES")
	if folder == "" {
		t.Skip("the pages are not judged: SOUK_TEST_JUDGES names no folder node_modules")
	}
	path := filepath.Join(folder, filepath.FromSlash(file))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// judged runs a test on the markets to judge: the sample, the sample in German, and the
// real market if it is available.
func judged(t *testing.T, run func(t *testing.T, s *served, kinds map[string]string)) {
	t.Helper()
	judge(t, ".")
	t.Run("sample", func(t *testing.T) { run(t, serveContent(t, bench, ""), samplePages) })
	t.Run("German", func(t *testing.T) { run(t, serveContent(t, german(t), ""), samplePages) })
	t.Run("real", func(t *testing.T) {
		run(t, serveContent(t, realMarket(t), ""), map[string]string{
			"home": "/", "seller": "/companies/google-cloud", "product": unpriced,
			"category": "/categories/product/agent-framework", "article": "/articles/announcing-etcd-3-5", "map": "/market-maps/cloud-native-landscape",
			"companies": "/companies", "root": "/categories/product", "search": "/search?q=kubernetes",
		})
	})
}

const unpriced = "/companies/cloud-native-computing-foundation/products/kubernetes"

// realMarket returns the folder of a real marketplace, which is not part of Souk.
func realMarket(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SOUK_CNCF")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data", "cncf")
	}
	if _, err := os.Stat(filepath.Join(dir, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	return dir
}

// german returns the sample as a German market.
func german(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	if err := os.CopyFS(dir, os.DirFS(bench)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "marketplace.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = append(regexp.MustCompile(`(?m)^language:.*\n`).ReplaceAll(text, nil), "\nlanguage: de\n"...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// said runs a judge and returns its output. A bad rating is not an error.
func said(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("the pages are not judged: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), path, arguments...)
	program, err := chromium()
	if err != nil {
		t.Skip(err)
	}
	cmd.Env = append(os.Environ(), "CHROME_PATH="+program)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil && out.Len() == 0 {
		t.Fatalf("%v: %s", err, failed.Bytes())
	}
	return out.Bytes()
}

// read decodes the output of a judge.
func read(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %.2000s", err, text)
	}
}

// TestPagesAreAccessible runs axe-core on every kind of page.
func TestPagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile(judge(t, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	judged(t, func(t *testing.T, s *served, kinds map[string]string) {
		for _, address := range kinds {
			for _, colours := range []string{"light", "dark"} {
				// Authors write the tables of articles, so an empty head is not an error of
				// the page.
				p := open(t, scheme(colours), chromedp.EmulateViewport(1280, 900))
				p.do(chromedp.Navigate(s.url+address), chromedp.Evaluate[chromedp.Void](string(axe)+"; undefined"))
				found := get(p, chromedp.Evaluate[[]string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
					rules: {"empty-table-header": {enabled: false}}}).then((r) =>
					r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html.slice(0, 160) + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message)))`, chromedp.EvalAwaitPromise))
				if len(found) > 0 {
					t.Errorf("%s, %s:\n%s", address, colours, strings.Join(found, "\n"))
				}
			}
		}
	})
}

// TestLighthouseRatesPagesHigh requires 95 of 100 in all four categories, as the median of
// several runs. Pages that search engines should skip need no SEO rating.
func TestLighthouseRatesPagesHigh(t *testing.T) {
	program := judge(t, "lighthouse/cli/index.js")
	judged(t, func(t *testing.T, s *served, kinds map[string]string) {
		for _, kind := range []string{"home", "seller", "product", "category", "article", "map", "search"} {
			address, has := kinds[kind]
			if !has {
				continue
			}
			scores, faults := map[string][]float64{}, map[string]bool{}
			for range *lighthouseRuns {
				var report struct {
					Categories map[string]struct{ Score float64 }
					Audits     map[string]struct {
						Title string
						Score *float64
					}
				}
				read(t, said(t, "node", program, s.url+address, "--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
					"--only-categories=performance,accessibility,best-practices,seo"), &report)
				for name, category := range report.Categories {
					scores[name] = append(scores[name], 100*category.Score)
				}
				for name, audit := range report.Audits {
					if audit.Score != nil && *audit.Score < 0.9 {
						faults[name] = true
					}
				}
			}
			var line []string
			low := false
			for _, name := range []string{"performance", "accessibility", "best-practices", "seo"} {
				all := slices.Sorted(slices.Values(scores[name]))
				median := all[len(all)/2]
				line = append(line, fmt.Sprintf("%s %.0f", name, median))
				low = low || median < 95 && (name != "seo" || kind != "search")
			}
			t.Logf("%s %s: %s", kind, address, strings.Join(line, ", "))
			if low {
				var names []string
				for name := range faults {
					names = append(names, name)
				}
				slices.Sort(names)
				t.Errorf("%s %s: %s: %s", kind, address, strings.Join(line, ", "), strings.Join(names, " "))
			}
		}
	})
}

// webMCP matches the checker's complaints about WebMCP attributes, which it does not know.
var webMCP = regexp.MustCompile(`^Attribute .(toolname|tooldescription|toolparamdescription). not allowed`)

// TestLighthouseFindsPagesReadyForAgents requires 100 of 100.
func TestLighthouseFindsPagesReadyForAgents(t *testing.T) {
	program := judge(t, "lighthouse/cli/index.js")
	s := serveContent(t, bench, "")
	for _, kind := range []string{"home", "seller", "product", "category", "article", "map", "companies", "root", "search", "claim"} {
		var report struct {
			Categories map[string]struct{ Score float64 }
			Audits     map[string]struct{ Score *float64 }
		}
		read(t, said(t, "node", program, s.url+samplePages[kind], "--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-gpu --enable-features=WebMCP",
			"--only-categories=agentic-browsing"), &report)
		if score := report.Categories["agentic-browsing"].Score; score != 1 {
			t.Errorf("%s: %v", kind, score)
			for name, audit := range report.Audits {
				if audit.Score != nil && *audit.Score < 1 {
					t.Logf("%s: %v", name, *audit.Score)
				}
			}
		}
	}
}

// TestAfdocsRatesTheSampleHigh requires 95 of 100, on the same 30 pages every time.
func TestAfdocsRatesTheSampleHigh(t *testing.T) {
	program := judge(t, "afdocs/bin/afdocs.mjs")
	s := serveContent(t, bench, "")
	var report struct {
		Scoring struct{ Overall int }
		Results []struct{ ID, Status, Message string }
	}
	read(t, said(t, "node", program, "check", s.url, "--format", "json", "--score", "--max-links", "30", "--sampling", "deterministic"), &report)
	if t.Logf("afdocs: %d", report.Scoring.Overall); report.Scoring.Overall < 95 {
		t.Errorf("%d of 100: %+v", report.Scoring.Overall, report.Results)
	}
}

// TestChromiumListsTheSearchFormAsATool lists WebMCP's tools. The forms for claims and
// removals must not be among them.
func TestChromiumListsTheSearchFormAsATool(t *testing.T) {
	s := serveContent(t, bench, "")
	for address, want := range map[string][]string{"/": {"search"}, samplePages["seller"]: {"search"}, samplePages["claim"]: {}, samplePages["remove"]: {}} {
		p := open(t, chromedp.Navigate(s.url+address))
		if !get(p, chromedp.Evaluate[bool](`"modelContext" in document`)) {
			t.Skip("this Chromium has no WebMCP")
		}
		tools := get(p, chromedp.Evaluate[[]string](`document.modelContext.getTools().then((all) => all.map((one) => one.name))`, chromedp.EvalAwaitPromise))
		if !slices.Equal(tools, want) {
			t.Errorf("the tools of %s are %v, want %v", address, tools, want)
		}
	}
}

// TestPagesAreValid runs the Nu Html Checker on every page, picture that Souk draws, and
// style sheet.
func TestPagesAreValid(t *testing.T) {
	jar := judge(t, "vnu-jar/build/dist/vnu.jar")
	judged(t, func(t *testing.T, s *served, _ map[string]string) {
		// Pictures of sellers are not checked.
		copied := t.TempDir()
		for _, pattern := range []string{"*.html", "*/*.html", "*/*/*.html", "*/*/*/*.html", "assets/*.css", "market-maps/*.svg"} {
			files, err := filepath.Glob(filepath.Join(s.public, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				name, err := filepath.Rel(s.public, file)
				if err != nil {
					t.Fatal(err)
				}
				body, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(copied, strings.ReplaceAll(name, "/", "__")), body, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		const known = "known.html"
		if err := os.WriteFile(filepath.Join(copied, known), []byte("<!DOCTYPE html><title>x</title></div>"), 0o600); err != nil {
			t.Fatal(err)
		}
		var report struct {
			Messages []struct {
				Type, SubType, URL, Message, Extract string
				LastLine                             int
			}
		}
		read(t, said(t, "java", "-Xss4m", "-jar", jar, "--format", "json", "--stdout", "--exit-zero-always", "--also-check-css", "--also-check-svg", copied), &report)
		told, awake := map[string]int{}, false
		for _, m := range report.Messages {
			if m.Type != "error" || webMCP.MatchString(m.Message) {
				continue
			}
			if filepath.Base(m.URL) == known {
				awake = true
				continue
			}
			if told[m.Message]++; told[m.Message] <= 2 {
				t.Errorf("%s:%d: %s: %s", filepath.Base(m.URL), m.LastLine, m.Message, m.Extract)
			}
		}
		if !awake {
			t.Error("the checker finds nothing in what is not valid")
		}
		for message, n := range told {
			if n > 2 {
				t.Errorf("%d times: %s", n, message)
			}
		}
	})
}

// TestNoLinkIsBroken follows every link within the site.
func TestNoLinkIsBroken(t *testing.T) {
	program := judge(t, "linkinator/build/src/cli.js")
	judged(t, func(t *testing.T, s *served, _ map[string]string) {
		var report struct {
			Passed bool
			Links  []struct {
				URL, State, Parent string
				Status             int
			}
		}
		read(t, said(t, "node", program, s.url+"/", "--recurse", "--format", "json", "--concurrency", "8", "--timeout", "60000", "--retry-errors", "--skip", `^(?!`+regexp.QuoteMeta(s.url)+`)`), &report)
		passed := 0
		for _, l := range report.Links {
			switch l.State {
			case "BROKEN":
				t.Errorf("%s leads to %s: %d", l.Parent, l.URL, l.Status)
			case "OK":
				passed++
			}
		}
		t.Logf("%d links", passed)
		if passed < 50 {
			t.Errorf("%d links were followed", passed)
		}
	})
}

// structured prints the issues that a validator of Google's rules for rich results finds in
// pages.
const structured = `
const modules = process.argv[1];
const { createRequire } = await import("node:module");
const { pathToFileURL } = await import("node:url");
const load = async (name) => import(pathToFileURL(createRequire(modules + "/").resolve(name)));
const validating = await load("@adobe/structured-data-validator");
const Validator = validating.Validator || validating.default.Validator || validating.default;
const extracted = await load("@marbec/web-auto-extractor");
const Extractor = extracted.default.default || extracted.default;
const all = [];
for (const address of process.argv.slice(2)) {
  const html = await (await fetch(address)).text();
  const data = new Extractor({ addLocation: true, embedSource: ["rdfa", "microdata"] }).parse(html);
  for (const issue of await new Validator().validate(data)) all.push({ address, severity: issue.severity, message: issue.issueMessage, path: issue.path });
  all.push({ address, severity: "TYPES", message: Object.keys(data.jsonld).join(" ") });
}
console.log(JSON.stringify(all));
`

// TestStructuredDataAllowsRichResults checks sellers and products.
func TestStructuredDataAllowsRichResults(t *testing.T) {
	modules := judge(t, ".")
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	judged(t, func(t *testing.T, s *served, kinds map[string]string) {
		arguments := []string{"--input-type=module", "-e", structured, modules}
		for _, kind := range []string{"seller", "product", "article"} {
			// A product without a price has no rich result; no product of the real market
			// has one.
			if address, has := kinds[kind]; has && address != unpriced {
				arguments = append(arguments, s.url+address)
			}
		}
		var issues []struct {
			Address, Severity, Message string
			Path                       any
		}
		read(t, said(t, "node", arguments...), &issues)
		for _, i := range issues {
			switch i.Severity {
			case "TYPES":
				if i.Message == "" {
					t.Errorf("%s has no structured data", i.Address)
				}
			case "ERROR":
				t.Errorf("%s: %s at %v", i.Address, i.Message, i.Path)
			}
		}
	})
}
