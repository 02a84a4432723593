package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slugWord draws a possible slug, including reserved words.
func slugWord(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{
		"acme", "arm-7", "product", "service", "products", "pages", "claim", "remove", "search", "index", "companies", "404",
	}).Draw(t, label)
}

// drawDocument draws the file of a document of the API.
func drawDocument(t *rapid.T) string {
	slug, other := slugWord(t, "slug"), slugWord(t, "another")
	page := ""
	if rapid.Bool().Draw(t, "further") {
		page = "/pages/" + strings.Repeat(rapid.SampledFrom([]string{"0", "f", "3a"}).Draw(t, "id"), 32)[:32]
	}
	root := rapid.SampledFrom([]string{"product", "service"}).Draw(t, "root")
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return MarketFile
	case 1:
		return docFile(rapid.SampledFrom([]string{"companies", "articles", "market-maps"}).Draw(t, "list") + page)
	case 2:
		return docFile("category-roots/" + root)
	case 3:
		if slug == "product" || slug == "service" {
			slug = "robots" // reserved, since the roots have the addresses
		}
		return docFile("categories/" + slug)
	case 4:
		return docFile("categories/" + root + "/" + slug + page)
	case 5:
		return docFile("companies/" + slug + "/" + root + "s" + "/pages/" + strings.Repeat("0", 32))
	case 6:
		return docFile("companies/" + slug + "/" + root + "s/" + other)
	case 7:
		if slug == "search" {
			slug = "acme" // reserved, since the search of companies has the address
		}
		return docFile("companies/" + slug)
	case 8:
		return docFile("articles/" + slug)
	default:
		return docFile("market-maps/" + slug)
	}
}

func TestDocumentsAndPagesMapOneToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, two := drawDocument(t), drawDocument(t)
		pages := PagesOf(one)
		if len(pages) == 0 {
			t.Fatalf("%s has no page", one)
		}
		for _, page := range pages {
			if document, ok := DocumentOf(page); !ok || document != one {
				t.Fatalf("%s is of %s and not of %s", page, document, one)
			}
			if one != two && slices.Contains(PagesOf(two), page) {
				t.Fatalf("%s is of %s and of %s", page, one, two)
			}
			stub := GoneFile(page)
			if replaced, gone := IsGone(stub); !gone || replaced != page {
				t.Fatalf("%s stands for %s and not for %s", stub, replaced, page)
			}
			if _, ok := DocumentOf(stub); ok {
				t.Fatalf("%s is a page", stub)
			}
			if FileAddress(page) != FileAddress(one) || CompanyOf(page) != CompanyOf(one) || CompanyOf(stub) != CompanyOf(one) {
				t.Fatalf("%s and %s are of different addresses", page, one)
			}
			if fmt.Sprint(OwnerKeys(page), OwnerKeys(stub)) != fmt.Sprint(OwnerKeys(one), OwnerKeys(one)) {
				t.Fatalf("%s and %s have different owners", page, one)
			}
		}
	})
}

func TestOtherFilesHaveNeitherDocumentNorPage(t *testing.T) {
	part := rapid.OneOf(rapid.SampledFrom([]string{
		"companies", "articles", "market-maps", "categories", "product", "products", "acme", "pages", "claim", "", ".", "..", "Acme", "é",
		"api", "v1", "marketplace", "category-roots", strings.Repeat("0", 32), "index", "errors", "404", "search", "marketplace.json", "media",
	}))
	rapid.Check(t, func(t *rapid.T) {
		at := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "parts"), "/")
		file := at + rapid.SampledFrom([]string{"", ".html", ".md", ".json", ".gone.html", ".gone.json", ".md.gone.html", ".svg", ".html.gz"}).Draw(t, "ending")
		if document, ok := DocumentOf(file); ok {
			if !slices.Contains(PagesOf(document), file) {
				t.Fatalf("%s is said to be of %s, which has %v", file, document, PagesOf(document))
			}
			if document != MarketFile && !strings.HasPrefix(document, rootFolder) {
				if _, known := ParseFile(document); !known {
					t.Fatalf("%s is said to be of %s, which is no document", file, document)
				}
			}
		} else if document != "" {
			t.Fatalf("%s is of nothing and of %s", file, document)
		}
		for _, page := range PagesOf(file) {
			if document, ok := DocumentOf(page); !ok || document != file {
				t.Fatalf("%s has the page %s, which is of %q", file, page, document)
			}
		}
	})
}
