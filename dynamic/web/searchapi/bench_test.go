package searchapi

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/document"
	"souk/dynamic/search"
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

func cncfFolder(b *testing.B) string {
	b.Helper()
	folder := cmp.Or(os.Getenv("SOUK_CNCF"), "../../../../shared/data/cncf")
	if _, err := os.Stat(filepath.Join(folder, "marketplace.yaml")); err != nil {
		b.Skip("there is no cncf marketplace here: name its folder by SOUK_CNCF")
	}
	return folder
}

// quantile returns the q-th quantile in microseconds.
func quantile(times []time.Duration, q float64) float64 {
	slices.Sort(times)
	return float64(times[min(len(times)-1, int(q*float64(len(times))))].Nanoseconds()) / 1000
}

// BenchmarkHTTP measures the whole answer at several numbers of connections.
func BenchmarkHTTP(b *testing.B) {
	real, err := synthetic.Read(b.Context(), cncfFolder(b), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range sizes(b) {
		b.Run(fmt.Sprintf("listings=%d", n), func(b *testing.B) {
			m, err := synthetic.Make(real, n)
			if err != nil {
				b.Fatal(err)
			}
			corpus := search.Extract(m.Catalog, document.NewRenderer(m.Catalog, ""))
			l := live(b, corpus, search.Options{Folder: filepath.Join(b.TempDir(), "search"), Release: "r1"})
			h := handler{l, answerTime}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := h.search(w, r); err != nil {
					b.Error(err)
				}
			}))
			defer server.Close()
			queries := m.Queries(2000)
			for _, connections := range []int{1, 8, 64} {
				b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
					hammer(b, server.URL, queries, connections)
				})
			}
		})
	}
}

func hammer(b *testing.B, address string, queries []string, connections int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	var next, bytes atomic.Int64
	times := make([][]time.Duration, connections)
	began := time.Now()
	var group sync.WaitGroup
	for c := range connections {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				one := time.Now()
				r, err := client.Get(address + "?q=" + url.QueryEscape(queries[i%int64(len(queries))]))
				if err != nil {
					b.Error(err)
					return
				}
				n, err := io.Copy(io.Discard, r.Body)
				if r.Body.Close(); err != nil || r.StatusCode != http.StatusOK {
					b.Error(r.Status, err)
					return
				}
				bytes.Add(n)
				times[c] = append(times[c], time.Since(one))
			}
		})
	}
	group.Wait()
	all := slices.Concat(times...)
	b.ReportMetric(float64(len(all))/time.Since(began).Seconds(), "requests/s")
	b.ReportMetric(quantile(all, 0.5), "p50-µs")
	b.ReportMetric(quantile(all, 0.99), "p99-µs")
	b.ReportMetric(float64(bytes.Load())/float64(len(all)), "B/answer")
}
