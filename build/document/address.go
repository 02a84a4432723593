package document

import (
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"souk/build/catalog"
)

// This file defines every address and file name in the public tree.

// APIRoot is the prefix of every API address.
const APIRoot = "/api/v1"

// Files that the tree contains exactly once.
const (
	base = "api/v1/"

	HealthFile     = base + "health.json"
	OpenAPIFile    = base + "openapi.json"
	ReleaseFile    = base + "release.json"
	partFolder     = base + "openapi/"
	SitemapFile    = "sitemap.xml"
	RobotsFile     = "robots.txt"
	LLMsFile       = "llms.txt"
	APICatalogFile = ".well-known/api-catalog"
	// AICatalogFile tells agents which services there are, and ServerCardFile how to reach
	// MCP.
	AICatalogFile  = ".well-known/ai-catalog.json"
	ARDFile        = ".well-known/ard.json"
	ServerCardFile = ".well-known/mcp/server-card.json"
	MediaFolder    = "media/"
	SitemapFolder  = "sitemaps/"

	// VerifyFolder contains the pages that links in mails open.
	VerifyFolder      = "verify/"
	VerifyClaimFile   = VerifyFolder + "claim/index.html"
	VerifyRemovalFile = VerifyFolder + "removal/index.html"
)

// MCPPath is the path, below the site, at which a running program answers MCP.
const MCPPath = "/mcp"

// apiPath returns an address below the API for a path below the marketplace, or of the
// marketplace itself for "".
func apiPath(path string) string { return Addresses{}.documentURL(path) }

const marketplacePath = "/marketplace"

// docFile returns the file for a path below the marketplace, or for the marketplace itself.
func docFile(path string) string { return strings.TrimSuffix(base, "/") + apiPath(path) + ".json" }

// The stub of a document ends in goneSuffix, that of a page in goneEnding.
const (
	goneSuffix = ".gone.json"
	goneEnding = ".gone.html"
)

// GoneFile returns the file of the stub that replaces a document or a page.
func GoneFile(file string) string {
	switch ending := path.Ext(file); ending {
	case ".html":
		return strings.TrimSuffix(file, ending) + goneEnding
	case ".md", ".svg":
		return file + goneEnding
	default:
		return strings.TrimSuffix(file, ending) + goneSuffix
	}
}

// IsGone reports whether a file is a stub, and returns the document or page that
// it replaces.
func IsGone(file string) (replaced string, gone bool) {
	if at, ok := strings.CutSuffix(file, goneSuffix); ok {
		return at + ".json", true
	}
	at, ok := strings.CutSuffix(file, goneEnding)
	switch {
	case !ok:
		return file, false
	case path.Ext(at) == ".md", path.Ext(at) == ".svg":
		return at, true
	}
	return at + ".html", true
}

// Plain returns the document or page that a file is or is the stub of.
func Plain(file string) string {
	document, _ := IsGone(file)
	return document
}

// documentBehind returns the document that a file belongs to: the file may be the document,
// one of its pages, or the stub of either.
func documentBehind(file string) string {
	file = Plain(file)
	if document, page := DocumentOf(file); page {
		return document
	}
	return file
}

// CompanyOf returns the companySlug in the address of a document or page, given its file or
// its stub's, or "".
func CompanyOf(file string) string {
	rest, ok := strings.CutPrefix(documentBehind(file), base+"marketplace/companies/")
	if !ok {
		return ""
	}
	if slug, _, deeper := strings.Cut(rest, "/"); slug == "pages" {
		return "" // the list of all companies
	} else if deeper {
		return slug
	}
	return strings.TrimSuffix(rest, ".json")
}

// listPath returns the path of the document with the first page of a list.
func listPath(list catalog.ListRef) string {
	switch {
	case list.Node != nil:
		return list.Node.Ref().Path()
	case list.Kind == catalog.KindSeller:
		return "companies"
	case list.Kind == catalog.KindArticle:
		return "articles"
	default:
		return "market-maps"
	}
}

// pagePath returns the path of a page of a list. The path of the first page is that of the
// list's document.
func pagePath(list catalog.ListRef, id catalog.PageID) string {
	path := listPath(list)
	if id == (catalog.PageID{}) {
		return path
	}
	switch {
	case list.Node == nil:
	case list.Node.Ref().Kind == catalog.KindSeller:
		path += "/" + [...]string{"products", "services"}[list.Which]
	case list.OfCompanies():
		path += "/companies"
	}
	return path + "/pages/" + hex.EncodeToString(id[:])
}

// pageIDPattern matches every page id.
const pageIDPattern = "[0-9a-f]{32}"

// AddressesOf returns all addresses of a current Seller, its current offers and
// the further pages of its lists, relative to the API.
func AddressesOf(seller *catalog.Node) []string {
	all := []string{apiPath(seller.Ref().Path())}
	for which := range 2 {
		list := seller.List(which)
		for _, o := range list {
			all = append(all, apiPath(o.Ref().Path()))
		}
		for _, page := range list.Pages()[1:] {
			all = append(all, apiPath(pagePath(catalog.ListRef{Node: seller, Which: which}, page.ID())))
		}
	}
	return all
}

// FormerAddressesOf returns the former addresses, relative to the API, of a current Seller and
// its current offers.
func FormerAddressesOf(c *catalog.Catalog, seller *catalog.Node) (all []string) {
	add := func(n *catalog.Node) {
		for _, ref := range n.Aliases() {
			if c.At(ref) == n && !c.Reserved(ref) {
				all = append(all, apiPath(ref.Path()))
			}
		}
	}
	add(seller)
	for which := range 2 {
		for _, offer := range seller.List(which) {
			add(offer)
		}
	}
	return all
}

// OwnerKey returns the key under which the owner of an address of a Seller, Product or Service
// is recorded: the companySlug or, for an offer, the path below it.
func OwnerKey(ref catalog.Ref) string { return strings.TrimPrefix(ref.Path(), "companies/") }

// OwnerRef returns the Reference, as an author writes it, of the offer with an OwnerKey, or ""
// for a Seller's.
func OwnerRef(key string) string {
	slug, offer, _ := strings.Cut(key, "/")
	list, offer, _ := strings.Cut(offer, "/")
	return strings.TrimSuffix(list, "s") + ":" + slug + "/" + offer
}

// RefFile returns the file of the address of a Reference.
func RefFile(ref catalog.Ref) string { return docFile(ref.Path()) }

// OwnerKeys returns the keys under which the owner of a file may be recorded: the rare key of
// the address itself, then the companySlug above it.
func OwnerKeys(file string) []string {
	path, ok := strings.CutPrefix(strings.TrimSuffix(documentBehind(file), ".json"), base+"marketplace/companies/")
	if !ok {
		return nil
	}
	if slug, _, deeper := strings.Cut(path, "/"); deeper {
		return []string{path, slug}
	}
	return []string{path}
}

var companyAddress = regexp.MustCompile(`^/marketplace/companies/[a-z0-9-]+(/(products|services)/([a-z0-9-]+|pages/` + pageIDPattern + `))?$`)

// FileAddress returns the address of a document, relative to the API, given its file, one of
// its pages' files, or the stub of either.
func FileAddress(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(documentBehind(file), strings.TrimSuffix(base, "/")), ".json")
}

// AddressFile returns the file of an address in the form that AddressesOf returns. ok is false
// for other text.
func AddressFile(address string) (file string, ok bool) {
	if !companyAddress.MatchString(address) {
		return "", false
	}
	return strings.TrimSuffix(base, "/") + address + ".json", true
}
