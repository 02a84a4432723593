package markdown

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// asIs keeps every destination.
func asIs(destination string, picture bool) Link { return Link{Destination: destination} }

// parsed returns the elements of an HTML fragment in document order.
func parsed(t interface{ Fatal(...any) }, body string) (all []*html.Node) {
	root, err := html.Parse(strings.NewReader("<!doctype html><title>t</title><main>" + body + "</main>"))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(*html.Node, bool)
	walk = func(n *html.Node, within bool) {
		if within && n.Type == html.ElementNode {
			all = append(all, n)
		}
		if n.Type == html.CommentNode {
			all = append(all, n)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, within || n.Data == "main")
		}
	}
	walk(root, false)
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func tags(all []*html.Node) (names []string) {
	for _, n := range all {
		names = append(names, n.Data)
	}
	return names
}

func TestScrollingCodeCanHaveTheFocus(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"    a < b\n    c\n", "<pre tabindex=\"0\"><code>a &lt; b\nc\n</code></pre>\n"},
		{"```go \"x\"\na && \"b\"\n```\n", "<pre tabindex=\"0\"><code class=\"language-go\">a &amp;&amp; &quot;b&quot;\n</code></pre>\n"},
		{"~~~ \"><i>\n~~~\n", "<pre tabindex=\"0\"><code class=\"language-&quot;&gt;&lt;i&gt;\"></code></pre>\n"},
		{"```\na\n\n\x00\n", "<pre tabindex=\"0\"><code>a\n\n\ufffd\n</code></pre>\n"},
	} {
		if got := ToHTML(c.source, 2, asIs); got != c.want {
			t.Errorf("%q becomes\n%s, not\n%s", c.source, got, c.want)
		}
	}
}

func TestATableIsInAScrollingElementThatCanHaveTheFocus(t *testing.T) {
	const want = "<p>a</p>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n</table></div>\n<p>c</p>\n"
	if got := ToHTML("a\n\n| b |\n|--:|\n\nc\n", 2, asIs); got != want {
		t.Errorf("it becomes\n%s, not\n%s", got, want)
	}
}

func TestMarkdownBecomesHTML(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"table", "| a | b |\n|---|--:|\n| 1 | 2 |\n", "div table thead tr th th tbody tr td td"},
		{"strikethrough", "~~old~~ new", "p del"},
		{"links in a table", "| [x](/x) | <https://a.example> |\n|---|---|\n| ![y](/y.png) | [z] |\n\n[z]: /z\n", "div table thead tr th a th a tbody tr td img td a"},
		{"what is a comment without tables", "a<!--\n[x](/y)-->\n|---|\n", "p div table thead tr th"},
		{"what is code without tables", "a `b\n[x](/y)`\n|---|\n", "p div table thead tr th"},
		{"raw HTML", "a <b>b</b>\n\n<script>alert(1)</script>\n\n<!-- c -->\n\nd", "p p"},
		{"a heading of level 1", "# A\n\n## B\n\n# C", "h2 h3 h2"},
		{"headings that begin deep", "### A\n\n#### B", "h2 h3"},
		{"headings that skip levels", "## A\n\n##### B\n\n### C", "h2 h3 h3"},
		{"headings without text", "###\n\n## A\n\n# <!-- c -->\n\n> #  #\n\n### ![](p.png)\n\n### `b`", "h2 blockquote h3 img h3 code"},
		{"no footnotes", "a[^1]\n\n[^1]: b", "p a"},
		{"task lists stay text", "- [ ] a", "ul li"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(tags(parsed(t, ToHTML(c.source, 2, asIs))), " "); got != c.want {
				t.Errorf("%q became %s, want %s", c.source, got, c.want)
			}
		})
	}
}

