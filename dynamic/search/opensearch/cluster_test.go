//go:build unix

package opensearch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search"
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/opensearch"
	"souk/internal/testing/opensearchtest"
)

// corpus returns a market of products of two sellers.
func corpus(products int) *index.Corpus {
	return market([]string{"acme", "belle"}, products, func(i int) (int, catalog.Kind) { return i % 2, catalog.KindProduct })
}

// market returns a market of offers; of returns the seller and kind of each.
func market(sellers []string, offers int, of func(offer int) (seller int, kind catalog.Kind)) *index.Corpus {
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "en"},
		Now:         time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC),
	}
	for _, slug := range sellers {
		change.Put = append(change.Put, &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: slug}, ID: slug, OfficialDomain: slug + ".example"})
	}
	for i := range offers {
		seller, kind := of(i)
		ref := catalog.Ref{Kind: kind, Company: sellers[seller], Slug: fmt.Sprint("o", i)}
		change.Put = append(change.Put, &catalog.Offer{Head: catalog.Head{Ref: ref, Name: fmt.Sprint("Robot arm ", i), Summary: "Welds"}, Attributes: []catalog.Attribute{
			{Name: "Serial", Value: fmt.Sprint("x", i), Kind: catalog.TextValue}, {Name: "Weight", Value: fmt.Sprint(i), Unit: "kg", Kind: catalog.NumberValue},
		}})
	}
	c := catalog.New()
	c.Apply(change)
	return index.Extract(c, document.NewRenderer(c, ""))
}

// open opens the index of a release in a cluster.
func open(t *testing.T, c *index.Corpus, release string, cluster cluster.Cluster) (*search.Index, error) {
	t.Helper()
	x, err := search.Open(t.Context(), c, search.Options{State: index.State{Release: release}, Cluster: cluster})
	if err == nil {
		t.Cleanup(func() { _ = x.Close() })
	}
	return x, err
}

// A valve is a transport that counts requests and can refuse them.
type valve struct {
	mu     sync.Mutex
	asked  map[string]int
	refuse func(kind string, n int) *http.Response
}

func (v *valve) RoundTrip(r *http.Request) (*http.Response, error) {
	kind := r.Method + " " + r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	v.mu.Lock()
	if v.asked == nil {
		v.asked = map[string]int{}
	}
	v.asked[kind]++
	var refused *http.Response
	if v.refuse != nil {
		refused = v.refuse(kind, v.asked[kind])
	}
	v.mu.Unlock()
	if refused != nil {
		refused.Request = r
		return refused, nil
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (v *valve) count(kind string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[kind]
}

func status(code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}}
}

// at returns a cluster behind a valve. Its timers fire at once.
func at(t *testing.T, nodes *opensearchtest.Cluster, alias string, v *valve) *opensearch.Cluster {
	t.Helper()
	target, err := opensearch.Parse(nodes.Address(alias), "", "")
	if err != nil {
		t.Fatal(err)
	}
	now := func(time.Duration) <-chan time.Time {
		c := make(chan time.Time, 1)
		c <- time.Time{}
		return c
	}
	return opensearch.Open(target, opensearch.Options{Transport: v, After: now})
}

// indexes returns the indexes of an alias, and the ones it points to.
func indexes(t *testing.T, nodes *opensearchtest.Cluster, alias string) (all []string, leads []string) {
	t.Helper()
	response, err := http.Get("http://" + nodes.Nodes[0].Host + "/" + alias + "-*/_alias")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var told map[string]struct{ Aliases map[string]any }
	if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
		t.Fatal(err)
	}
	for name, one := range told {
		all = append(all, name)
		if one.Aliases[alias] != nil {
			leads = append(leads, name)
		}
	}
	slices.Sort(all)
	return all, leads
}

func total(x *search.Index, text string) (int, error) {
	r, err := x.Search(context.Background(), search.Query{Text: text, Limit: 5})
	if err != nil {
		return 0, err
	}
	return r.Total, nil
}

// TestIndexing uses a single node for all its subtests, because starting one is slow.
func TestIndexing(t *testing.T) {
	nodes := opensearchtest.New(t, 1)
	t.Run("goes on where it was interrupted", func(t *testing.T) { interrupted(t, nodes) })
	t.Run("waits for a cluster that is busy", func(t *testing.T) { busy(t, nodes) })
	t.Run("keeps the release before and deletes older ones", func(t *testing.T) { releases(t, nodes) })
	t.Run("refuses what it did not make", func(t *testing.T) { foreign(t, nodes) })
	t.Run("counts more than the cluster tells at once", func(t *testing.T) { crowded(t, nodes) })
}

