package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func TestHeadingsMoveBelowThoseOfThePage(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"no heading", "a # b\n\n- c\n", "a # b\n\n- c\n"},
		{"the highest decides", "## Proof\n\na\n\n# Other company\n", "#### Proof\n\na\n\n### Other company\n"},
		{"below already", "### A\n\n##### B", "### A\n\n##### B"},
		{"no deeper than the last", "# A\n\n##### B\n\n###### C", "### A\n\n###### B\n\n###### C"},
		{"marks at both ends", "  # A ##", "  ### A ##"},
		{"without words", "#\n\n## A", "#\n\n### A"},
		{"behind a tab", "- a\n\n\t# B\n", "- a\n\n\t### B\n"},
		{"underlined", "Proof\n===\na\n\nB\n-\n", "### Proof\na\n\n#### B\n"},
		{"underlined at the end", "a\n\nProof\n ====  ", "a\n\n### Proof"},
		{"of several lines", "a  \n   b\\\nc\n===\n", "### a b c\n"},
		{"with a mark of its own", "C #\n===", "### C # #"},
		{"in a quote", "> A\n> b\n> ===\n>\n> # C\n", "> ### A b\n>\n> ### C\n"},
		{"in a list", "- # A\n\n  B\n  ---\n", "- ### A\n\n  #### B\n"},
		{"behind a definition", "[r]: /x\nA\n===\n", "[r]: /x\n### A\n"},
		{"code", "# A\n\n```\n# b\n```\n\n    # c\n\n`# d`\n", "### A\n\n```\n# b\n```\n\n    # c\n\n`# d`\n"},
		{"code alone", "```\n# b\n```\n", "```\n# b\n```\n"},
		{"escaped", "\\# a\n\n#b\n", "\\# a\n\n#b\n"},
		{"a rule and a table", "a\n\n---\n\n| # | b |\n|---|---|\n", "a\n\n---\n\n| # | b |\n|---|---|\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Below(c.source, 3); got != c.want {
				t.Errorf("%q became %q, want %q", c.source, got, c.want)
			}
		})
	}
}

var (
	gfm   = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	level = regexp.MustCompile(`(</?)h[1-6]`)
	ids   = regexp.MustCompile(` id="[^"]*"|<a href="#[^"]*">|</a>`)
	space = regexp.MustCompile(`(?:<br>|\s)+`)
)

func isTable(n ast.Node) bool { return n != nil && n.Kind() == east.KindTable }

// belowHolds checks the properties of Below for any text: no heading is at the level of the
// page's, and everything else is unchanged.
func belowHolds(t interface{ Fatalf(string, ...any) }, source string) {
	torn := false // whether a table was extracted from the underlined text
	each(gfm.Parse(text.NewReader([]byte(source))), func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok && !isATX(h) && (isTable(h.PreviousSibling()) || isTable(h.NextSibling())) {
			torn = true
		}
	})
	if torn {
		return
	}
	got := Below(source, 3)
	each(gfm.Parse(text.NewReader([]byte(got))), func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok && h.Level < 3 && h.Lines().Len() > 0 {
			t.Fatalf("%q became %q, with a heading of level %d", source, got, h.Level)
		}
	})
	if strings.Contains(source, "\\\n") {
		return // it breaks a line, unless it is in code
	}
	html := func(source string) string {
		return space.ReplaceAllString(ids.ReplaceAllString(level.ReplaceAllString(ToHTML(source, 2, asIs), "${1}h"), ""), "")
	}
	if was, is := html(source), html(got); was != is {
		t.Fatalf("%q became %q, which reads\n%s, not\n%s", source, got, is, was)
	}
}

func TestAnyTextIsOtherwiseUnchangedBelowAHeading(t *testing.T) {
	pieces := []string{"===", "---", "\n===\n", "\n---\n", "\n> ", "#", "# ", "\n- ", "\\", "  "}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			b.WriteString(wild(t) + rapid.SampledFrom(pieces).Draw(t, "piece"))
		}
		belowHolds(t, b.String())
	})
}

func FuzzBelow(f *testing.F) {
	for _, s := range []string{"# a\n\nb\n===", "> a\n> ---", "- \ta\n\t=", "| a |\n|---|\n===", "```\n# a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if Parse(source).Excess != nil {
			t.Skip("too costly, which is a mistake of the content")
		}
		belowHolds(t, source)
	})
}
