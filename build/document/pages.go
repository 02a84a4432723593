package document

import "strings"

// This file defines the addresses of the pages for people, which are derived from
// those of the documents: what has a document has a page.

const (
	// AssetFolder has the style sheet, the script and the other files that all
	// pages share, under names with a digest of their bytes.
	AssetFolder = "assets/"
	FaviconFile = "favicon.svg"
	HomeFile    = "index.html"
)

// PagePath returns the address of the page of a document, for the document's
// address below /marketplace: /companies/acme for both, / for that of the
// marketplace itself.
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
func HTMLFile(path string) string {
	if path == "/" {
		return HomeFile
	}
	return strings.TrimPrefix(path, "/") + ".html"
}

// Home is what the page at the root of the site shows. It is no document of the
// API, but made of parts of documents.
type Home struct {
	Roots                         []CategoryRoot
	Articles                      []Summary
	MarketMaps                    []Summary
	Companies, Products, Services int
}
