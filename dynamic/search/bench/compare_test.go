//go:build unix

package bench

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"

	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/synthetic"
)

// An engine answers a query with its first 20 listings, the exact total and
// the counts of all filters.
type engine interface {
	ask(ctx context.Context, text string) (total int, err error)
	close() error
}

// Listings is how many listings are compared on; SOUK_BENCH_LISTINGS is another
// number.
func listings(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SOUK_BENCH_LISTINGS"), "10000"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func cpu(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A figure is what came of one engine.
type figure struct {
	build, buildCPU, queryCPU time.Duration
	p50, p99                  time.Duration
	found                     int
}

func measure(t *testing.T, open func() engine, queries []string) figure {
	t.Helper()
	var f figure
	began, used := time.Now(), cpu(t)
	e := open()
	f.build, f.buildCPU = time.Since(began), cpu(t)-used
	var times []time.Duration
	used = cpu(t)
	for _, q := range queries {
		one := time.Now()
		total, err := e.ask(t.Context(), q)
		if err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		times = append(times, time.Since(one))
		if total > 0 {
			f.found++
		}
	}
	f.queryCPU = (cpu(t) - used) / time.Duration(len(queries))
	slices.Sort(times)
	f.p50, f.p99 = times[len(times)/2], times[len(times)*99/100]
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCompareWithBleve(t *testing.T) {
	folder := cmp.Or(os.Getenv("SOUK_CNCF"), "../../../../shared/data/cncf")
	if _, err := os.Stat(filepath.Join(folder, "marketplace.yaml")); err != nil {
		t.Skip("there is no cncf marketplace here: name its folder by SOUK_CNCF")
	}
	real, err := synthetic.Read(t.Context(), folder, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	n := listings(t)
	market, err := synthetic.Make(real, n)
	if err != nil {
		t.Fatal(err)
	}
	queries := market.Queries(1000)
	ours := measure(t, func() engine { return openOurs(t, market.Catalog) }, queries)
	theirs := measure(t, func() engine { return openBleve(t, market.Catalog) }, queries)
	t.Logf("%d listings, %d queries of one to five words, first 20 with total and all filter counts", n, len(queries))
	t.Logf("%-7s %14s %16s %12s %10s %10s %8s", "", "listings/s", "cpu µs/listing", "cpu µs/query", "p50 µs", "p99 µs", "answered")
	for name, f := range map[string]figure{"souk": ours, "bleve": theirs} {
		t.Logf("%-7s %14.0f %16.1f %12d %10d %10d %8d", name, float64(n)/f.build.Seconds(), float64(f.buildCPU.Microseconds())/float64(n),
			f.queryCPU.Microseconds(), f.p50.Microseconds(), f.p99.Microseconds(), f.found)
	}
	t.Logf("bleve / souk: build cpu %.1f, query cpu %.1f, p50 %.1f, p99 %.1f", ratio(theirs.buildCPU, ours.buildCPU),
		ratio(theirs.queryCPU, ours.queryCPU), ratio(theirs.p50, ours.p50), ratio(theirs.p99, ours.p99))
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

type ourEngine struct{ index *search.Index }

func openOurs(t *testing.T, c *catalog.Catalog) engine {
	x, err := search.Open(t.Context(), search.Extract(c, document.NewRenderer(c, "")), search.Options{
		Folder: filepath.Join(t.TempDir(), "souk"), Release: "r1",
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

// bleveEngine asks for all words in the composite field, and where there are
// none for any of them: what its documentation proposes for such a search.
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

func openBleve(t *testing.T, c *catalog.Catalog) engine {
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
