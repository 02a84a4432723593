package search

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/dynamic/search/match"
)

// shown returns a text with brackets around its marked parts.
func shown(text string, marks [][2]int) string {
	runes := []rune(text)
	var b strings.Builder
	at := 0
	for _, m := range marks {
		b.WriteString(string(runes[at:m[0]]) + "[" + string(runes[m[0]:m[1]]) + "]")
		at = m[1]
	}
	return b.String() + string(runes[at:])
}

func TestHitsContainWordPositions(t *testing.T) {
	c := market("en",
		"Robot Arms 7: They pick berries and nothing else.",
		"USB-C cable: For loads.",
		"Grüner Griff: Quiet",
		"Ölkanne: For oil",
		"Café 🔥 O2 C++: Roasts",
		"Cabin cab: Ride",
		"Car wash: Foam and shine")
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&catalog.Offer{Head: catalog.Head{
		Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "long"}, Name: "Kiln clerk", Summary: "It reads firing curves.",
		Description: catalog.Text{Source: strings.Repeat("It is patient. ", 40) + "\n\n## Zirconium\n\nThe [clerk](seller:s) measures *zirconium* shelves.\n" + strings.Repeat("It is patient. ", 40)},
	}}}})
	x := openMemory(t, extract(c), nil)
	for query, want := range map[string]string{
		"robot arm":         "[Robot] [Arms] 7",
		"berries arm":       "Robot [Arms] 7 | They pick [berries] and nothing else.",
		"robto arm":         "[Robot] [Arms] 7",
		"berry":             "Robot Arms 7 | They pick [berries] and nothing else.",
		"rob":               "[Rob]ot Arms 7",
		"usbc cable":        "[USB]-[C] [cable]",
		"usb c":             "[USB]-[C] cable",
		"oelkanne":          "[Ölkanne]",
		"olkanne":           "[Ölkanne]",
		"the gruner griff":  "[Grüner] [Griff]",
		"C++":               "Café 🔥 O2 [C++]",
		"cab":               "Cabin [cab]",
		"ca":                "[Ca]bin [ca]b",
		"carwash":           "[Car] [wash]",
		"car-wash shine":    "[Car] [wash] | Foam and [shine]",
		"carwa":             "[Car] [wa]sh",
		"firing curve":      "Kiln clerk | It reads [firing] [curves].",
		"zirconium measure": "Kiln clerk | …patient. It is patient. It is patient. It is patient. [Zirconium] The clerk [measures] [zirconium] shelves. It is patient. It is patient. It is patient. It is patient. It is patient. It is patient. It is…",
	} {
		r, err := x.Search(t.Context(), Query{Text: query, Limit: 1})
		if err != nil || len(r.Listings) == 0 || r.Listings[0].Highlight == nil {
			t.Errorf("%q finds %+v, %v", query, r, err)
			continue
		}
		h := r.Listings[0].Highlight
		got := shown(r.Listings[0].Name, h.Name)
		if h.Snippet != "" {
			got += " | " + shown(h.Snippet, h.SnippetHighlight)
		}
		if got != want {
			t.Errorf("%q shows %q, want %q", query, got, want)
		}
	}
}

func TestQueryWithoutWordsHasNoHighlight(t *testing.T) {
	x := openMemory(t, extract(market("en", "Robot: Arms")), nil)
	for _, query := range []string{"", "  "} {
		r, err := x.Search(t.Context(), Query{Text: query, Limit: 1})
		if err != nil || len(r.Listings) != 1 || r.Listings[0].Highlight != nil {
			t.Errorf("%q: %+v, %v", query, r, err)
		}
	}
}

func TestSnippetsOfARealMarketAreShortAndPlain(t *testing.T) {
	folder := cncfFolder(t)
	if _, err := os.Stat(folder); err != nil {
		t.Skip(err)
	}
	x := openMemory(t, extract(readCatalog(t, folder)), nil)
	snippets := 0
	for _, query := range []string{"kubernetes storage", "service mesh", "how do I observe traces of many services", "database operator", "continuous delivery"} {
		r, err := x.Search(t.Context(), Query{Text: query, Limit: MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range r.Listings {
			h := hit.Highlight
			if n := utf8.RuneCountInString(h.Snippet); n > maxSnippet || strings.ContainsAny(h.Snippet, "\n\t`") || strings.Contains(h.Snippet, "](") {
				t.Errorf("%q: %d characters: %q", query, n, h.Snippet)
			}
			if h.Snippet != "" {
				snippets++
				if len(h.SnippetHighlight) == 0 {
					t.Errorf("%q: nothing of %q is marked", query, h.Snippet)
				}
			}
		}
	}
	if snippets < 50 {
		t.Errorf("%d snippets", snippets)
	}
}

// BenchmarkHighlights measures the cost of a page of hits in addition to finding them.
func BenchmarkHighlights(b *testing.B) {
	x := openMemory(b, extract(readCatalog(b, cncfFolder(b))), nil)
	for _, query := range []string{"kubernetes", "observability of many services in production"} {
		b.Run(query, func(b *testing.B) {
			r, err := x.Search(b.Context(), Query{Text: query, Limit: 20})
			if err != nil {
				b.Fatal(err)
			}
			var hits []*catalog.Offer
			for i := range every(x.Corpus) {
				for _, h := range r.Listings {
					if o := every(x.Corpus)[i].Offer; o.Ref.Slug == h.Slug && o.Ref.Company == h.CompanySlug {
						hits = append(hits, o)
					}
				}
			}
			for b.Loop() {
				h := newHighlighter(b.Context(), x.Lexicon, match.Parse(query, x.Language), match.Understanding{}, nil)
				for _, o := range hits {
					h.of(o)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(hits)), "ns/hit")
		})
	}
}

// BenchmarkInterpret measures the cost of looking for patterns.
func BenchmarkInterpret(b *testing.B) {
	x := openMemory(b, extract(readCatalog(b, cncfFolder(b))), nil)
	for _, query := range []string{"kubernetes storage", "I need a tool to observe services in Germany without a cloud provider under 500 EUR like Prometheus"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.interpret(b.Context(), query, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
