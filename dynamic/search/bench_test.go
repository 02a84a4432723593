//go:build unix

package search

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/search/synthetic"
)

// The sizes that are measured; SOUK_BENCH_LISTINGS names others.
func sizes(b *testing.B) []int {
	var list []int
	for _, text := range strings.Split(cmp.Or(os.Getenv("SOUK_BENCH_LISTINGS"), "1000,10000,100000"), ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// cpu returns the processor time that the process has used.
func cpu(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func syntheticMarket(b *testing.B, n int) *synthetic.Market {
	b.Helper()
	real, err := synthetic.Read(b.Context(), cncfFolder(b), sampleNow())
	if err != nil {
		b.Fatal(err)
	}
	m, err := synthetic.Make(real, n)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// quantile returns the q-th quantile in microseconds.
func quantile(times []time.Duration, q float64) float64 {
	slices.Sort(times)
	return float64(times[min(len(times)-1, int(q*float64(len(times))))].Nanoseconds()) / 1000
}

// A bench is an index of a synthetic market on disk.
type bench struct {
	market *synthetic.Market
	index  *Index
}

func openBench(b *testing.B, n int) *bench {
	b.Helper()
	m := syntheticMarket(b, n)
	x, err := Open(context.Background(), extract(m.Catalog), Options{Folder: filepath.Join(b.TempDir(), "search"), Release: "r1"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := x.Close(); err != nil {
			b.Error(err)
		}
	})
	return &bench{m, x}
}

func each(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range sizes(b) {
		b.Run(fmt.Sprintf("listings=%d", n), func(b *testing.B) { run(b, n) })
	}
}

// BenchmarkBuild measures an index from nothing, one after a change of one
// listing, and a start with it.
func BenchmarkBuild(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		m := syntheticMarket(b, n)
		before := heapBytes()
		folder := filepath.Join(b.TempDir(), "search")
		for i := 0; b.Loop(); i++ {
			began, used := time.Now(), cpu(b)
			corpus := extract(m.Catalog)
			b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "extract-ms")
			o := Options{Folder: filepath.Join(folder, strconv.Itoa(i)), Release: "r1"}
			x := mustOpen(b, corpus, o)
			took, work := time.Since(began), cpu(b)-used
			b.ReportMetric(float64(n)/took.Seconds(), "listings/s")
			b.ReportMetric(float64(work.Microseconds())/float64(n), "cpu-µs/listing")
			b.ReportMetric(float64(heapBytes()-before)/float64(n), "heap-B/listing")
			b.ReportMetric(float64(diskBytes(b, o.Folder))/float64(n), "disk-B/listing")
			change(b, m.Catalog)
			began = time.Now()
			o.Previous, o.Release = x, "r2"
			next := mustOpen(b, extract(m.Catalog), o)
			b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "change-ms")
			closeAll(b, x, next)
			began = time.Now()
			o.Previous = nil
			again := mustOpen(b, extract(m.Catalog), o)
			b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "restart-ms")
			closeAll(b, again)
		}
	})
}

func mustOpen(b *testing.B, c *Corpus, o Options) *Index {
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

// BenchmarkSearch measures the first 20 listings with the exact total and all
// counts. "cold" asks each query once of a fresh index, "warm" again and again.
func BenchmarkSearch(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		x := openBench(b, n)
		queries := x.market.Queries(2000)
		measure := func(b *testing.B, queries []string) {
			var times []time.Duration
			used := cpu(b)
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if _, err := x.index.Search(context.Background(), Query{Text: queries[i%len(queries)], Limit: 20}); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(began))
			}
			b.ReportMetric(float64((cpu(b)-used).Microseconds())/float64(len(times)), "cpu-µs/op")
			b.ReportMetric(quantile(times, 0.5), "p50-µs")
			b.ReportMetric(quantile(times, 0.99), "p99-µs")
		}
		b.Run("cold", func(b *testing.B) { measure(b, queries) })
		b.Run("warm", func(b *testing.B) { measure(b, queries[:200]) })
	})
}

func BenchmarkSuggest(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		x := openBench(b, n)
		var begun []string
		for _, q := range x.market.Queries(500) {
			for i := range q {
				if i > 0 && i < 12 {
					begun = append(begun, q[:i])
				}
			}
		}
		var times []time.Duration
		for i := 0; b.Loop(); i++ {
			began := time.Now()
			if _, err := x.index.Suggest(context.Background(), SuggestQuery{Text: begun[i%len(begun)], Limit: 8}); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(began))
		}
		b.ReportMetric(quantile(times, 0.5), "p50-µs")
		b.ReportMetric(quantile(times, 0.99), "p99-µs")
	})
}
