package markdown

import (
	"strings"
	"testing"
)

// public returns the resolver of these tests: "pu:" destinations become URLs, "hi:" ones
// are dropped, and all others are kept.
func public(targets []Target) func(int) (string, bool) {
	return func(i int) (string, bool) {
		d := targets[i].Destination
		if strings.HasPrefix(d, "hi:") {
			return "", false
		}
		if rest, ok := strings.CutPrefix(d, "pu:"); ok {
			return "https://souk.example/" + rest, true
		}
		return d, true
	}
}

const article = `# News from [Acme](pu:acme "Our *best* seller")

![The market at dawn](pu:dawn.jpg) Today **[Acme](pu:acme)** opens
next to [Secret & Co](hi:secret "soon"), see also [the map][map],
[hidden map][hm] and <pu:acme>; write to <us@example.com>.

> A quote that [spans
> lines](hi:quoted
> "and more") goes on.

- [1984. A year](hi:year) in a list, ` + "`[code](hi:code)`" + `
- ![plan](hi:plan.png)

[map]: <pu:map> 'A map'
[hm]: hi:map
`

const articleOut = `# News from [Acme](https://souk.example/acme "Our *best* seller")

![The market at dawn](https://souk.example/dawn.jpg) Today **[Acme](https://souk.example/acme)** opens
next to Secret & Co, see also [the map][map],
hidden map and <https://souk.example/acme>; write to <us@example.com>.

> A quote that spans
> lines goes on.

- 1984\. A year in a list, ` + "`[code](hi:code)`" + `
- plan

[map]: <https://souk.example/map> 'A map'
`

func TestApplyRewritesAnArticle(t *testing.T) {
	d := Parse(article)
	if got := Apply(article, d.Edits, public(d.Targets)); got != articleOut {
		t.Errorf("got\n%s\nwant\n%s", got, articleOut)
	}
	check(t, article)
}

func TestApplyDropsTheTargetAndKeepsTheText(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"inline", "a [b *c*](hi:x) d", "a b *c* d"},
		{"picture in a link", "[![b](hi:x)](hi:y)", "b"},
		{"only the picture in a link", "[![b](hi:x)](y)", "[b](y)"},
		{"only the link around a picture", "[![b](x)](hi:y)", "![b](x)"},
		{"autolink", "a <hi:x> b", "a  b"},
		{"empty text", "a [](hi:x) b", "a  b"},
		{"lines in a quote", "> a [b\n> c](\n> hi:x\n> ) d\n> e", "> a b\n> c d\n> e"},
		{"definition and uses", "[a][r] [R][] [r] ![p][r]\n\n[r]: hi:x\n", "a R r p\n\n"},
		{"definition with text after it", "[r]: hi:x\n    text\n", "text\n"},
		{"definition with a list's beginning as its text", "[r]: hi:x\n2. text\n", "2\\. text\n"},
		{"definition in a quote", "> [r]: hi:x\nlazy\n", "> lazy\n"},
		{"definition alone in a quote", "> [r]: hi:x\n>\n> b", "> \n>\n> b"},
		{"definition alone in a list", "- [r]: hi:x\n- b", "- \n- b"},
		{"first of two definitions", "  [r]: hi:x\n   [s]: y\n", "  [s]: y\n"},
		{"second of two definitions", "[r]: y\n[s]: hi:x\n", "[r]: y\n"},
		{"one of two of the same label", "[r]\n\n[r]: hi:x\n[r]: y\n", "r\n\n[r]: y\n"},
		{"heading's mark", "[# b](hi:x)", `\# b`},
		{"list's mark", "a\n[- b](hi:x)", "a\n\\- b"},
		{"list's number", "[12) b](hi:x)", `12\) b`},
		{"quote's mark", "> [> b](hi:x)", `> \> b`},
		{"rule", "[***](hi:x)", `\***`},
		{"fence", "[```](hi:x)", "\\`\\`\\`"},
		{"underline", "a\n[===](hi:x)", "a\n\\==="},
		{"indented code", "[    b](hi:x)", "b"},
		{"mark after an autolink", "<hi:x>   # b", `\# b`},
		{"mark inside a picture", "[![# b](hi:x)](hi:y)", `\# b`},
		{"no mark", "[-b](hi:x) [#c](hi:x) [*d*](hi:x) [1.5](hi:x)", "-b #c *d* 1.5"},
		{"mark that begins no line", "a [- b](hi:x)", "a - b"},
		{"mark in a heading", "# [- b](hi:x)", "# - b"},
		{"link around a link", "[a [b](hi:x)](hi:y)", `\[a b\](hi:y)`},
		{"picture mark before the next link", "[a!](hi:x)[b](y)", `a\![b](y)`},
		{"text that would be HTML", "<[b](hi:x)>", `\<b>`},
		{"text that would be an autolink", "<<hi:x>hi:y>", `\<hi:y>`},
		{"text that would be a link", "[a]<hi:x>(hi:y)", `\[a\](hi:y)`},
		{"text that would be a link with no text", "[](](hi:x)[a](hi:x)", `\[\](](hi:x)a`},
		{"brackets at a reference's end", "[r]: hi:x\n[[]][r](hi:x)", `\[\](hi:x)`},
		{"brackets before an autolink", "[]!0]<hi:x>(hi:x)", `\[\]!0](hi:x)`},
		{"text that would be a code span", "[``](hi:x)` a ``` *b* ```", "\\`\\`\\` a ``` *b* ```"},
		{"code span after a definition", "[r]: hi:x\n\t```\n[a](hi:x)```", "```\n[a](hi:x)```"},
		{"text that would be a definition", "[[a]: hi:y](hi:x)", `\[a\]: hi:y`},
		{"brackets that stay text", "a [sic] [b](hi:x)", "a [sic] b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Parse(test.source)
			if got := Apply(test.source, d.Edits, public(d.Targets)); got != test.want {
				t.Errorf("%q: got %q, want %q", test.source, got, test.want)
			}
			check(t, test.source)
		})
	}
}

