package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// show returns what Parse found, one line per target, with its edits as they are in the
// source and "‹›" around the destination.
func show(source string) string {
	d := Parse(source)
	var b strings.Builder
	for i, t := range d.Targets {
		fmt.Fprintf(&b, "%s @%d", t.Destination, t.Offset)
		if t.Image {
			fmt.Fprintf(&b, " picture %q", t.Alt)
		}
		b.WriteString(":")
		for _, e := range d.Edits {
			switch {
			case e.Target != i || e.Start == e.End:
			case e.DestStart == e.Start:
				fmt.Fprintf(&b, " %q", source[e.Start:e.End])
			default:
				fmt.Fprintf(&b, " %q", source[e.Start:e.DestStart]+"‹"+source[e.DestStart:e.DestEnd]+"›"+source[e.DestEnd:e.End])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

var linkTests = []struct{ name, source, want string }{
	{"inline", "[Acme](seller:acme)", `seller:acme @7: "[" "](‹seller:acme›)"`},
	{"title", `a [b](x:y "T (t)") c`, `x:y @6: "[" "](‹x:y› \"T (t)\")"`},
	{"angle brackets", `[b](<x y> 'T')`, `x y @5: "[" "](<‹x y›> 'T')"`},
	{"spaces around", "[b](  x  )", `x @6: "[" "](  ‹x›  )"`},
	{"no destination", "[b]()", ` @4: "[" "](‹›)"`},
	{"empty angle brackets", "[b](<>)", ` @5: "[" "](<‹›>)"`},
	{"no text", "[](x)", `x @3: "[" "](‹x›)"`},
	{"parentheses", "[b](x(y)z)", `x(y)z @4: "[" "](‹x(y)z›)"`},
	{"escapes and entities", `[b](x\)&auml;&#33;&#x21;\&amp;)`, `x)ä!!&amp; @4: "[" "](‹x\\)&auml;&#33;&#x21;\\&amp;›)"`},
	{"brackets in the text", `[a [b] \] c](x)`, `x @13: "[" "](‹x›)"`},
	{"emphasis around and inside", "*a **[b *c*](x)***", `x @13: "[" "](‹x›)"`},
	{"picture", `![A *fine* ` + "`co de`" + ` &amp; \* pic](media/x.png)`, `media/x.png @33 picture "A fine co de & * pic": "![" "](‹media/x.png›)"`},
	{"picture in a link", "[![alt](m.png)](x:y)",
		"m.png @8 picture \"alt\": \"![\" \"](‹m.png›)\"\nx:y @16: \"[\" \"](‹x:y›)\""},
	{"link in a picture's text", "![a [b](x) c](m)",
		"x @8: \"[\" \"](‹x›)\"\nm @14 picture \"a b c\": \"![\" \"](‹m›)\""},
	{"escaped picture mark", `\![b](x)`, `x @6: "[" "](‹x›)"`},
	{"autolink", "see <seller:acme>.", `seller:acme @5: "<‹seller:acme›>"`},
	{"autolink takes no escapes", `<xx:a\*&amp;b>`, `xx:a\*&amp;b @1: "<‹xx:a\\*&amp;b›>"`},
	{"e-mail autolink", "<me@example.com>", `mailto:me@example.com @1: "<‹me@example.com›>"`},
	{"full reference", "[b][Ref]\n\n[ref]: x:y\n", `x:y @17: "[" "][Ref]" "[ref]: ‹x:y›\n"`},
	{"collapsed reference", "[ref][]\n\n[ref]: x:y\n", `x:y @16: "[" "][]" "[ref]: ‹x:y›\n"`},
	{"shortcut reference", "[ref]\n\n[ref]: x:y\n", `x:y @14: "[" "]" "[ref]: ‹x:y›\n"`},
	{"several uses of one definition", "[ref] ![Pic][ref] [a][ref]\n\n  [ref]: <x:y> 'T'",
		`x:y @38 picture "Pic": "[" "]" "![" "][ref]" "[" "][ref]" "  [ref]: <‹x:y›> 'T'"`},
	{"definition over lines", "[ref]:\n   x:y\n  'T\nt'\nmore\n", `x:y @10: "[ref]:\n   ‹x:y›\n  'T\nt'\n"`},
	{"what looks like a title but is text", "[ref]: x:y\n'T' t\n", `x:y @7: "[ref]: ‹x:y›\n"`},
	{"definition with an empty destination", "[ref]\n\n[ref]: <>\n", ` @15: "[" "]" "[ref]: <‹›>\n"`},
	{"unused definition", "text\n\n[ref]: x:y", `x:y @13: "[ref]: ‹x:y›"`},
	{"second definition of a label", "[ref]\n\n[ref]: x:y\n[REF]: x:z\n",
		"x:y @14: \"[\" \"]\" \"[ref]: ‹x:y›\\n\"\nx:z @25: \"[REF]: ‹x:z›\\n\""},
	{"definition in a quote", "> [ref]: x:y\n", `x:y @9: "[ref]: ‹x:y›"`},
	{"definition before text in a quote", "> [ref]: x:y\n> text\n", `x:y @9: "[ref]: ‹x:y›\n> "`},
	{"definition over lines in a quote", "> [ref]:\n> x:y\n> 'T'\n>\n> text\n", `x:y @11: "[ref]:\n> ‹x:y›\n> 'T'"`},
	{"definition in a list", "- [ref]: x:y\n\n  [ref]", `x:y @9: "[ref]: ‹x:y›" "[" "]"`},
	{"link over lines in a quote", "> a [b\n> c](\n> x:y\n> \"T\n> t\"\n> ) d", `x:y @15: "[" "](\n> ‹x:y›\n> \"T\n> t\"\n> )"`},
	{"link over lines in a list", "1. a [b](\n   x:y) d", `x:y @13: "[" "](\n   ‹x:y›)"`},
	{"reference over lines in a quote", "> a [b][my\n> ref] d\n\n[my ref]: x", `x @31: "[" "][my\n> ref]" "[my ref]: ‹x›"`},
	{"heading", "# [b](x) #\n\n[c](y)\n===\n", "x @6: \"[\" \"](‹x›)\"\ny @16: \"[\" \"](‹y›)\""},
	{"tabs", "-\t[b](x)\n\n\t[c](\ty\t)\n", "x @6: \"[\" \"](‹x›)\"\ny @16: \"[\" \"](\\t‹y›\\t)\""},
	{"line ends with a return", "> [b](\r\n> x:y)\r\n\r\n[ref]: z\r\n", "x:y @10: \"[\" \"](\\r\\n> ‹x:y›)\"\nz @25: \"[ref]: ‹z›\\r\\n\""},
	{"byte by byte, not UTF-8", "ä\xff[b\x00](x\xffy)", "x\xffy @8: \"[\" \"](‹x\\xffy›)\""},
	{"code span", "`[b](x)` `` <xx:y> ` ``", ""},
	{"code blocks", "    [b](x)\n\n```\n[b](x)\n<xx:y>\n```\n", ""},
	{"escaped brackets", `\[b](x) [b\](x) \<xx:y>`, ""},
	{"brackets without a definition", "[b] [c][d] [e][]", ""},
	{"inside a comment", "a <!-- [b](x) --> b", ""},
	{"a link around a link is text", "[a [b](x) c](y)", `x @7: "[" "](‹x›)"`},
	{"plain text", "Just a text, 1 > 0.", ""},
}

func TestParseFindsEveryKindOfLinkAndItsPosition(t *testing.T) {
	for _, test := range linkTests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.TrimSuffix(show(test.source), "\n"); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.source, got, test.want)
			}
			check(t, test.source)
		})
	}
}

