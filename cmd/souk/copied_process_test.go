//go:build unix

package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"souk/internal/testing/postgrestest"
	"souk/internal/testing/s3test"
)

// copyOf returns the public folder of a server's copy.
func copyOf(t *testing.T, state string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(state, "from-*", "public"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func TestServerCopiesAndFollowsAPublishedRelease(t *testing.T) {
	postgres, err := postgrestest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(postgres.Close)
	store, database := s3test.Start(t), postgres.Database(t)
	bucket := strings.Replace(store.Bucket(t, "market"), "s3://market", "s3://market/public", 1)
	i := house(t, built(t), dozens())
	builder := i.serve(t, "--watch", "--database", database, "--publish", bucket, "--for-servers", "--host", "nginx")
	apart := installation{program: i.program, public: i.public, state: t.TempDir()}
	flags := []string{"--from", bucket, "--database", database, "--state", apart.state}
	s := apart.serveWith(t, flags...)
	for _, address := range []string{"/companies/seller-01", "/companies/seller-01/products/arm-1"} {
		if a, b := s.get(address), builder.get(address); a.status != http.StatusOK || a.body != b.body || a.header.Get("ETag") != b.header.Get("ETag") {
			t.Errorf("%s answers %s here and %s there", address, a, b)
		}
	}
	public := copyOf(t, apart.state)

	write(t, i.content, map[string]string{"articles/news.yaml": "title: News\n"})
	until(t, "the edit is shown", func() bool { return s.get("/articles/news").status == http.StatusOK })

	gone := addresses(i.read(t), "seller-01")
	if a := builder.verify(builder.begin("seller-01")); a.status != http.StatusOK {
		t.Fatalf("%s\n%s", a, builder.said)
	}
	s.wantGone("seller-01", gone)
	want := i.read(t)
	until(t, "the copy is the release", func() bool {
		got, err := treeOf(public)
		return err == nil && equal(got, want)
	})

	store.Meddle(func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	until(t, "health tells that the store is down", func() bool {
		status, checks := s.health()
		return status == http.StatusOK && strings.Contains(checks["origin"], "last answered at 20")
	})
	s.stop()
	s = apart.serveWith(t, flags...)
	if a := s.get("/companies/seller-02"); a.status != http.StatusOK {
		t.Errorf("without the store it answers %s", a)
	}
	s.wantGone("seller-01", gone)
	if said := s.said.String(); strings.Contains(said, s3test.SecretKey) || strings.Contains(said, "use_path_style") {
		t.Errorf("it says:\n%s", said)
	}
	write(t, i.content, map[string]string{"articles/more.yaml": "title: More\n"})
	store.Meddle(nil)
	until(t, "it follows again", func() bool { return s.get("/articles/more").status == http.StatusOK })
	s.stop()
	builder.stop()
}
