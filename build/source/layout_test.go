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
