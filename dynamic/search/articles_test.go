package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
)

// writes returns an Article, given as "title: summary: text" and published daysAgo days
// ago.
func writes(slug string, daysAgo int, all string) *catalog.Article {
	title, rest, _ := strings.Cut(all, ": ")
	summary, source, _ := strings.Cut(rest, ": ")
	return &catalog.Article{Head: catalog.Head{
		Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: slug}, Name: title, Summary: summary,
		PublishedAt: catalog.Date{Time: sampleNow().Add(-time.Duration(daysAgo) * 24 * time.Hour)}, Description: catalog.Text{Source: source},
	}}
}

func withArticles(language string, items ...catalog.Item) *catalog.Catalog {
	c := market(language, "Robot arm: picks berries")
	c.Apply(catalog.Change{Now: sampleNow(), Put: items})
	return c
}

func articleSlugs(t *testing.T, x *Index, query string) []string {
	t.Helper()
	r, err := x.Search(t.Context(), Query{Text: query, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	slugs := []string{}
	for _, a := range r.Articles {
		slugs = append(slugs, a.Slug)
	}
	return slugs
}

func TestTextsFindArticlesAndMarketMaps(t *testing.T) {
	c := withArticles("en",
		writes("bench", 9, "A robot for a small bench: How to choose an arm: Measure the reach of robots first."),
		writes("curve", 8, "A kiln keeps a diary: Reading firing curves: A robot has no part in it. [Ember](seller:ember-ledger)."),
		writes("newer", 1, "Robots at night: They count stars: Nothing else."),
		writes("why", 5, "Why it is so: A riddle: Nothing."),
		writes("telemetry", 4, "Open Telemetry explained: Traces: Nothing."),
		&catalog.MarketMap{
			Head:     catalog.Head{Ref: catalog.Ref{Kind: catalog.KindMarketMap, Slug: "map"}, Name: "By height", Summary: "Everything from the ground up."},
			Segments: []catalog.Segment{{Name: "Balconies", Summary: "For herbs.", Entries: []catalog.Entry{{Mention: catalog.Mention{Ref: catalog.SellerRef("s")}, Note: "secretly"}}}},
		},
	)
	x := openMemory(t, extract(c), nil)
	for query, want := range map[string][]string{
		"robot bench":                    {"bench"},
		"Robots":                         {"bench", "newer", "curve"},
		"firing curve":                   {"curve"},
		"why":                            {"why"},
		"why is it so":                   {"why"},
		"balconies":                      {"map"},
		"herbs by height":                {"map"},
		"opentelemetry":                  {"telemetry"},
		"open telemetry":                 {"telemetry"},
		"telem":                          {"telemetry"},
		"robot balconies":                {},
		"secretly":                       {},
		"ember-ledger":                   {},
		"":                               {},
		" ":                              {},
		"...":                            {},
		"nothing that anybody ever knew": {},
		"how do I choose a robot arm for a bench at home": {"bench"},
	} {
		if got := articleSlugs(t, x, query); !slices.Equal(got, want) {
			t.Errorf("%q finds the articles %q, want %q", query, got, want)
		}
	}
}

func TestQuestionWordsFindArticles(t *testing.T) {
	for _, a := range []string{"Warum die Lampe flackert: Und wann", "Vom Licht: Warum es leuchtet.", "Vom Licht: Es leuchtet: Warum, weiß niemand."} {
		x := openMemory(t, extract(withArticles("de", writes("licht", 1, a), writes("docht", 2, "Vom Docht: Er brennt."))), nil)
		if got := articleSlugs(t, x, "warum"); !slices.Equal(got, []string{"licht"}) {
			t.Errorf("%q: finds %q", a, got)
		}
	}
}

func TestArticlesDependOnlyOnTheText(t *testing.T) {
	var all []catalog.Item
	for i := range 9 {
		all = append(all, writes(fmt.Sprint("a", i), 9-i%3, "Robots and more: Arms"))
	}
	x := openMemory(t, extract(withArticles("en", all...)), nil)
	// The newest come first, then they are sorted by address. There are at most five.
	want := []string{"a2", "a5", "a8", "a1", "a4"}
	for _, q := range []Query{{Text: "robots"}, {Text: "robots", Limit: 1, Offset: 3}, {Text: "robots", Filters: map[string][]string{"country": {"DE"}}}} {
		r, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, a := range r.Articles {
			got = append(got, a.Slug)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v finds %q, want %q", q, got, want)
		}
	}
}

func TestArticlesThatAreNotCurrentAreNotFound(t *testing.T) {
	draft := writes("draft", 1, "A robot that waits: For its day")
	draft.Status = catalog.Draft
	x := openMemory(t, extract(withArticles("en", draft)), nil)
	if got := articleSlugs(t, x, "robot"); len(got) > 0 {
		t.Errorf("finds %q", got)
	}
}
