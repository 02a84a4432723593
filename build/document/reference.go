package document

import (
	"slices"
	"strconv"
	"strings"

	"souk/build/catalog"
)

// A Subject is what an address of the API stands for.
type Subject struct {
	// Ref is the thing; zero where the address is that of a list of all Articles
	// or Market Maps, whose Kind List is then.
	Ref  catalog.Ref
	List catalog.Kind
	// Page is that of the list, Which the list of Ref; page 1 is the thing itself.
	Page, Which int
	// Slug: the address is that of a category slug under both roots.
	Slug string
}

// ParseFile tells what a document's file stands for; ok is false for those that
// every release has, and for what is no document.
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
	a.Page = 1
	if n := len(parts); n >= 3 && parts[n-2] == "pages" {
		page, err := strconv.Atoi(parts[n-1])
		if err != nil || page < 2 {
			return a, false
		}
		a.Page, parts = page, parts[:n-2]
	}
	return a.named(parts)
}

// named tells what the parts of a path name, without the page.
func (a Subject) named(parts []string) (Subject, bool) {
	whole := a.Page == 1
	switch n := len(parts); parts[0] {
	case "companies":
		switch {
		case n == 2 && whole:
			a.Ref = catalog.SellerRef(parts[1])
		case n == 3 && !whole && (parts[2] == "products" || parts[2] == "services"):
			a.Ref = catalog.SellerRef(parts[1])
			if parts[2] == "services" {
				a.Which = catalog.Services
			}
		case n == 4 && whole && (parts[2] == "products" || parts[2] == "services"):
			kind, _ := catalog.ParseKind(strings.TrimSuffix(parts[2], "s"))
			a.Ref = catalog.Ref{Kind: kind, Company: parts[1], Slug: parts[3]}
		default:
			return a, false
		}
	case "categories":
		if n == 2 && whole {
			a.Slug = parts[1]
			return a, true
		}
		root, known := catalog.ParseKind(parts[1])
		if n != 3 || !known || !slices.Contains(catalog.Roots[:], root) {
			return a, false
		}
		a.Ref = catalog.CategoryRef(root, parts[2])
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

// Stands tells whether a release of the catalog has the address.
func (a Subject) Stands(c *catalog.Catalog) bool {
	switch {
	case a.Slug != "":
		for _, root := range catalog.Roots {
			if n := c.Node(catalog.CategoryRef(root, a.Slug)); n != nil && n.Current() {
				return true
			}
		}
		return false
	case a.Ref == (catalog.Ref{}):
		list := c.Articles()
		if a.List == catalog.KindMarketMap {
			list = c.MarketMaps()
		}
		return a.Page <= pageCount(len(list))
	}
	n := c.Node(a.Ref)
	return n != nil && n.Current() && a.Page <= pageCount(len(n.List(a.Which)))
}

// PageFile gives the file of the document of a canonical page, named by its
// path below the site, or "" where no document can stand for it.
func PageFile(path string) string {
	file := docFile(path)
	if _, ok := ParseFile(file); ok {
		return file
	}
	return ""
}
