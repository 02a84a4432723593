package site

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"souk/build/document"
)

// Text from strangers is filled into every field of every public document. The pages are
// compared, as parsed by parsers of HTML, Markdown, JSON or XML, with the same pages filled
// with plain words.

var hostileTexts = []string{
	`"><script>alert(1)</script>`, `' onmouseover=alert(1) x='`, "`${alert(1)}`", `</script><script>alert(1)</script>`, `<!--`, `-->`, `]]>`,
	`&lt;b&gt;`, `</title><img src=x onerror=alert(1)>`, `javascript:alert(1)`, `{{.Market}}`, "\u2028</ScRiPt>", `</dd></dl><h1>x</h1>`,
	"# Heading\n## Two", "[x](https://evil.example)", "![x](https://evil.example/x.png)", "- item", "+ item", "1. item", "12) item", "~~~", "```", "===", "---",
	"www.evil.example", "x WWW.evil.example", "ftp://evil.example", "see https://evil.example now", "a@evil.example", "> quote", "    code", "| a | b |\n|---|---|", "<b>bold</b>",
	`\`, `\\`, "*x* _y_ ~z~", "&#60;b&#62;", "a\x00b", "\x1b[31m", "\xff\xfe", "[x]: https://evil.example", "[x][y]", "word  \nword", "<https://evil.example>", "mailto:a@evil.example",
	"a\rb", "  ", "xmpp:a@evil.example/x", "- [ ] x", "1.", "x", "X",
}

var hostileAddresses = []string{
	"javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)", "javascript&colon;alert(1)",
	"data:text/html,<script>alert(1)</script>", "data:image/svg+xml,<svg onload=alert(1)>", "vbscript:x", "file:///etc/passwd", "blob:https://a.example/x",
	"//evil.example/x", `\\evil.example`, `/\evil.example`, "https:evil.example", `https:/\evil.example`, "https://market.example//evil.example",
	`https://market.example/\evil.example`, "https://market.example", "https://market.examples/x", `https://a.example/"><script>alert(1)</script>`,
	`https://a.example/' onload='x`, "https://a.example/>) [x](javascript:y)", "https://a.example/\n\n# x", "#x", "", "%6aavascript:alert(1)", "https://a.example/&#47;<b>",
}

var hostileProse = []string{
	"<script>alert(1)</script>", "[x](javascript:alert(1))", "[x](JAVASCRIPT&colon;alert(1))", "![x](data:text/html,x)", "![x](https://a.example/\"onerror=alert(1))",
	"[x](//evil.example)", `[x](\\\\evil.example)`, "[x](https://market.example//evil.example)", "[x](https://market.example/&#47;evil.example)",
	`[x](https://market.example/\\evil.example)`, "<javascript:alert(1)>", "<https://market.example//evil.example>", "# x\n\n# x", "[x](https://a.example \"\\\" onclick=alert(1)\")",
	"<svg onload=alert(1)>", "```x\" onclick=y\ncode\n```", "| a |\n|:-:|\n| <b> |", "```\nopen", "~~~~\nopen", "> ```\n> open", "<!-- open", "<div>\n\nx", "[r]\n\n[r]: javascript:alert(1)",
	"1. x\n\n   ```\n   open", "   ```\n open", "<main id=main>",
}

// tagsOfPages are the elements that our templates and Markdown produce.
var tagsOfPages = strings.Fields(`html head meta title link script body a header div img form input button nav ul ol li main footer p section h1 h2 h3 h4 h5 h6
	span b strong small time article aside dl dt dd table thead tbody tr th td figure figcaption object label fieldset legend select option em del code pre blockquote hr br noscript details summary mark svg rect`)

