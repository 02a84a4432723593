package search

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/rendition"
	"souk/build/source"
	"souk/dynamic/search/corpus"
)

const sampleFolder = "../../content"

// sampleNow is a time at which everything in the samples has become current and nothing has
// expired.
func sampleNow() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }

// readCatalog reads a content folder.
func readCatalog(t testing.TB, folder string) *catalog.Catalog {
	t.Helper()
	f := source.Open(folder, filepath.Join(t.TempDir(), "cache"), "test", rendition.Open(""), sampleNow)
	if err := f.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := f.All()
	change.Now = sampleNow()
	c := catalog.New()
	c.Apply(change)
	return c
}

func cncfFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("SOUK_CNCF")
	if folder == "" {
		folder = "../../../shared/data/cncf"
	}
	if _, err := os.Stat(filepath.Join(folder, "marketplace.yaml")); err != nil {
		t.Skip("there is no cncf marketplace here: name its folder by SOUK_CNCF")
	}
	return folder
}

func extract(c *catalog.Catalog) *index.Corpus { return index.Extract(c, document.NewRenderer(c, "")) }

// remove sets the removed sellers of a Register by companySlug.
func remove(r *catalog.Register, slugs ...string) {
	var list []catalog.Removal
	for _, slug := range slugs {
		list = append(list, catalog.Removal{ID: "the id of " + slug, Slug: slug})
	}
	r.Learn(catalog.NewRemovals(list))
}

// openMemory returns an index in memory that is closed when the test ends.
func openMemory(t testing.TB, c *index.Corpus, removals *catalog.Register) *Index {
	t.Helper()
	return openWith(t, c, Options{Removals: removals, Cluster: tested})
}

// openWith returns an index of the release r1 that is closed when the test ends.
func openWith(t testing.TB, c *index.Corpus, o Options) *Index {
	t.Helper()
	o.State = index.State{Release: "r1"}
	x, err := Open(context.Background(), c, o)
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

func TestCardsMatchTheDocuments(t *testing.T) {
	for _, site := range []string{"", "https://preview.example"} {
		c := readCatalog(t, sampleFolder)
		r := document.NewRenderer(c, site)
		corpus := openMemory(t, index.Extract(c, r), nil).Corpus
		if len(every(corpus)) == 0 {
			t.Fatal("no listing was extracted")
		}
		for _, l := range every(corpus) {
			n := c.Node(l.Offer.Ref)
			if got, want := corpus.Card(l), r.Listing(n); !reflect.DeepEqual(got, want) {
				t.Errorf("card of %s:\n got %+v\nwant %+v", l.Offer.Ref, got, want)
			}
			if got, want := corpus.Link(l), r.Link(n); got != want {
				t.Errorf("link of %s:\n got %+v\nwant %+v", l.Offer.Ref, got, want)
			}
		}
	}
}

// everyOf caches the listings of each Corpus, so that tests can compare their addresses.
var everyOf sync.Map

// every returns all listings with their descriptions, in list order.
func every(c *corpus.Corpus) []corpus.Listing {
	if known, is := everyOf.Load(c); is {
		return known.([]corpus.Listing)
	}
	list := make([]corpus.Listing, len(c.Places))
	for i := range list {
		list[i] = c.Described(uint32(i))
	}
	everyOf.Store(c, list)
	return list
}