func TestParseFindsRawHTML(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"block", "a\n\n  <div>\n\nb", "5:<div>"},
		{"block with its end", "<script>\nlet a\n</script>\n", "0:<script>\nlet a\n</script>"},
		{"block in a quote", "> <div>\n> a\n", "2:<div>\na"},
		{"inline", "a <b>c</b>", "2:<b> 6:</b>"},
		{"inline over lines in a quote", "> a <b\n> c='d'>", "4:<b\nc='d'>"},
		{"processing instruction", "a <?php b ?>", "2:<?php b ?>"},
		{"comment block", "<!-- a -->\n\n<!--\n\nb\n-->\n", "0:<!-- a --> 12:<!--\n\nb\n-->"},
		{"unfinished comment block", "<!-- a", "0:<!-- a"},
		{"inline comment", "a <!-- b --> c <!--> d <!---> e", "2:<!-- b --> 15:<!--> 23:<!--->"},
		{"what follows a comment", "<!-- a --> <b>", "0:<!-- a --> <b>"},
		{"autolink", "<xx:y> <a@b.c>", ""},
		{"code", "`<b>` \n\n    <b>\n", ""},
		{"less than", "1 < 2 and a<b", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, h := range Parse(test.source).HTML {
				got = append(got, fmt.Sprintf("%d:%s", h.Offset, h.Text))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("%q: got %q, want %q", test.source, got, test.want)
			}
		})
	}
}
