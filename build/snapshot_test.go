package build_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
)

// snapshotMarket returns a market whose products need two shards, and a long-lived Builder.
func snapshotMarket(t *testing.T, dir string) (b *build.Builder, fresh func(*catalog.Removals) map[string][]byte) {
	t.Helper()
	put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	put(t, dir, "content/categories/product/tools.yaml", "name: Tools\n")
	for _, seller := range []string{"acme", "globex"} {
		put(t, dir, "content/sellers/"+seller+"/seller.yaml", "officialDomain: "+seller+".example\nversions: [{version: 1, name: "+seller+"}]\n")
		for i := range 252 {
			put(t, dir, fmt.Sprintf("content/sellers/%s/products/item-%d.yaml", seller, i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
		}
	}
	builders := 0
	open := func() (*build.Builder, string) {
		builders++
		public := filepath.Join(dir, fmt.Sprint("public-", builders))
		b, err := build.New(build.Config{
			Content: filepath.Join(dir, "content"), Public: public, State: filepath.Join(dir, fmt.Sprint("var-", builders)), Program: "test",
			Clock: time.Now, Precompress: release.NoPrecompress, Snapshot: true, LongLived: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return b, public
	}
	b, _ = open()
	return b, func(removals *catalog.Removals) map[string][]byte {
		b, public := open()
		if _, err := b.Build(t.Context(), removals); err != nil {
			t.Fatal(err)
		}
		return snapshotOf(t, public)
	}
}

// snapshotOf returns the files of the snapshot.
func snapshotOf(t *testing.T, public string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for file, body := range readTree(t, public) {
		if strings.HasPrefix(file, document.SnapshotFolder) {
			files[file] = body
		}
	}
	return files
}

func wantSameSnapshot(t *testing.T, what string, got, want map[string][]byte) {
	t.Helper()
	for file, body := range want {
		if !bytes.Equal(got[file], body) {
			t.Errorf("%s: %s has %d bytes, that of a fresh build %d", what, file, len(got[file]), len(body))
		}
	}
	for file := range got {
		if want[file] == nil {
			t.Errorf("%s: there is %s, and a fresh build has none", what, file)
		}
	}
}

// builtSnapshot builds and returns the files of the snapshot that changed.
func builtSnapshot(t *testing.T, b *build.Builder, removals *catalog.Removals, paths ...string) []string {
	t.Helper()
	report, err := b.Build(t.Context(), removals, paths...)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(report.Changed, func(file string) bool { return !strings.HasPrefix(file, document.SnapshotFolder) })
}

func TestSnapshotShardsSplitAndMergeAsTheMarketChanges(t *testing.T) {
	dir := t.TempDir()
	b, fresh := snapshotMarket(t, dir)
	if got := builtSnapshot(t, b, nil, build.Whole); len(got) != 5 { // sellers, categories, two shards of products, the manifest
		t.Errorf("the snapshot has %q", got)
	}
	wantSameSnapshot(t, "at first", snapshotOf(t, filepath.Join(dir, "public-1")), fresh(nil))

	put(t, dir, "content/sellers/acme/products/item-7.yaml", "name: Item 7\nsummary: Edited.\ncategories: [tools]\n")
	got := builtSnapshot(t, b, nil, "sellers/acme/products/item-7.yaml")
	if len(got) != 2 || got[0] != document.SnapshotManifest || !document.IsShard(got[1]) {
		t.Errorf("an edit changed %q, want the manifest and one shard", got)
	}
	wantSameSnapshot(t, "an edit", snapshotOf(t, filepath.Join(dir, "public-1")), fresh(nil))

	var gone []string
	for i := range 10 {
		gone = append(gone, fmt.Sprintf("sellers/acme/products/item-%d.yaml", i))
		if err := os.Remove(filepath.Join(dir, "content", gone[i])); err != nil {
			t.Fatal(err)
		}
	}
	if got := builtSnapshot(t, b, nil, gone...); !slices.Contains(got, document.SnapshotFolder+"product/all.jsonl.gz") {
		t.Errorf("of fewer than 500 products, %q changed, want one shard", got)
	}
	wantSameSnapshot(t, "merged", snapshotOf(t, filepath.Join(dir, "public-1")), fresh(nil))
}

// TestARemovalRepairsADamagedSnapshot checks that damaged files in the public folder
// neither delay a removal nor are copied.
func TestARemovalRepairsADamagedSnapshot(t *testing.T) {
	for what, spoil := range map[string]func(file string) error{
		"deleted": os.Remove,
		"changed": func(file string) error { return os.WriteFile(file, []byte("globex"), 0o644) },
	} {
		dir := t.TempDir()
		b, fresh := snapshotMarket(t, dir)
		builtSnapshot(t, b, nil, build.Whole)
		public := filepath.Join(dir, "public-1")
		removals := catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", Slug: "acme"}})
		for file := range snapshotOf(t, public) {
			if err := spoil(filepath.Join(public, filepath.FromSlash(file))); err != nil {
				t.Fatal(err)
			}
		}
		builtSnapshot(t, b, removals)
		wantSameSnapshot(t, what, snapshotOf(t, public), fresh(removals))
	}
}
