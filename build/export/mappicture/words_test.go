package mappicture

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTextsBreakBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"Acme":                             "Acme",
		"Brass Wren Robotics":              "Brass Wren |Robotics",
		"text-generation-inference":        "text-generation-|inference",
		"Pneumonoultramicroscopicsilicon":  "Pneumonoultrami|croscopicsilicon",
		"株式会社ロボット製作所":                      "株式会社ロボット|製作所",
		"and one more word than two lines": "and one more |word than two li…",
		"":                                 "",
	} {
		all, _ := lines(text, 8000, 2)
		var got []string
		for _, l := range all {
			got = append(got, l.text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q is broken into %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
}

func TestAnyTextIsBrokenWithoutLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(anyText(t, "text"), "\uFFFD")
		limit, most := rapid.IntRange(1500, 20000).Draw(t, "limit"), rapid.IntRange(1, 4).Draw(t, "lines")
		all, whole := lines(text, limit, most)
		joined := ""
		for i, l := range all {
			joined += l.text
			if first, _ := utf8.DecodeRuneInString(l.text); i > 0 && clings('x', first) {
				t.Fatalf("%q begins in the middle of a character", l.text)
			}
			bare := strings.TrimRight(l.text, " ")
			if w := widthOf(bare); w > limit && characters(bare) > 1 {
				t.Fatalf("%q is %d wide, at most %d fit", l.text, w, limit)
			}
		}
		switch {
		case len(all) > most:
			t.Fatalf("%d lines, at most %d are wanted", len(all), most)
		case whole && joined != text:
			t.Fatalf("%q became %q", text, joined)
		case !whole && !strings.HasPrefix(text, strings.TrimSuffix(joined, ellipsis)):
			t.Fatalf("%q was shortened to %q", text, joined)
		}
	})
}

// characters returns how many characters a reader sees.
func characters(text string) (n int) {
	var before rune
	for i, r := range strings.TrimSuffix(text, ellipsis) {
		if i == 0 || !clings(before, r) {
			n++
		}
		before = r
	}
	return n
}

func widthOf(text string) (w int) {
	for _, r := range text {
		w += advance(r)
	}
	return w
}
