package search

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
)

// Words that only a withheld seller has are interpreted as if the seller had never existed.
func TestContentOfARemovedSellerIsNotInterpreted(t *testing.T) {
	w := &catalog.Register{}
	x := openMemory(t, extract(shop("en")), w)
	queries := map[string]string{
		"switch under 70 NOK":        "filter",    // its currency
		"switch in Norway":           "filter",    // its country
		"switch in Oslo":             "preferred", // its city
		"repair in Fjord Land":       "preferred", // its region
		"switch at least 2 lasers":   "filter",    // its attribute
		"alternative to Switch Away": "similar",   // its product
		"like Switch Away but quiet": "similar",
		"packets in Oslo":            "preferred",
		"Switch Away vs Switch Four": "preferred",
	}
	for query, as := range queries {
		if r, _ := asked(t, x, Query{Text: query}); !strings.HasPrefix(asTold(patternsOf(r.Interpreted)), as) {
			t.Errorf("%q is told as %q before", query, asTold(r.Interpreted))
		}
	}
	remove(w, "weg")
	for query := range queries {
		r, names := asked(t, x, Query{Text: query})
		if got := patternsOf(r.Interpreted); got != nil {
			t.Errorf("%q is understood as %q", query, asTold(got))
		}
		if _, literal := asked(t, x, Query{Text: query, Literal: true}); !slices.Equal(names, literal) {
			t.Errorf("%q finds %q, its words %q", query, names, literal)
		}
	}
	// Its name does not prevent an interpretation either.
	if r, _ := asked(t, x, Query{Text: "switch, no cloud"}); asTold(patternsOf(r.Interpreted)) != "excluded no cloud => cloud" {
		t.Errorf("its name is still known: %q", asTold(r.Interpreted))
	}
}

// A market that withholds a seller interprets queries like a market without the seller.
func TestRemovedSellerChangesNoInterpretation(t *testing.T) {
	gone := shop("en")
	w := &catalog.Register{}
	withheld := openMemory(t, extract(gone), w)
	remove(w, "weg")
	without := shop("en")
	without.Apply(catalog.Change{Now: sampleNow(), Removals: catalog.NewRemovals([]catalog.Removal{{ID: "the id of weg", Slug: "weg"}})})
	x := openMemory(t, extract(without), nil)
	rapid.Check(t, func(t *rapid.T) {
		q := Query{Text: drawnQuestion(t), Limit: MaxLimit}
		a, err := withheld.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := asTold(patternsOf(a.Interpreted)), asTold(patternsOf(b.Interpreted)); got != want {
			t.Fatalf("%q: withheld %q, without %q", q.Text, got, want)
		}
	})
}

// The last part of a compound is only used if a visible listing contains it.
func TestCompoundsDoNotUseWordsOfARemovedSeller(t *testing.T) {
	w := &catalog.Register{}
	x := openMemory(t, extract(bazaar("de", []string{"acme Berlin DE", "weg Wien AT"}, nil,
		offerOf{seller: "acme", name: "Schläuche"}, offerOf{seller: "weg", name: "Schlauch"}, offerOf{seller: "weg", name: "Wasserkessel"})), w)
	for _, c := range []struct{ query, before, after, told string }{
		{"Gartenschlauch", "Schläuche,Schlauch", "Schläuche", "corrected Gartenschlauch => schläuche"}, // the form that is visible
		{"Kessel", "Wasserkessel", "", ""},
	} {
		w = &catalog.Register{}
		x.removals = w
		if _, names := asked(t, x, Query{Text: c.query}); len(names) != strings.Count(c.before, ",")+1 {
			t.Errorf("%q finds %q before", c.query, names)
		}
		remove(w, "weg")
		r, names := asked(t, x, Query{Text: c.query})
		if got := strings.Join(names, ","); got != c.after || asTold(r.Interpreted) != c.told {
			t.Errorf("%q finds %q, told %q", c.query, got, asTold(r.Interpreted))
		}
	}
}

