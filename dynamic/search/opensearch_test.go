//go:build unix

package search_test

import (
	"os"
	"sync"
	"testing"

	"souk/dynamic/search"
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/opensearch"
	"souk/internal/testing/opensearchtest"
)

// nodes is the cluster shared by all tests of the package, because starting one is slow.
var nodes struct {
	once    sync.Once
	cluster *opensearchtest.Cluster
	err     error
}

func TestMain(m *testing.M) {
	search.TestCluster = func(t testing.TB) cluster.Cluster {
		t.Helper()
		opensearchtest.Skip(t, 1)
		nodes.once.Do(func() { nodes.cluster, nodes.err = opensearchtest.Start(1) })
		if nodes.err != nil {
			t.Fatal(nodes.err)
		}
		target, err := opensearch.Parse(nodes.cluster.Address("market"), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return opensearch.Open(target, opensearch.Options{})
	}
	code := m.Run()
	if nodes.cluster != nil {
		nodes.cluster.Close()
	}
	os.Exit(code)
}
