package grammar

import (
	"strings"
	"testing"
)

func TestEachLanguageHasWordsForEveryMeaning(t *testing.T) {
	// non-electric is said in one word elsewhere.
	english := map[Meaning]bool{Prefixing: true}
	for tag, l := range languages {
		for means := AtMost; means <= Against; means++ {
			said := false
			for _, one := range l.phrases {
				said = said || one.means == means && one.words != ""
			}
			if !said && (tag == "en" || !english[means]) {
				t.Errorf("%s has no words for meaning %d", tag, means)
			}
		}
	}
}

func TestTheLongestOfThePhrasesThatBeginAlikeComesFirst(t *testing.T) {
	for tag := range languages {
		for first, some := range Of(tag).Phrases {
			for i, one := range some {
				if one.Words[0] != first || i > 0 && len(one.Words) > len(some[i-1].Words) {
					t.Errorf("%s: %q is at place %d of %q", tag, one.Words, i, first)
				}
			}
		}
	}
}

func TestPhrasesAreThoseOfEnglishAndOfTheMarket(t *testing.T) {
	for _, one := range []struct {
		tag, words string
		understood bool
	}{
		{"en", "at most", true}, {"en", "hochstens", false},
		{"de-CH", "at most", true}, {"de-CH", "hochstens", true},
		{"fr", "hors d", true}, {"it", "hors d", false},
		{"xx", "at most", true}, {"", "at most", true},
	} {
		words, understood := strings.Fields(one.words), false
		for _, p := range Of(one.tag).Phrases[words[0]] {
			understood = understood || strings.Join(p.Words, " ") == one.words
		}
		if understood != one.understood {
			t.Errorf("%q in %q: understood %t", one.words, one.tag, understood)
		}
	}
}

func TestNumbersAreReadAsTheLanguageWritesThem(t *testing.T) {
	for _, one := range []struct {
		tag, written string
		money        bool
		decimal      string
	}{
		{"en", "1500", false, "1500"}, {"de", "1500", false, "1500"},
		{"en", "1,000.50", false, "1000.50"}, {"de", "1.000,50", false, "1000.50"}, {"en", "1.000,50", false, "1000.50"},
		{"en", "1,500", false, "1500"}, {"de", "1,500", false, "1.500"},
		{"en", "1.500", false, "1.500"}, {"de", "1.500", false, ""}, {"de", "1.500", true, "1500"}, {"en", "1.500", true, "1500"},
		{"en", "2,5", false, "2.5"}, {"de", "2,5", true, "2.5"},
		{"de-CH", "10'000", false, "10000"}, {"fr", "10\u202f000", false, "10000"},
		{"en", "1,00,000", false, ""}, {"en", "123456789012345678901", false, ""},
	} {
		g := Of(one.tag)
		decimal, ok := g.Decimal(one.written, one.money)
		if ok != (one.decimal != "") || ok && decimal != one.decimal {
			t.Errorf("%s in %q, money %t: %q, %t", one.written, one.tag, one.money, decimal, ok)
		}
	}
}

func TestPiecesTellWordsNumbersAndSigns(t *testing.T) {
	for text, want := range map[string]string{
		"under 50 EUR":         "under|#50|eur",
		"50kg":                 "#50|kg",
		"EUR100":               "eur|#100",
		">= 1,000.50 €":        "!>=|#1,000.50|!€",
		"10-20 kW":             "#10|-#20|kw",
		"10..20":               "#10|-#20",
		"40% 5 ‰ 45° 20 °C %":  "#40|!%|#5|!‰|#45|!°|#20|°c",
		"2 kg - 5 kg":          "#2|kg|-#5|kg",
		"3+ kg, 5kg+":          "#3|!+|kg|#5|kg|!+",
		"5+1 C++ HDR10+ a + b": "#5|#1|c++|hdr10|a|b",
		"kiln, not Crate.io":   "kiln|not|crate|io",
		"-20 °C":               "#-20|°c",
		"non-electric drives":  "non|-electric|drives",
		"":                     "",
	} {
		var got []string
		for _, p := range Pieces(text) {
			switch word := p.Folded; {
			case p.Symbol:
				got = append(got, "!"+word)
			case p.Hyphen && p.Number:
				got = append(got, "-#"+word)
			case p.Hyphen:
				got = append(got, "-"+word)
			case p.Number:
				got = append(got, "#"+word)
			default:
				got = append(got, word)
			}
			if text[p.From:p.To] != p.Raw {
				t.Errorf("%q: %q is not at its place", text, p.Raw)
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %s, not %s", text, s, want)
		}
	}
}