func TestOnlyTwoTildesStrikeTextOut(t *testing.T) {
	for source, want := range map[string]string{
		"Input 100~240 V, 50~60 Hz": "Input 100~240 V, 50~60 Hz",
		"~old~ new":                 "~old~ new",
		"~~old~~ new":               "<del>old</del> new",
		"~~old~ new~~":              "<del>old~ new</del>",
		"~a ~~b~~ c~":               "~a <del>b</del> c~",
		"a ~~~b~~~ c":               "a ~~~b~~~ c",
		"~a~~":                      "~a~~",
		"~~a~":                      "~~a~",
		`\~~a~~`:                    `\~~a~~`[1:],
		"| 1~2 | 3~4 |\n|---|---|":  "",
	} {
		got := ToHTML(source, 2, asIs)
		if want != "" && got != "<p>"+want+"</p>\n" || want == "" && strings.Contains(got, "<del>") {
			t.Errorf("%q becomes %q", source, got)
		}
	}
}

func TestHeadingsHaveUniqueIDs(t *testing.T) {
	source := "# Main\n\n# Main\n\n# Über uns & mehr\n\n# !\n\n# !\n\n#\n\n[none](#-2) [a](#main) [b](#main-1) [c](#Über-uns-mehr) [d](#elsewhere)\n"
	var ids, led []string
	for _, n := range parsed(t, ToHTML(source, 2, asIs)) {
		if id := attribute(n, "id"); id != "" {
			ids = append(ids, id)
		}
		if n.Data == "a" {
			led = append(led, attribute(n, "href"))
		}
	}
	if want := []string{"text-main", "text-main-1", "text-über-uns-mehr", "text", "text-1"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
	if want := []string{"#text-main", "#text-main-1", "#text-%C3%BCber-uns-mehr"}; !slices.Equal(led, want) {
		t.Errorf("links %q, want %q", led, want)
	}
}

func TestLinksByGitHubsHeadingIDsWork(t *testing.T) {
	for _, c := range []struct{ headings, fragment, want string }{
		{"# Livez/readyz checks", "livezreadyz-checks", "#text-livez-readyz-checks"},
		{"# grpc-gateway@v2", "grpc-gatewayv2", "#text-grpc-gateway-v2"},
		{"# a & b", "a--b", "#text-a-b"},
		{"# What's `snake_case`, *really*?", "whats-snake_case-really", "#text-what-s-snake-case-really"},
		{"# A [link](https://a.example) here", "a-link-here", "#text-a-link-https-a-example-here"},
		{"# v1.2\n\n# v12\n\n# v1.2", "v12-1", "#text-v12"},
		{"# v1.2\n\n# v12", "v12", "#text-v12"},
		{"# Über/uns", "%C3%BCberuns", "#text-%C3%BCber-uns"},
		{"# C++", "c", "#text-c"},
		{"v1.2\n====", "V12", "#text-v1-2"},
		{"# Livez", "livezreadyz", ""},
		{"# !", "", "#text"},
		{"#", "", ""},
		{"```\n# v1.2\n```", "v12", ""},
	} {
		body := ToHTML("[to]("+"#"+c.fragment+")\n\n"+c.headings, 2, asIs)
		got, ids := "", map[string]bool{}
		for _, n := range parsed(t, body) {
			if n.Data == "a" && attribute(n, "href") != "https://a.example" {
				got = attribute(n, "href")
			}
			ids[attribute(n, "id")] = true
		}
		if to, err := url.PathUnescape(strings.TrimPrefix(got, "#")); got != c.want || err != nil || !ids[to] && got != "" {
			t.Errorf("%q: #%s leads to %q, want %q: %s", c.headings, c.fragment, got, c.want, body)
		}
	}
}

func TestDestinationsAreResolvedAsCommonMarkReadsThem(t *testing.T) {
	for source, want := range map[string]string{
		"[a](https://market.example/&#47;evil.example)": "https://market.example//evil.example",
		"[a](java&#115;cript:alert)":                    "javascript:alert",
		"[a](javascript&colon;alert)":                   "javascript:alert",
		"[a](&amp;#47;x)":                               "&#47;x",
		`[a](x\_y)`:                                     "x_y",
		"<https://a.example/&amp;>":                     "https://a.example/&amp;",
		"<a@b.example>":                                 "mailto:a@b.example",
		"[a][b]\n\n[b]: /c":                             "/c",
	} {
		ToHTML(source, 2, func(destination string, _ bool) Link {
			if destination != want {
				t.Errorf("%q: resolve was asked for %q, want %q", source, destination, want)
			}
			return Link{}
		})
	}
}

func TestHTMLHasTheResultsOfResolve(t *testing.T) {
	for _, to := range []string{"https://a.example/?a=1&amp=2", "/a&#47;b", `/a\b`, "/a_b"} {
		body := ToHTML("[a](x) ![b](y) <https://z.example>", 2, func(string, bool) Link { return Link{Destination: to, Rel: "ugc", Width: 3, Height: 4} })
		n := 0
		for _, e := range parsed(t, body) {
			if got := attribute(e, "href") + attribute(e, "src"); got != "" {
				n++
				if want := strings.ReplaceAll(to, `\`, "%5C"); got != want {
					t.Errorf("%s has %q, want %q", e.Data, got, want)
				}
				if e.Data == "a" && attribute(e, "rel") != "ugc" || e.Data == "img" && attribute(e, "width")+attribute(e, "height") != "34" {
					t.Errorf("%s lacks attributes: %s", e.Data, body)
				}
			}
		}
		if n != 3 {
			t.Errorf("%d links and pictures, want 3: %s", n, body)
		}
	}
}

// wild draws Markdown from pieces with a syntactic meaning.
func wild(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"# ", "## ", "#### ", "a", " b", "\n", "\n\n", "- ", "1. ", "> ", "[", "](", ")", "[x](/y)", "![x](z.png)", "<https://e.example>", "[r]", "\n\n[r]: /d \"t\"\n\n",
		"<b>", "<script>", "</script>", "<!--", "-->", "`", "```\n", "|", "\n|---|\n", "~~", "*", "_", "&lt;", "&#x6A;", `\`, "javascript:", "data:", "<a@b.example>", "    ", "\t", "é", "\x00",
	}), 0, 30).Draw(t, "pieces"), "")
}

// htmlHolds checks the properties of the HTML of any text.
func htmlHolds(t interface{ Fatalf(string, ...any) }, fatal interface{ Fatal(...any) }, source string) {
	var asked []string
	body := ToHTML(source, 2, func(destination string, picture bool) Link {
		asked = append(asked, destination)
		return Link{Destination: "/resolved"}
	})
	ids, level := map[string]bool{}, 1
	for _, n := range parsed(fatal, body) {
		if n.Type == html.CommentNode || !slices.Contains(allowedTags, n.Data) {
			t.Fatalf("%q became %q, with %q", source, body, n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "tabindex" && (n.Data != "pre" && n.Data != "div" || a.Val != "0") || !slices.Contains(allowedAttributes, a.Key) || strings.HasPrefix(a.Key, "on") {
				t.Fatalf("%q became %q, with the attribute %q", source, body, a.Key)
			}
			if (a.Key == "href" || a.Key == "src") && a.Val != "/resolved" && !strings.HasPrefix(a.Val, "#text") {
				t.Fatalf("%q leads to %q", source, a.Val)
			}
		}
		if id := attribute(n, "id"); id != "" {
			if ids[id] || !strings.HasPrefix(id, "text") {
				t.Fatalf("%q has the id %q twice, or it is the page's", source, id)
			}
			ids[id] = true
		}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data != "hr" {
			if now := int(n.Data[1] - '0'); now < 2 || now > level+1 {
				t.Fatalf("%q: h%d follows h%d", source, now, level)
			} else {
				level = now
			}
		}
	}
	d := Parse(source)
	if d.Excess != nil {
		return
	}
	for _, destination := range asked {
		known := slices.ContainsFunc(d.Targets, func(t Target) bool { return t.Destination == destination })
		if !known && !strings.ContainsRune(source, 0) {
			t.Fatalf("%q: the page links to %q, which Parse does not find: %+v", source, destination, d.Targets)
		}
	}
}

var (
	allowedTags = []string{
		"p", "a", "img", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "br",
		"h2", "h3", "h4", "h5", "h6", "div", "table", "thead", "tbody", "tr", "th", "td",
	}
	allowedAttributes = []string{"tabindex", "href", "src", "alt", "title", "id", "rel", "loading", "width", "height", "start", "class", "align"}
)

func TestHTMLOfAnyTextHasOnlyElementsOfMarkdown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { htmlHolds(t, t, wild(t)) })
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"# a\n\n[b](c)", "<script>", "| a |\n|:-:|\n| b |", "[a](javascript&colon;b)", "![<img src=x onerror=y>](z \"\\\" onload=x\")"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if Parse(source).Excess != nil {
			t.Skip("too costly, which is a mistake of the content")
		}
		if strings.Count(source, "*")+strings.Count(source, "_")+strings.Count(source, ">") > 300 {
			t.Skip("it may nest deeper than the parser of this test follows, 512 elements")
		}
		htmlHolds(t, t, source)
	})
}

func TestClosedTextDoesNotContainWhatFollows(t *testing.T) {
	for _, source := range []string{
		"", "a", "```\ncode", "~~~~ go\ncode\n~~~", "   ```\n", "   ```\n open", "a\n```\n\tcode", "````\n```", " ~~~`", "```", "> ```\n> code", "- ```\n  code", "```\ncode\n```", "<!-- a", "<!-- a -->", "<script>\na", "<?a", "<![CDATA[ a", "<!A", "<div>\na", "a <b>",
		"```\n<!--", "<!--\n```",
	} {
		closed := Closed(source)
		body := parsed(t, ToHTML(closed+"\n\n# After\n", 2, asIs))
		if last := body[len(body)-1]; last.Data != "h2" || last.Parent.Data != "main" {
			t.Errorf("%q became %q, which takes in what follows", source, closed)
		}
	}
}

func FuzzClosed(f *testing.F) {
	for _, s := range []string{"   ```\n open", "<!-- a", "~~~~\n```", "- ```\n\tx", "<?", "<a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if Parse(source).Excess != nil {
			t.Skip("too costly, which is a mistake of the content")
		}
		if strings.Count(source, "*")+strings.Count(source, "_")+strings.Count(source, ">") > 300 {
			t.Skip("it may nest deeper than the parser of this test follows, 512 elements")
		}
		body := parsed(t, ToHTML(Closed(source)+"\n\n# After\n", 2, asIs))
		if last := body[len(body)-1]; last.Data[0] != 'h' || last.Parent.Data != "main" {
			t.Errorf("%q becomes %q, which takes in what follows", source, Closed(source))
		}
	})
}

func TestTheCostOfFewBytesIsLimited(t *testing.T) {
	same := func(string, bool) Link { return Link{} }
	const columns, rows = 3000, 3000
	wide := strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + strings.Repeat("|b\n", rows)
	if d := Parse(wide); d.Excess == nil || d.Excess.Mark != Crowded {
		t.Errorf("%d cells of a table are %+v", columns*rows, d.Excess)
	}
	full := "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 20_000)
	if got := ToHTML(full, 2, same); strings.Count(got, "<td>") != 40_000 {
		t.Error("a long table is none")
	}
	const headings = 20_000 // trying each number takes minutes
	if got := Closed(strings.Repeat("# a\n\n", headings) + "```"); !strings.HasSuffix(got, "```\n```") {
		t.Errorf("the block of code is open: %q", got[len(got)-20:])
	}
	got := ToHTML(strings.Repeat("# a\n\n", headings), 2, same)
	if last := fmt.Sprintf(`id="text-a-%d"`, headings-1); !strings.Contains(got, last) {
		t.Errorf("there is no %s", last)
	}
}
