//go:build unix

package search_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/opensearch"
	"souk/internal/testing/markettest"
	"souk/internal/testing/opensearchtest"
)

// BenchmarkEngines compares both engines: the time to index a market, the bytes stored, and
// sequential queries, whose totals and counts must be equal. SOUK_TEST_OPENSEARCH_NODES is
// the number of nodes and shards. The market has SOUK_BENCH_LISTINGS listings, or comes
// from the search parts in SOUK_BENCH_PARTS. SOUK_BENCH_CLUSTER is the address of an
// existing cluster, as for --search. If the benchmark started several nodes, it kills one
// at the end, after which every answer must still be correct.
func BenchmarkEngines(b *testing.B) {
	opensearchtest.Skip(b, 1)
	count, err := strconv.Atoi(cmp.Or(os.Getenv("SOUK_TEST_OPENSEARCH_NODES"), "1"))
	if err != nil {
		b.Fatal(err)
	}
	address, nodes := os.Getenv("SOUK_BENCH_CLUSTER"), &opensearchtest.Cluster{}
	if address == "" {
		nodes = opensearchtest.New(b, count)
		address = nodes.Address("market")
	}
	target, err := opensearch.Parse(address, "", "")
	if err != nil {
		b.Fatal(err)
	}
	target.Shards = count
	c := markettest.Catalog(b)
	folder := os.Getenv("SOUK_BENCH_PARTS")
	if folder == "" {
		folder = filepath.Join(b.TempDir(), "search")
		parts, err := index.Write(b.Context(), index.Extract(c, document.NewRenderer(c, "")), index.Options{Folder: folder, State: index.State{Release: "r1"}})
		if err != nil {
			b.Fatal(err)
		}
		if err := parts.Close(); err != nil {
			b.Fatal(err)
		}
	}
	open := func(cluster cluster.Cluster) *search.Index {
		x, err := search.Read(b.Context(), search.Options{Folder: folder, Scratch: b.TempDir(), Cluster: cluster})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			if err := x.Close(); err != nil {
				b.Error(err)
			}
		})
		return x
	}
	here := open(nil)
	began := time.Now()
	there := open(opensearch.Open(target, opensearch.Options{}))
	filled := time.Since(began)
	if len(nodes.Nodes) > 0 {
		nodes.AwaitGreen(b)
		b.ReportMetric(stored(b, nodes)/1e6, "MB")
	}
	const queries = 1000
	all := markettest.Queries(c, queries)
	for b.Loop() {
		answers := compare(b, here, there, all)
		if len(nodes.Nodes) > 1 {
			began := time.Now()
			killed(b, nodes.Nodes[count-1], there, all, answers)
			b.Logf("queries while a node was killed took %s", time.Since(began).Round(time.Second))
		}
	}
	b.ReportMetric(filled.Seconds(), "fill-s")
	whole, err := here.Search(b.Context(), search.Query{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(whole.Total), "listings")
}

// countsOf returns the part of an answer that must be equal in both engines.
func countsOf(x *search.Index, text string) (string, error) {
	r, err := x.Search(context.Background(), search.Query{Text: text, Limit: search.DefaultLimit})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %+v %d", r.Total, r.Filters, len(r.Listings)), nil
}

// compare runs all queries in both engines, and returns the embedded engine's answers.
// Queries that the cluster refuses for lack of time are counted separately.
func compare(b *testing.B, here, there *search.Index, all []string) (answers []string) {
	unlike, refused := 0, 0
	took := map[*search.Index][]time.Duration{}
	for _, text := range all {
		var each [2]string
		for i, x := range []*search.Index{here, there} {
			began := time.Now()
			answer, err := countsOf(x, text)
			took[x] = append(took[x], time.Since(began))
			if each[i] = answer; err != nil {
				b.Logf("%q: %v", text, err)
			}
		}
		answers = append(answers, each[0])
		if each[1] == "" {
			refused++
		} else if each[0] != each[1] {
			if unlike++; unlike < 4 {
				b.Errorf("%q:\n here  %.300s\n there %.300s", text, each[0], each[1])
			}
		}
	}
	for x, name := range map[*search.Index]string{here: "here", there: "there"} {
		slices.Sort(took[x])
		b.ReportMetric(markettest.Milliseconds(took[x][len(all)/2]), name+"-p50-ms")
		b.ReportMetric(markettest.Milliseconds(took[x][len(all)*99/100]), name+"-p99-ms")
	}
	b.ReportMetric(float64(unlike), "unlike")
	b.ReportMetric(float64(refused), "refused-of-1000")
	return answers
}

// killed kills a node after some of the queries. Each query must be answered as before, or
// fail.
func killed(b *testing.B, node *opensearchtest.Node, there *search.Index, all, answers []string) {
	failed := 0
	for i, text := range all {
		if i == len(all)/10 {
			node.Kill()
		}
		if answer, err := countsOf(there, text); err != nil {
			failed++
		} else if answer != answers[i] {
			b.Errorf("%q is answered otherwise after a node was killed", text)
		}
	}
	b.ReportMetric(float64(failed), "killed-refused-of-1000")
}

// stored returns the size of all shards in bytes, including replicas.
func stored(b *testing.B, nodes *opensearchtest.Cluster) float64 {
	response, err := http.Get("http://" + nodes.Nodes[0].Host + "/_stats/store")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	var told struct {
		All struct {
			Total struct {
				Store struct {
					Bytes float64 `json:"size_in_bytes"`
				} `json:"store"`
			} `json:"total"`
		} `json:"_all"`
	}
	if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
		b.Fatal(err)
	}
	return told.All.Total.Store.Bytes
}
