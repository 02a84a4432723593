package document

import (
	"cmp"
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
	// SearchFile is the page that searches listings, MissingFile that of every address
	// where nothing is, and RemovedFile that of every address that is gone.
	SearchFile  = "search.html"
	SearchPath  = "/search"
	MissingFile = errorFolder + "404.html"
	RemovedFile = errorFolder + "410.html"
	// The feeds: Atom (RFC 4287) and JSON Feed 1.1.
	AtomFile     = "feed.atom"
	JSONFeedFile = "feed.json"

	// EmbedFolder has the pages that are made for frames on other sites: each of a
	// market map or a category, at the address of its page below the folder.
	EmbedFolder = "embed/"

	errorFolder = "errors/"

	// MarketFile describes the market, with the addresses of site and API.
	MarketFile = base + "marketplace.json"

	rootFolder = base + "marketplace/category-roots/"
	docFolder  = base + "marketplace/"
)

// The pages below a Seller Profile that start a claim and a removal.
const (
	ClaimForm  = "claim"
	RemoveForm = "remove"
)

var forms = []string{ClaimForm, RemoveForm}

// A Filled page shows what its address asks for. A program fills it or, where none
// answers, a script. It is made from no document.
type Filled struct {
	// Of is what it shows; of a search, what it finds, as in the address of its endpoint.
	Of string
	// Path is the address of the page, and File its file.
	Path, File string
}

// A Search is a search that has a page.
type Search struct {
	Filled
	// Parameters are what may be sent, Filters those that narrow the results.
	Parameters, Filters []string
}

// ListingSearch returns the search of products and services.
func ListingSearch() Search {
	return Search{Filled{"listings", SearchPath, SearchFile}, SearchParameters(), SearchFilters()}
}

// CompanySearch returns the search of companies.
func CompanySearch() Search {
	return Search{Filled{"companies", "/companies/search", "companies/search.html"}, CompanyParameters(), CompanyFilters()}
}

// Searches returns all searches that have a page.
func Searches() []Search { return []Search{ListingSearch(), CompanySearch()} }

// ComparePath is the address of the page of a comparison.
const ComparePath = "/compare"

// FilledPages returns the pages of the searches and of the comparison.
func FilledPages() []Filled {
	return []Filled{ListingSearch().Filled, CompanySearch().Filled, {"comparison", ComparePath, HTMLFile(ComparePath)}}
}

// IsFilled reports whether a file is one of the FilledPages.
func IsFilled(file string) bool {
	return slices.ContainsFunc(FilledPages(), func(p Filled) bool { return p.File == file })
}

// FormPath returns the address that a form without a script is sent to, where a
// program answers.
func FormPath(form string) string { return "/requests/" + form }

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

// EmbedPath returns the address of the page of a map or a category that is made for
// frames, given that of its page.
func EmbedPath(page string) string { return "/" + EmbedFolder + strings.TrimPrefix(page, "/") }

// IsPageName reports whether a path below the site is the name of a page's or a
// stub's file, or one that would be such with its ending, which is no address.
func IsPageName(file string) bool {
	file = strings.TrimSuffix(file, "/")
	return strings.HasSuffix(file, ".html") || strings.Contains(file+".", ".gone.") || strings.HasPrefix(file, errorFolder) ||
		path.Base(file) == "index"
}