// drawnQuestion generates a text from parts of patterns.
func drawnQuestion(t *rapid.T) string {
	parts := []string{
		"switch", "arm", "robot", "under", "over", "between", "and", "10", "-10", "50", "1.000", "100", "EUR", "NOK", "€", "$", "at least", "at most", "ports", "kg", "payload", "GB", "RAM", "lasers",
		"in", "from", "Germany", "Norway", "Oslo", "Fjord Land", "North", "Paris", "the", "without", "fan", "no", "cloud", "not", "isn't", "like", "alternative to", "Switch Four", "Switch Away", "but", ",", "-", "on site", "hydraulics", "quiet", "Norwegian", "German", "companies", "vs", "compare", "Switch", "Away", "Four", "0.016 TB", "lightest", "lighter than", "or more", "or less", "per", "kids", "1 000", "non-", "speaking", "speaks", "English", "per hour", "services", "products", "/", "repair", "ß", "工具", "\u0301",
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 9).Draw(t, "text"), rapid.SampledFrom([]string{" ", " ", "  ", ""}).Draw(t, "by"))
}

// The results depend only on the text: they are the same on every page, filters narrow
// them, and the interpretations are parts of the text, in order.
func TestInterpretationDependsOnlyOnTheText(t *testing.T) {
	x := openMemory(t, extract(shop("en")), nil)
	rapid.Check(t, func(t *rapid.T) {
		text := drawnQuestion(t)
		all := mustAnswer(t, x, Query{Text: text, Limit: MaxLimit})
		checkTold(t, all)
		page := mustAnswer(t, x, Query{Text: text, Limit: 1, Offset: 1})
		if page.Total != all.Total || !reflect.DeepEqual(page.Interpreted, all.Interpreted) {
			t.Fatalf("%q: %d and %q, on another page %d and %q", text, all.Total, asTold(all.Interpreted), page.Total, asTold(page.Interpreted))
		}
		sum := 0
		for _, seller := range []string{"acme", "belle", "weg"} {
			sum += mustAnswer(t, x, Query{Text: text, Limit: 1, Filters: map[string][]string{"seller": {seller}}}).Total
		}
		if sum != all.Total {
			t.Fatalf("%q: sellers have %d, all are %d", text, sum, all.Total)
		}
		// A text whose words have results has some too, unless it excludes them.
		denies := slices.ContainsFunc(all.Interpreted, func(i Interpretation) bool { return i.As == document.AsExcluded || i.As == document.AsLeftOut })
		if words := mustAnswer(t, x, Query{Text: text, Limit: 1, Literal: true}); all.Total == 0 && words.Total > 0 && !denies {
			t.Fatalf("%q finds nothing, its words %d", text, words.Total)
		}
		checkHighlights(t, all)
	})
}

func checkTold(t interface{ Fatalf(string, ...any) }, r *Result) {
	runes := []rune(r.Query)
	last := 0
	for _, i := range r.Interpreted {
		if i.Start < last || i.End <= i.Start || i.End > len(runes) || string(runes[i.Start:i.End]) != i.Text {
			t.Fatalf("%q: %+v is not there", r.Query, i)
		}
		last = i.Start
	}
}

func checkHighlights(t interface{ Fatalf(string, ...any) }, r *Result) {
	for _, hit := range r.Listings {
		h := hit.Highlight
		if h == nil {
			continue
		}
		for _, one := range []struct {
			text  string
			marks [][2]int
		}{{hit.Name, h.Name}, {h.Snippet, h.SnippetHighlight}} {
			last, n := -1, utf8.RuneCountInString(one.text)
			for _, m := range one.marks {
				if m[0] <= last || m[1] <= m[0] || m[1] > n {
					t.Fatalf("%q: %v of %q", r.Query, one.marks, one.text)
				}
				last = m[1]
			}
		}
		if utf8.RuneCountInString(h.Snippet) > maxSnippet || h.Name == nil {
			t.Fatalf("%q: %+v", r.Query, h)
		}
	}
}

func FuzzInterpretations(f *testing.F) {
	for _, text := range []string{"switch under 50 EUR in Germany", "alternative to Switch Four but quiet, without a fan", "1.000,50-2'000 € 16GB RAM at least", "ohne", "max.", "like"} {
		f.Add(text)
	}
	var all []*Index
	for _, language := range []string{"en", "de"} {
		all = append(all, openMemory(f, extract(shop(language)), nil))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, x := range all {
			q := Query{Text: text, Limit: 5}
			if x.Check(q) != nil {
				return
			}
			r, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			checkTold(t, r)
			checkHighlights(t, r)
			if again, err := x.Search(t.Context(), q); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%q is not always the same: %v", text, err)
			}
		}
	})
}
