package build_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build"
)

// Files that Souk writes without content are those of an empty market's release.
func TestFilesWrittenBySoukItselfAreThoseOfAnEmptyMarket(t *testing.T) {
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

func TestTheFilesOfAReleaseFollowFromTheContent(t *testing.T) {
	for _, content := range []string{"sample", "aliased", "aliased, without pages"} {
		t.Run(content, func(t *testing.T) {
			m := newAliased(t)
			config := m.config("whole", "whole-var")
			config.Snapshot, config.Pages = false, content != "aliased, without pages"
			if content == "sample" {
				config.Content = filepath.Join("..", "content")
			} else {
				m.removed["bolt"] = true
				m.write("site/imprint.md", "---\ntitle: Imprint\n---\nOurs.\n")
				m.write("site/.well-known/security.txt", "Contact: mailto:desk@market.example\n")
			}
			b, err := build.New(config)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Build(t.Context(), m.set()); err != nil {
				t.Fatal(err)
			}
			want := readTree(t, filepath.Join(m.dir, "whole"))
			maps.DeleteFunc(want, func(file string, _ []byte) bool {
				return strings.HasSuffix(file, ".gz") || strings.HasSuffix(file, ".br") || strings.Contains(file, ".gone.")
			})
			read, err := build.Read(t.Context(), config, m.set())
			if err != nil {
				t.Fatal(err)
			}
			got, err := build.Files(read, "", config.Pages)
			if err != nil {
				t.Fatal(err)
			}
			if is, was := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(is, was) {
				t.Errorf("only from the content: %v\nonly in the release: %v", without(is, was), without(was, is))
			}
		})
	}
}
