package text

import (
	"slices"
	"strings"
	"testing"
)

func TestFormsOfAWordMeet(t *testing.T) {
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

func TestNeighboursAreThoseOfThePlainDistance(t *testing.T) {
	words := Vocabulary{"a", "ab", "abc", "acb", "bac", "cab", "grafana", "grafeas", "graph", "käse", "kase", "prometheus", "robot", "robots", "x2y", "工具"}
	slices.Sort(words)
	for _, target := range []string{"abc", "grafna", "gafrana", "robto", "prmoetheus", "kase", "工", "graf"} {
		for most := range 3 {
			var want, begun []Neighbour
			for _, w := range words {
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

// plainDistance is the restricted Damerau-Levenshtein distance by its table.
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

func TestASpanIsWhatBeginsSo(t *testing.T) {
	words := Vocabulary{"a", "ab", "aba", "abb", "b", "ba", "工具"}
	for _, prefix := range []string{"", "a", "ab", "abc", "b", "c", "工", "\xff"} {
		from, to := words.Span(prefix)
		for i, w := range words {
			if strings.HasPrefix(w, prefix) != (i >= from && i < to) {
				t.Errorf("%q begins %q: the span is %d to %d", prefix, w, from, to)
			}
		}
	}
}
