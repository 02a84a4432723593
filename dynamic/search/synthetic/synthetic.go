// Package synthetic multiplies a real marketplace to the size that a
// measurement needs, and asks it what people would ask. It is for tests and
// benchmarks alone: it knows the catalog, but no search engine, so that several
// can be measured on the same listings and queries. The same seed gives the
// same market and the same queries.
package synthetic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"souk/build/catalog"
	"souk/build/source"
)

// A Market is a marketplace and where it came from.
type Market struct {
	Catalog *catalog.Catalog
	// names and words are those of the real marketplace, for queries.
	names, words []string
}

// listingsPerSeller is about what a seller of a marketplace offers.
const listingsPerSeller = 20

// Read reads a content folder as of a moment. It writes nothing there.
func Read(ctx context.Context, folder string, now time.Time) (*catalog.Catalog, error) {
	cache, err := os.MkdirTemp("", "synthetic-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	f := source.Open(folder, filepath.Join(cache, "content"), "synthetic", func() time.Time { return now })
	if _, err := f.Scan(ctx); err != nil {
		return nil, err
	}
	change, err := f.Change()
	if err != nil {
		return nil, err
	}
	change.Now = now
	c := catalog.New()
	c.Apply(change)
	return c, nil
}

// Make returns a market of n listings that are made from those of a real one:
// each has the name, categories and texts of one, with words of others put in,
// so that words are as common and as rare as in the real one.
func Make(real *catalog.Catalog, n int) (*Market, error) {
	m := &maker{random: rand.New(rand.NewPCG(3, 5)), market: &Market{}}
	change := catalog.Change{Marketplace: real.Market(), Now: real.Now()}
	for _, node := range real.Nodes() {
		if !node.Current() {
			continue
		}
		switch item := node.Item().(type) {
		case *catalog.Category:
			change.Put = append(change.Put, item)
			m.market.words = append(m.market.words, strings.Fields(item.Name)...)
		case *catalog.Seller:
			m.sellers = append(m.sellers, item)
		case *catalog.Offer:
			m.offers = append(m.offers, item)
			m.market.names = append(m.market.names, item.Name)
		}
	}
	if len(m.offers) == 0 || len(m.sellers) == 0 {
		return nil, errors.New("the marketplace has no listings to multiply")
	}
	for i := range n {
		if i%listingsPerSeller == 0 {
			change.Put = append(change.Put, m.seller(i/listingsPerSeller))
		}
		change.Put = append(change.Put, m.offer(i))
	}
	m.market.Catalog = catalog.New()
	m.market.Catalog.Apply(change)
	return m.market, nil
}

type maker struct {
	random  *rand.Rand
	market  *Market
	sellers []*catalog.Seller
	offers  []*catalog.Offer
	slug    string
}

func (m *maker) seller(i int) *catalog.Seller {
	s := *m.sellers[i%len(m.sellers)]
	m.slug = fmt.Sprintf("s%d", i)
	s.Ref, s.ID, s.OfficialDomain = catalog.SellerRef(m.slug), m.slug, m.slug+".example"
	s.FormerDomains, s.Description = nil, catalog.Text{}
	if i >= len(m.sellers) {
		s.Name += " " + m.word()
	}
	return &s
}

func (m *maker) offer(i int) *catalog.Offer {
	o := *m.offers[i%len(m.offers)]
	o.Ref = catalog.Ref{Kind: o.Ref.Kind, Company: m.slug, Slug: fmt.Sprintf("o%d", i)}
	o.Related = nil
	if i >= len(m.offers) {
		o.Name += " " + m.word()
		o.Summary = m.varied(o.Summary)
		o.Description = catalog.Text{Source: m.varied(o.Description.Source)}
		if o.SKU != "" {
			o.SKU = fmt.Sprintf("%s-%d", o.SKU, i)
		}
	} else {
		o.Description = catalog.Text{Source: o.Description.Source}
	}
	return &o
}

// word returns a word of some name.
func (m *maker) word() string {
	words := strings.Fields(m.offers[m.random.IntN(len(m.offers))].Name)
	return words[m.random.IntN(len(words))]
}

// varied puts words of other texts in the place of a fifth of the words.
func (m *maker) varied(text string) string {
	words := strings.Fields(text)
	for i := range words {
		if m.random.IntN(5) == 0 {
			if other := strings.Fields(m.offers[m.random.IntN(len(m.offers))].Summary); len(other) > 0 {
				words[i] = other[m.random.IntN(len(other))]
			}
		}
	}
	return strings.Join(words, " ")
}

// Queries returns n queries of one to five words, made of the names of products
// and the words of categories, a tenth of them with a typing error.
func (m *Market) Queries(n int) []string {
	random := rand.New(rand.NewPCG(13, 17))
	list := make([]string, n)
	for i := range list {
		words := strings.Fields(m.names[random.IntN(len(m.names))])
		if random.IntN(2) == 0 {
			words = words[:1]
		}
		for len(words) < 1+random.IntN(3) {
			words = append(words, m.words[random.IntN(len(m.words))])
		}
		words = words[:min(len(words), 5)]
		if i%10 == 0 {
			at := random.IntN(len(words))
			words[at] = misspelt(random, words[at])
		}
		list[i] = strings.Join(words, " ")
	}
	return list
}

// misspelt swaps, drops or replaces a letter of a word of four or more.
func misspelt(random *rand.Rand, word string) string {
	w := []rune(word)
	if len(w) < 4 {
		return word
	}
	at := 1 + random.IntN(len(w)-2)
	switch random.IntN(3) {
	case 0:
		w[at], w[at+1] = w[at+1], w[at]
	case 1:
		w = slices.Delete(w, at, at+1)
	default:
		w[at] = rune('a' + random.IntN(26))
	}
	return string(w)
}
