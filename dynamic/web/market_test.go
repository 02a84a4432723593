package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/dynamic/web"
)

// A market is a real release of the content in testdata: acme with a product and a service,
// an article with a picture, and left-inc, which removeLeftInc removes.
type market struct {
	t       testing.TB
	content string
	builder *build.Builder
	removed []catalog.Removal
}

func newMarket(t testing.TB) *market {
	t.Helper()
	home := t.TempDir()
	m := &market{t: t, content: filepath.Join(home, "content")}
	err := os.CopyFS(m.content, os.DirFS("testdata/content"))
	if err != nil {
		t.Fatal(err)
	}
	m.builder, err = build.New(build.Config{
		Content: m.content, Public: filepath.Join(home, "public"), State: filepath.Join(home, "var"),
		Clock: time.Now, Precompress: 0, Program: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	m.build()
	return m
}

func (m *market) write(file, text string) {
	m.t.Helper()
	path := filepath.Join(m.content, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

func (m *market) build(paths ...string) build.Report {
	m.t.Helper()
	if len(paths) == 0 {
		paths = []string{build.Whole}
	}
	report, err := m.builder.Build(m.t.Context(), catalog.NewRemovals(m.removed), paths...)
	if err != nil {
		m.t.Fatal(err)
	}
	return report
}

// removeLeftInc removes the seller left-inc.
func (m *market) removeLeftInc() {
	m.t.Helper()
	m.removed = []catalog.Removal{{ID: "left-inc"}}
	m.build()
}

// serve serves a release as a program would.
func serve(t testing.TB, from web.Release, log io.Writer) *httptest.Server {
	t.Helper()
	health := web.Health(func(context.Context) document.Health {
		return document.Health{Status: web.StatusOK, Version: "test", Release: from.ID(), Checks: map[string]string{"content": "ok"}}
	})
	handler, err := web.New(web.Config{
		Release: from, Endpoints: document.Endpoints(), Dynamic: everyRow(health),
		Log: slog.New(slog.NewTextHandler(log, nil)), RequestID: func() string { return "request-1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// media returns the address of the only picture.
func (m *market) media() string {
	var found string
	m.builder.Tree().Each(func(file string, _ release.Entry) {
		if strings.HasPrefix(file, document.MediaFolder) {
			found = "/" + file
		}
	})
	return found
}

// everyRow returns a handler for each dynamic endpoint of the registry: health for the
// health endpoint, and one that answers nothing for all others.
func everyRow(health web.Handler) map[string]web.Handler {
	all := map[string]web.Handler{}
	for _, e := range document.Endpoints() {
		if e.Dynamic {
			all[e.ID] = func(w http.ResponseWriter, _ *http.Request) error { return web.JSON(w, http.StatusOK, struct{}{}) }
		}
	}
	all[web.HealthID] = health
	return all
}
