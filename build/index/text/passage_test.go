package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlainIsWhatAReaderReads(t *testing.T) {
	for source, want := range map[string]string{
		"# Title\n\nFirst *line* and __second__.\nThird `code` ~~gone~~.":               "Title First line and second. Third code gone.",
		"See [Acme](seller:acme), ![a picture](media/a.png) and <https://a.example/x>.": "See Acme, and .",
		"- one\n- two\n3. three\n> quoted":                                              "one two three quoted",
		"| a | b |\n|---|---|\n| 1 | 2 |":                                               "a b 1 2",
		"```go\nx := 5 * 3\n```\n":                                                      "x := 5 * 3",
		"snake_case stays, 5 * 3 too, 4 < 5 & 6 &lt; 7 &nbsp; 8":                        "snake_case stays, 5 * 3 too, 4 < 5 & 6 < 7 8",
		"[ref]: seller:acme\nText [ref][acme] at https://x.example/a.":                  "Text ref at",
		`\*no emphasis\*`:  "*no emphasis*",
		"":                 "",
		"***":              "",
		"Müsli, 工具\r\nund": "Müsli, 工具 und",
		"![open":           "open",
		"a](b":             "a(b",
		"R&amp\r\nD; E":    "R&amp D; E",
		"&&&#9;":           "&&",
	} {
		if got := Plain(source); got != want {
			t.Errorf("%q reads %q, want %q", source, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("# a [b](c) ![d](e) <f:g> &amp; *h* _i_\n```\nj\n")
	f.Fuzz(func(t *testing.T, source string) {
		got := Plain(source)
		if utf8.ValidString(source) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a character", got)
		}
		if strings.ContainsAny(got, "\n\t\r") || strings.HasPrefix(got, " ") || strings.HasSuffix(got, " ") {
			t.Errorf("%q is not on one line", got)
		}
	})
}

// plural is a language whose stemmer knows an s.
var plural = NewLanguage(func(word string) string { return strings.TrimSuffix(word, "s") }, nil)

func words(list ...string) *Asked {
	a := NewAsked(plural)
	for _, w := range list {
		a.Add(1, []string{w})
	}
	return a
}

func marked(text string, marks [][2]int) (list []string) {
	runes := []rune(text)
	for _, m := range marks {
		list = append(list, string(runes[m[0]:m[1]]))
	}
	return list
}

func TestAskedWordsAreMarkedInAllTheirForms(t *testing.T) {
	for _, one := range []struct {
		asked      []string
		text, want string
	}{
		{[]string{"robot", "arm"}, "Robots' arms, a ROBOT's charm", "Robots|arms|ROBOT"},
		{[]string{"musli"}, "Ein Müsli für alle", "Müsli"},
		{[]string{"muesli"}, "Ein Müsli für alle", "Müsli"},
		{[]string{"c++", "c"}, "C++ and C, not C# but c", "C++|C|c"},
		{[]string{"2.5"}, "2,5 mm is 2.5, not 25", "2,5|2.5"},
		{[]string{"5"}, "2.5 mm is not 5", "5"},
		{[]string{"c++", "f#"}, "C++11, F#5 and C++s", "C++|F#|C++"},
		{[]string{"dont", "s"}, "Robot's S, which don’t", "S|don’t"},
		{[]string{"工具"}, "产业用工具を交換", "工具"},
		{[]string{"robot"}, "a microrobot", ""},
	} {
		if got := strings.Join(marked(one.text, words(one.asked...).Marks(one.text)), "|"); got != one.want {
			t.Errorf("%q in %q: %q, want %q", one.asked, one.text, got, one.want)
		}
	}
}

func TestAPassageHasMostOfWhatWasAsked(t *testing.T) {
	filler := strings.Repeat("nothing of it is said here at all ", 12)
	text := filler + "a robot stands. " + filler + "The arm of the robot picks berries. " + filler
	p := words("robot", "arm", "berry").Passage(text, 80)
	if want := "at all The arm of the robot picks berries"; !strings.Contains(p.Text, want) || p.Weight != 2 {
		t.Errorf("%q weighs %v", p.Text, p.Weight)
	}
	if got := strings.Join(marked(p.Text, p.Marks), "|"); got != "arm|robot" {
		t.Errorf("%q is marked in %q", got, p.Text)
	}
	if !strings.HasPrefix(p.Text, "…") || !strings.HasSuffix(p.Text, "…") {
		t.Errorf("%q does not tell that it is cut", p.Text)
	}
	if p := words("zebra").Passage(text, 80); p.Text != "" || p.Marks != nil {
		t.Errorf("nothing is found as %+v", p)
	}
	if p := words("robot").Passage("A robot.", 80); p.Text != "A robot." {
		t.Errorf("a short text becomes %q", p.Text)
	}
}

func TestPassagesAreAtMostAsLongAsTheyMayBe(t *testing.T) {
	vocabulary := []string{"robot", "arms", "a", "Müsli", "工具工具", "nothingatall", "2.5", "e\u0301te", "…"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 120).Draw(t, "text"), rapid.SampledFrom([]string{" ", ", "}).Draw(t, "by"))
		a := words(rapid.SliceOfN(rapid.SampledFrom([]string{"robot", "arm", "musli", "工具", "2.5"}), 1, 3).Draw(t, "asked")...)
		p := a.Passage(text, 60)
		if n := utf8.RuneCountInString(p.Text); n > 60 {
			t.Fatalf("%d characters: %q", n, p.Text)
		}
		if len(a.Marks(text)) > 0 != (p.Text != "") {
			t.Fatalf("%q of %q", p.Text, text)
		}
		if bare := strings.TrimSuffix(strings.TrimPrefix(p.Text, "…"), "…"); !strings.Contains(text, bare) {
			t.Fatalf("%q is not in %q", bare, text)
		}
		// What is marked is what the passage alone would be marked with.
		if got, want := marked(p.Text, p.Marks), marked(p.Text, a.Marks(p.Text)); !slices.Equal(got, want) {
			t.Fatalf("%q marked %q, want %q", p.Text, got, want)
		}
	})
}

