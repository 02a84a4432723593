package text

import (
	"strings"
	"testing"
)

func TestNegationsInATextAreFound(t *testing.T) {
	for _, one := range []struct {
		language, said, word string
		absent               bool
	}{
		{"en", "works without the internet", "internet", true}, {"en", "needs the internet", "internet", false}, {"en", "no internet is needed", "internet", true},
		{"en", "sugar free drink", "sugar", true}, {"en", "sugar-free", "sugar", true}, {"en", "does not need a database", "database", true}, {"en", "without a fan, over wifi", "wifi", false},
		{"en", "without ads, trackers or cookies", "ads", true}, {"en", "not cheap but electric", "electric", false}, {"en", "no fuss. the internet", "internet", false},
		{"en", "snacks free of gluten", "snacks", false}, {"en", "snacks free of gluten", "gluten", true}, {"en", "not only the internet", "internet", false},
		{"en", "without one of the many things that need power", "power", false}, {"en", "free internet", "internet", false}, {"en", "internet, free", "internet", false},
		{"de", "funktioniert ohne Internet", "internet", true}, {"fr", "sans abonnement", "abonnement", true}, {"de", "frei von zucker", "zucker", true}, {"fr", "pas d’alcool", "alcool", true},
		{"", "without sugar", "sugar", true}, {"ja", "without sugar", "sugar", true}, {"en", "ohne Zucker", "zucker", false},
		// In scripts without spaces, pairs of letters overlap.
		{"en", "without 東京特許", "東京", true}, {"ja", "東京特許許可局, not cheap", "東京", false}, {"en", "no ¼ inch bolts", "bolts", true},
	} {
		l := NewLanguage(nil, nil).AskIn(one.language)
		list := Tokens(nil, one.said)
		absent := l.Absent(one.said, list)
		for i, token := range list {
			if token.Text == one.word && (absent != nil && absent[i]) != one.absent {
				t.Errorf("%s %q: %s is absent: %t", one.language, one.said, one.word, !one.absent)
			}
		}
	}
}

func TestValuesThatDenyAnAttributeAreFound(t *testing.T) {
	l := NewLanguage(nil, nil).AskIn("de")
	for value, want := range map[string]bool{
		"no": true, "None": true, "-": true, "n/a": true, "nein": true, "keine": true, "ohne": true, "not included": true, "false": true,
		"false alarms": false, "red": false, "free": false, "only outdoors": false, "Norway": false,
	} {
		if got := l.Denies(Tokens(nil, value)); got != want {
			t.Errorf("%q says no: %t", value, got)
		}
	}
}

func TestNegationsAreFoundInEveryLanguage(t *testing.T) {
	for line := range strings.Lines(denials) {
		tag, _, _ := strings.Cut(line, " ")
		if tag = strings.TrimSpace(tag); tag != "" && tag != "#" && len(newDenials(tag)) == 0 {
			t.Errorf("%q", line)
		}
	}
}
