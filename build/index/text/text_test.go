package text

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/kit/fold"
)

func TestFormsOfAWordAreEquivalent(t *testing.T) {
	for _, alike := range [][]string{
		{"usb c", "USB-C", "usbc", "Usb_C", "ＵＳＢ－Ｃ"},
		{"K8s-Dash 2", "k8sdash2", "K8S DASH 2"},
		{"Köln", "koln", "KÖLN", "Ko\u0308ln"},
		{"straße", "STRASSE", "strasse"},
		{"Œuvre", "oeuvre"},
	} {
		for _, one := range alike[1:] {
			if Compact(one) != Compact(alike[0]) {
				t.Errorf("%q is %q, %q is %q", alike[0], Compact(alike[0]), one, Compact(one))
			}
		}
	}
	for text, want := range map[string][]string{
		"don't stop":         {"dont", "stop"},
		"the seller's arms":  {"the", "seller", "arms"},
		"2.5 m or 2,5 m":     {"2.5", "m", "or", "2.5", "m"},
		"C++, C# and F#":     {"c++", "c#", "and", "f#"},
		"node.js":            {"node", "js"},
		"工具箱":                {"工具", "具箱"},
		"具 tool":             {"具", "tool"},
		"l'école":            {"l", "ecole"},
		"日本語text":            {"日本", "本語", "text"},
		"v1.2-rc":            {"v1.2", "rc"},
		"ends with a point.": {"ends", "with", "a", "point"},
	} {
		var got []string
		for _, t := range Tokens(nil, text) {
			got = append(got, t.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNeighboursMatchThePlainDistance(t *testing.T) {
	list := []string{"a", "ab", "abc", "acb", "bac", "cab", "grafana", "grafeas", "graph", "käse", "kase", "prometheus", "robot", "robots", "x2y", "工具"}
	slices.Sort(list)
	words := NewVocabulary(slices.Values(list))
	for _, target := range []string{"abc", "grafna", "gafrana", "robto", "prmoetheus", "kase", "工", "graf"} {
		for most := range 3 {
			var want, begun []Neighbour
			for _, w := range list {
				if HasDigit(w) {
					continue
				}
				if d := plainDistance([]rune(target), []rune(w)); d <= most {
					want = append(want, Neighbour{w, d})
				}
				best := most + 1
				for i := range append([]rune(w), 0) {
					best = min(best, plainDistance([]rune(target), []rune(w)[:i]))
				}
				if best <= most {
					begun = append(begun, Neighbour{w, best})
				}
			}
			if got := words.Neighbours(target, most, false); !slices.Equal(got, want) {
				t.Errorf("%s within %d: got %v, want %v", target, most, got, want)
			}
			if got := words.Neighbours(target, most, true); !slices.Equal(got, begun) {
				t.Errorf("%s begun within %d: got %v, want %v", target, most, got, begun)
			}
		}
	}
}

// plainDistance computes the restricted Damerau-Levenshtein distance with a full table.
func plainDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			default:
				cost := 1
				if a[i-1] == b[j-1] {
					cost = 0
				}
				d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d[i][j] = min(d[i][j], d[i-2][j-2]+1)
				}
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestASpanHasTheWordsWithAPrefix(t *testing.T) {
	list := []string{"a", "ab", "aba", "abb", "b", "ba", "工具"}
	words := NewVocabulary(slices.Values(list))
	for _, prefix := range []string{"", "a", "ab", "abc", "b", "c", "工", "\xff"} {
		from, to := words.Span(prefix)
		for i, w := range list {
			if strings.HasPrefix(w, prefix) != (i >= from && i < to) {
				t.Errorf("%q begins %q: the span is %d to %d", prefix, w, from, to)
			}
		}
	}
}

func TestUmlautsAreAlsoSpelledAsDigraphs(t *testing.T) {
	for name, want := range map[string]string{
		"Müsli": "muesli", "Gefäß": "gefaess", "Mu\u0308sli": "muesli", "ÜBER Öl": "ueberoel", "Blaue": "", "Café": "", "ŉ": "",
	} {
		if got := CompactDigraphs(name); got != want {
			t.Errorf("%q is %q as digraphs, want %q", name, got, want)
		}
	}
	list := Tokens(nil, "Rote Käse-Überzüge")
	if len(list) != 3 || list[0].Digraphs != "" || list[1].Digraphs != "kaese" || list[2].Digraphs != "ueberzuege" {
		t.Errorf("the words are %+v", list)
	}
	if got := JoinDigraphs(list[1:]); got != "kaeseueberzuege" {
		t.Errorf("joined they are %q", got)
	}
	l := NewLanguage(nil, []string{"für"})
	for _, word := range []string{"fur", "fuer"} {
		if !l.IsStop(word) {
			t.Errorf("%s is no stop word", word)
		}
	}
}

func TestUmlautsDoNotMoveTheWordsOfAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aäÖüß u\u0308c+#.,'s’2工ーé-"))
		text := string(rapid.SliceOfN(letters, 0, 20).Draw(t, "text"))
		list, digraphs := Tokens(nil, text), Tokens(nil, Digraphs(text))
		if Digraphs(text) != "" && len(list) != len(digraphs) {
			t.Fatalf("%q is %+v, with digraphs %+v", text, list, digraphs)
		}
	})
}

