package match

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
	"souk/dynamic/search/corpus"
)

// writes2 returns an Article, given as "title: summary: text" and published daysAgo days
// ago.
func writes2(slug string, daysAgo int, all string) *catalog.Article {
	title, rest, _ := strings.Cut(all, ": ")
	summary, source, _ := strings.Cut(rest, ": ")
	return &catalog.Article{Head: catalog.Head{
		Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: slug}, Name: title, Summary: summary,
		PublishedAt: catalog.Date{Time: time.Date(2026, 11, 1-daysAgo, 0, 0, 0, 0, time.UTC)}, Description: catalog.Text{Source: source},
	}}
}

func TestArticlesAfterAnEditEqualAFreshIndex(t *testing.T) {
	language := index.Language("en")
	words := []string{"robot", "robots", "arm", "the", "Open", "Telemetry", "kiln", "工具", "Müsli", "2.5"}
	rapid.Check(t, func(t *rapid.T) {
		drawn := byte(0)
		draw := func(slug string) corpus.Article {
			part := rapid.Custom(func(t *rapid.T) string {
				return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words"), " ")
			})
			a := writes2(slug, rapid.IntRange(0, 3).Draw(t, "age"), part.Draw(t, "title")+": "+part.Draw(t, "summary")+": "+part.Draw(t, "text"))
			drawn++
			return corpus.Article{Item: a, Link: document.Link{Slug: slug}, Digest: index.Digest{drawn}}
		}
		before := map[string]corpus.Article{}
		for i := range rapid.IntRange(0, 6).Draw(t, "articles") {
			slug := fmt.Sprint("a", i)
			before[slug] = draw(slug)
		}
		var old, list []corpus.Article
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
		for _, x := range []*Articles{fresh, next} {
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
	var list []corpus.Article
	for i := range 50_000 {
		list = append(list, corpus.Article{Item: writes2(fmt.Sprint("a", i), i%400, fmt.Sprintf("Title %d: About: %s", i, source))})
	}
	x := newArticles(list, index.Language("en"), nil)
	if got := len(x.postings); got > 50_000*100 {
		t.Errorf("%d postings", got)
	}
	if found := x.Find(Parse("title 31000", text.NewLanguage(nil, nil)), text.NewLanguage(nil, nil)); len(found) != 1 || found[0].Summary != "About" {
		t.Errorf("finds %+v", found)
	}
}
