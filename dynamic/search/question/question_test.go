package question

import (
	"strings"
	"testing"

	"souk/build/index/text"
)

func TestEveryLanguageHasAllPhrases(t *testing.T) {
	for _, language := range []string{"en", "de", "fr", "es", "it", "nl"} {
		said := map[string]bool{}
		entries("languages/"+language+".txt", func(key, _ string) {
			r, _ := roleOf(key)
			said[roleNames[r]] = true
		})
		for key := range text.Denials(language) {
			said[key] = true
		}
		for _, r := range []role{
			under, over, atMost, atLeast, atMostBehind, atLeastBehind, less, more, than, between, or, and, but, located, near, outside, by,
			without, no, not, light, article, similar, like, alternatives, compare, comparedTo, versus, speaks, inLanguage, onsite, per, unitOf, services, products,
		} {
			if !said[roleNames[r]] {
				t.Errorf("%s has no phrase for %q", language, roleNames[r])
			}
		}
	}
}

func TestPhrasesAreInEnglishAndTheMarketsLanguage(t *testing.T) {
	for _, one := range []struct {
		tag, words string
		understood bool
	}{
		{"en", "at most", true}, {"en", "hochstens", false}, {"de-CH", "at most", true}, {"de-CH", "hochstens", true}, {"de", "hoechstens", true},
		{"fr", "hors d", true}, {"it", "hors d", false}, {"xx", "at most", true}, {"", "at most", true}, {"de", "lighter than", true}, {"nl", "of lichter", true},
	} {
		words, understood := strings.Fields(one.words), false
		for _, p := range NewTable(one.tag).phrases[words[0]] {
			understood = understood || strings.Join(p.words, " ") == one.words
		}
		if understood != one.understood {
			t.Errorf("%q in %q: understood %t", one.words, one.tag, understood)
		}
	}
}

func TestNumbersAreParsedInTheMarketsLanguage(t *testing.T) {
	for _, one := range []struct {
		tag, written string
		money        bool
		decimal      string
	}{
		{"en", "1500", false, "1500"}, {"de", "1500", false, "1500"}, {"en", "1,000.50", false, "1000.50"}, {"de", "1.000,50", false, "1000.50"}, {"en", "1.000,50", false, "1000.50"},
		{"en", "1,500", false, "1500"}, {"de", "1,500", false, "1.500"}, {"en", "1.500", false, "1.500"}, {"de", "1.500", false, ""}, {"de", "1.500", true, "1500"}, {"en", "1.500", true, "1500"},
		{"en", "2,5", false, "2.5"}, {"de", "2,5", true, "2.5"}, {"de-CH", "10'000", false, "10000"}, {"fr", "10\u202f000", false, "10000"},
		{"en", "1,00,000", false, ""}, {"en", "123456789012345678901", false, ""}, {"ar", "٥٠٠", true, "500"}, {"ar", "٢٫٥", false, "2.5"}, {"fa", "۱۲۳۴", true, "1234"}, {"ja", "５０００", true, "5000"}, {"hi", "१०", false, "10"},
	} {
		decimal, ok := NewTable(one.tag).Decimal(one.written, one.money)
		if ok != (one.decimal != "") || ok && decimal != one.decimal {
			t.Errorf("%s in %q, money %t: %q, %t", one.written, one.tag, one.money, decimal, ok)
		}
	}
}

func TestPiecesDistinguishWordsNumbersAndSigns(t *testing.T) {
	for text, want := range map[string]string{
		"under 50 EUR": "under|#50|eur", "50kg": "#50|kg", "EUR100": "eur|#100", ">= 1,000.50 €": ">=|#1,000.50|€", "10-20 kW": "#10|-#20|kw", "10..20": "#10|-#20",
		"40% 5 ‰ 45° 20 °C": "#40|%|#5|‰|#45|°|#20|°c", "2 kg - 5 kg": "#2|kg|-#5|kg", "3+ kg, 5kg+": "#3|+|kg|,#5|kg|+", "kiln, not Crate.io": "kiln|,not|crate|io",
		"max. 50": "max|#50", "beacon vs. ember": "beacon|vs|ember", "It ends. Not here": "it|ends|,not|here", "10 000 kg": "#10 000|kg", "2024 100": "#2024|#100",
		"5000円以下": "#5000|円|以|下", "٥٠٠ كغ": "#500|كغ", "C++ c# .NET": "c++|c#|net", "don't": "don|t", "": "",
	} {
		var got []string
		for _, p := range pieces(text) {
			word := p.folded
			if p.number {
				word = "#" + word
			}
			if p.dash() {
				word = "-" + word
			}
			if p.ended {
				word = "," + word
			}
			got = append(got, word)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %s, not %s", text, s, want)
		}
	}
}

