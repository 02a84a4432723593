package theme

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestContrastFollowsTheGuidelines(t *testing.T) {
	// Values from WCAG's own examples and contrast checkers.
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#767676", "#ffffff", 4.54}, {"#777777", "#ffffff", 4.48}, {"#ff0000", "#ffffff", 4}} {
		if got := Contrast(c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("the contrast of %s and %s is %.3f, not %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestBackgroundsMatchTheStyleSheet(t *testing.T) {
	data, err := os.ReadFile("../../../templates/site/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, _ := strings.Cut(string(data), "prefers-color-scheme: dark")
	for _, c := range []struct{ in, name, colour string }{
		{light, "ground", lightGround}, {light, "card", lightCard}, {dark, "ground", darkGround}, {dark, "card", darkCard},
	} {
		short := strings.Replace(c.colour, "#ffffff", "#fff", 1)
		if !strings.Contains(c.in, "--"+c.name+": "+short+";") {
			t.Errorf("--%s is not %s", c.name, c.colour)
		}
	}
}

func TestTheLookForAFrameEqualsTheSystems(t *testing.T) {
	data, err := os.ReadFile("../../../templates/site/style.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := func(css string) []string {
		return regexp.MustCompile(`--(?:ground|card|ink|soft|line|tint|accent|accent-strong|on-accent|warm|shade): [^;]*;`).FindAllString(css, -1)
	}
	block := func(css, after string) string {
		_, rest, _ := strings.Cut(css, after)
		body, _, _ := strings.Cut(rest, "}")
		return body
	}
	css := string(data)
	for _, c := range []struct{ system, frame string }{
		{":root {", `:root[data-theme="light"] {`}, {"prefers-color-scheme: dark) {\n  :root {", `:root[data-theme="dark"] {`},
	} {
		if want, got := colours(block(css, c.system)), colours(block(css, c.frame)); len(want) != 11 || !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", c.frame, got, want)
		}
	}
	look := Theme{Accent: "#0b6e4f"}.Look()
	if !strings.Contains(block(look, `:root[data-theme="light"] {`), "--accent: #0b6e4f;") || !strings.Contains(block(look, `:root[data-theme="dark"] {`), "--accent: "+lit("#0b6e4f")+";") {
		t.Errorf("a frame does not take the accent: %s", look)
	}
}

func colours() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("#%06x", rapid.IntRange(0, 0xffffff).Draw(t, "colour"))
	})
}

// For any accent, derived colors are readable. Configured colors are readable too, or there
// is a warning that suggests one.
func TestTextIsReadableInAnyAccent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		accent := colours().Draw(t, "accent")
		for _, s := range []scheme{lightScheme(accent), darkScheme(accent)} {
			if c := Contrast(s.on, s.accent); c < aa {
				t.Errorf("text on %s has a contrast of %.2f", accent, c)
			}
		}
		if c := darkScheme(lit(accent)).least(darkGround, darkCard); c < aa {
			t.Errorf("%s lit to %s has a contrast of %.2f on the dark ground", accent, lit(accent), c)
		}
		for _, dark := range []bool{false, true} {
			if _, meant, ok := Dim(accent, dark); !ok {
				better, _, _ := strings.Cut(meant, " ")
				if _, _, ok := Dim(better, dark); !ok {
					t.Errorf("for %s %s is proposed, which cannot be read either", accent, better)
				}
			}
		}
	})
}

func TestColoursAreHexadecimal(t *testing.T) {
	for text, want := range map[string]string{"#0B5c4a": "#0b5c4a", "#fa0": "#ffaa00", "red": "", "0b5c4a": "", "#12345": "", "#1234567": "", "#12345g": "", "": ""} {
		if got, ok := ParseColour(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v", text, got, ok)
		}
	}
}

