package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPicturesGetOtherAlternativeTexts(t *testing.T) {
	for _, one := range []struct{ source, want string }{
		{"![](a)", `![A \[new\] \*arm\*](a)`},
		{"![x](a)", `![A \[new\] \*arm\*](a)`},
		{"![x\ny](<a> 'T') and ![](a)", `![A \[new\] \*arm\*](<a> 'T') and ![A \[new\] \*arm\*](a)`},
		{"| a |\n|---|\n| ![x](a) |\n", "| a |\n|---|\n| ![A \\[new\\] \\*arm\\*](a) |\n"},
		{"- [![x](a)](b)", `- [![A \[new\] \*arm\*](a)](b)`},
		{"![x](b)", "![x](b)"},
		{"[x](a)", "[x](a)"},
		{"![x [y](b)](a)", "![x [y](b)](a)"},
		{"![x][a]\n\n[a]: a", "![x][a]\n\n[a]: a"},
		{"`![x](a)`", "`![x](a)`"},
		{"", ""},
	} {
		d := Parse(one.source)
		alts := map[int]string{}
		for i, target := range d.Targets {
			if target.Destination == "a" {
				alts[i] = "A [new]\n *arm*"
			}
		}
		if got := WithAlts(one.source, d, alts); got != one.want {
			t.Errorf("%q becomes %q, want %q", one.source, got, one.want)
		}
	}
}

func TestAlternativeTextsAreEscaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alt := rapid.StringOf(rapid.SampledFrom([]rune("a 1.-!\"#$%&'()*+,/:;<=>?@[\\]^_`{|}~é\n"))).Draw(t, "alt")
		source := rapid.SampledFrom([]string{"![](m)", "Text ![x](m), and\n> ![](m) more", "1. ![x](m)\n\n# ![](m)\n"}).Draw(t, "source")
		d := Parse(source)
		alts := map[int]string{}
		for i := range d.Targets {
			alts[i] = alt
		}
		again := Parse(WithAlts(source, d, alts))
		if len(again.Targets) != len(d.Targets) {
			t.Fatalf("%q has %d targets with %q, not %d", source, len(again.Targets), alt, len(d.Targets))
		}
		for _, target := range again.Targets {
			if want := strings.Join(strings.Fields(alt), " "); target.Alt != want || target.Destination != "m" {
				t.Fatalf("%q becomes %q in %q", want, target.Alt, source)
			}
		}
	})
}
