package build_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"souk/build"
	"souk/build/kit/problem"
)

// A misnamed file is one mistake. Files that refer to its item get none, both in a running
// process and in a new one, and nothing remains once the name is fixed.
func TestAMisnamedFileCausesNoMistakesInOtherFiles(t *testing.T) {
	m := newStaying(t, nil)
	m.write("articles/news.md", "---\ntitle: News\nrelated: [product:acme/arm]\n---\nBy [Acme](seller:acme), in [tools](category:product/tools).\n")
	m.follow(t)
	for right, wrong := range map[string]string{
		"sellers/acme/seller.yaml": "sellers/acme/seller.yml", "sellers/acme/products/arm.yaml": "sellers/acme/products/Arm.yaml",
		"categories/product/tools.yaml": "categories/product/tools.YAML", "sellers/acme": "sellers/Acme", "sellers/acme/products": "sellers/acme/product",
		"sellers": "seller", "marketplace.yaml": "marketplace.yml",
	} {
		at := func(file string) string { return filepath.Join(m.dir, "content", filepath.FromSlash(file)) }
		rename := func(from, to string) {
			if err := os.Rename(at(from), at(to)); err != nil {
				t.Fatal(err)
			}
		}
		want := func(when string, mistakes problem.List, most int) {
			for _, p := range mistakes {
				if most--; most < 0 || p.File != wrong && filepath.Dir(p.File) != wrong && filepath.Dir(filepath.Dir(p.File)) != wrong {
					t.Errorf("%s as %s, %s: %v", right, wrong, when, mistakes)
					return
				}
			}
		}
		rename(right, wrong)
		report, err := m.builder.Build(t.Context(), m.set(), right, wrong)
		if err != nil || len(report.HeldBack) == 0 {
			t.Fatalf("%s as %s: %v, %v", right, wrong, report.HeldBack, err)
		}
		want("staying", report.HeldBack, 2)
		var mistaken *problem.Error
		if _, err := build.Read(t.Context(), m.config("public", "anew"), m.set()); !errors.As(err, &mistaken) {
			t.Fatalf("%s as %s: %v", right, wrong, err)
		}
		want("anew", mistaken.Mistakes, 2)
		rename(wrong, right)
		if report, err = m.builder.Build(t.Context(), m.set(), right, wrong); err != nil || len(report.HeldBack) > 0 {
			t.Errorf("%s as %s, mended: %v, %v", right, wrong, report.HeldBack, err)
		}
	}
}
