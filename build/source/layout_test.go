package source

import (
	"slices"
	"testing"

	"souk/build/catalog"
)

func TestTheFilesOfAnItemAreWhatItsPlaceSays(t *testing.T) {
	for ref, most := range map[catalog.Ref]int{
		catalog.SellerRef("acme"):                                    2,
		catalog.CategoryRef(catalog.KindProduct, "arms"):             2,
		catalog.CategoryRef(catalog.KindService, "advice"):           2,
		{Kind: catalog.KindProduct, Company: "acme", Slug: "arm-7"}:  2,
		{Kind: catalog.KindService, Company: "acme", Slug: "advice"}: 2,
		{Kind: catalog.KindArticle, Slug: "news"}:                    2,
		{Kind: catalog.KindMarketMap, Slug: "robots"}:                2,
		{Kind: catalog.KindPage, Slug: "about/us"}:                   1,
		{Kind: catalog.KindFile, Slug: ".well-known/security.txt"}:   1,
	} {
		paths := pathsOf(ref)
		if len(paths) != most || !slices.IsSorted(paths) {
			t.Errorf("the files of %v are %q", ref, paths)
		}
		for _, path := range paths {
			if what, got, _ := place(path); what != itemFile || got != ref {
				t.Errorf("%s has the role %d and is of %v, not of %v", path, what, got, ref)
			}
		}
	}
}

func TestASellerCalledMediaIsToldThatItsSlugIsReserved(t *testing.T) {
	for _, file := range []string{"sellers/media/seller.yaml", "sellers/media/seller.md", "sellers/media/products/arm.md", "sellers/media/services/advice.yaml"} {
		what, _, p := place(file)
		if what != stray || p == nil || p.Text != `the slug "media" is reserved: choose another` {
			t.Errorf("of %s is said %v", file, p)
		}
	}
	for _, file := range []string{"sellers/media/logo.svg", "sellers/media/notes.yaml", "sellers/acme/media/seller.yaml", "sellers/acme/products/media/arm.md", "articles/media/plan.md"} {
		if what, _, p := place(file); what != media || p != nil {
			t.Errorf("%s has the role %d, and is said %v", file, what, p)
		}
	}
}