func TestAPassageOfMarkdownIsOneOfWhatAReaderReads(t *testing.T) {
	parts := []string{"robot", "**arms**", "a [robot](https://robot.example/arm) here", "![arm](arm.png)", "Müsli", "工具工具", "\n\n## Robots\n\n", "- one\n", "nothing of it", "`arm`", "https://arm.example/robot", strings.Repeat("filler ", 90), "3. arm"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "source"), " ")
		a := words(rapid.SliceOfN(rapid.SampledFrom([]string{"robot", "arm", "musli", "工具"}), 1, 3).Draw(t, "asked")...)
		whole, got := a.Passage(Plain(source), 80), a.MarkdownPassage(source, 80)
		if got.Weight < whole.Weight-0.01 && got.Weight == 0 {
			t.Fatalf("%q weighs %v, the whole has %q", got.Text, got.Weight, whole.Text)
		}
		if n := utf8.RuneCountInString(got.Text); n > 80 {
			t.Fatalf("%d characters: %q", n, got.Text)
		}
		if again := marked(got.Text, a.Marks(got.Text)); !slices.Equal(again, marked(got.Text, got.Marks)) {
			t.Fatalf("%q marked %q", got.Text, marked(got.Text, got.Marks))
		}
		if strings.Contains(got.Text, "](") || strings.Contains(got.Text, "example") || strings.Contains(got.Text, "png") {
			t.Fatalf("%q has an address", got.Text)
		}
	})
}

func BenchmarkPassageOfALongText(b *testing.B) {
	text := strings.Repeat("Some **words** of a [long](https://x.example) text, that nobody asked for, and which goes on for quite a while. ", 90)
	a := words("robot", "arm", "while", "anybody", "quiet")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.MarkdownPassage(text, 200)
	}
}
