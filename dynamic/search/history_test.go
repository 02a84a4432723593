package search

import (
	"context"
	"slices"
	"testing"

	"souk/build/catalog"
	"souk/build/index"
	"souk/dynamic/search/match"
)

// connected returns a market in which the misspelt "conection" finds Digger only through
// the word "connection". It has enough other listings that an edit does not rewrite
// everything.
func connected() *catalog.Catalog {
	return market("en", "Connection", "Digger: It is connected", "Kettle", "Lamp", "Mirror", "Pillow", "Saucer", "Teapot")
}

func TestWordsOfHiddenListingsCorrectNothing(t *testing.T) {
	ref := catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "o0"}
	for name, change := range map[string]func(c *catalog.Catalog) catalog.Change{
		"renamed": func(c *catalog.Catalog) catalog.Change {
			o := *c.Node(ref).Item().(*catalog.Offer)
			o.Name = "Vase"
			return catalog.Change{Now: sampleNow(), Put: []catalog.Item{&o}}
		},
		"deleted": func(*catalog.Catalog) catalog.Change {
			return catalog.Change{Now: sampleNow(), Delete: []catalog.Ref{ref}}
		},
	} {
		c := connected()
		x := openMemory(t, extract(c), nil)
		if got := names(t, x, "conection"); !slices.Equal(got, []string{"Connection", "Digger"}) {
			t.Errorf("before it is %s, conection finds %q", name, got)
		}
		c.Apply(change(c))
		next, err := Open(context.Background(), extract(c), Options{State: index.State{Release: "r2"}, Previous: x})
		if err != nil {
			t.Fatal(err)
		}
		if !next.Spelled("connection") {
			t.Errorf("%s: the dictionary was made anew, which tests nothing", name)
		}
		if got := names(t, next, "conection"); got != nil {
			t.Errorf("the only connection is %s, and conection finds %q", name, got)
		}
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWordsOfARemovedSellerCorrectNothing(t *testing.T) {
	eachEngine(t, testAWordOfAWithheldSellerCorrectsNothing)
}

func testAWordOfAWithheldSellerCorrectsNothing(t *testing.T) {
	c, w := connected(), &catalog.Register{}
	o := &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "gone", Slug: "o0"}, Name: "Connection"}}
	c.Apply(catalog.Change{Now: sampleNow(), Delete: []catalog.Ref{{Kind: catalog.KindProduct, Company: "s", Slug: "o0"}}, Put: []catalog.Item{
		&catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef("gone"), Name: "Gone"}, ID: "gone", OfficialDomain: "gone.example"}, o,
	}})
	x := openMemory(t, extract(c), w)
	if got := names(t, x, "conection"); !slices.Equal(got, []string{"Connection", "Digger"}) {
		t.Errorf("conection finds %q", got)
	}
	remove(w, "gone")
	if got := names(t, x, "conection"); got != nil {
		t.Errorf("the only connection is withheld, and conection finds %q", got)
	}
}

func TestWordFormsCountEquallyAcrossSegments(t *testing.T) {
	c := market("en", "Kettle: connections", "Lamp", "Mirror", "Pillow", "Saucer", "Teapot")
	x := openMemory(t, extract(c), nil)
	o := &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "s", Slug: "new"},
		Name: "Connecting", Summary: "connected connected connections", Keywords: []string{"connection", "connects"}}}
	c.Apply(catalog.Change{Now: sampleNow(), Put: []catalog.Item{o}})
	changed, err := Open(context.Background(), extract(c), Options{State: index.State{Release: "r2"}, Previous: x})
	if err != nil {
		t.Fatal(err)
	}
	defer changed.Close()
	fresh := openMemory(t, extract(c), nil)
	if len(changed.Corpus.Segments) != 2 {
		t.Errorf("%d segments, which tests nothing", len(changed.Corpus.Segments))
	}
	for _, word := range []string{"connect", "connected", "connecting", "connection", "connections", "connects"} {
		got, err := changed.Inflected(t.Context(), word, match.TypedForms)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fresh.Inflected(t.Context(), word, match.TypedForms)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Docs, want.Docs) || !slices.Equal(got.Impacts, want.Impacts) {
			t.Errorf("%s counts %v %v, fresh %v %v", word, got.Docs, got.Impacts, want.Docs, want.Impacts)
		}
	}
}