func TestThemeFilesAreReadOrRejected(t *testing.T) {
	for _, c := range []struct{ file, data, want string }{
		{"style.css", "a\xff", "0:0 the file is not UTF-8"},
		{"more.css", "a {}", "0:0 a theme has only one style sheet"},
		{"a/style.css", "a {}", "0:0 it is in a folder"},
		{"a/product.html.tmpl", "", "0:0 it is in a folder"},
		{"product.html.tmpl", "{{", ""}, // it is parsed with the others
		{"style.css", "@import", ""},    // and so is this
		{"script.js", "alert(1)", "0:0 a theme has no such file"},
		{"a.woff2", "wOF2 and so on", ""},
		{"a.woff2", "wOFF and so on", "0:0 this is not a WOFF2 font"},
		{"logo.png", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`, "0:0 the file is image/svg+xml"},
		{"logo.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`, ""},
		{"logo.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="x()"/>`, ""},
		{"logo.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><style>a b{}</style></svg>`, "1:66 the selector"},
	} {
		kept, faults := Read(c.file, []byte(c.data))
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Text)
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" || (kept == "") != (c.want != "") {
			t.Errorf("%s %q is kept as %q, and said is %q, not %q", c.file, c.data, kept, got, c.want)
		}
	}
}

func TestIgnoredMarkupInTemplatesGetsAWarning(t *testing.T) {
	for text, want := range map[string]string{
		`<footer>` + "\n" + `<script src="https://counter.example/c.js" async></script></footer>`: "2:1 no browser runs this script",
		`<script>count()</script>`:                                                               "1:1 no browser runs this script",
		`<a href="/" onclick="count()">a</a>`:                                                    "1:1 no browser runs this script",
		`<link rel="stylesheet" href="https://fonts.example/a.css">`:                             "1:1 no browser loads this style sheet",
		`<style>a{}</style>`:                                                                     "1:1 no browser heeds this style",
		`<p class="a" style="color: red">a</p>`:                                                  "1:1 no browser heeds this style",
		`<iframe src="https://video.example/1"></iframe>`:                                        "1:1 no browser shows this",
		`<form method="post" action="https://letters.example/join">`:                             "1:1 no browser sends this form to another site",
		"<!-- <script>a()</script>\n-->{{- /* <p style=\"a\"> */ -}}<style>a{}</style>":          "2:31 no browser heeds this style",
		`<script src="{{ script }}" defer></script><link rel="stylesheet" href="{{- style -}}">`: "",
		`<object type="image/svg+xml" data="{{.}}#all"></object>`:                                "",
		`<script type="application/json">{}</script>`:                                            "",
		`<form action="{{at "/search"}}"><input name="q"></form>`:                                "",
		`<p>style = on = 3 <b>on</b></p><img src="https://a.example">`:                           "",
	} {
		kept, faults := Read("_foot.html.tmpl", []byte(text))
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Text)
			if !f.Warning {
				t.Errorf("%s is a mistake", text)
			}
		}
		if kept != text || !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("of %s is said %q, not %q", text, got, want)
		}
	}
}

func TestOurTemplatesContainNothingBarred(t *testing.T) {
	var all []string
	for _, pattern := range []string{"../../../templates/site/*.html.tmpl", "../../../docs/themes/*/*.html.tmpl"} {
		files, _ := filepath.Glob(pattern)
		all = append(all, files...)
	}
	if len(all) < 20 {
		t.Fatalf("there are %d templates", len(all))
	}
	for _, file := range all {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, faults := Read(filepath.Base(file), data); len(faults) > 0 {
			t.Errorf("of %s is said %v", file, faults)
		}
	}
}

