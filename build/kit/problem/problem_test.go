package problem

import "testing"

func TestANameWithControlCharactersIsQuoted(t *testing.T) {
	for _, one := range []struct{ name, want string }{
		{"articles/a.md", "articles/a.md"},
		{"articles/größe und \"mehr\".md", "articles/größe und \"mehr\".md"},
		{"articles/a\x1b[31mRED.md", `"articles/a\x1b[31mRED.md"`},
		{"articles/a\nb.md", `"articles/a\nb.md"`},
		{"articles/a\u202eb.md", `"articles/a\u202eb.md"`},
		{"articles/a\xffb.md", `"articles/a\xffb.md"`},
	} {
		p := Problem{File: one.name, Line: 2, Text: "it is wrong", See: one.name + ":3:4"}
		see := one.want + ":3:4"
		if one.want != one.name {
			see = one.want[:len(one.want)-1] + `:3:4"`
		}
		if got, want := p.String(), one.want+":2:1: it is wrong (see "+see+")"; got != want {
			t.Errorf("%q is told as %s, not %s", one.name, got, want)
		}
	}
}
