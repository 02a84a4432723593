package document

import (
	"path"
	"slices"
	"strings"

	"souk/build/catalog"
)

// This file derives the addresses and files of the pages for people from those of
// the documents: what has a document has a page.

const (
	// AssetFolder has the style sheet, the script and the other files that all
	// pages share, under names with a digest of their bytes.
	AssetFolder = "assets/"
	// FaviconFile is the market's sign.
	FaviconFile = "favicon.svg"
	// HomeFile is the page at the root of the site.
	HomeFile = "index.html"
	// SearchFile is the page of what was found, MissingFile that of every address
	// where nothing is, and RemovedFile that of every address that is gone.
	SearchFile  = "search.html"
	SearchPath  = "/search"
	MissingFile = errorFolder + "404.html"
	RemovedFile = errorFolder + "410.html"
	// The feeds: Atom (RFC 4287) and JSON Feed 1.1.
	AtomFile     = "feed.atom"
	JSONFeedFile = "feed.json"

	errorFolder = "errors/"

	marketFile = base + "marketplace.json"
	rootFolder = base + "marketplace/category-roots/"
	docFolder  = base + "marketplace/"
)

// forms are the pages below a Seller Profile that start a claim and a removal.
var forms = []string{"claim", "remove"}

// PagePath returns the address of the page of a document, for the document's
// address below /marketplace: /companies/acme for both, and / for "".
func PagePath(path string) string {
	if path == "" {
		return "/"
	}
	if root, ok := strings.CutPrefix(path, "/category-roots/"); ok {
		return "/categories/" + root
	}
	return path
}

// HTMLFile returns the file of the page at an address of the site.
func HTMLFile(address string) string {
	if address == "/" {
		return HomeFile
	}
	return strings.TrimPrefix(address, "/") + ".html"
}

// IsPageName reports whether a path below the site is the name of a page's or a
// stub's file, which is no address.
func IsPageName(path string) bool {
	return strings.HasSuffix(path, ".html") || strings.Contains(path, ".gone.") || strings.HasPrefix(path, errorFolder)
}

// PagesOf returns the files of the pages that are made from a document, given its
// file.
func PagesOf(document string) []string {
	below, ok := strings.CutPrefix(document, docFolder)
	if !ok {
		if document == marketFile {
			return []string{HomeFile}
		}
		return nil
	}
	at := strings.TrimPrefix(PagePath("/"+strings.TrimSuffix(below, ".json")), "/")
	all := []string{at + ".html"}
	switch parts := strings.Split(at, "/"); {
	case parts[len(parts)-1] == "", len(parts) > 1 && parts[len(parts)-2] == "pages", parts[0] == "categories", len(parts) == 1:
		return all
	case parts[0] == "companies" && len(parts) == 2:
		for _, form := range forms {
			all = append(all, at+"/"+form+".html")
		}
	}
	return append(all, at+".md")
}

// DocumentOf returns the file of the document that a page is made from, given the
// page's file; ok is false for a file that is no such page.
func DocumentOf(page string) (document string, ok bool) {
	ending := path.Ext(page)
	if ending != ".html" && ending != ".md" {
		return "", false
	}
	at := strings.TrimSuffix(page, ending)
	if page == HomeFile {
		return marketFile, true
	}
	parts := strings.Split(at, "/")
	switch parts[0] {
	case "categories":
		if len(parts) == 2 && (parts[1] == "product" || parts[1] == "service") {
			return rootFolder + parts[1] + ".json", ending == ".html"
		}
	case "companies":
		if len(parts) == 3 && (parts[2] == "claim" || parts[2] == "remove") && ending == ".html" {
			at = strings.Join(parts[:2], "/")
		}
	case "articles", "market-maps":
	default:
		return "", false
	}
	return docFolder + at + ".json", true
}

// Home is what the page at the root of the site shows. It is no document of the
// API, but made of parts of documents.
type Home struct {
	Marketplace
	Roots []CategoryRoot
	// Companies are some with a logo, of the first page of their list.
	Companies []SellerCard
	// Articles and MarketMaps are the newest.
	Articles, MarketMaps []Summary
}

// Feed is the newest Articles and Market Maps that have a date, the newest first.
type Feed struct{ Items []Summary }

const (
	homeItems     = 6
	homeCompanies = 9
	feedItems     = 100
)

func (r *Renderer) home() Home {
	h := Home{
		Marketplace: r.marketplace(),
		Articles:    r.summaries(first(r.catalog.Articles(), homeItems)),
		MarketMaps:  r.summaries(first(r.catalog.MarketMaps(), homeItems)),
	}
	page, _ := r.catalog.List(catalog.ListRef{Kind: catalog.KindSeller}).Page(nil)
	for _, card := range r.sellerCards(page.Items) {
		if card.Logo != nil && len(h.Companies) < homeCompanies {
			h.Companies = append(h.Companies, card)
		}
	}
	for _, root := range catalog.Roots {
		h.Roots = append(h.Roots, r.categoryRoot(root))
	}
	return h
}

func (r *Renderer) feed() Feed {
	nodes := slices.Concat(first(r.catalog.Articles(), feedItems), first(r.catalog.MarketMaps(), feedItems))
	nodes = slices.DeleteFunc(nodes, func(n *catalog.Node) bool { return n.Head().PublishedAt.Time.IsZero() })
	slices.SortStableFunc(nodes, func(a, b *catalog.Node) int {
		return b.Head().PublishedAt.Time.Compare(a.Head().PublishedAt.Time)
	})
	return Feed{r.summaries(first(nodes, feedItems))}
}

func first(nodes []*catalog.Node, n int) []*catalog.Node { return nodes[:min(n, len(nodes))] }