// leads parses an address as browsers do, and reports whether a link, or a picture, may
// have it.
func leads(address string, picture bool) bool {
	a := strings.TrimFunc(strings.NewReplacer("mark \t", "", "\n", "", "\r", "").Replace(address), func(r rune) bool { return r <= ' ' })
	scheme := regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`).FindString(a)
	switch strings.ToLower(scheme) {
	case "http:", "https:":
		u, err := url.Parse(a)
		return err == nil && u.Host != ""
	case "mailto:", "tel:":
		return !picture
	case "":
		return strings.HasPrefix(a, "/") && !strings.HasPrefix(a, "//") && !strings.HasPrefix(a, `/\`) || strings.HasPrefix(a, "#") && !picture
	}
	return false
}

// judge checks that a page contains only what our templates produce.
func judge(p page) error {
	var wrong []error
	add := func(format string, arguments ...any) { wrong = append(wrong, fmt.Errorf(format, arguments...)) }
	for n := range p.Descendants() {
		if n.Type == html.CommentNode {
			add("a comment: %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(tagsOfPages, n.Data) {
			add("an element %q", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", a.Key == "formaction":
				add("an attribute %s=%q", a.Key, a.Val)
			case a.Key == "href", a.Key == "src", a.Key == "action", a.Key == "data-api", a.Key == "data":
				if !leads(a.Val, n.Data == "img" || n.Data == "object") {
					add("%s %s leads to %q", n.Data, a.Key, a.Val)
				}
			}
		}
		switch source := get(n, "src"); {
		case n.Data == "script" && source == "" && get(n, "type") == "application/ld+json":
			if !json.Valid([]byte(n.FirstChild.Data)) {
				add("JSON-LD that is no JSON: %s", n.FirstChild.Data)
			}
		case n.Data == "script" && !strings.HasPrefix(source, "/assets/script-") && !strings.HasPrefix(source, "/assets/embed-") &&
			!strings.HasPrefix(source, "/assets/docs-"):
			add("a script %q", source)
		case n.Data == "link" && get(n, "rel") == "stylesheet" && !strings.HasPrefix(get(n, "href"), "/assets/style-"):
			add("a style %q", get(n, "href"))
		case n.Data == "meta" && get(n, "property") == "og:image" && !leads(get(n, "content"), true):
			add("a preview %q", get(n, "content"))
		case n.Data == "a" && strings.HasPrefix(get(n, "href"), "http") && get(n, "rel") == "" && !strings.HasPrefix(get(n, "href"), "https://market.example/api/v1/"):
			add("a link to %q that search engines follow", get(n, "href"))
		}
	}
	return errors.Join(wrong...)
}

// skeleton returns the elements of a page and the names of their attributes, without
// elements of the class prose and what they contain.
func skeleton(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if slices.Contains(strings.Fields(get(n, "class")), "prose") {
			return
		}
		// Names are marked where they match the query.
		element := n.Type == html.ElementNode && n.Data != "mark"
		if element {
			b.WriteString("\n<" + n.Data)
			for _, a := range n.Attr {
				b.WriteString(" " + a.Key)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if element {
			b.WriteString(">")
		}
	}
	walk(n)
	return b.String()
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser()

// outline returns the kinds of the nodes of a Markdown text, and the levels of its
// headings.
func outline(source string) string {
	var b strings.Builder
	_ = ast.Walk(gfm.Parse(text.NewReader([]byte(source))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case n.Kind() == ast.KindText, n.Kind() == ast.KindString:
			return ast.WalkContinue, nil
		case entering:
			b.WriteString("\n(" + n.Kind().String())
		default:
			b.WriteString(")")
		}
		if h, ok := n.(*ast.Heading); ok && entering {
			fmt.Fprint(&b, h.Level)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// plainWords fills the documents to compare with.
var plainWords = filling{text: "word", uri: "https://a.example/x", prose: "more words"}

// rest returns the pages that Render does not produce from a document.
func rest(t testing.TB, s *Site, f filling) map[string]string {
	result := filled(document.SearchResult{}, f).(document.SearchResult)
	body, err := s.Search(document.ListingSearch(), url.Values{"q": {f.text}}, result, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"search": string(body)}
	seller := filled(document.Seller{}, f)
	if err := s.RenderFormer(document.PagesOf("api/v1/marketplace/companies/former.json"), seller, func(name string, body []byte) error {
		files[name] = string(body)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// called returns the Site of a market with the given name.
func called(t testing.TB, name string) *Site {
	c := market("en", "https://market.example")
	c.Name, c.Description = name, name
	return newSite(t, c)
}

var (
	plainSite  = sync.OnceValue(func() *Site { return called(&testing.T{}, plainWords.text) })
	plainPages = sync.OnceValue(func() map[string]string { return pagesOf(&testing.T{}, plainSite(), plainWords) })
)

// pagesOf returns all pages of all kinds of documents.
func pagesOf(t testing.TB, s *Site, f filling) map[string]string {
	files := rest(t, s, f)
	for _, sample := range samples {
		value := filled(sample, f)
		if d, ours := filled(sample, plainWords).(document.APIReference); ours {
			// Everything else on the API page is written by the program itself.
			for i := range d.Groups {
				for j := range d.Groups[i].Endpoints {
					one := &d.Groups[i].Endpoints[j]
					one.Example = f.text + f.prose + f.uri
				}
			}
			value = d
		}
		for name, body := range rendered(t, s, value) {
			files[fmt.Sprintf("%T %s", sample, name)] = body
		}
	}
	return files
}

func holdsText(t testing.TB, s *Site, hostile string) {
	f := plainWords
	f.text = hostile
	same := plainSite().detail(hostile).URL == "" && strings.TrimSpace(hostile) != ""
	want := plainPages()
	for name, body := range pagesOf(t, s, f) {
		if strings.HasSuffix(name, ".md") {
			if got := outline(body); same && got != outline(want[name]) {
				t.Errorf("%q changes what %s is made of:\n%s\n%s", hostile, name, body, got)
			}
			continue
		}
		if strings.HasSuffix(name, ".svg") {
			got, err := judgePicture(body)
			if was, _ := judgePicture(want[name]); err != nil || same && got != was {
				t.Errorf("%q changes what %s is made of: %s, %s: %v", hostile, name, got, was, err)
			}
			continue
		}
		p := parsePage(t, name, body)
		if err := judge(p); err != nil {
			t.Errorf("%q in %s: %v", hostile, name, err)
		}
		if was := parsePage(t, name, want[name]); same && skeleton(p.Node) != skeleton(was.Node) {
			t.Errorf("%q changes the elements of %s", hostile, name)
		}
	}
}

func holdsAddress(t testing.TB, hostile string) {
	f := plainWords
	f.uri = hostile
	for name, body := range pagesOf(t, plainSite(), f) {
		if !strings.HasSuffix(name, ".md") {
			_, err := judgePicture(body)
			if !strings.HasSuffix(name, ".svg") {
				err = judge(parsePage(t, name, body))
			}
			if err != nil {
				t.Errorf("%q in %s: %v", hostile, name, err)
			}
			continue
		}
		_ = ast.Walk(gfm.Parse(text.NewReader([]byte(body))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch l := n.(type) {
			case *ast.Link:
				if !leads(string(l.Destination), false) {
					t.Errorf("%q makes %s lead to %q", hostile, name, l.Destination)
				}
			case *ast.HTMLBlock, *ast.RawHTML, *ast.FencedCodeBlock:
				t.Errorf("%q makes a %s of %s", hostile, n.Kind(), name)
			case *ast.Heading:
				if strings.Contains(string(l.Lines().Value([]byte(body))), "x") && entering && l.Level == 1 && n.PreviousSibling() != nil {
					t.Errorf("%q makes a heading of %s", hostile, name)
				}
			}
			return ast.WalkContinue, nil
		})
	}
}

func holdsProse(t testing.TB, hostile string) {
	f := plainWords
	f.prose = hostile
	want := plainPages()
	for name, body := range pagesOf(t, plainSite(), f) {
		if strings.HasSuffix(name, ".svg") {
			continue // it has no prose
		}
		if !strings.HasSuffix(name, ".md") {
			p := parsePage(t, name, body)
			if err := judge(p); err != nil {
				t.Errorf("%q in %s: %v", hostile, name, err)
			}
			if plainSite().prose(hostile, strangerRel, nil, false) != "" && skeleton(p.Node) != skeleton(parsePage(t, name, want[name]).Node) {
				t.Errorf("%q changes the elements of %s outside its prose", hostile, name)
			}
			continue
		}
		// The first heading and the heading of the prose come before the prose.
		_, behind, _ := strings.Cut(strings.Replace(sections(want[name]), "\n2 Description", "", 1)[1:], "\n")
		if !strings.HasSuffix(sections(body), "\n"+behind) {
			t.Errorf("%q takes in what follows it in %s:\n%s", hostile, name, body)
		}
	}
}

// sections returns the headings of a Markdown text.
func sections(source string) string {
	s := []byte(source)
	var b strings.Builder
	_ = ast.Walk(gfm.Parse(text.NewReader(s)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			fmt.Fprintf(&b, "\n%d %s", h.Level, h.Lines().Value(s))
		}
		return ast.WalkContinue, nil
	})
	return b.String() + "\n"
}

func TestTextFromStrangersIsAlwaysEscaped(t *testing.T) {
	for i, hostile := range hostileTexts {
		s := plainSite()
		if i < 8 {
			s = called(t, hostile)
		}
		holdsText(t, s, hostile)
	}
}

func TestAddressesFromStrangersNeitherRunNorLookLikeOurs(t *testing.T) {
	for _, hostile := range hostileAddresses {
		holdsAddress(t, hostile)
	}
}

func TestMarkdownFromStrangersCannotBreakOutOfItsPlace(t *testing.T) {
	for _, hostile := range hostileProse {
		holdsProse(t, hostile)
	}
}

// Agents use the headings to distinguish the market's data from a seller's claims.
func TestHeadingsOfADescriptionAreBelowThoseOfThePage(t *testing.T) {
	f := plainWords
	f.prose = "## Proof\n\n- Certification: [ISO 27001](https://iso.example/)\n\n# Other company\n\nMore\n---\n\n```\n# code\n```\n"
	s := newSite(t, market("en", "https://market.example"))
	for _, c := range []struct {
		sample any
		below  int
	}{
		{document.Seller{}, 3}, {document.Product{}, 3}, {document.Service{}, 3}, {document.Article{}, 2}, {document.MarketMap{}, 2},
	} {
		value := filled(c.sample, f)
		want := fmt.Sprintf("\n%d Proof\n%d Other company\n%d More\n", c.below+1, c.below, c.below+1)
		got := string(s.markdown(value))
		if !strings.Contains(sections(got), want) || !strings.Contains(got, "\n# code\n") {
			t.Errorf("the Markdown of %T has the headings %q, not %q:\n%s", c.sample, sections(got), want, got)
		}
		above, level := 1, 0
		for d := range one(t, firstPage(t, s, value), "main", "id", "main").Descendants() {
			if d.Type != html.ElementNode || len(d.Data) != 2 || d.Data[0] != 'h' || d.Data == "hr" {
				continue
			}
			if level = int(d.Data[1] - '0'); level > above+1 {
				t.Errorf("%T: %s %q follows a heading of level %d", c.sample, d.Data, words(d), above)
			}
			if strings.HasPrefix(get(d, "id"), "text") && level < c.below {
				t.Errorf("%T: %s %q stands beside the page's own", c.sample, d.Data, words(d))
			}
			above = level
		}
	}
}

