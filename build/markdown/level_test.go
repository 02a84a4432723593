package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHeadingsOfALevelledTextAreThoseOfItsHTML(t *testing.T) {
	for source, want := range map[string]string{
		"# One\n\n## Two\n":                     "## One\n\n### Two\n",
		"### A ###\n\n##### B":                  "## A ###\n\n### B",
		"## A\n\n- b\n":                         "## A\n\n- b\n",
		"```\n# no heading\n```\n\n    # none":  "```\n# no heading\n```\n\n    # none",
		"# A\n\n```sh\n# no heading\n```\n# B":  "## A\n\n```sh\n# no heading\n```\n## B",
		"One \n===\n\nTwo\n---\n":               "## One\n\n### Two\n",
		"Two\n---\n":                            "Two\n---\n",
		"> C\n> =\n\n- # D\n\n  e\n":            "> C\n> =\n\n- ## D\n\n  e\n",
		"One\nand more\n===\n":                  "One\nand more\n===\n",
		"One #\n===":                            "One #\n===",
		"[r]: https://a.example\nOne\n===\n[r]": "[r]: https://a.example\n## One\n[r]",
		"#\n\n# A\r\n":                          "#\n\n## A\r\n",
		"a #b\n\n#c\n":                          "a #b\n\n#c\n",
	} {
		if got := Levelled(source); got != want {
			t.Errorf("%q becomes %q, not %q", source, got, want)
		}
	}
}

func levelledHolds(t interface{ Fatalf(string, ...any) }, source string) {
	for line := range strings.Lines(source) {
		if strings.Trim(line, " \t\r\n>-=") == "" && strings.ContainsAny(line, "-=") {
			return // some that are underlined stay
		}
	}
	plain := func(source string) string { return strings.Join(strings.Fields(ToHTML(source, asIs)), " ") }
	levelled := Levelled(source)
	if plain(source) != plain(levelled) {
		t.Fatalf("%q is another text than %q:\n%s\n%s", levelled, source, plain(source), plain(levelled))
	}
	if again := Levelled(levelled); again != levelled {
		t.Fatalf("%q, levelled again, is %q, not %q", source, again, levelled)
	}
}

func TestALevelledTextIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { levelledHolds(t, wild(t)) })
}

func FuzzLevelled(f *testing.F) {
	for _, seed := range []string{"# a\n\nb\n===\n", "> - # a\n", "a\n-\n\n#\t#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if Parse(source).Excess != nil {
			t.Skip("too costly, which is a mistake of the content")
		}
		levelledHolds(t, source)
	})
}
