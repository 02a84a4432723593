//go:build unix

package markettest

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/kit/rendition"
	"souk/build/source"
)

// Catalog reads Content.
func Catalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	f := source.Open(Content(t), filepath.Join(t.TempDir(), "cache"), "bench", rendition.Open(""), func() time.Time { return now })
	if err := f.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := f.All()
	change.Now = now
	c := catalog.New()
	c.Apply(change)
	return c
}

// Queries returns n queries of one to five words, made of the names of offers
// and the words of categories, a tenth of them with a typing error. They are the
// same each time.
func Queries(c *catalog.Catalog, n int) []string {
	var names, kinds []string
	for _, node := range c.Nodes() {
		switch item := node.Item().(type) {
		case *catalog.Category:
			kinds = append(kinds, strings.Fields(item.Name)...)
		case *catalog.Offer:
			names = append(names, item.Name)
		}
	}
	r := rand.New(rand.NewPCG(13, 17))
	list := make([]string, n)
	for i := range list {
		words := strings.Fields(names[r.IntN(len(names))])
		if r.IntN(2) == 0 {
			words = words[:1]
		}
		for len(words) < 1+r.IntN(3) {
			words = append(words, kinds[r.IntN(len(kinds))])
		}
		words = words[:min(len(words), 5)]
		if i%10 == 0 {
			at := r.IntN(len(words))
			words[at] = misspelt(r, words[at])
		}
		list[i] = strings.Join(words, " ")
	}
	return list
}

// Questions returns questions of at most 20 words and 200 characters, the same for
// the same content: sentences as they stand in descriptions, and every second one
// of words from anywhere in them, so that none lacks the frequent ones.
func Questions(c *catalog.Catalog, n int) []string {
	var texts [][]string
	for _, node := range c.Nodes() {
		if o, is := node.Item().(*catalog.Offer); is && len(texts) < 1000 {
			if words := aWord.FindAllString(o.Description.Source, -1); len(words) > 40 {
				texts = append(texts, words)
			}
		}
	}
	r := rand.New(rand.NewPCG(19, 23))
	list := make([]string, n)
	for i := range list {
		words := texts[r.IntN(len(texts))]
		from := r.IntN(len(words) - 20)
		question := words[from]
		for j := 1; j < 20; j++ {
			word := words[from+j]
			if i%2 == 1 {
				other := texts[r.IntN(len(texts))]
				word = other[r.IntN(len(other))]
			}
			if len(question)+len(word) < 200 {
				question += " " + word
			}
		}
		list[i] = question
	}
	return list
}

// misspelt swaps, drops or replaces a letter of a word of four or more.
func misspelt(r *rand.Rand, word string) string {
	w := []rune(word)
	if len(w) < 4 {
		return word
	}
	at := 1 + r.IntN(len(w)-2)
	switch r.IntN(3) {
	case 0:
		w[at], w[at+1] = w[at+1], w[at]
	case 1:
		w = slices.Delete(w, at, at+1)
	default:
		w[at] = rune('a' + r.IntN(26))
	}
	return string(w)
}
