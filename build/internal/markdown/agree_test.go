package markdown

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// An example is Markdown and the HTML that its specification requires.
type example struct{ Markdown, HTML string }

// examples returns the examples of CommonMark, and of the tables and strikethrough of
// GitHub Flavored Markdown, which are in the parser's module.
func examples(t *testing.T) (all []example) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name ...string) []byte {
		data, err := os.ReadFile(filepath.Join(append([]string{strings.TrimSpace(string(module))}, name...)...))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := json.Unmarshal(read("_test", "spec.json"), &all); err != nil {
		t.Fatal(err)
	}
	// The parts are separated by lines of signs: "//- - -", the Markdown, the same, the
	// HTML, "//= = =".
	one := regexp.MustCompile(`(?s)\n//-[- ]+//\n(.*?)\n//-[- ]+//\n(.*?)\n//=[= ]+//`)
	for _, name := range []string{"table.txt", "strikethrough.txt"} {
		for _, found := range one.FindAllSubmatch(read("extension", "_test", name), -1) {
			source := strings.ReplaceAll(string(found[1]), `\t`, "\t") + "\n"
			if !strings.HasPrefix(source, "~Hi~") { // which is not a strikethrough here
				all = append(all, example{source, string(found[2])})
			}
		}
	}
	if len(all) < 660 {
		t.Fatalf("%d examples", len(all))
	}
	return all
}

// wordsOf returns the words of a page, including those in its pictures.
func wordsOf(page string) string {
	tokens := html.NewTokenizer(strings.NewReader(page))
	var b strings.Builder
	for {
		kind := tokens.Next()
		token := tokens.Token()
		switch {
		case kind == html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case kind == html.TextToken:
			b.WriteString(token.Data)
		case token.Data == "img":
			for _, a := range token.Attr {
				if a.Key == "alt" {
					b.WriteString(a.Val)
				}
			}
		case !slices.Contains([]string{"a", "em", "strong", "code", "del"}, token.Data):
			b.WriteByte(' ')
		}
	}
}

// agree checks that a page shows the same words of a text as the page's Markdown after
// rendering, as its JSON does, with other link targets, and as search, feeds and summaries
// do.
func agree(t interface{ Errorf(string, ...any) }, source string) {
	page := func(source string) string { return wordsOf(ToHTML(source, 2, asIs)) }
	want, d := page(source), Parse(source)
	if d.Excess != nil || len(d.HTML) > 0 || strings.Contains(source, "\x00") || !utf8.ValidString(source) {
		return // a mistake
	}
	if got := Plain(source); got != want {
		t.Errorf("of %q search reads\n%q, the page shows\n%q", source, got, want)
	}
	twin := Closed(Below(strings.TrimRight(source, " \n"), 3))
	if got := page(twin); got != want {
		t.Errorf("of %q the Markdown of the page, %q, shows\n%q, the page\n%q", source, twin, got, want)
	}
	canonical := Apply(source, d.Edits, func(i int) (string, bool) {
		to := d.Targets[i].Destination
		if source[d.Targets[i].Offset-1] == '<' {
			return to, true // an autolink shows its target
		}
		return "https://m.example/companies/" + to, true
	})
	if got := page(canonical); got != want {
		t.Errorf("of %q the JSON, %q, shows\n%q, the page\n%q", source, canonical, got, want)
	}
}

func TestAllPublishedFormsOfATextHaveTheSameWords(t *testing.T) {
	for _, e := range examples(t) {
		agree(t, e.Markdown)
		if got, want := wordsOf(ToHTML(e.Markdown, 2, asIs)), wordsOf(e.HTML); got != want && len(Parse(e.Markdown).HTML) == 0 {
			t.Errorf("of %q the page shows\n%q, the specification\n%q", e.Markdown, got, want)
		}
	}
}

func TestAllPublishedFormsOfAnyTextHaveTheSameWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := drawMarkdown(t) + rapid.SampledFrom([]string{"", "~", "~~", "a~b", "~~a~~", "\n\n|a|b|\n|-|-|\n|c~d|`e`|\n"}).Draw(t, "of GitHub")
		agree(t, source)
	})
}
