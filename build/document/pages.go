package document

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"souk/build/catalog"
)

// This file derives the addresses and files of pages from those of documents: every document
// has a page.

const (
	// AssetFolder contains the style sheet, the script and the other files that all pages
	// share, with a digest of their bytes in their names.
	AssetFolder = "assets/"
	// FaviconFile is the marketplace's icon.
	FaviconFile = "favicon.svg"
	// HomeFile is the page at the root of the site.
	HomeFile     = "index.html"
	homeMarkdown = "index.md"
	// SearchFile is the page that searches listings, MissingFile the page for unknown
	// addresses, and RemovedFile the page for removed addresses.
	SearchFile  = "search.html"
	SearchPath  = "/search"
	MissingFile = errorFolder + "404.html"
	RemovedFile = errorFolder + "410.html"
	// The feeds: Atom (RFC 4287) and JSON Feed 1.1.
	AtomFile     = "feed.atom"
	JSONFeedFile = "feed.json"

	// EmbedFolder contains pages for frames on other sites, one for each market map and
	// category, at the address of its page below the folder.
	EmbedFolder = "embed/"

	errorFolder = "errors/"

	// MarketFile describes the marketplace, with the addresses of its site and API.
	MarketFile = base + "marketplace.json"

	rootFolder = base + "marketplace/category-roots/"
	docFolder  = base + "marketplace/"
)

// The pages below a Seller Profile that start a claim or a removal.
const (
	ClaimForm  = "claim"
	RemoveForm = "remove"
)

var forms = []string{ClaimForm, RemoveForm}

// A Filled is a page whose content depends on its query. A program fills it or, if none
// answers, a script. It has no document.
type Filled struct {
	// Of names its content; for a search, its results, as in the address of its endpoint.
	Of string
	// Path is the address of the page, and File its file.
	Path, File string
}

// A Search is a search with a page.
type Search struct {
	Filled
	// Parameters are all parameters, Filters those that narrow the results.
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

// Searches returns all searches with a page.
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

// FormPath returns the address to which a form is sent without a script, if a program answers.
func FormPath(form string) string { return "/requests/" + form }

// MarkdownOf returns the file, or the address, of a page as Markdown, given that of the page.
func MarkdownOf(page string) string {
	if strings.HasSuffix(page, "/") {
		page += "index"
	}
	return strings.TrimSuffix(page, ".html") + ".md"
}

// PagePath returns the address of a document's page, given the document's address below
// /marketplace: /companies/acme for both, and / for "".
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

// EmbedPath returns the address of the page for frames of a map or category, given the address
// of its page.
func EmbedPath(page string) string { return "/" + EmbedFolder + strings.TrimPrefix(page, "/") }

// IsPageName reports whether a path below the site is the file name of a page or stub, with or
// without its extension, and therefore not an address.
func IsPageName(file string) bool {
	file = strings.TrimSuffix(file, "/")
	return strings.HasSuffix(file, ".html") || strings.Contains(file+".", ".gone.") || strings.HasPrefix(file, errorFolder) ||
		path.Base(file) == "index"
}

// PagesOf returns the files of the pages of a document, given its file, with its picture and
// its Markdown last; none for another file.
func PagesOf(document string) []string {
	below, ok := strings.CutPrefix(document, docFolder)
	if !ok {
		if document == MarketFile {
			return []string{HomeFile, homeMarkdown}
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
		return []string{at + ".html", at + ".md"}
	case !known, !slugged(at), isRoot(subject.Slug), IsFilled(at + ".html"):
		return nil
	}
	all := []string{at + ".html"}
	switch {
	case subject.Page != "", subject.Ref == (catalog.Ref{}):
	case subject.Ref.Kind == catalog.KindCategory, subject.Ref.Kind == catalog.KindMarketMap:
		all = append(all, EmbedFolder+at+".html", at+".svg")
	case subject.Ref.Kind == catalog.KindSeller:
		for _, form := range forms {
			all = append(all, at+"/"+form+".html")
		}
	}
	return append(all, at+".md")
}

// DocumentOf returns the file of the document of a page, given the page's file. ok is false
// for another file.
func DocumentOf(page string) (document string, ok bool) {
	ending := path.Ext(page)
	if ending != ".html" && ending != ".md" && ending != ".svg" {
		return "", false
	}
	at := strings.TrimPrefix(strings.TrimSuffix(page, ending), EmbedFolder)
	switch parts := strings.Split(at, "/"); {
	case page == HomeFile, page == homeMarkdown:
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

// slugged reports whether all parts of a path have the form of slugs.
func slugged(at string) bool {
	for _, part := range strings.Split(at, "/") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}

// Home is the content of the home page. It is not a document of the API, but consists of parts
// of documents.
type Home struct {
	Marketplace
	// Pictures are the pictures in the description.
	Pictures []Media
	Roots    []CategoryRoot
	// Chosen are the companies, listings, articles and maps that the operator features.
	Chosen struct {
		Companies []CompanyCard
		Listings  []Listing
		Summaries []Summary
	}
	// Newest are the offers with the latest publication dates.
	Newest []Listing
	// Companies are some of the first companies in their list: those with a logo and, if there
	// are no offers, others too.
	Companies []CompanyCard
	// Articles and MarketMaps are the newest ones.
	Articles, MarketMaps []Summary
}

// Feed is the newest Articles and Market Maps with a date, newest first.
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