func TestMinusBeforeAWordIsNotADash(t *testing.T) {
	for text, want := range map[string]bool{
		"lamp -red": true, "-red": true, "(-red": true, "lamp −red": true, "lamp --red": false, "lamp - red": false, "lamp-red": false, "50€-100€": false, "under €-50": true,
	} {
		list := pieces(text)
		minus := false
		for _, p := range list {
			minus = minus || p.minus
		}
		if minus != want {
			t.Errorf("%q has a minus: %t", text, minus)
		}
	}
}

// village is a small market.
type village struct{}

func (village) Names(name string) []Thing {
	return map[string][]Thing{"germany": {{"country", "DE"}}, "acme": {{"seller", "acme"}}, "lamps": {{"category", "product/lamps"}}, "leeds": {{City, "Leeds"}}}[text.Compact(name)]
}
func (village) Begun(string) []string          { return nil }
func (village) Listings(string, bool) []uint32 { return nil }
func (village) Says(string) bool               { return false }
func (village) Called(string) bool             { return false }
func (village) Currencies() []string           { return []string{"EUR"} }
func (village) Measured(dimension string) []string {
	return map[string][]string{"mass": {"Weight", "Payload"}, "": {"Ports"}}[dimension]
}
func (village) Has(string, string) (string, bool) { return "", false }
func (village) Serves() bool                      { return false }
func (village) Asks(said string) bool             { return strings.TrimSpace(said) != "" }
func (village) Stop(word string) bool             { return len(word) < 3 }
func (village) Trades(string) bool                { return false }
func (village) Stem(word string) string           { return strings.TrimSuffix(word, "s") }

func FuzzReadings(f *testing.F) {
	for _, one := range []string{"lamps under 50 EUR not from Germany or Acme", "without --x -acme, no 5-10k kg", "payload over 4 kg and under 6 kg or more", "5000円以下 16 or 32 kg", "neither nor not no without", "1-2-3..4 to 5 and", "\xff\u0301ß"} {
		f.Add(one)
	}
	var tables []*Table
	for _, language := range []string{"en", "de", "fr", "es", "it", "nl", "ja"} {
		tables = append(tables, NewTable(language))
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if len(typed) > 800 {
			return
		}
		for _, table := range tables {
			r := table.Read(typed, village{})
			if len(r.Rest) != len(typed) || len(r.Names) != len(typed) {
				t.Fatalf("%q leaves %q", typed, r.Rest)
			}
			denials := 0
			for _, m := range r.Meanings {
				if m.From < 0 || m.From >= m.To || m.To > len(typed) {
					t.Fatalf("%q: %+v is not there", typed, m)
				}
				if m.As == Excluded && (m.Filter != "category" || len(m.Words) > 0) {
					denials++
				}
				if m.As != Similar && m.As != Compared && strings.TrimSpace(r.Rest[m.From:m.To]) != "" {
					t.Fatalf("%q keeps %q", typed, r.Rest[m.From:m.To])
				}
			}
			if denials > 2*maxDenials {
				t.Fatalf("%q denies %d things", typed, denials)
			}
		}
	})
}

func TestAtMostFourNegationsAreUnderstood(t *testing.T) {
	r := NewTable("en").Read("not red, not blue, not green, not brown, not white, not black", village{})
	excluded, leftOut := 0, 0
	for _, m := range r.Meanings {
		switch m.As {
		case Excluded:
			excluded++
		case LeftOut:
			leftOut++
		}
	}
	if excluded != maxDenials || leftOut != 2 || strings.Trim(r.Rest, " ,") != "" {
		t.Errorf("%d are excluded, %d left out, and %q remains", excluded, leftOut, r.Rest)
	}
}
