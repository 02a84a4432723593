package document

import (
	"regexp"
	"slices"
	"strings"

	"souk/build/catalog"
)

var wholePageID = regexp.MustCompile("^" + pageIDPattern + "$")

// A Subject is what an address of the API identifies.
type Subject struct {
	// Ref is the item. It is zero if the address is that of the list of all Sellers, Articles
	// or Market Maps; List is then their Kind.
	Ref  catalog.Ref
	List catalog.Kind
	// Page is the id of a further page of a list; empty for the item or the list itself.
	Page string
	// Slug is set if the address is that of a category slug under both roots.
	Slug string
}

// ParseFile returns the Subject of a document's file. ok is false for documents that every
// release has, and for files that are not documents.
func ParseFile(file string) (a Subject, ok bool) {
	path, found := strings.CutPrefix(file, base+"marketplace/")
	if !found {
		return a, false
	}
	path, found = strings.CutSuffix(path, ".json")
	if !found {
		return a, false
	}
	parts := strings.Split(path, "/")
	if n := len(parts); n >= 3 && parts[n-2] == "pages" {
		if !wholePageID.MatchString(parts[n-1]) {
			return a, false
		}
		a.Page, parts = parts[n-1], parts[:n-2]
	}
	return a.named(parts)
}

// named completes a Subject from the parts of a path, without the page.
func (a Subject) named(parts []string) (Subject, bool) {
	whole := a.Page == ""
	switch n := len(parts); parts[0] {
	case "companies":
		switch {
		case n == 1:
			a.List = catalog.KindSeller
		case n == 2 && whole:
			a.Ref = catalog.SellerRef(parts[1])
		case n == 3 && !whole && (parts[2] == "products" || parts[2] == "services"):
			a.Ref = catalog.SellerRef(parts[1])
		case n == 4 && whole && (parts[2] == "products" || parts[2] == "services"):
			kind, _ := catalog.ParseKind(strings.TrimSuffix(parts[2], "s"))
			a.Ref = catalog.Ref{Kind: kind, Company: parts[1], Slug: parts[3]}
		default:
			return a, false
		}
	case "categories":
		switch {
		case n == 2 && whole:
			a.Slug = parts[1]
		case n == 3, n == 4 && !whole && parts[3] == "companies":
			root, known := catalog.ParseKind(parts[1])
			if !known || !slices.Contains(catalog.Roots[:], root) {
				return a, false
			}
			a.Ref = catalog.CategoryRef(root, parts[2])
		default:
			return a, false
		}
	case "articles", "market-maps":
		kind := catalog.KindArticle
		if parts[0] == "market-maps" {
			kind = catalog.KindMarketMap
		}
		switch {
		case n == 1:
			a.List = kind
		case n == 2 && whole:
			a.Ref = catalog.Ref{Kind: kind, Slug: parts[1]}
		default:
			return a, false
		}
	default:
		return a, false
	}
	return a, true
}

// PageFile returns the file of the document for a canonical page, given the page's path below
// the site, or "".
func PageFile(path string) string {
	file := docFile(path)
	if _, ok := ParseFile(file); ok {
		return file
	}
	return ""
}
