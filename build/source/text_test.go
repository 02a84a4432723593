package source

import (
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/internal/markdown"
	"souk/build/kit/rendition"
)

// Without a limit, each of these takes many minutes.
func TestMarkdownThatIsTooCostlyIsAMistakeWithAPosition(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{articleAt, article("Before.\n\n" + strings.Repeat("[a](", 60_000)),
			`from here on, there are too many "[" in one paragraph (close each, write \[ for the character itself, and use more paragraphs)`},
		{productAt, product("") + strings.Repeat("> - ", 60_000), "lists or quotes are nested too deeply (use fewer levels)"},
		{articleAt, article("[a]: https://e.example/ \"" + strings.Repeat("t", 100_000) + "\"\n\n" + strings.Repeat("[a]\n\n", 5000)),
			"from here on, a link definition is too long for the number of its uses (shorten its address and title)"},
		{articleAt, article("Before.\n\n" + strings.Repeat("![](a) ", 30_000)), "links and other marks (split it into several texts)"},
		{"marketplace.md", "---\nname: M\nsiteUrl: https://m.example\n---\n" + strings.Repeat("*a ", 60_000), `there are too many "*" in one paragraph`},
	} {
		start := time.Now()
		problems := read(tt.file, []byte(tt.text), rendition.Open("")).Problems
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", tt.file, took)
		}
		if len(problems) != 1 || !strings.Contains(problems[0].String(), tt.want) || problems[0].Warning || problems[0].Line < 5 || problems[0].Column < 2 {
			t.Errorf("%s: %.300s", tt.file, problems)
		}
	}
}

