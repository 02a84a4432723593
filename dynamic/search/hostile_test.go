package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"souk/build/index/text"
	"souk/dynamic/search/suggest"
)

// hostile returns queries that are difficult for a parser.
func hostile() []string {
	letters := make([]string, 0, 100)
	for i := range 100 {
		letters = append(letters, string(rune('a'+i%26)))
	}
	return []string{
		"", " ", "\t\n", "...", "!?*", "🤖", "👩‍👩‍👧‍👦 robot", `"`, `\`, `\\"robot\"`, "*", "rob*", "~", "robot~2", ":", "name:robot", "+robot -arm", "(", ")(", "[a-z]+", ".*", "^$", "a|b",
		"robot AND arm", "NOT", "OR OR", "robot^9", "/robot/", "<script>", "%00", "'; DROP TABLE", "{{.}}", "${x}",
		strings.Repeat("a", MaxQuery), strings.Join(letters, " "), strings.Repeat("ä", MaxQuery), strings.Repeat("漢", MaxQuery),
		"שלום עולם", "مرحبا بالعالم", "\u202erobot", "e\u0301cole", strings.Repeat("\u0301", 50), strings.Repeat("\u093c", 150) + " a", "robot \u0627\u0640\u0653", "ﬁ", "①", "½", "Ⅷ", "ŉ", "İstanbul", "ß", "ﷺ",
		"c++", "c#", "f#", "c", "+", "#", ".net", "node.js", "2.5", "2,5", "1.2.3", "robot zz¼zzqq ¾qqzz", "robot ᾌ¼9zz", "don't", "'", "’s", "s'", "a'b'c", "\ufffd", "\u2028",
	}
}

func TestEveryTextGetsAnAnswer(t *testing.T) { eachEngine(t, testEveryTextIsAnswered) }

func testEveryTextIsAnswered(t *testing.T) {
	x := openMemory(t, extract(readCatalog(t, sampleFolder)), nil)
	for _, q := range hostile() {
		checkAnswers(t, x, q)
	}
}

// checkAnswers checks what must be true of the answers to any text.
func checkAnswers(t *testing.T, x *Index, query string) {
	t.Helper()
	q := Query{Text: query, Limit: 10}
	r, err := x.Search(t.Context(), q)
	if !utf8.ValidString(query) || strings.Contains(query, "\x00") || utf8.RuneCountInString(query) > MaxQuery {
		if err == nil {
			t.Fatalf("%q is no text and is answered", query)
		}
		return
	}
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	if text.Compact(query) == "" && strings.TrimSpace(query) != "" && r.Total != 0 {
		t.Errorf("%q has no word and finds %d", query, r.Total)
	}
	if r.Query != query || r.Total < len(r.Listings) {
		t.Errorf("%q: %+v", query, r)
	}
	if query == "" {
		return
	}
	a, err := x.Suggest(t.Context(), suggest.Query{Text: query, Limit: suggest.MaxSuggestions})
	if err != nil {
		t.Fatalf("suggestions of %q: %v", query, err)
	}
	for _, s := range a.Suggestions {
		checkHighlight(t, query, s)
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
