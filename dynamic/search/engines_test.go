package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/hit"
)

// This file runs tests of search with each engine, and compares the engines.

// TestCluster returns a cluster for tests, or skips the test. A test in another package
// sets it, because package opensearch imports this one.
var TestCluster func(t testing.TB) cluster.Cluster

// tested is the Cluster under test; nil is the embedded engine.
var tested cluster.Cluster

// eachEngine runs a test with each engine.
func eachEngine(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("embedded", test)
	t.Run("OpenSearch", func(t *testing.T) {
		tested = TestCluster(t)
		defer func() { tested = nil }()
		test(t)
	})
}

// drawnBoth opens a market with each engine. Both withhold the same sellers.
func drawnBoth(t *testing.T, c *catalog.Catalog, elsewhere cluster.Cluster, removals *catalog.Register) (here, there *Index) {
	t.Helper()
	open := func(elsewhere cluster.Cluster) *Index {
		x, err := Open(t.Context(), index.Extract(c, document.NewRenderer(c, "")), Options{State: index.State{Release: "r"}, Removals: removals, Cluster: elsewhere})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
		return x
	}
	return open(nil), open(elsewhere)
}

// sameAnswer compares two engines' answers to a query, ignoring the order of relevance
// within a tier.
func sameAnswer(here, there *Index, q Query) error {
	want, err := here.Search(context.Background(), q)
	if err != nil {
		return fmt.Errorf("%+v here: %w", q, err)
	}
	got, err := there.Search(context.Background(), q)
	if err != nil {
		return fmt.Errorf("%+v there: %w", q, err)
	}
	if q.Sort == "" || q.Sort == document.SortRelevance {
		if err := sameTiers(here, q, got.Listings, want.Listings); err != nil {
			return err
		}
		byURL := func(a, b Hit) int { return strings.Compare(a.URL, b.URL) }
		slices.SortFunc(want.Listings, byURL)
		slices.SortFunc(got.Listings, byURL)
	}
	a, err := json.Marshal(want)
	if err != nil {
		return err
	}
	b, err := json.Marshal(got)
	if err == nil && string(a) != string(b) {
		err = fmt.Errorf("%+v:\n here  %s\n there %s", q, a, b)
	}
	return err
}

// sameTiers checks that the engines have the same tiers in the same places, after the same
// pins.
func sameTiers(x *Index, q Query, got, want []Hit) error {
	c, err := x.checked(context.Background(), &q, x.visibleNow())
	if err != nil {
		return err
	}
	a, err := x.answer(context.Background(), &q, c, x.visibleNow())
	if err != nil {
		return err
	}
	at := map[string]string{}
	for _, key := range a.found.(*engine.Counted).Keys {
		likeness := 0
		if hit.TierOf(key) == hit.TierName {
			likeness = int(hit.ScoreOf(key))
		}
		at[x.Corpus.Card(x.Corpus.Listing(hit.DocOf(key))).URL] = fmt.Sprintf("tier %d, %d", hit.TierOf(key), likeness)
	}
	placed := func(h Hit) string {
		if h.Pinned {
			return h.URL
		}
		return at[h.URL]
	}
	for i := range min(len(got), len(want)) {
		if placed(got[i]) != placed(want[i]) {
			return fmt.Errorf("%+v: at %d there stands %s of %s, here %s of %s", q, i, got[i].URL, placed(got[i]), want[i].URL, placed(want[i]))
		}
	}
	return nil
}

func TestBothEnginesAgree(t *testing.T) {
	elsewhere := TestCluster(t)
	const markets, queries = 10, 20
	asked := 0
	for seed := range markets {
		c := rapid.Custom(drawnMarket).Example(seed)
		removals := &catalog.Register{}
		if seed%3 == 0 {
			remove(removals, "s0")
		}
		here, there := drawnBoth(t, c, elsewhere, removals)
		for i := range queries {
			q := rapid.Custom(func(t *rapid.T) Query {
				q := drawnQuery(t, here)
				drawnFilters(t, here, &q)
				return q
			}).Example(seed*queries + i)
			q.Limit = MaxLimit
			if here.Check(q) != nil {
				continue
			}
			asked++
			if err := errors.Join(sameAnswer(here, there, q), samePages(there, q, i%5+1)); err != nil {
				t.Fatalf("market %d: %v", seed, err)
			}
		}
	}
	if asked < markets*queries/2 {
		t.Errorf("only %d queries of %d can be asked", asked, markets*queries)
	}
}

// samePages checks that the pages together equal a single page.
func samePages(x *Index, q Query, size int) error {
	whole, err := x.Search(context.Background(), q)
	if err != nil {
		return err
	}
	var joined []Hit
	for q.Limit = size; len(joined) < whole.Total; q.Offset += size {
		page, err := x.Search(context.Background(), q)
		if err != nil || page.Total != whole.Total || len(page.Listings) == 0 {
			return fmt.Errorf("%+v: %d of %d, %w", q, len(page.Listings), page.Total, err)
		}
		joined = append(joined, page.Listings...)
	}
	if !reflect.DeepEqual(joined, append([]Hit(nil), whole.Listings...)) {
		return fmt.Errorf("%+v: the pages are not what one page tells", q)
	}
	return nil
}

func TestBothEnginesAgreeOnQuestions(t *testing.T) {
	elsewhere := TestCluster(t)
	here, there := drawnBoth(t, shop("en"), elsewhere, nil)
	for i := range 150 {
		q := Query{Text: rapid.Custom(drawnQuestion).Example(i), Limit: MaxLimit}
		if err := sameAnswer(here, there, q); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBothEnginesAgreeOnARealMarket(t *testing.T) {
	elsewhere := TestCluster(t)
	c := readCatalog(t, cncfFolder(t))
	here, there := drawnBoth(t, c, elsewhere, nil)
	for _, text := range []string{
		"", "kubernetes", "cloud native storage", "vector database", "how do I trace requests between my services without much code", "servcie mesh",
		"an alternative to prometheus for metrics that scales", "load balanc", "database without kubernetes", "monitoring in germany",
	} {
		for _, sort := range []string{"", "name", "newest"} {
			for _, offset := range []int{0, 40} {
				q := Query{Text: text, Limit: 40, Offset: offset, Sort: sort}
				want, err := here.Search(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if sort == "" && want.Total > 40 {
					continue // among more than one page of results, the other engine may choose different ones
				}
				if err := sameAnswer(here, there, q); err != nil {
					t.Error(err)
				}
			}
		}
		q := Query{Text: text}
		if err := sameAnswer(here, there, q); err != nil {
			t.Error(err)
		}
	}
}