const bulk = "POST _bulk"

func interrupted(t *testing.T, nodes *opensearchtest.Cluster) {
	const products = 4500 // in five batches
	c := corpus(products)
	broken := &valve{refuse: func(kind string, n int) *http.Response {
		if kind == bulk && n > 2 {
			return status(http.StatusBadRequest, `{"error":{"type":"mapper_parsing_exception","reason":"no"}}`)
		}
		return nil
	}}
	if _, err := open(t, c, "r", at(t, nodes, "halves", broken)); err == nil || !strings.Contains(err.Error(), "mapper_parsing_exception") {
		t.Fatalf("an index of two batches of five is opened: %v", err)
	}
	if all, leads := indexes(t, nodes, "halves"); len(all) != 1 || len(leads) != 0 {
		t.Errorf("the alias leads to %v of %v before it is whole", leads, all)
	}
	whole := &valve{}
	x, err := open(t, c, "r", at(t, nodes, "halves", whole))
	if err != nil {
		t.Fatal(err)
	}
	if n := whole.count(bulk); n != 3 {
		t.Errorf("%d batches were sent again, 3 were missing", n)
	}
	if n, err := total(x, ""); n != products || err != nil {
		t.Errorf("it has %d listings, %v", n, err)
	}
	if _, leads := indexes(t, nodes, "halves"); len(leads) != 1 {
		t.Errorf("the alias leads to %v", leads)
	}
	again := &valve{}
	if _, err := open(t, c, "r", at(t, nodes, "halves", again)); err != nil || again.count(bulk) != 0 {
		t.Errorf("a second server sends %d batches, %v", again.count(bulk), err)
	}
}

func busy(t *testing.T, nodes *opensearchtest.Cluster) {
	v := &valve{refuse: func(kind string, n int) *http.Response {
		switch {
		case kind == bulk && n == 1:
			return status(http.StatusTooManyRequests, ``)
		case kind == bulk && n == 2:
			return status(http.StatusOK, `{"errors":true,"items":[{"index":{"status":201}},{"index":{"status":429,"error":{"type":"rejected_execution_exception","reason":"full"}}}]}`)
		}
		return nil
	}}
	x, err := open(t, corpus(10), "r", at(t, nodes, "busy", v))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := total(x, "robot"); n != 10 || err != nil || v.count(bulk) != 3 {
		t.Errorf("%d listings after %d batches, %v", n, v.count(bulk), err)
	}
	always := &valve{refuse: func(kind string, n int) *http.Response {
		if kind == bulk {
			return status(http.StatusTooManyRequests, ``)
		}
		return nil
	}}
	var failed *opensearch.Error
	if _, err := open(t, corpus(11), "r", at(t, nodes, "busy", always)); !errors.As(err, &failed) || failed.Status != http.StatusTooManyRequests {
		t.Errorf("a cluster that never is ready: %v", err)
	}
}

func releases(t *testing.T, nodes *opensearchtest.Cluster) {
	c := corpus(20)
	var last []string
	for i := range 4 {
		x, err := open(t, c, fmt.Sprint("r", i), at(t, nodes, "many", &valve{}))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := total(x, "robot"); n != 20 || err != nil {
			t.Errorf("release %d has %d listings, %v", i, n, err)
		}
		all, leads := indexes(t, nodes, "many")
		if len(all) != min(i+1, 2) || len(leads) != 1 || slices.Equal(leads, last) {
			t.Errorf("after release %d there are %v and the alias leads to %v, before to %v", i, all, leads, last)
		}
		last = leads
	}
}

// put sends a request to the cluster as its operator would.
func put(t *testing.T, nodes *opensearchtest.Cluster, path string, body []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPut, "http://"+nodes.Nodes[0].Host+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("PUT %s: %s", path, response.Status)
	}
}