func TestAnUnmatchedBraceGetsAWarning(t *testing.T) {
	for text, want := range map[string]string{
		"a { color: red }\n@media print { b { c: d } }\n/* { */ e::before { content: \"}\" } f { g: url(}.svg) } h\\} { i: j }": "",
		"a { color: red;\nb { c: d }\n":             "1:3 this { is not closed",
		"@media print {\n b { c: d }\ne { f: g }\n": "1:14 this { is not closed",
		"a { color: red } }\nb { c: d }\n":          "1:18 no { belongs to this }",
	} {
		kept, faults := Read(StyleFile, []byte(text))
		got := ""
		for _, f := range faults {
			if got += fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Text); !f.Warning {
				t.Errorf("%q is a mistake", text)
			}
		}
		if kept != text || !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("of %q is said %q, not %q", text, got, want)
		}
	}
	for _, file := range []string{"../../../templates/site/style.css", "../../../docs/themes/harbour/style.css"} {
		data, err := os.ReadFile(file)
		if _, faults := Read(StyleFile, data); err != nil || len(faults) > 0 {
			t.Errorf("of %s is said %v, %v", file, faults, err)
		}
	}
}

func TestAllFaultsOfAStyleSheetAreReported(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a { background: url( 'paper.svg' ) } /* url(//x) */ b::before { content: 'url(//x) @import' }", ""},
		{"a { background: url(data:image/png;base64,AA==) } b { fill: url(#a) }", ""},
		{"\n a { background: url(https://x.example/a.png) }", "2:22 url(https://x.example/a.png) leads out of the theme"},
		{"a { background: url(//x.example/a.png) }", "1:21 url(//x.example/a.png) leads out of the theme"},
		{"a { background: url(/media/a.png) }", "1:21 url(/media/a.png) leads out of the theme"},
		{"a { background: URL(\"data:text/html,x\") }", "1:21 url(data:text/html,x) leads out of the theme"},
		{`@import "x.css";`, "1:1 @import loads another style sheet"},
		{`a { background: u\72l(//x) }`, "1:18 a name or an address is written with a backslash"},
		{`a { background: u\rl(//x) }`, "1:18 a name or an address is written with a backslash"},
		{`a { background: url(//x\29 y) }`, "1:24 a name or an address is written with a backslash"},
		{`a { background: url("x" y) }`, "1:21 the address is written with quotes"},
		{`a { background: image-set("//x" 1x) }`, "1:17 image-set() is not supported"},
		{"a { b: url(https://evil.example/x.png) }\nc { d: url(none.svg) }", `1:12 url(https://evil.example/x.png) leads out of the theme, 2:12 there is no file "none.svg" in the theme`},
	} {
		look := Theme{Files: map[string]string{"style.css": c.text, "paper.svg": "1"}}
		_, faults := look.Style(func(string) string { return "" })
		var got []string
		for _, f := range faults {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Text))
		}
		if told := strings.Join(got, ", "); told != c.want {
			t.Errorf("of %q is said %q, not %q", c.text, told, c.want)
		}
	}
}

func TestAStyleSheetUsesTheAddressesOfItsFiles(t *testing.T) {
	look := Theme{Files: map[string]string{"style.css": "a{b:url(x.svg)}c{d:url('y/z.svg')}e{f:url(#g)}", "x.svg": "1", "y/z.svg": "2"}}
	css, faults := look.Style(func(file string) string { return "<" + file + ">" })
	if want := "a{b:url(<x.svg>)}c{d:url(<y/z.svg>)}e{f:url(#g)}"; css != want || len(faults) > 0 {
		t.Errorf("it is %s, %v, not %s", css, faults, want)
	}
	delete(look.Files, "x.svg")
	if _, faults := look.Style(func(string) string { return "" }); len(faults) != 1 || faults[0].Column != 9 {
		t.Errorf("a file is missing, and said is %v", faults)
	}
}

func FuzzStyleSheet(f *testing.F) {
	for _, seed := range []string{"a{b:url(x)}", `url("`, "/*", "@import", "url('\n", `"\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, faults := references(text)
		at := 0
		for _, r := range all {
			if r.From < at || r.To < r.From || r.To > len(text) {
				t.Fatalf("references overlap or leave the text: %v", all)
			}
			at = r.To
		}
		for _, f := range faults {
			if f.Line < 1 || f.Column < 1 {
				t.Fatalf("a fault is nowhere: %v", f)
			}
		}
	})
}