// Counting lines and columns again for each link would take minutes here.
func TestPositionsOfManyLinksAreFoundInOnePass(t *testing.T) {
	const links = 14_000
	start := time.Now()
	r := read(articleAt, []byte(article(strings.Repeat("[ä](seller:acme) ", links))), rendition.Open(""))
	text := r.Item.Common().Description
	if len(r.Problems) != 0 || len(text.Targets) != links || text.Targets[links-1].At.Line != 5 || text.Targets[links-1].At.Column != 17*(links-1)+5 {
		t.Fatalf("%d targets, %v", len(text.Targets), r.Problems)
	}
	markdown.Apply(text.Source, text.Edits, func(int) (string, bool) { return "https://market.example/companies/acme", true })
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

func TestAnAmountKeepsItsDigitsAsWritten(t *testing.T) {
	for _, written := range []string{"149.00", `"149.00"`, "'149.00'", "0.10", "12345678901234567890.1234567890123456789", "7"} {
		r := read(productAt, []byte(product("price: {amount: "+written+", currency: EUR}")), rendition.Open(""))
		if len(r.Problems) != 0 {
			t.Fatalf("%s: %v", written, r.Problems)
		}
		if got := r.Item.(*catalog.Offer).Price.Amount; got != strings.Trim(written, `"'`) {
			t.Errorf("%s became %s", written, got)
		}
	}
}

func TestManyPiecesOfHTMLAreReportedInAFewLines(t *testing.T) {
	problems := read(articleAt, []byte(article(strings.Repeat("a <b>\n", 1000))), rendition.Open("")).Problems
	if len(problems) != maxHTML+1 || problems[maxHTML].String() != articleAt+":25:3: raw HTML, here and in 979 more places (write it in Markdown)" {
		t.Errorf("%d problems, the last %v", len(problems), problems[len(problems)-1])
	}
}

func TestWebAddressesNeedAValidHost(t *testing.T) {
	for _, text := range []string{
		"https://acme.example", "HTTP://ACME.example:8080/a?b#c", "http://localhost", "http://acme.example.", "https://acme.example:/", "https://acme.example:65535",
		"https://bücher.example", "https://b%C3%BCcher.example", "https://xn--bcher-kva.example", "https://例え.テスト", "https://مثال.example", "https://نامه\u200cای.example",
		"https://i❤.example", "https://my_host.example", "https://-a-.example", "https://r3---sn-a.example", "https://123.example", "http://192.168.0.1:9000",
		"http://[::1]:8080", "https://[2001:db8::1]/a", "https://user@acme.example",
	} {
		if !IsWebAddress(text) {
			t.Errorf("%q is refused", text)
		}
	}
	for _, text := range []string{
		"https://", "https://.", "https://..", "https://a..b", "https://.a", "https://acme.example..", "https://acme.example:65536", "https://acme.example:99999", "https://a:b",
		"https://ac\u200bme.example", "https://ac%E2%80%8Bme.example", "https://acme\u00ad.example", "https://\u202eacme.example", "https://a\ufeff.example", "https://a\u200db.example",
		"https://" + strings.Repeat("a", 64) + ".example", "https://" + strings.Repeat("a.", 127) + "example", "https://xn--a.example", "https://a\ufffd.example",
		"https://1.2.3", "https://999.1.1.1", "https://[1.2.3.4]", "https://[::g]", "acme.example", "ftp://acme.example",
	} {
		if IsWebAddress(text) {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestAPictureInATextUsesTheAltOfItsMedia(t *testing.T) {
	const media = "media: [{file: media/arm-7.svg, alt: The arm lifts a crate}, {file: media/plan.svg, alt: plan}, {url: 'https://acme.example/a.png?b=c', alt: A *new* arm}]"
	for written, want := range map[string]string{
		"![](media/arm-7.svg)":                                  "![The arm lifts a crate](media/arm-7.svg)",
		"![ ](media/arm-7.svg)":                                 "![The arm lifts a crate](media/arm-7.svg)",
		"![arm-7.svg](media/arm-7.svg)":                         "![The arm lifts a crate](media/arm-7.svg)",
		"![Arm 7](<./media/arm-7.svg>)":                         "![The arm lifts a crate](<./media/arm-7.svg>)",
		"![ARM_7](media/arm%2D7.svg \"Ours\")":                  "![The arm lifts a crate](media/arm%2D7.svg \"Ours\")",
		"[![…](media/arm-7.svg)](seller:acme)":                  "[![The arm lifts a crate](media/arm-7.svg)](seller:acme)",
		"![](https://acme.example/a.png?b=c)":                   "![A \\*new\\* arm](https://acme.example/a.png?b=c)",
		"![](media/arm-7.svg) and\n![the arm](media/arm-7.svg)": "![The arm lifts a crate](media/arm-7.svg) and\n![the arm](media/arm-7.svg)",
		"![The crate](media/arm-7.svg)":                         "![The crate](media/arm-7.svg)",
		"[](media/arm-7.svg)":                                   "[](media/arm-7.svg)",
		"![](media/plan.svg)":                                   "![](media/plan.svg)", // which has no alternative text of its own
		"![](media/other.svg)":                                  "![](media/other.svg)",
		"`![](media/arm-7.svg)`":                                "`![](media/arm-7.svg)`",
		strings.Repeat("![](media/arm-7.svg)", MaxMarkdown/40):  "",
	} {
		for file, text := range map[string]string{
			articleAt: "---\ntitle: News\n" + media + "\n---\n" + written, productAt: product(media) + written,
		} {
			r := read(file, []byte(text), rendition.Open(""))
			text := r.Item.Common().Description
			if len(text.Source) > MaxMarkdown || want != "" && text.Source != want {
				t.Errorf("%s: %.100q is read as %.100q, want %q; %v", file, written, text.Source, want, r.Problems)
			}
			// Everything else in the text is unchanged.
			same := markdown.Apply(text.Source, text.Edits, func(i int) (string, bool) { return "https://m.example/new", true })
			if shown := strings.Count(same, "(https://m.example/new") + strings.Count(same, "<https://m.example/new>"); want != "" && shown != len(text.Targets) {
				t.Errorf("%s: with other addresses %q is %q", file, text.Source, same)
			}
			for _, p := range r.Problems {
				if p.Warning && strings.Contains(p.Text, "has no alt") != strings.Contains(text.Source, "![](") {
					t.Errorf("%s: %q: %v", file, written, p)
				}
			}
		}
	}
}
