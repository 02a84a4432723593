package search

import (
	"slices"
	"testing"

	"souk/build/catalog"
	"souk/dynamic/search/corpus"
)

// pinned returns the slugs that a category pins.
func pinned(c *corpus.Corpus, category string) (slugs []string) {
	for i := range c.Categories {
		if c.Categories[i].Item.Ref.Slug == category {
			for _, at := range c.Categories[i].Pins {
				slugs = append(slugs, every(c)[at].Offer.Ref.Slug)
			}
		}
	}
	return slugs
}

func TestPinsComeInTheAuthorsOrder(t *testing.T) {
	eachEngine(t, testPinsAreTheListingsOfTheCategoryInTheAuthorsOrder)
}

func testPinsAreTheListingsOfTheCategoryInTheAuthorsOrder(t *testing.T) {
	c := readCatalog(t, sampleFolder)
	var listed []*catalog.Node
	var category *catalog.Node
	c.Each(func(n *catalog.Node) {
		if n.Ref().Kind == catalog.KindCategory && n.Ref().Root == catalog.KindProduct && n.Current() && len(n.List(catalog.Listings)) > len(listed) {
			category, listed = n, n.List(catalog.Listings)
		}
	})
	if len(listed) < 3 {
		t.Fatal("the sample has no category of three products")
	}
	edited := *category.Item().(*catalog.Category)
	edited.Pins = nil
	var want []string
	for _, n := range slices.Backward(listed) {
		edited.Pins = append(edited.Pins, catalog.Mention{Ref: n.Ref()})
		want = append(want, n.Ref().Slug)
	}
	c.Each(func(other *catalog.Node) {
		if other.Ref().Kind == catalog.KindProduct && other.Current() && !slices.Contains(listed, other) {
			edited.Pins = append(edited.Pins, catalog.Mention{Ref: other.Ref()})
		}
	})
	if len(edited.Pins) == len(listed) {
		t.Fatal("the sample has no product outside of the category")
	}
	draft := *listed[0].Item().(*catalog.Offer)
	draft.Status = catalog.Draft
	want = slices.DeleteFunc(want, func(slug string) bool { return slug == draft.Ref.Slug })
	c.Apply(catalog.Change{Put: []catalog.Item{&edited, &draft}, Now: sampleNow()})

	x := openMemory(t, extract(c), nil)
	if got := pinned(x.Corpus, category.Ref().Slug); !slices.Equal(got, want) {
		t.Errorf("the pins are %v, want %v", got, want)
	}
}

func TestVersionChangesWithSynonymsAndPins(t *testing.T) {
	c := readCatalog(t, sampleFolder)
	c.Apply(catalog.Change{Synonyms: &[]catalog.Synonyms{}, Now: sampleNow()})
	versions := map[string]bool{}
	version := func() string {
		var live Live
		live.current.Store(openMemory(t, extract(c), nil))
		return live.Version()
	}
	versions[version()] = true
	if !versions[version()] {
		t.Error("the same corpus has another version")
	}
	for _, list := range [][]catalog.Synonyms{
		{{From: []string{"arm"}, To: []string{"limb"}}}, {{From: []string{"limb"}, To: []string{"arm"}}}, {},
	} {
		c.Apply(catalog.Change{Synonyms: &list, Now: sampleNow()})
		if known := versions[version()]; known != (len(list) == 0) {
			t.Errorf("with %v the version is known: %v", list, known)
		}
		versions[version()] = true
	}
}
