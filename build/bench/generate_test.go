package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
)

// TestGenerateIsRight checks that a synthetic marketplace has no mistakes and
// holds what the measurements are meant to be about.
func TestGenerateIsRight(t *testing.T) {
	dir := t.TempDir()
	content := filepath.Join(dir, "content")
	m := newMarket(300)
	if err := m.write(content); err != nil {
		t.Fatal(err)
	}
	problems, err := build.Check(t.Context(), build.Config{Content: content, State: filepath.Join(dir, "state"), Clock: time.Now, Program: "test"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mistakes, _ := problems.Split()
	for _, p := range mistakes[:min(len(mistakes), 10)] {
		t.Error(p)
	}
	files := tree(t, content)
	offers, markdown, size := 0, 0, 0
	for file, text := range files {
		if !strings.Contains(file, "/products/") && !strings.Contains(file, "/services/") {
			continue
		}
		offers++
		if strings.HasSuffix(file, ".md") {
			markdown++
		} else {
			size += len(text)
		}
	}
	if offers != 300 {
		t.Errorf("%d offers, want 300", offers)
	}
	if markdown < 60 || markdown > 140 {
		t.Errorf("%d of 300 offers are Markdown, want about a third", markdown)
	}
	if mean := size / (offers - markdown); mean < 500 || mean > 900 {
		t.Errorf("an offer in YAML has %d bytes, want 500 to 900", mean)
	}
	if n := len(m.categories); n < 60 || n > 300 {
		t.Errorf("%d categories, want 60 to 300", n)
	}
	for _, file := range m.products(20) {
		if files[file] == "" {
			t.Errorf("there is no %s", file)
		}
	}
}

// TestGenerateIsDeterministic checks that two runs write the same bytes.
func TestGenerateIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	var trees []map[string]string
	for _, name := range []string{"a", "b"} {
		at := filepath.Join(dir, name)
		if err := newMarket(300).write(at); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree(t, at))
	}
	if !maps.Equal(trees[0], trees[1]) {
		for _, file := range slices.Sorted(maps.Keys(trees[0])) {
			if trees[0][file] != trees[1][file] {
				t.Errorf("%s differs", file)
			}
		}
	}
	if err := newMarket(300).write(filepath.Join(dir, "a")); err == nil {
		t.Error("a marketplace was written over another one")
	}
}

// TestPlan checks the numbers of large plans without writing them.
func TestPlan(t *testing.T) {
	m := newMarket(100_000)
	if mean := 100_000 / len(m.sizes); mean < 8 || mean > 12 {
		t.Errorf("%d offers a seller, want about 10", mean)
	}
	if largest := slices.Max(m.sizes); largest < 200 {
		t.Errorf("the largest seller has %d offers, want hundreds", largest)
	}
	services := 0
	for s, size := range m.sizes[:2000] {
		for i := range size {
			if m.offer(m.seller(s), i).kind == "service" {
				services++
			}
		}
	}
	if services < 2400 || services > 3600 {
		t.Errorf("%d services among about 20000 offers, want 15 %%", services)
	}
}

// tree returns the files below a folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
