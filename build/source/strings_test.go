package source

import (
	"context"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"souk/build/catalog"
	"souk/build/rendition"
)

func TestItemsShareTheirTextsFreshAndFromTheCache(t *testing.T) {
	dir, cached := t.TempDir(), filepath.Join(t.TempDir(), "content")
	const offer = "---\nname: Arm\ncategories: [robots]\nprice: {amount: 12, currency: EUR}\nattributes: {Weight: {value: 12, unit: kg}}\nkeywords: [lifting]\n---\nIt lifts.\n"
	write(t, dir, "sellers/acme/products/a.md", offer)
	write(t, dir, "sellers/acme/products/b.md", offer)
	for _, from := range []string{"the files", "the cache"} {
		f := Open(dir, cached, "v", rendition.Open(t.TempDir()), time.Now)
		if _, err := f.Scan(context.Background(), Whole); err != nil {
			t.Fatal(err)
		}
		changed, err := f.Change()
		if err != nil || len(changed.Put) != 2 {
			t.Fatalf("%d items, %v", len(changed.Put), err)
		}
		a, b := changed.Put[0].(*catalog.Offer), changed.Put[1].(*catalog.Offer)
		for _, two := range [][2]string{
			{a.Ref.Company, b.Ref.Company}, {a.Categories[0].Ref.Slug, b.Categories[0].Ref.Slug}, {a.Price.Currency, b.Price.Currency},
			{a.Attributes[0].Name, b.Attributes[0].Name}, {a.Attributes[0].Unit, b.Attributes[0].Unit}, {a.Keywords[0], b.Keywords[0]},
		} {
			if two[0] == "" || two[0] != two[1] || unsafe.StringData(two[0]) != unsafe.StringData(two[1]) {
				t.Errorf("from %s, %q and %q are not one text", from, two[0], two[1])
			}
		}
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
	}
}
