package suggest

import (
	"context"
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
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

// drawnAt is a time at which everything generated is current.
var drawnAt = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func germanMarket() *catalog.Catalog {
	c := catalog.New()
	c.Apply(catalog.Change{Now: drawnAt, Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "de"}})
	return c
}

// openCorpus opens a marketplace in memory. Parts that have not changed since before are
// reused.
func openCorpus(ctx context.Context, c *catalog.Catalog, release string, before *corpus.Corpus) (*corpus.Corpus, error) {
	var previous *index.Set
	if before != nil {
		previous = before.Set
	}
	set, err := index.Write(ctx, index.Extract(c, document.NewRenderer(c, "")), index.Options{State: index.State{Release: release}, Previous: previous})
	if err != nil {
		return nil, err
	}
	x, _ := corpus.NewCorpus(set)
	return x, nil
}

// drawnName generates a name from similar words, joined in the ways in which people write
// names.
func drawnName(t *rapid.T, label string) string {
	words := []string{
		"Robot", "robots", "Robto", "Arm", "army", "ar", "A", "b", "K8s", "k8", "Dash", "dashboard", "Müsli", "Muesli", "Mu\u0308", "Öl", "Oel", "C++", "C#", "C", "Node.js", "NodeJS",
		"node", "2.0", "20", "v1", "日本語", "日本", "本", "Bob's", "don't", "USB-C", "usbc", "é", "…", "supercalifragilistic",
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, label), rapid.SampledFrom([]string{" ", " ", "-", "", "  ", "/"}).Draw(t, "between"))
}

// drawnNames adds random sellers, categories and listings to a catalog.
func drawnNames(t *rapid.T, c *catalog.Catalog, offers int) {
	change := catalog.Change{Marketplace: c.Market(), Now: drawnAt}
	for i := range 3 {
		slug := fmt.Sprint("s", i)
		change.Put = append(change.Put, &catalog.Seller{
			Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: drawnName(t, "seller")}, ID: slug, OfficialDomain: slug + ".example", LegalName: drawnName(t, "legal name"),
		}, &catalog.Category{
			Head:     catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, fmt.Sprint("c", i)), Name: drawnName(t, "category")},
			Synonyms: []string{drawnName(t, "synonym"), drawnName(t, "other synonym")},
		})
	}
	for range offers {
		change.Put = append(change.Put, drawnOffer(t))
	}
	c.Apply(change)
}

func drawnOffer(t *rapid.T) *catalog.Offer {
	kind := rapid.SampledFrom([]catalog.Kind{catalog.KindProduct, catalog.KindProduct, catalog.KindService}).Draw(t, "kind")
	o := &catalog.Offer{Head: catalog.Head{
		Ref:  catalog.Ref{Kind: kind, Company: fmt.Sprint("s", rapid.IntRange(0, 2).Draw(t, "of")), Slug: fmt.Sprint("o", rapid.IntRange(0, 60).Draw(t, "slug"))},
		Name: drawnName(t, "name"),
	}}
	if kind == catalog.KindProduct {
		o.Categories = []catalog.Mention{{Ref: catalog.CategoryRef(kind, fmt.Sprint("c", rapid.IntRange(0, 2).Draw(t, "in")))}}
	}
	return o
}

// drawnTyping generates a text that a person might type who roughly knows a name.
func drawnTyping(t *rapid.T, x *corpus.Corpus) Query {
	name := drawnName(t, "typed")
	if rapid.Bool().Draw(t, "known") {
		name = x.Name(uint32(rapid.IntRange(0, len(x.Places)-1).Draw(t, "listing")))
	}
	if rapid.Bool().Draw(t, "turned") {
		words := strings.Fields(name)
		slices.Reverse(words)
		name = strings.Join(words, " ")
	}
	letters := []rune(name)
	letters = letters[:rapid.IntRange(1, len(letters)).Draw(t, "letters")]
	if at := rapid.IntRange(-len(letters), len(letters)-1).Draw(t, "wrong"); at > 0 {
		letters[at] = 'x'
	}
	q := Query{Text: string(letters), Limit: rapid.IntRange(1, MaxSuggestions).Draw(t, "limit")}
	if rapid.IntRange(0, 3).Draw(t, "some kinds") == 0 {
		q.Kinds = rapid.SliceOfNDistinct(rapid.SampledFrom(suggestKindNames[:]), 1, 3, rapid.ID[string]).Draw(t, "kinds")
	}
	return q
}

func TestSuggestionsFromPartsEqualThoseFromMemory(t *testing.T) {
	several := 0
	rapid.Check(t, func(r *rapid.T) {
		c, removals := germanMarket(), catalog.NewRemovals(nil)
		drawnNames(r, c, 40)
		x, err := openCorpus(t.Context(), c, "r1", nil)
		if err != nil {
			r.Fatal(err)
		}
		for i := range rapid.IntRange(0, 2).Draw(r, "changes") {
			c.Apply(catalog.Change{Marketplace: c.Market(), Now: drawnAt, Put: []catalog.Item{drawnOffer(r)}})
			next, err := openCorpus(t.Context(), c, fmt.Sprint("r", i+2), x)
			if err != nil {
				r.Fatal(err)
			}
			if err := x.Release(); err != nil {
				r.Fatal(err)
			}
			x = next
		}
		if rapid.Bool().Draw(r, "withheld") {
			removals = catalog.NewRemovals([]catalog.Removal{{ID: "the id of s1", Slug: "s1"}})
		}
		if len(x.Segments) > 1 {
			several++
		}
		completes, model := NewSuggester(x, index.Language("de")), newModelSuggester(x)
		for range 20 {
			q := drawnTyping(r, x)
			if q.Check() != nil {
				continue
			}
			v := x.Visible(removals, nil)
			got := completes.Suggest(q, v)
			if want := model.suggest(q, v); !reflect.DeepEqual(got, want) {
				r.Fatalf("%+v\n got %+v\nwant %+v", q, got, want)
			}
		}
		if err := x.Release(); err != nil {
			r.Fatal(err)
		}
	})
	if several == 0 {
		t.Error("no index had several segments")
	}
}

func TestNamesDifferFromOtherPrefixes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("aA.é\u0301 \t\u0338=Ｕß"))).Draw(t, "name")
		typed := match.Spelled(rapid.StringOf(rapid.SampledFrom([]rune("aA.é =u"))).Draw(t, "typed"))
		if differs(name, typed) && strings.HasPrefix(match.Spelled(name), typed) {
			t.Fatalf("%q begins like %q", match.Spelled(name), typed)
		}
	})
	if !differs("Coastal", "c.") || differs("C.x", "c.") {
		t.Error("it cannot tell names apart")
	}
}
