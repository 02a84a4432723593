package document

import (
	"testing"

	"souk/build/catalog"
)

func TestFilesTellWhatTheyStandFor(t *testing.T) {
	for file, want := range map[string]Subject{
		"companies/acme":                  {Ref: catalog.SellerRef("acme"), Page: 1},
		"companies/acme/services/pages/3": {Ref: catalog.SellerRef("acme"), Page: 3, Which: catalog.Services},
		"companies/acme/products/arm-7":   {Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm-7"}, Page: 1},
		"categories/robots":               {Slug: "robots", Page: 1},
		"categories/service/robots":       {Ref: catalog.CategoryRef(catalog.KindService, "robots"), Page: 1},
		"categories/product/arms/pages/2": {Ref: catalog.CategoryRef(catalog.KindProduct, "arms"), Page: 2},
		"articles":                        {List: catalog.KindArticle, Page: 1},
		"articles/news":                   {Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "news"}, Page: 1},
		"market-maps/pages/2":             {List: catalog.KindMarketMap, Page: 2},
	} {
		got, ok := ParseFile(docFile(file))
		if !ok || got != want {
			t.Errorf("%s: got %+v, %t, want %+v", file, got, ok, want)
		}
		if got.Ref != (catalog.Ref{}) && got.Page == 1 && docFile(got.Ref.Path()) != docFile(file) {
			t.Errorf("%s: the Reference has the path %s", file, got.Ref.Path())
		}
	}
	for _, file := range []string{
		"api/v1/openapi.json", "sitemap.xml", docFile("companies"), docFile("companies/a/b"), docFile("articles/pages/1"),
		docFile("categories/brand/x"), docFile("companies/acme/pages/2"), docFile("category-roots/product"), docFile("companies/a/products/pages/x"),
	} {
		if got, ok := ParseFile(file); ok {
			t.Errorf("%s is taken for %+v", file, got)
		}
	}
}
