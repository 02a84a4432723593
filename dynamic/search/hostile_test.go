package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are texts that no parser of queries should see.
func hostile() []string {
	letters := make([]string, 0, 100)
	for i := range 100 {
		letters = append(letters, string(rune('a'+i%26)))
	}
	return []string{
		"", " ", "\t\n", "...", "!?*", "🤖", "👩‍👩‍👧‍👦 robot", `"`, `\`, `\\"robot\"`, "*", "rob*", "~", "robot~2", ":", "name:robot", "+robot -arm", "(", ")(", "[a-z]+", ".*", "^$", "a|b",
		"robot AND arm", "NOT", "OR OR", "robot^9", "/robot/", "<script>", "%00", "'; DROP TABLE", "{{.}}", "${x}",
		strings.Repeat("a", MaxQuery), strings.Join(letters, " "), strings.Repeat("ä", MaxQuery), strings.Repeat("漢", MaxQuery),
		"שלום עולם", "مرحبا بالعالم", "\u202erobot", "e\u0301cole", strings.Repeat("\u0301", 50), "ﬁ", "①", "½", "Ⅷ", "ŉ", "İstanbul", "ß", "ﷺ",
		"c++", "c#", "f#", "c", "+", "#", ".net", "node.js", "2.5", "2,5", "1.2.3", "don't", "'", "’s", "s'", "a'b'c", "\ufffd", "\u2028",
	}
}

func TestEveryTextIsAnswered(t *testing.T) {
	x := openMemory(t, extract(readCatalog(t, sampleFolder)), nil)
	for _, q := range hostile() {
		checkAnswers(t, x, q)
	}
}

// checkAnswers holds what is true of the answers to any text.
func checkAnswers(t *testing.T, x *Index, text string) {
	t.Helper()
	q := Query{Text: text, Limit: 10}
	r, err := x.Search(t.Context(), q)
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") || utf8.RuneCountInString(text) > MaxQuery {
		if err == nil {
			t.Fatalf("%q is no text and is answered", text)
		}
		return
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if compact(text) == "" && strings.TrimSpace(text) != "" && r.Total != 0 {
		t.Errorf("%q has no word and finds %d", text, r.Total)
	}
	if r.Query != text || r.Total < len(r.Listings) {
		t.Errorf("%q: %+v", text, r)
	}
	if text == "" {
		return
	}
	a, err := x.Suggest(t.Context(), SuggestQuery{Text: text, Limit: MaxSuggestions})
	if err != nil {
		t.Fatalf("suggestions of %q: %v", text, err)
	}
	for _, s := range a.Suggestions {
		checkHighlight(t, text, s)
	}
}

func checkHighlight(t *testing.T, text string, s Suggestion) {
	t.Helper()
	letters, before := utf8.RuneCountInString(s.Name), -1
	for _, h := range s.Highlight {
		if h[0] <= before || h[1] <= h[0] || h[1] > letters {
			t.Errorf("suggestions of %q: the highlight %v of %q", text, s.Highlight, s.Name)
		}
		before = h[1]
	}
}

func FuzzQuery(f *testing.F) {
	x := openMemory(f, extract(readCatalog(f, sampleFolder)), nil)
	for _, q := range hostile() {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, text string) { checkAnswers(t, x, text) })
}

func TestFormsOfAWordMeet(t *testing.T) {
	for _, alike := range [][]string{
		{"usb c", "USB-C", "usbc", "Usb_C", "ＵＳＢ－Ｃ"},
		{"K8s-Dash 2", "k8sdash2", "K8S DASH 2"},
		{"Köln", "koln", "KÖLN", "Ko\u0308ln"},
		{"straße", "STRASSE", "strasse"},
		{"Œuvre", "oeuvre"},
	} {
		for _, one := range alike[1:] {
			if compact(one) != compact(alike[0]) {
				t.Errorf("%q is %q, %q is %q", alike[0], compact(alike[0]), one, compact(one))
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
		for _, t := range tokens(nil, text) {
			got = append(got, t.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNeighboursAreThoseOfThePlainDistance(t *testing.T) {
	words := vocabulary{"a", "ab", "abc", "acb", "bac", "cab", "grafana", "grafeas", "graph", "käse", "kase", "prometheus", "robot", "robots", "x2y", "工具"}
	slices.Sort(words)
	for _, target := range []string{"abc", "grafna", "gafrana", "robto", "prmoetheus", "kase", "工", "graf"} {
		for most := range 3 {
			var want, begun []neighbour
			for _, w := range words {
				if hasDigit(w) {
					continue
				}
				if d := plainDistance([]rune(target), []rune(w)); d <= most {
					want = append(want, neighbour{w, d})
				}
				best := most + 1
				for i := range append([]rune(w), 0) {
					best = min(best, plainDistance([]rune(target), []rune(w)[:i]))
				}
				if best <= most {
					begun = append(begun, neighbour{w, best})
				}
			}
			if got := words.neighbours(target, most, false); !slices.Equal(got, want) {
				t.Errorf("%s within %d: got %v, want %v", target, most, got, want)
			}
			if got := words.neighbours(target, most, true); !slices.Equal(got, begun) {
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
	words := vocabulary{"a", "ab", "aba", "abb", "b", "ba", "工具"}
	for _, prefix := range []string{"", "a", "ab", "abc", "b", "c", "工", "\xff"} {
		from, to := words.span(prefix)
		for i, w := range words {
			if strings.HasPrefix(w, prefix) != (i >= from && i < to) {
				t.Errorf("%q begins %q: the span is %d to %d", prefix, w, from, to)
			}
		}
	}
}
