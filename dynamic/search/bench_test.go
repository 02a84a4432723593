//go:build unix

package search

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/index"
	"souk/dynamic/search/suggest"
	"souk/internal/testing/markettest"
)

func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// openBench returns an index on disk of the benchmark's marketplace, and queries.
func openBench(b *testing.B, queries int) (*Index, []string) {
	b.Helper()
	c := markettest.Catalog(b)
	x := mustOpen(b, extract(c), Options{Folder: filepath.Join(b.TempDir(), "search"), State: index.State{Release: "r1"}})
	b.Cleanup(func() { closeAll(b, x) })
	return x, markettest.Queries(c, queries)
}

// BenchmarkBuild measures building an index from scratch, updating it after an edit of one
// listing, and opening it.
func BenchmarkBuild(b *testing.B) {
	c := markettest.Catalog(b)
	before, folder := heapBytes(), filepath.Join(b.TempDir(), "search")
	for i := 0; b.Loop(); i++ {
		began, used := time.Now(), markettest.CPU()
		corpus := extract(c)
		n := float64(corpus.Documents())
		b.ReportMetric(markettest.Milliseconds(time.Since(began)), "extract-ms")
		o := Options{Folder: filepath.Join(folder, strconv.Itoa(i)), State: index.State{Release: "r1"}}
		x := mustOpen(b, corpus, o)
		took, work := time.Since(began), markettest.CPU()-used
		b.ReportMetric(n/took.Seconds(), "listings/s")
		b.ReportMetric(float64(work.Microseconds())/n, "cpu-µs/listing")
		b.ReportMetric(float64(heapBytes()-before)/n, "heap-B/listing")
		b.ReportMetric(float64(diskBytes(b, o.Folder))/n, "disk-B/listing")
		change(b, c)
		began = time.Now()
		o.Previous, o.State.Release = x, "r2"
		next := mustOpen(b, extract(c), o)
		b.ReportMetric(markettest.Milliseconds(time.Since(began)), "change-ms")
		closeAll(b, x, next)
		began = time.Now()
		o.Previous = nil
		again := mustOpen(b, extract(c), o)
		b.ReportMetric(markettest.Milliseconds(time.Since(began)), "restart-ms")
		closeAll(b, again)
	}
}

func mustOpen(b *testing.B, c *index.Corpus, o Options) *Index {
	b.Helper()
	x, err := Open(context.Background(), c, o)
	if err != nil {
		b.Fatal(err)
	}
	return x
}

func closeAll(b *testing.B, list ...*Index) {
	b.Helper()
	for _, x := range list {
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func change(b *testing.B, c *catalog.Catalog) {
	b.Helper()
	for _, n := range c.Nodes() {
		if o, is := n.Item().(*catalog.Offer); is {
			changed := *o
			changed.Summary += " Changed."
			c.Apply(catalog.Change{Now: c.Now(), Put: []catalog.Item{&changed}})
			return
		}
	}
	b.Fatal("there is no offer to change")
}

func diskBytes(b *testing.B, folder string) (n int64) {
	err := filepath.Walk(folder, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkSearch measures a page of 20 listings with the exact total and all counts.
// "cold" runs each query once on a new index, "warm" runs them repeatedly.
func BenchmarkSearch(b *testing.B) {
	x, queries := openBench(b, 2000)
	ask := func(q string) error {
		_, err := x.Search(context.Background(), Query{Text: q, Limit: 20})
		return err
	}
	b.Run("cold", func(b *testing.B) { timed(b, queries, ask) })
	b.Run("warm", func(b *testing.B) { timed(b, queries[:200], ask) })
}

// BenchmarkQuestions measures questions of 20 words in the same way.
func BenchmarkQuestions(b *testing.B) {
	c := markettest.Catalog(b)
	x := mustOpen(b, extract(c), Options{Folder: filepath.Join(b.TempDir(), "search"), State: index.State{Release: "r1"}})
	b.Cleanup(func() { closeAll(b, x) })
	questions := markettest.Questions(c, 1000)
	ask := func(q string) error {
		_, err := x.Search(context.Background(), Query{Text: q, Limit: 20})
		return err
	}
	b.Run("cold", func(b *testing.B) { timed(b, questions, ask) })
	b.Run("warm", func(b *testing.B) { timed(b, questions[:200], ask) })
}

// BenchmarkSuggest measures suggestions for the beginnings of queries.
func BenchmarkSuggest(b *testing.B) {
	x, queries := openBench(b, 500)
	var begun []string
	for _, q := range queries {
		for i := range q {
			if i > 0 && i < 12 {
				begun = append(begun, q[:i])
			}
		}
	}
	timed(b, begun, func(q string) error {
		_, err := x.Suggest(context.Background(), suggest.Query{Text: q, Limit: 8})
		return err
	})
}

// timed runs the queries in turn and reports their durations.
func timed(b *testing.B, queries []string, ask func(q string) error) {
	var times []time.Duration
	used := markettest.CPU()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := ask(queries[i%len(queries)]); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	b.ReportMetric(float64((markettest.CPU()-used).Microseconds())/float64(len(times)), "cpu-µs/op")
	markettest.Report(b, times)
}

// BenchmarkFilters measures queries over listings that each have 25 of 50 attributes. The
// floor is the same without attributes.
func BenchmarkFilters(b *testing.B) {
	c := markettest.Catalog(b)
	queries := append(markettest.Queries(c, 200), "")
	for _, names := range []int{0, 50} {
		change := catalog.Change{Now: c.Now()}
		for i, n := range c.Nodes() {
			o, is := n.Item().(*catalog.Offer)
			if !is {
				continue
			}
			with := *o
			with.Attributes = nil
			for at := i % 2; at < names; at += 2 {
				with.Attributes = append(with.Attributes, catalog.Attribute{Name: "Attribute " + strconv.Itoa(at), Kind: catalog.NumberValue, Value: strconv.Itoa(i / 2 % 20)})
			}
			change.Put = append(change.Put, &with)
		}
		c.Apply(change)
		before := heapBytes()
		x := mustOpen(b, extract(c), Options{Folder: filepath.Join(b.TempDir(), "search"), State: index.State{Release: "r1"}})
		heap := float64(heapBytes()-before) / float64(len(x.Corpus.Places))
		for name, list := range map[string][]string{"queries": queries, "everything": {""}} {
			b.Run(strconv.Itoa(names)+" attributes/"+name, func(b *testing.B) {
				b.ReportMetric(heap, "heap-B/listing")
				timed(b, list, func(q string) error {
					r, err := x.Search(context.Background(), Query{Text: q, Limit: 20})
					if err == nil && names > 0 && q == "" && len(r.Filters) < names {
						b.Fatalf("%d filters", len(r.Filters))
					}
					return err
				})
			})
		}
		closeAll(b, x)
	}
}
