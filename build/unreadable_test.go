package build_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/build"
	"souk/build/release"
)

// The contents of an unreadable file are unknown, so no other file can be wrong because of
// them.
func TestAnUnreadableFileCausesNoMistakesInOtherFiles(t *testing.T) {
	files := map[string]string{
		"marketplace.yaml":                    "name: M\nsiteUrl: https://m.example\ncontactEmail: desk@m.example\n",
		"sellers/acme/seller.yaml":            "id: nimbus\nofficialDomain: acme.example\nformerDomains: [old.example]\nversions: [{version: 1, name: Acme, logo: media/a.svg}]\naliases: [seller:old]\ncategories: [product/tools]\n",
		"sellers/acme/media/a.svg":            square(3),
		"sellers/acme/products/arm.yaml":      "name: Arm\ncategories: [tools]\nsku: A-1\naliases: [product:acme/hand]\nattributes: {Reach: {value: 1, unit: m}}\n",
		"sellers/acme/services/help.md":       "---\nname: Help\ncategories: [repair]\nrelated: [product:acme/arm]\n---\nSee [the arm](product:acme/arm).\n",
		"sellers/bolt/seller.yaml":            "id: acme\nofficialDomain: bolt.example\nversions: [{version: 1, name: Bolt}]\n",
		"sellers/bolt/products/leg.yaml":      "name: Leg\ncategories: [legs]\nattributes: {Reach: {value: 2, unit: m}}\n",
		"categories/product/tools.yaml":       "name: Tools\npins: [product:acme/arm, product:bolt/leg]\n",
		"categories/product/legs.yaml":        "name: Legs\nparent: tools\n",
		"categories/service/repair.yaml":      "name: Repair\n",
		"articles/news.md":                    "---\ntitle: News\nrelated: [seller:acme, service:acme/help, category:product/legs, marketMap:map]\n---\n[a](product:bolt/leg) ![b](media/b.svg)\n",
		"articles/media/b.svg":                square(4),
		"market-maps/map.yaml":                "title: Map\nsegments: [{name: One, category: product/tools, entries: [seller:acme, product:acme/arm, service:acme/help]}]\n",
		"synonyms.yaml":                       "- [arm, hand]\n",
		"texts/en.yaml":                       "action.claim: Claim\n",
		"site/about.md":                       "---\ntitle: About\nmenu: About\n---\n[a](article:news)\n",
		"sellers/acme/products/media/pic.svg": square(5),
	}
	dir := t.TempDir()
	write := func(file, text string) {
		path := filepath.Join(dir, "content", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range files {
		write(file, text)
	}
	check := func() (lines map[string]string) {
		_, list, err := build.Check(t.Context(), build.Config{
			Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"), Pages: true,
			Clock: time.Now, Precompress: release.NoPrecompress, Program: "test",
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines = map[string]string{}
		for _, p := range list {
			lines[p.File] += p.String() + "\n"
		}
		return lines
	}
	if lines := check(); len(lines) > 0 {
		t.Fatalf("with nothing broken: %v", lines)
	}
	for file, text := range files {
		broken := []string{"a: [\n", "\xff\xfe", "", "- a\n"}
		if filepath.Ext(file) == ".svg" {
			broken = []string{"<svg", "no picture"}
		}
		for _, by := range broken {
			write(file, by)
			lines := check()
			delete(lines, file)
			if len(lines) > 0 {
				t.Errorf("%s with %q: %v", file, by, lines)
			}
		}
		write(file, text)
	}
}
