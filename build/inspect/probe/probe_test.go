package probe_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/inspect/probe"
	"souk/build/release"
	"souk/dynamic/web"
)

// sample is a release of the sample marketplace from which a seller was removed, with twins
// of all documents. The first test that needs it builds it, and all tests only read it.
var sample struct {
	once         sync.Once
	home, public string
	tree         *release.Tree
	err          error
}

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(sample.home) // it only exists if a test needed it
	os.Exit(code)
}

func built(t testing.TB) (public string, tree *release.Tree) {
	t.Helper()
	sample.once.Do(func() {
		if sample.home, sample.err = os.MkdirTemp("", "souk-probe-"); sample.err != nil {
			return
		}
		sample.public = filepath.Join(sample.home, "public")
		sample.tree, sample.err = buildSample(sample.public, filepath.Join(sample.home, "var"))
	})
	if sample.err != nil {
		t.Fatal(sample.err)
	}
	return sample.public, sample.tree
}

func buildSample(public, state string) (*release.Tree, error) {
	b, err := build.New(build.Config{
		Content: filepath.Join("..", "..", "..", "content"), Public: public, State: state,
		Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: 0, Program: "test", Pages: true, Snapshot: true,
	})
	if err != nil {
		return nil, err
	}
	if _, err := b.Build(context.Background(), catalog.NewRemovals([]catalog.Removal{{ID: "brass-wren"}})); err != nil {
		return nil, err
	}
	return b.Tree(), nil
}

// handler returns the project's own handler.
func handler(t testing.TB, tree *release.Tree) http.Handler {
	t.Helper()
	handlers := map[string]web.Handler{}
	for _, e := range document.Endpoints() {
		if e.Dynamic {
			handlers[e.ID] = func(w http.ResponseWriter, _ *http.Request) error { return web.JSON(w, http.StatusOK, struct{}{}) }
		}
	}
	h, err := web.New(web.Config{Release: tree, Endpoints: document.Endpoints(), Dynamic: handlers, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func served(t testing.TB, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestOwnServerKeepsThePromises(t *testing.T) {
	public, tree := built(t)
	report, err := probe.Run(context.Background(), probe.Config{Base: served(t, handler(t, tree)), Public: public})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range report.Mismatches {
		t.Error(m)
	}
	if report.Documents < 100 || report.Removed < 10 || report.Requests < 10*report.Documents || report.Encoded["br"] < 100 || report.Foreign != 0 {
		t.Errorf("too little was asked: %+v", report)
	}
}

// TestAHostMayLeaveMailLinksToThe404Page relies on the 404 page's script, which
// redirects.
func TestAHostMayLeaveMailLinksToThe404Page(t *testing.T) {
	public, tree := built(t)
	right := handler(t, tree)
	plain := swap(right, func(r *http.Request) bool {
		return strings.Contains(r.RequestURI, "%23") || strings.Contains(r.RequestURI, "%2523")
	},
		func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path, r.URL.RawPath = "/nothing", ""
			right.ServeHTTP(w, r)
		})
	report, err := probe.Run(context.Background(), probe.Config{Base: served(t, plain), Public: public, Sample: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range report.Mismatches {
		t.Error(m)
	}
}

// TestAHostMayRejectMalformedPaths imitates nginx, which rejects such a path before
// it selects a site if another one is the default, as in Debian's packages.
func TestAHostMayRejectMalformedPaths(t *testing.T) {
	public, tree := built(t)
	refusing := swap(handler(t, tree), func(r *http.Request) bool { return strings.Contains(r.RequestURI, "%00") },
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	report, err := probe.Run(context.Background(), probe.Config{Base: served(t, refusing), Public: public, Sample: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range report.Mismatches {
		t.Error(m)
	}
}