func TestHighlightsMarkTheTypedText(t *testing.T) {
	for _, one := range []struct {
		name           string
		words, compact []string
		want           [][2]int
	}{
		{"Frost Bell", []string{"bel"}, []string{"bel"}, [][2]int{{6, 9}}},
		{"Frost Bell", []string{"frostb"}, []string{"frostb"}, [][2]int{{0, 5}, {6, 7}}},
		{"Müsli", []string{"mu"}, nil, [][2]int{{0, 2}}},
		{"Müsli", []string{"mues"}, nil, [][2]int{{0, 3}}},
		{"Müesli", []string{"mue"}, nil, [][2]int{{0, 2}}},
		{"Müesli", []string{"mues"}, nil, [][2]int{{0, 4}}},
		{"", []string{"a"}, []string{"a"}, [][2]int{}},
		{"工具箱", []string{"具箱"}, nil, [][2]int{{1, 3}}},
	} {
		if got := Highlight(one.name, one.words, one.compact, nil); !slices.Equal(got, one.want) {
			t.Errorf("%q in %q: %v, want %v", one.words, one.name, got, one.want)
		}
	}
}

// A search text of such letters once crashed the program.
func TestEveryFoldedByteHasAnOffset(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, text string) {
		offsets := Offsets(text)
		if folded := fold.Text(text); len(offsets) != len(folded)+1 || fold.Text(folded) != folded || !slices.IsSorted(offsets) {
			t.Errorf("%+q folds to %+q and that to %+q, with the offsets %v", text, folded, fold.Text(folded), offsets)
		}
		for _, word := range Tokens(nil, text) {
			if from, to := word.Place(offsets); from > to || to > len(text) {
				t.Errorf("a word of %+q is at %d to %d", text, from, to)
			}
		}
	}
	for _, text := range []string{strings.Repeat("\u093c", 150) + " a", "\u0627\u0640\u0653 a", "a\u0640\u0653", strings.Repeat("\u0301\u093c", 99)} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.OneOf(rapid.SampledFrom([]rune("aÜ \u0308\u093c\u034f\u0915\u0627\u0640\u0653\u1112\u1161ß½")), rapid.Rune())
		text := ""
		for _, r := range rapid.SliceOfN(letters, 0, 20).Draw(t, "text") {
			text += strings.Repeat(string(r), rapid.SampledFrom([]int{1, 1, 1, 40}).Draw(t, "times"))
		}
		check(t, text)
	})
}

func TestOffsetsPointIntoTheOriginalText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aäÖüß u\u0308\u0301c+#.,'s’2工ーé-ﬁ한\u1112\u1161½\u093c\u0915"))
		text := ""
		for _, r := range rapid.SliceOfN(letters, 0, 20).Draw(t, "text") {
			text += strings.Repeat(string(r), rapid.SampledFrom([]int{1, 1, 1, 1, 1, 40}).Draw(t, "times"))
		}
		folded, offsets := fold.Text(text), Offsets(text)
		if len(offsets) != len(folded)+1 || !slices.IsSorted(offsets) || offsets[len(folded)] != len(text) {
			t.Fatalf("%q folds to %q of %d bytes, with the offsets %v", text, folded, len(folded), offsets)
		}
		for _, word := range Tokens(nil, text) {
			from, to := word.Place(offsets)
			if part := text[from:to]; !strings.Contains(fold.Text(part), folded[word.From:word.To]) {
				t.Fatalf("%q of %q is said to be at %q", word.Text, text, text[from:to])
			}
		}
	})
}

func TestWebAddressesAreNotIndexedAsWords(t *testing.T) {
	for text, want := range map[string]string{
		"See https://m.example/companies/acme now": "See now", "(HTTP://m.example/acme)": "()", "https://m.example": "", "http: //a": "http: //a",
		"見る https://a.example/b。次": "見る。次", "no address": "no address",
	} {
		if got := WithoutAddresses(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestWordsContainingAPartMatchAnExhaustiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("abä")), 1, 6, -1)
		list := rapid.SliceOfN(letters, 0, 12).Draw(t, "words")
		slices.Sort(list)
		list = slices.Compact(list)
		part := rapid.StringOfN(rapid.SampledFrom([]rune("abä")), 0, 3, -1).Draw(t, "part")
		var want, got []string
		for _, word := range list {
			if part != "" && len(word) > 0 && strings.Contains(word[1:], part) {
				want = append(want, word)
			}
		}
		for word, at := range NewVocabulary(slices.Values(list)).holding(part) {
			if at == 0 || !strings.HasPrefix(word[at:], part) {
				t.Fatalf("%q has no %q at %d", word, part, at)
			}
			got = append(got, word)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q is in %q, want %q of %q", part, got, want, list)
		}
	})
}

func TestThePluralOfAnAbbreviationHasItsStem(t *testing.T) {
	l := NewLanguage(func(word string) string { return word }, nil)
	for word, want := range map[string]string{
		"gpus": "gpu", "llms": "llm", "vms": "vm", "dbs": "db", "crds": "crd",
		"css": "css", "dns": "dns", "https": "https", "gas": "gas", "bus": "bus", "opus": "opus", "as": "as", "k8s": "k8s", "öls": "öls",
	} {
		if got := l.Stem(word); got != want {
			t.Errorf("the stem of %q is %q, want %q", word, got, want)
		}
	}
}

func TestJoinersAreIgnoredInWords(t *testing.T) {
	for _, text := range []string{"ශ්\u200dරී ලංකා", "کتاب می\u200cخواهم", "র\u200d্যাম ৮"} {
		plain := strings.NewReplacer("\u200c", "", "\u200d", "").Replace(text)
		with, without := Tokens(nil, text), Tokens(nil, plain)
		if len(with) != 2 || len(without) != 2 || with[0].Text != without[0].Text || with[1].Text != without[1].Text {
			t.Errorf("%q has the words %v, without its joiners %v", text, with, without)
			continue
		}
		offsets := Offsets(text)
		for i, word := range strings.Fields(text) {
			if from, to := with[i].Place(offsets); text[from:to] != word {
				t.Errorf("in %q the word %q is at %q", text, word, text[from:to])
			}
		}
	}
}
