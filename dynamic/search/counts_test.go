package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/terms"
)

// TestWordCountsDoNotDependOnIndexHistory compares counts with the listings that are read,
// including segments in which some listings have been replaced.
func TestWordCountsDoNotDependOnIndexHistory(t *testing.T) {
	offers := []string{"Robot arm: Welds", "Robot: Welds", "Lamp: Red", "Lamp arm: Holds"}
	for range 200 {
		offers = append(offers, "Other: thing")
	}
	c := market("en", offers...)
	x := openMemory(t, extract(c), nil)
	o := *c.Node(catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "o1"}).Item().(*catalog.Offer)
	o.Name = "Lamp of glass"
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{&o}, Delete: []catalog.Ref{{Kind: catalog.KindProduct, Company: "s", Slug: "o3"}}})
	next, err := Open(t.Context(), extract(c), Options{State: index.State{Release: "r2"}, Previous: x})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if len(next.Corpus.Segments) < 2 {
		t.Fatal("everything was written anew")
	}
	for _, segment := range next.Corpus.Segments {
		for word := range segment.Words().Words(0, segment.Words().Len()) {
			want := 0
			if err := segment.Terms().Each(terms.Words, word, func(p terms.Posting) {
				if segment.Lives(p.Document) {
					want++
				}
			}); err != nil {
				t.Fatal(err)
			}
			if got, err := segment.Terms().Count(terms.Words, word, segment.Lives); err != nil || got != want {
				t.Errorf("%s: %d listings are counted (%v), %d read", word, got, err, want)
			}
		}
	}
	for word, want := range map[string]int{"robot": 1, "lamp": 2, "arm": 1, "weld": 2, "nothing": 0} {
		if got, err := next.Count(t.Context(), word, nil); err != nil || got != want {
			t.Errorf("%s: %d listings (%v), want %d", word, got, err, want)
		}
	}
}

func TestLongQuestionsIgnoreTheirMostFrequentWords(t *testing.T) {
	offers := make([]string, 6000)
	for i := range offers {
		offers[i] = fmt.Sprintf("Listing %d: steady bright modern sturdy light handy lamp", i)
	}
	offers[7] += " copper"
	offers[8] += " copper mirror"
	x := openMemory(t, extract(market("en", offers...)), nil)
	const question = "copper mirror steady bright modern sturdy light handy lamp"
	leftOut, _, _ := understood(t, x, question)
	if len(leftOut) == 0 || slices.Contains(leftOut, "copper") || slices.Contains(leftOut, "mirror") {
		t.Errorf("%q are left out", leftOut)
	}
	if got := names(t, x, question); len(got) < 2 || got[0] != "Listing 8" || got[1] != "Listing 7" {
		t.Errorf("found are %q", got)
	}
	// A query of few words ignores none of them.
	if leftOut, _, _ := understood(t, x, strings.Join(strings.Fields(question)[:6], " ")); len(leftOut) > 0 {
		t.Errorf("of few words, %q are left out", leftOut)
	}
}
