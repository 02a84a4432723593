package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"souk/build/document"
	"souk/dynamic/web"
)

func TestDynamicPagesCannotBeFramed(t *testing.T) {
	m := newMarket(t)
	answer := func(w http.ResponseWriter, _ *http.Request) error {
		_, err := io.WriteString(w, "<title>found</title>")
		return err
	}
	handler, err := web.New(web.Config{
		Release: m.builder.Tree(), Endpoints: document.Endpoints(), Log: slog.New(slog.DiscardHandler),
		Dynamic: everyRow(web.Health(func(context.Context) document.Health { return document.Health{Status: web.StatusOK} })),
		Pages:   map[string]web.Handler{"GET " + document.SearchPath: answer},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	got := fetch(t, server.URL+"/search?q=x")
	if got.StatusCode != http.StatusOK || got.body != "<title>found</title>" {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	for _, h := range document.HeadersFor(document.SearchFile) {
		if sent := got.Header.Get(h.Name); sent != h.Value {
			t.Errorf("%s: %q, want %q", h.Name, sent, h.Value)
		}
	}
}
