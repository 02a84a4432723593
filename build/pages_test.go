package build_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

// TestPagesOfARealMarketAreSmall holds what the pages of a real market weigh.
func TestPagesOfARealMarketAreSmall(t *testing.T) {
	dir := t.TempDir()
	b, err := build.New(build.Config{
		Content: cncf(t), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: release.NoPrecompress, Program: "test", Pages: true, Snapshot: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background(), nil); err != nil {
		t.Fatalf("%v: %v", err, mistakesOf(err))
	}
	profile := regexp.MustCompile(`^companies/[^/]+(/(products|services)/[^/]+)?\.html$`)
	var sizes []int
	public := os.DirFS(filepath.Join(dir, "public"))
	if err := fs.WalkDir(public, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		body, err := fs.ReadFile(public, path)
		if err != nil {
			return err
		}
		if profile.MatchString(path) {
			sizes = append(sizes, len(body))
		}
		if len(body) <= 30<<10 {
			return nil
		}
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		if _, err := w.Write(body); err != nil {
			return err
		}
		if err := w.Close(); err != nil || small.Len() > 30<<10 {
			t.Errorf("%s has %d bytes compressed, at most 30 KB are wanted: %v", path, small.Len(), err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(sizes)
	if len(sizes) == 0 || sizes[len(sizes)/2] > 30<<10 {
		t.Fatalf("%d pages of sellers, products and services, in the median too large: at most 30 KB are wanted", len(sizes))
	}
	t.Logf("%d pages of sellers and offers, %d bytes in the median", len(sizes), sizes[len(sizes)/2])
}
