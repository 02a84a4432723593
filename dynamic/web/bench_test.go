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

// BenchmarkDocument answers without a network, so it measures only the program itself.
func BenchmarkDocument(b *testing.B) {
	m := newMarket(b)
	handler, err := web.New(web.Config{
		Release: m.builder.Tree(), Endpoints: document.Endpoints(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Dynamic: everyRow(web.Health(func(context.Context) document.Health { return document.Health{} })),
	})
	if err != nil {
		b.Fatal(err)
	}
	entry, _ := m.builder.Tree().Lookup(acmeFile)
	for name, header := range map[string]http.Header{
		"plain":     {},
		"brotli":    {"Accept-Encoding": {"gzip, br"}},
		"unchanged": {"If-None-Match": {`"` + entry.Digest.String() + `"`}},
	} {
		b.Run(name, func(b *testing.B) {
			request := httptest.NewRequest(http.MethodGet, acmeAddress, nil)
			request.Header = header
			b.ReportAllocs()
			for b.Loop() {
				handler.ServeHTTP(httptest.NewRecorder(), request)
			}
		})
	}
}
