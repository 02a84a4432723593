package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/index/text"
)

// writes makes an Article, "title: summary: text", published so many days ago.
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

func TestWarumFindsTheArticle(t *testing.T) {
	for _, a := range []string{"Warum die Lampe flackert: Und wann", "Vom Licht: Warum es leuchtet.", "Vom Licht: Es leuchtet: Warum, weiß niemand."} {
		x := openMemory(t, extract(withArticles("de", writes("licht", 1, a), writes("docht", 2, "Vom Docht: Er brennt."))), nil)
		if got := articleSlugs(t, x, "warum"); !slices.Equal(got, []string{"licht"}) {
			t.Errorf("%q: finds %q", a, got)
		}
	}
}

func TestArticlesAreThoseOfTheTextAlone(t *testing.T) {
	var all []catalog.Item
	for i := range 9 {
		all = append(all, writes(fmt.Sprint("a", i), 9-i%3, "Robots and more: Arms"))
	}
	x := openMemory(t, extract(withArticles("en", all...)), nil)
	// The newest first, then by address; five at most.
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

// What an edit takes over from the index before is what reading all would find.
func TestArticlesAfterAnEditAreThoseOfAFreshIndex(t *testing.T) {
	language := index.Language("en")
	words := []string{"robot", "robots", "arm", "the", "Open", "Telemetry", "kiln", "工具", "Müsli", "2.5"}
	rapid.Check(t, func(t *rapid.T) {
		drawn := byte(0)
		draw := func(slug string) article {
			part := rapid.Custom(func(t *rapid.T) string {
				return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words"), " ")
			})
			a := writes(slug, rapid.IntRange(0, 3).Draw(t, "age"), part.Draw(t, "title")+": "+part.Draw(t, "summary")+": "+part.Draw(t, "text"))
			drawn++
			return article{item: a, link: document.Link{Slug: slug}, digest: index.Digest{drawn}}
		}
		before := map[string]article{}
		for i := range rapid.IntRange(0, 6).Draw(t, "articles") {
			slug := fmt.Sprint("a", i)
			before[slug] = draw(slug)
		}
		var old, list []article
		for _, a := range before {
			old = append(old, a)
		}
		for i := range rapid.IntRange(0, 7).Draw(t, "now") {
			slug := fmt.Sprint("a", i)
			if a, known := before[slug]; known && rapid.Bool().Draw(t, "same") {
				list = append(list, a)
			} else {
				list = append(list, draw(slug))
			}
		}
		fresh := newArticles(slices.Clone(list), language, nil)
		next := newArticles(slices.Clone(list), language, newArticles(old, language, nil))
		for _, x := range []*articles{fresh, next} {
			for i := range x.words.Len() {
				slices.Sort(x.postings[x.first[i]:x.first[i+1]])
			}
		}
		if !reflect.DeepEqual(fresh.words, next.words) || !slices.Equal(fresh.first, next.first) || !slices.Equal(fresh.postings, next.postings) || !reflect.DeepEqual(fresh.list, next.list) {
			t.Fatalf("fresh %v %v, after an edit %v %v", fresh.words, fresh.postings, next.words, next.postings)
		}
	})
}

func TestFiftyThousandLongArticlesStayWithinBounds(t *testing.T) {
	source := strings.Repeat("words of a long text that goes on and on without an end ", 400)
	var list []article
	for i := range 50_000 {
		list = append(list, article{item: writes(fmt.Sprint("a", i), i%400, fmt.Sprintf("Title %d: About: %s", i, source))})
	}
	x := newArticles(list, index.Language("en"), nil)
	if got := len(x.postings); got > 50_000*100 {
		t.Errorf("%d postings", got)
	}
	if found := x.find(parse("title 31000", text.NewLanguage(nil, nil)), text.NewLanguage(nil, nil)); len(found) != 1 || found[0].Summary != "About" {
		t.Errorf("finds %+v", found)
	}
}
