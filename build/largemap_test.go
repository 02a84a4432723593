package build_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/document"
	"souk/build/release"
)

// TestAnEditOfAMemberTouchesOnlyTheDocumentOfASmallMap edits members of maps of different
// sizes.
func TestAnEditOfAMemberTouchesOnlyTheDocumentOfASmallMap(t *testing.T) {
	for _, entries := range []int{100, 101} {
		large := entries > 100
		dir := t.TempDir()
		put(t, dir, "content/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
		put(t, dir, "content/categories/product/tools.yaml", "name: Tools\n")
		put(t, dir, "content/sellers/acme/media/one.svg", square(4))
		put(t, dir, "content/sellers/acme/media/two.svg", square(5))
		put(t, dir, "content/sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\n")
		members := "[{ref: seller:acme, note: First}"
		for i := range entries - 1 {
			put(t, dir, fmt.Sprintf("content/sellers/acme/products/item-%d.yaml", i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
			members += fmt.Sprintf(", product:acme/item-%d", i)
		}
		put(t, dir, "content/market-maps/atlas.yaml", "title: Atlas\nsegments: [{name: All, entries: "+members+"]}]\n")
		open := func(name string) *build.Builder {
			b, err := build.New(build.Config{
				Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, name), State: filepath.Join(dir, name+"-state"), Program: "test",
				Clock: time.Now, Precompress: release.NoPrecompress, Snapshot: true, Pages: true, LongLived: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		b := open("public")
		const file, picture = "api/v1/marketplace/market-maps/atlas.json", "market-maps/atlas.svg"
		for at, edit := range []struct {
			path, text        string
			document, picture bool
		}{
			{build.Whole, "", true, true},
			{"sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme, summary: New.}]\n", !large, false},
			{"sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: Acme, summary: New., logo: media/one.svg}]\n", !large, true},
			{"sellers/acme/products/item-1.yaml", "name: Item 1\nsummary: New.\ncategories: [tools]\n", !large, false},
			{"sellers/acme/products/item-1.yaml", "name: Item 1\nsummary: New.\ncategories: [tools]\nmedia: [{file: ../media/two.svg, alt: Two}]\n", !large, true},
			{"sellers/acme/products/item-1.yaml", "name: Item one\ncategories: [tools]\n", true, true},
			{"market-maps/atlas.yaml", "title: Atlas\nsegments: [{name: All, entries: " + strings.Replace(members, "First", "Second", 1) + "]}]\n", true, true},
		} {
			if edit.text != "" {
				put(t, dir, "content/"+edit.path, edit.text)
			}
			report, err := b.Build(t.Context(), nil, edit.path)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(report.Changed, file); got != edit.document {
				t.Errorf("%d entries: edit %d changes the document: %v, want %v", entries, at, got, edit.document)
			}
			if got := slices.Contains(report.Changed, picture); got != edit.picture {
				t.Errorf("%d entries: edit %d changes the picture: %v, want %v", entries, at, got, edit.picture)
			}
		}
		if _, err := open("fresh").Build(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		edited, fresh := readTree(t, filepath.Join(dir, "public")), readTree(t, filepath.Join(dir, "fresh"))
		for name, body := range fresh {
			if !bytes.Equal(edited[name], body) && name != document.ReleaseFile {
				t.Errorf("%d entries: %s is other than in a fresh build", entries, name)
			}
		}
		var atlas document.MarketMap
		if err := json.Unmarshal(edited[file], &atlas); err != nil {
			t.Fatal(err)
		}
		first := atlas.Segments[0].Entries[0]
		if first.Note != "Second" || first.URL == "" || first.APIURL == "" || first.Kind != "seller" || (first.Logo == nil && first.Summary == "") != large {
			t.Errorf("%d entries: the first is %+v", entries, first)
		}
	}
}