// PagesOf returns the files of the pages that are made from a document, given its
// file, its picture and its Markdown last; none for a file that is no such document.
func PagesOf(document string) []string {
	below, ok := strings.CutPrefix(document, docFolder)
	if !ok {
		if document == MarketFile {
			return []string{HomeFile}
		}
		return nil
	}
	below = strings.TrimSuffix(below, ".json")
	at := strings.TrimPrefix(PagePath("/"+below), "/")
	subject, known := ParseFile(document)
	switch {
	case at != below:
		if !isRoot(path.Base(at)) || strings.Count(at, "/") != 1 {
			return nil
		}
		return []string{at + ".html"}
	case !known, !slugged(at), isRoot(subject.Slug), IsFilled(at + ".html"):
		return nil
	}
	all := []string{at + ".html"}
	switch {
	case subject.Page != "", subject.Ref == (catalog.Ref{}):
		return all
	case subject.Ref.Kind == catalog.KindCategory:
		return append(all, EmbedFolder+at+".html", at+".svg")
	case subject.Ref.Kind == catalog.KindMarketMap:
		all = append(all, EmbedFolder+at+".html", at+".svg")
	case subject.Ref.Kind == catalog.KindSeller:
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
	if ending != ".html" && ending != ".md" && ending != ".svg" {
		return "", false
	}
	at := strings.TrimPrefix(strings.TrimSuffix(page, ending), EmbedFolder)
	switch parts := strings.Split(at, "/"); {
	case page == HomeFile:
		return MarketFile, true
	case parts[0] == "categories" && len(parts) == 2 && isRoot(parts[1]):
		document = rootFolder + parts[1] + ".json"
	case parts[0] == "companies" && len(parts) == 3 && slices.Contains(forms, parts[2]):
		document = docFolder + parts[0] + "/" + parts[1] + ".json"
	default:
		document = docFolder + at + ".json"
	}
	if !slices.Contains(PagesOf(document), page) {
		return "", false
	}
	return document, true
}

func isRoot(slug string) bool { return slug == "product" || slug == "service" }

// slugged reports whether all parts of a path may be slugs.
func slugged(at string) bool {
	for _, part := range strings.Split(at, "/") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// Home is what the page at the root of the site shows. It is no document of the
// API, but made of parts of documents.
type Home struct {
	Marketplace
	// Pictures are those that the description shows.
	Pictures []Media
	Roots    []CategoryRoot
	// Chosen are the companies, listings, articles and maps that the operator features.
	Chosen struct {
		Companies []CompanyCard
		Listings  []Listing
		Summaries []Summary
	}
	// Newest are the offers that became public last, of those whose authors say when.
	Newest []Listing
	// Companies are some of the first page of their list: those with a logo and, where nothing
	// is offered, also others.
	Companies []CompanyCard
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
		Pictures:    r.textMedia(r.catalog.Market().Description, nil),
		Articles:    r.summaries(first(r.catalog.Articles(), homeItems)),
		MarketMaps:  r.summaries(first(r.catalog.MarketMaps(), homeItems)),
	}
	page, _ := r.catalog.List(catalog.ListRef{Kind: catalog.KindSeller}).Page(nil)
	cards := r.companyCards(page.Items)
	slices.SortStableFunc(cards, func(a, b CompanyCard) int { return cmp.Compare(unpictured(a), unpictured(b)) })
	offers := h.Counts.Products + h.Counts.Services
	for _, card := range cards[:min(homeCompanies, len(cards))] {
		if card.Logo != nil || offers == 0 {
			h.Companies = append(h.Companies, card)
		}
	}
	for _, m := range r.catalog.Market().Featured {
		n := r.catalog.Node(m.Ref)
		switch {
		case n == nil || !n.Current():
		case m.Ref.Kind == catalog.KindSeller:
			h.Chosen.Companies = append(h.Chosen.Companies, r.companyCards([]*catalog.Node{n})...)
		case m.Ref.Kind.Offer():
			h.Chosen.Listings = append(h.Chosen.Listings, r.Listing(n))
		default:
			h.Chosen.Summaries = append(h.Chosen.Summaries, r.summaries([]*catalog.Node{n})...)
		}
	}
	for _, n := range r.catalog.Newest() {
		h.Newest = append(h.Newest, r.Listing(n))
	}
	for _, root := range catalog.Roots {
		h.Roots = append(h.Roots, r.categoryRoot(root))
	}
	return h
}

// unpictured returns 1 for the card of a company without a logo, else 0.
func unpictured(card CompanyCard) int {
	if card.Logo == nil {
		return 1
	}
	return 0
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
