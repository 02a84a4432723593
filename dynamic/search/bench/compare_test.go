//go:build unix

// Package bench compares search with bleve v2 on the same listings and queries, one after
// the other on one machine. It is a separate module so that the program does not depend on
// bleve.
package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/internal/testing/markettest"
)

// An engine returns the first 20 listings for a query, with the exact total and the counts
// of all filters.
type engine interface {
	ask(ctx context.Context, text string) (total int, err error)
	close() error
}

// BenchmarkCompare sends the same queries of one to five words to Souk and then to bleve,
// for the same listings. Ratios to Souk end in x-souk.
func BenchmarkCompare(b *testing.B) {
	c := markettest.Catalog(b)
	queries := markettest.Queries(c, 1000)
	souk := measure(b, "souk", c, queries, openOurs, nil)
	measure(b, "bleve", c, queries, openBleve, souk)
}

// measure builds an index and runs each query once. It returns the durations and reports
// them, as well as their ratios to another engine's if there is one.
func measure(b *testing.B, name string, c *catalog.Catalog, queries []string, open func(*testing.B, *catalog.Catalog) engine, other map[string]time.Duration) map[string]time.Duration {
	costs := map[string]time.Duration{}
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			used := markettest.CPU()
			began := time.Now()
			e := open(b, c)
			costs["build"], costs["build-cpu"] = time.Since(began), markettest.CPU()-used
			var times []time.Duration
			used, found := markettest.CPU(), 0
			for _, q := range queries {
				one := time.Now()
				total, err := e.ask(b.Context(), q)
				if err != nil {
					b.Fatalf("%q: %v", q, err)
				}
				times = append(times, time.Since(one))
				if total > 0 {
					found++
				}
			}
			costs["query-cpu"] = (markettest.CPU() - used) / time.Duration(len(queries))
			costs["p50"], costs["p99"] = markettest.Percentile(times, 50), markettest.Percentile(times, 99)
			if err := e.close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(found), "answered")
		}
		for what, cost := range costs {
			b.ReportMetric(markettest.Milliseconds(cost), what+"-ms")
			if other != nil {
				b.ReportMetric(float64(cost)/float64(other[what]), what+"-x-souk")
			}
		}
	})
	return costs
}

type ourEngine struct{ index *search.Index }

func openOurs(t *testing.B, c *catalog.Catalog) engine {
	x, err := search.Open(t.Context(), index.Extract(c, document.NewRenderer(c, "")), search.Options{
		Folder: filepath.Join(t.TempDir(), "souk"), State: index.State{Release: "r1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return ourEngine{x}
}

func (e ourEngine) close() error { return e.index.Close() }

func (e ourEngine) ask(ctx context.Context, text string) (int, error) {
	r, err := e.index.Search(ctx, search.Query{Text: text, Limit: 20})
	if err != nil {
		return 0, err
	}
	return r.Total, nil
}

// bleveEngine searches the composite field for all words and, if that finds nothing, for
// any of them, as bleve's documentation suggests.
type bleveEngine struct{ index bleve.Index }

type card struct {
	Name, Summary, Description, Seller, Categories, Keywords, Attributes, SKUs string
	Kind, Country, SellerSlug                                                  string
	CategoryRefs                                                               []string
}

func bleveMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = "en"
	d := bleve.NewDocumentStaticMapping()
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.IncludeTermVectors = "en", false, false
	keyword := bleve.NewKeywordFieldMapping()
	keyword.Store, keyword.IncludeInAll = false, false
	for _, name := range []string{"Name", "Summary", "Description", "Seller", "Categories", "Keywords", "Attributes", "SKUs"} {
		d.AddFieldMappingsAt(name, text)
	}
	for _, name := range []string{"Kind", "Country", "SellerSlug", "CategoryRefs"} {
		d.AddFieldMappingsAt(name, keyword)
	}
	m.DefaultMapping = d
	return m
}

func openBleve(t *testing.B, c *catalog.Catalog) engine {
	x, err := bleve.New(filepath.Join(t.TempDir(), "bleve"), bleveMapping())
	if err != nil {
		t.Fatal(err)
	}
	batch := x.NewBatch()
	for _, n := range c.Nodes() {
		o, is := n.Item().(*catalog.Offer)
		if !is || !n.Current() {
			continue
		}
		if err := batch.Index(n.Ref().Path(), cardOf(c, n, o)); err != nil {
			t.Fatal(err)
		}
		if batch.Size() == 1000 {
			if err := x.Batch(batch); err != nil {
				t.Fatal(err)
			}
			batch.Reset()
		}
	}
	if err := x.Batch(batch); err != nil {
		t.Fatal(err)
	}
	return bleveEngine{x}
}

func cardOf(c *catalog.Catalog, n *catalog.Node, o *catalog.Offer) card {
	s := n.Seller().Item().(*catalog.Seller)
	one := card{
		Name: o.Name, Summary: o.Summary, Description: o.Description.Source, Seller: s.Name, Keywords: strings.Join(o.Keywords, " "),
		Kind: n.Ref().Kind.String(), SellerSlug: n.Ref().Company, SKUs: o.SKU,
	}
	if s.Headquarters != nil {
		one.Country = s.Headquarters.Country
	}
	for _, a := range o.Attributes {
		one.Attributes += fmt.Sprintf("%s %s %s ", a.Name, a.Value, a.Unit)
	}
	for _, v := range o.Variants {
		one.SKUs += " " + v.Name + " " + v.SKU
	}
	for _, m := range o.Categories {
		for category := c.Node(m.Ref); category != nil && category.Current(); category = category.Parent() {
			one.Categories += category.Head().Name + " "
			one.CategoryRefs = append(one.CategoryRefs, category.Ref().String())
		}
	}
	return one
}

func (e bleveEngine) close() error { return e.index.Close() }

func (e bleveEngine) ask(ctx context.Context, text string) (int, error) {
	all := bleve.NewMatchQuery(text)
	all.SetOperator(query.MatchQueryOperatorAnd)
	total, err := e.request(ctx, all)
	if err != nil || total > 0 {
		return total, err
	}
	misspelt := bleve.NewMatchQuery(text)
	misspelt.SetFuzziness(1)
	misspelt.SetPrefix(1)
	return e.request(ctx, misspelt)
}

func (e bleveEngine) request(ctx context.Context, q query.Query) (int, error) {
	r := bleve.NewSearchRequestOptions(q, 20, 0, false)
	for _, name := range []string{"Kind", "Country", "SellerSlug", "CategoryRefs"} {
		r.AddFacet(name, bleve.NewFacetRequest(name, 100_000))
	}
	r.SortBy([]string{"-_score", "_id"})
	answer, err := e.index.SearchInContext(ctx, r)
	if err != nil {
		return 0, err
	}
	return int(answer.Total), nil
}
