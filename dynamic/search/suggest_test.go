package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/index"
)

// drawnName draws a name of words that are alike, in ways in which names are spelled.
func drawnName(t *rapid.T, label string) string {
	words := []string{
		"Robot", "robots", "Robto", "Arm", "army", "ar", "A", "b", "K8s", "k8", "Dash", "dashboard", "Müsli", "Muesli", "Mu\u0308", "Öl", "Oel", "C++", "C#", "C", "Node.js", "NodeJS",
		"node", "2.0", "20", "v1", "日本語", "日本", "本", "Bob's", "don't", "USB-C", "usbc", "é", "…", "supercalifragilistic",
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, label), rapid.SampledFrom([]string{" ", " ", "-", "", "  ", "/"}).Draw(t, "between"))
}

// drawnNames puts sellers, categories and listings into a catalog.
func drawnNames(t *rapid.T, c *catalog.Catalog, offers int) {
	change := catalog.Change{Marketplace: c.Market(), Now: sampleNow()}
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

// drawnTyping draws what somebody types who knows a name more or less.
func drawnTyping(t *rapid.T, x *Index) SuggestQuery {
	name := drawnName(t, "typed")
	if rapid.Bool().Draw(t, "known") {
		name = x.corpus.name(uint32(rapid.IntRange(0, len(x.corpus.places)-1).Draw(t, "listing")))
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
	q := SuggestQuery{Text: string(letters), Limit: rapid.IntRange(1, MaxSuggestions).Draw(t, "limit")}
	if rapid.IntRange(0, 3).Draw(t, "some kinds") == 0 {
		q.Kinds = rapid.SliceOfNDistinct(rapid.SampledFrom(suggestKindNames[:]), 1, 3, rapid.ID[string]).Draw(t, "kinds")
	}
	return q
}

func TestSuggestionsFromThePartsAreThoseOfAllNamesInMemory(t *testing.T) {
	several := 0
	rapid.Check(t, func(r *rapid.T) {
		c, removals := market("de"), &catalog.Register{}
		drawnNames(r, c, 40)
		x, err := Open(t.Context(), extract(c), Options{State: index.State{Release: "r1"}, Removals: removals})
		if err != nil {
			r.Fatal(err)
		}
		for i := range rapid.IntRange(0, 2).Draw(r, "changes") {
			c.Apply(catalog.Change{Marketplace: c.Market(), Now: sampleNow(), Put: []catalog.Item{drawnOffer(r)}})
			next, err := Open(t.Context(), extract(c), Options{State: index.State{Release: fmt.Sprint("r", i+2)}, Removals: removals, Previous: x})
			if err != nil {
				r.Fatal(err)
			}
			if err := x.Close(); err != nil {
				r.Fatal(err)
			}
			x = next
		}
		if rapid.Bool().Draw(r, "withheld") {
			remove(removals, "s1")
		}
		if len(x.corpus.segments) > 1 {
			several++
		}
		model := newModelSuggester(x.corpus)
		for range 20 {
			q := drawnTyping(r, x)
			if q.Check() != nil {
				continue
			}
			got, err := x.Suggest(t.Context(), q)
			if err != nil {
				r.Fatal(err)
			}
			if want := model.suggest(q, x.visibleNow()); !reflect.DeepEqual(got, want) {
				r.Fatalf("%+v\n got %+v\nwant %+v", q, got, want)
			}
		}
		if err := x.Close(); err != nil {
			r.Fatal(err)
		}
	})
	if several == 0 {
		t.Error("no index had several segments")
	}
}

func TestANameThatIsSpelledAsTypedComesBeforeShorterOnesWithItsLetters(t *testing.T) {
	x := openMemory(t, extract(market("en", "C", "C#", "C++", "Node js", "NodeJS", "Node.js tools", "Node Jsx")), nil)
	for typed, want := range map[string]string{"C++": "C++", "c#": "C#", "C": "C", "NodeJS": "NodeJS", "node.js t": "Node.js tools", "node js": "Node js", "node.j": "Node.js tools"} {
		a, err := x.Suggest(t.Context(), SuggestQuery{Text: typed, Limit: 1})
		if err != nil || len(a.Suggestions) != 1 || a.Suggestions[0].Name != want {
			t.Errorf("%q suggests %+v first, want %q (%v)", typed, a, want, err)
		}
	}
}

func TestWhatHasATypingErrorIsSuggestedLast(t *testing.T) {
	x := openMemory(t, extract(bazaar("en", []string{"institute Kyoto JP"}, map[string]string{"institutions": "Institutions"},
		offerOf{seller: "institute", name: "Istio"}, offerOf{seller: "institute", name: "Istio for everybody"}, offerOf{seller: "institute", name: "Anchor", categories: []string{"institutions"}})), nil)
	a, err := x.Suggest(t.Context(), SuggestQuery{Text: "isti", Limit: 8})
	var names []string
	for _, s := range a.Suggestions {
		names = append(names, s.Name)
	}
	if want := []string{"Istio", "Istio for everybody", "Institutions", "The institute company"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("suggests %q, want %q (%v)", names, want, err)
	}
}

func TestANameDiffersFromWhatItDoesNotBeginLike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("aA.é\u0301 \t\u0338=Ｕß"))).Draw(t, "name")
		typed := spelled(rapid.StringOf(rapid.SampledFrom([]rune("aA.é =u"))).Draw(t, "typed"))
		if differs(name, typed) && strings.HasPrefix(spelled(name), typed) {
			t.Fatalf("%q begins like %q", spelled(name), typed)
		}
	})
	if !differs("Coastal", "c.") || differs("C.x", "c.") {
		t.Error("it cannot tell names apart")
	}
}
