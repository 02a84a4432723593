package site

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"souk/build/document"
)

func compressed(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func TestTheFrameStyleAndScriptAreSmall(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	if frame := len(s.Gone()); frame > 10<<10 {
		t.Errorf("the frame of a page has %d bytes, at most 10 KB are wanted", frame)
	}
	size := 0
	for _, f := range s.Files() {
		if strings.HasPrefix(f.Name, document.AssetFolder) && !strings.HasSuffix(f.Name, ".png") {
			size += compressed(t, f.Body)
		}
	}
	if size == 0 || size > 30<<10 {
		t.Errorf("style and script have %d bytes compressed, at most 30 KB are wanted", size)
	}
}

func BenchmarkPageOfAProduct(b *testing.B) {
	s := newSite(b, market("en", "https://market.example"))
	product := aMarket(s)["product"]
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Render(product, func(string, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
