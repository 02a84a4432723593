package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// plural is a language whose stemmer strips an s.
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

func TestQueryWordsAreMarkedInAllTheirForms(t *testing.T) {
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

func TestAPassageContainsMostOfTheQuery(t *testing.T) {
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

func TestPassagesHaveALimitedLength(t *testing.T) {
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
		// A passage has the same marks as its text alone.
		if got, want := marked(p.Text, p.Marks), marked(p.Text, a.Marks(p.Text)); !slices.Equal(got, want) {
			t.Fatalf("%q marked %q, want %q", p.Text, got, want)
		}
	})
}

func BenchmarkPassageOfALongText(b *testing.B) {
	text := strings.Repeat("Some words of a long text, that nobody asked for, and which goes on for quite a while. ", 90)
	a := words("robot", "arm", "while", "anybody", "quiet")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.Passage(text, 200)
	}
}