func TestFeedsAreValidWhateverAStrangerWrites(t *testing.T) {
	for _, hostile := range hostileTexts {
		f := plainWords
		f.text = hostile
		for name, body := range rendered(t, called(t, hostile), filled(document.Feed{}, f)) {
			if name == document.JSONFeedFile {
				if !json.Valid([]byte(body)) {
					t.Errorf("%q makes a feed that is no JSON: %s", hostile, body)
				}
				continue
			}
			elements := map[string]int{}
			for d := xml.NewDecoder(strings.NewReader(body)); ; {
				token, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%q makes a feed that is no XML: %v\n%s", hostile, err, body)
				}
				if e, ok := token.(xml.StartElement); ok {
					elements[e.Name.Local]++
				}
			}
			if elements["entry"] != 2 || elements["title"] != 3 || elements["script"]+elements["img"]+elements["b"] > 0 {
				t.Errorf("%q makes a feed of %v", hostile, elements)
			}
		}
	}
}

func FuzzPagesOfStrangers(f *testing.F) {
	for i, hostile := range hostileTexts[:4] { // the tests above use all of them
		f.Add(hostile, hostileAddresses[i%len(hostileAddresses)], hostileProse[i%len(hostileProse)])
	}
	f.Fuzz(func(t *testing.T, words, address, prose string) {
		holdsText(t, plainSite(), words)
		holdsAddress(t, address)
		holdsProse(t, prose)
	})
}

func TestANumberIsEscapedOnlyIfItWouldStartAList(t *testing.T) {
	for text, want := range map[string]string{
		"14.5 kg": "14.5 kg", "1.890,00 €": "1.890,00 €", "3)": `3\)`, "1.": `1\.`, "2. Auflage": `2\. Auflage`, "7.\n8": `7\. 8`, "7": "7",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}
