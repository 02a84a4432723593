package document

import (
	"testing"

	"souk/build/catalog"
)

func TestFileNamesAreParsedToTheirSubject(t *testing.T) {
	const id = "0f3a9c5be27d416885d0c1f2a7b3e946"
	for file, want := range map[string]Subject{
		"companies/acme":                      {Ref: catalog.SellerRef("acme")},
		"companies/acme/services/pages/" + id: {Ref: catalog.SellerRef("acme"), Page: id},
		"companies/acme/products/arm-7":       {Ref: catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm-7"}},
		"categories/robots":                   {Slug: "robots"},
		"categories/service/robots":           {Ref: catalog.CategoryRef(catalog.KindService, "robots")},
		"categories/product/arms/pages/" + id: {Ref: catalog.CategoryRef(catalog.KindProduct, "arms"), Page: id},
		"companies":                           {List: catalog.KindSeller},
		"companies/pages/" + id:               {List: catalog.KindSeller, Page: id},
		"articles":                            {List: catalog.KindArticle},
		"articles/news":                       {Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "news"}},
		"market-maps/pages/" + id:             {List: catalog.KindMarketMap, Page: id},
	} {
		got, ok := ParseFile(docFile(file))
		if !ok || got != want {
			t.Errorf("%s: got %+v, %t, want %+v", file, got, ok, want)
		}
		if got.Ref != (catalog.Ref{}) && got.Page == "" && docFile(got.Ref.Path()) != docFile(file) {
			t.Errorf("%s: the Reference has the path %s", file, got.Ref.Path())
		}
	}
	for _, file := range []string{
		"api/v1/openapi.json", "sitemap.xml", docFile(""), docFile("companies/pages/" + id + "0"), docFile("companies/a/b"), docFile("articles/pages/2"), docFile("articles/pages/" + id + "0"),
		docFile("categories"), docFile("categories/brand/x"), docFile("companies/acme/pages/" + id), docFile("category-roots/product"), docFile("companies/a/products/pages/x"),
	} {
		if got, ok := ParseFile(file); ok {
			t.Errorf("%s is taken for %+v", file, got)
		}
	}
}

func TestPagesOfTheListOfCompaniesBelongToNoCompany(t *testing.T) {
	for file, want := range map[string]string{
		"companies": "", "companies/pages/0f3a9c5be27d416885d0c1f2a7b3e946": "", "": "", "articles/acme": "",
		"companies/acme": "acme", "companies/acme/products/pages/0f3a9c5be27d416885d0c1f2a7b3e946": "acme",
	} {
		if got := CompanyOf(docFile(file)); got != want {
			t.Errorf("%q is of %q, want %q", file, got, want)
		}
	}
}
