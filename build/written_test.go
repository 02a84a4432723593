package build_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build"
)

// What Souk writes by itself is what a release of a market without anything holds.
func TestWhatSoukItselfWritesIsAReleaseOfAnEmptyMarket(t *testing.T) {
	m := newStaying(t, nil)
	for _, path := range []string{"sellers", "categories", "articles", "market-maps"} {
		m.remove(path)
	}
	m.write("marketplace.yaml", "name: Souk\nsiteUrl: https://market.example\n")
	config := m.config("empty", "empty-var")
	config.Snapshot = false
	b, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	want := readTree(t, filepath.Join(m.dir, "empty"))
	maps.DeleteFunc(want, func(file string, _ []byte) bool {
		return strings.HasSuffix(file, ".gz") || strings.HasSuffix(file, ".br") || file == "api/v1/release.json"
	})
	got, err := build.Written("https://market.example", "en")
	if err != nil {
		t.Fatal(err)
	}
	if is, was := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(is, was) {
		t.Errorf("only written: %v\nonly in a release: %v", without(is, was), without(was, is))
	}
	for file, body := range want {
		if string(got[file]) != string(body) {
			t.Errorf("%s is\n%s\nand in a release\n%s", file, got[file], body)
		}
	}
}
