//go:build unix

package markettest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/release"
)

func TestBenchmarkMarketIsValidAndHasTheRequestedSize(t *testing.T) {
	t.Setenv("SOUK_BENCH_CONTENT", "")
	t.Setenv("SOUK_BENCH_LISTINGS", "400")
	b, err := build.New(build.Config{
		Content: Content(t), Public: filepath.Join(t.TempDir(), "public"), State: filepath.Join(t.TempDir(), "state"),
		Clock: time.Now, Precompress: release.NoPrecompress, Program: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := b.Build(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	listings := 0
	for _, n := range b.Catalog().Nodes() {
		if _, is := n.Item().(*catalog.Offer); is {
			listings++
		}
	}
	if listings < 400 || listings > 480 {
		t.Errorf("%d listings, want 400 and the rest of the last copy", listings)
	}
	if each := report.Bytes / int64(report.Documents); each < 4<<10 || each > 10<<10 {
		t.Errorf("a document has %d bytes, which is not what real markets have", each)
	}
	for _, q := range Queries(b.Catalog(), 100) {
		if n := len(strings.Fields(q)); n < 1 || n > 5 {
			t.Errorf("the query %q has %d words", q, n)
		}
	}
}