func crowded(t *testing.T, nodes *opensearchtest.Cluster) {
	settings := func(most any) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"transient": map[string]any{"search.max_buckets": most}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, nodes, "/_cluster/settings", body)
	}
	settings(280)
	defer settings(nil)
	var sellers []string
	for i := range 300 {
		sellers = append(sellers, fmt.Sprintf("s%03d", i))
	}
	// Every shard has listings of both kinds, so all possible values occur in each.
	c := market(sellers, 2000, func(i int) (int, catalog.Kind) {
		return i % 17 * i % 300, []catalog.Kind{catalog.KindProduct, catalog.KindService}[i/7%2]
	})
	target, err := opensearch.Parse(nodes.Address("crowded"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	target.Shards = 3
	here, err := open(t, c, "r", nil)
	if err != nil {
		t.Fatal(err)
	}
	there, err := open(t, c, "r", opensearch.Open(target, opensearch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, filters := range []map[string][]string{
		nil, {"seller": {"s000"}}, {"seller": {"s299", "s007", "s113"}}, {"kind": {"product"}}, {"kind": {"product"}, "seller": {"s041"}},
		{"attribute": {"Serial:x7", "Serial:x19"}}, {"attribute": {"Weight:100..1900 kg"}, "kind": {"product"}},
	} {
		for _, text := range []string{"", "robot", "arm 7"} {
			q := search.Query{Text: text, Filters: filters, Limit: 20}
			want, err := here.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := there.Search(t.Context(), q)
			if err != nil {
				t.Fatalf("%q %v: %v", text, filters, err)
			}
			if got.Total != want.Total || !reflect.DeepEqual(got.Filters, want.Filters) {
				t.Errorf("%q %v:\n%d %+v, here\n%d %+v", text, filters, got.Total, got.Filters, want.Total, want.Filters)
			}
		}
	}
}

func foreign(t *testing.T, nodes *opensearchtest.Cluster) {
	put(t, nodes, "/taken", nil)
	if _, err := open(t, corpus(3), "r", at(t, nodes, "taken", &valve{})); err == nil || !strings.Contains(err.Error(), "choose another name") {
		t.Errorf("an index has the name of the alias: %v", err)
	}
	if all, leads := indexes(t, nodes, "taken"); len(all) != 1 || len(leads) != 0 {
		t.Errorf("there are %v, %v", all, leads)
	}
}

// load sends queries concurrently until stop is closed and counts correct and failed
// answers. A wrong total is an error of the test.
func load(t *testing.T, x *search.Index, want int, stop <-chan struct{}, answered *atomic.Int64) (failed *atomic.Int64, wait func()) {
	var group sync.WaitGroup
	failed = &atomic.Int64{}
	for range 4 {
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
				r, err := x.Search(ctx, search.Query{Text: []string{"robot", "", "arm robot"}[i%3], Limit: 5})
				cancel()
				switch {
				case err != nil:
					failed.Add(1)
				case r.Total != want || r.Filters[0].Values[0].Count != want || len(r.Listings) != 5:
					t.Errorf("the total is %d, %+v", r.Total, r.Filters[0])
					return
				default:
					answered.Add(1)
				}
			}
		})
	}
	return failed, group.Wait
}

func await(t *testing.T, n *atomic.Int64, least int64) {
	t.Helper()
	for end := time.Now().Add(time.Minute); n.Load() < least; {
		if time.Now().After(end) {
			t.Fatalf("%d of %d", n.Load(), least)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func TestKilledNodeIsAnErrorNotAWrongTotal(t *testing.T) {
	nodes := opensearchtest.New(t, 1)
	x, err := open(t, corpus(300), "r", at(t, nodes, "market", &valve{}))
	if err != nil {
		t.Fatal(err)
	}
	stop, answered := make(chan struct{}), &atomic.Int64{}
	failed, wait := load(t, x, 300, stop, answered)
	await(t, answered, 50)
	nodes.Nodes[0].Kill()
	await(t, failed, 20)
	close(stop)
	wait()
}

func TestAnswersStayCorrectAfterOneOfThreeNodesIsKilled(t *testing.T) {
	nodes := opensearchtest.New(t, 3)
	target, err := opensearch.Parse(nodes.Address("market")+"&shards=3", "", "")
	if err != nil {
		t.Fatal(err)
	}
	x, err := open(t, corpus(300), "r", opensearch.Open(target, opensearch.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	nodes.AwaitGreen(t)
	stop, answered := make(chan struct{}), &atomic.Int64{}
	failed, wait := load(t, x, 300, stop, answered)
	await(t, answered, 50)
	nodes.Nodes[0].Kill()
	await(t, answered, answered.Load()+200)
	close(stop)
	wait()
	t.Logf("%d answers, %d failed", answered.Load(), failed.Load())
}