func TestApplyEscapesDestinations(t *testing.T) {
	tests := []struct{ name, source, destination, want string }{
		{"plain", "[a](x)", "y", "[a](y)"},
		{"title stays", `[a](x "T")`, "y", `[a](y "T")`},
		{"space", "[a](x)", "y z", "[a](<y z>)"},
		{"space where brackets are", "[a](<x>)", "y z", "[a](<y z>)"},
		{"balanced parentheses", "[a](x)", "y(z)", "[a](y(z))"},
		{"unbalanced parentheses", "[a](x)", "y)(", "[a](<y)(>)"},
		{"angle brackets", "[a](x)", "<y>", `[a](<\<y\>>)`},
		{"nothing", "[a](x 'T')", "", "[a](<> 'T')"},
		{"where nothing was", "[a]()", "y", "[a](y)"},
		{"backslash", "[a](x)", `y\*z\`, `[a](y\\*z\\)`},
		{"entity", "[a](x)", "y?b&amp;c&d=&copy", `[a](y?b\&amp;c&d=&copy)`},
		{"line end", "[a](x)", "y\nz", "[a](<y&#10;z>)"},
		{"picture", "![a](x)", "y z", "![a](<y z>)"},
		{"definition", "[a]\n\n[a]: x", "y z", "[a]\n\n[a]: <y z>"},
		{"what begins a line as HTML would", "[a](\n<x>)", "p", "[a](\n<&#112;>)"},
		{"what begins a line as a list would", "> [a](\n> x\n> )", "-", "> [a](\n> \\-\n> )"},
		{"URL at a line's beginning", "[a](\n<x>)", "https://a.b", "[a](\n<https://a.b>)"},
		{"autolink", "<xx:y>", "https://a.b/c", "<https://a.b/c>"},
		{"e-mail autolink", "<a@b.c>", "mailto:d@e.f", "<mailto:d@e.f>"},
		{"autolink to a path", "<xx:y>", "/a/b_c", `[\/a\/b\_c](/a/b_c)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Parse(test.source)
			got := Apply(test.source, d.Edits, func(int) (string, bool) { return test.destination, true })
			if got != test.want {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			if again := Parse(got).Targets; len(again) != 1 || again[0].Destination != test.destination {
				t.Errorf("%q is read as %+v, want %q", got, again, test.destination)
			}
		})
	}
}

func TestApplyKeepsBytesThatMeanTheSame(t *testing.T) {
	for _, source := range []string{`[a](<x&amp;\*>)`, "[a]()", "[a](<>)", "<xx:y>", "<a@b.c>", "[a]: &#x41;\n"} {
		d := Parse(source)
		got := Apply(source, d.Edits, func(i int) (string, bool) { return d.Targets[i].Destination, true })
		if got != source {
			t.Errorf("got %q, want %q", got, source)
		}
	}
}

func TestApplyResolvesEveryTargetOnce(t *testing.T) {
	source := "[r] [r] [a](x) ![r]\n\n[r]: y\n"
	d := Parse(source)
	asked := map[int]int{}
	Apply(source, d.Edits, func(i int) (string, bool) { asked[i]++; return "z", true })
	if len(asked) != 2 || asked[0] != 1 || asked[1] != 1 {
		t.Errorf("asked %v", asked)
	}
}
