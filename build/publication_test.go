package build_test

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

func TestPublicationsAreInTheOrderOfCanonicalIDs(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://m.example\n")
	for i := range 20 {
		put(t, dir, fmt.Sprintf("content/sellers/s-%02d/seller.yaml", i),
			fmt.Sprintf("officialDomain: s%d.example\nid: id-%02d\nversions: [{version: 1, name: S}]\n", i, i*7%20))
	}
	var ids []string
	for p := range publicationsOf(t, dir, false) {
		ids = append(ids, p.ID)
	}
	if len(ids) != 20 || !slices.IsSorted(ids) {
		t.Errorf("the publications are those of %v", ids)
	}
}

// publicationsOf builds a content folder and returns its publications.
func publicationsOf(t *testing.T, dir string, pages bool) iter.Seq[build.Publication] {
	t.Helper()
	b, err := build.New(build.Config{
		Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"), Program: "test",
		Clock: time.Now, Precompress: release.NoPrecompress, Pages: pages,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	all, err := b.Publications()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
