//go:build unix

package searchapi

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/internal/testing/markettest"
)

// BenchmarkHTTP measures complete answers at several numbers of connections.
func BenchmarkHTTP(b *testing.B) {
	c := markettest.Catalog(b)
	corpus := index.Extract(c, document.NewRenderer(c, ""))
	l := live(b, corpus, search.Options{Folder: filepath.Join(b.TempDir(), "search"), State: index.State{Release: "r1"}})
	h := handler{l, answerTime}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.search(w, r); err != nil {
			b.Error(err)
		}
	}))
	defer server.Close()
	queries := markettest.Queries(c, 2000)
	for _, connections := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
			hammer(b, server.URL, queries, connections)
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
	markettest.Report(b, all)
	b.ReportMetric(float64(bytes.Load())/float64(len(all)), "B/answer")
}
