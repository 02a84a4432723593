package document

import (
	"encoding/hex"
	"regexp"
	"strings"

	"souk/build/catalog"
)

// Every address and file name of the public tree is spelled in this file.

// APIRoot is what every address of the API begins with.
const APIRoot = "/api/v1"

// Files of the tree that stand once.
const (
	base = "api/v1/"

	HealthFile     = base + "health.json"
	OpenAPIFile    = base + "openapi.json"
	ReleaseFile    = base + "release.json"
	SitemapFile    = "sitemap.xml"
	RobotsFile     = "robots.txt"
	LLMsFile       = "llms.txt"
	APICatalogFile = ".well-known/api-catalog"
	MediaFolder    = "media/"
	SitemapFolder  = "sitemaps/"

	// VerifyFolder has the pages that the links of mails open.
	VerifyFolder      = "verify/"
	VerifyClaimFile   = VerifyFolder + "claim/index.html"
	VerifyRemovalFile = VerifyFolder + "removal/index.html"

	goneSuffix = ".gone.json"
)

// apiPath returns an address below the API for a path below the marketplace.
func apiPath(path string) string { return "/marketplace/" + path }

// docFile returns the file of a path below the marketplace.
func docFile(path string) string { return base + "marketplace/" + path + ".json" }

// GoneFile returns the file of the stub that stands instead of a document.
func GoneFile(file string) string { return strings.TrimSuffix(file, ".json") + goneSuffix }

// IsGone reports whether a file is a stub, and for which document.
func IsGone(file string) (document string, gone bool) {
	if at, ok := strings.CutSuffix(file, goneSuffix); ok {
		return at + ".json", true
	}
	return file, false
}

// CompanyOf returns the companySlug whose address a file's is, or "".
func CompanyOf(file string) string {
	rest, ok := strings.CutPrefix(file, base+"marketplace/companies/")
	if !ok {
		return ""
	}
	if slug, _, deeper := strings.Cut(rest, "/"); deeper {
		return slug
	}
	document, _ := IsGone(rest)
	return strings.TrimSuffix(document, ".json")
}

// listPath returns the path of the document of a list, which holds its first page.
func listPath(list catalog.ListRef) string {
	switch {
	case list.Node != nil:
		return list.Node.Ref().Path()
	case list.Kind == catalog.KindArticle:
		return "articles"
	default:
		return "market-maps"
	}
}

// pagePath returns the path of a page of a list, or of the document of the list for
// its first page.
func pagePath(list catalog.ListRef, id catalog.PageID) string {
	path := listPath(list)
	if id == (catalog.PageID{}) {
		return path
	}
	if list.Node != nil && list.Node.Ref().Kind == catalog.KindSeller {
		path += "/" + [...]string{"products", "services"}[list.Which]
	}
	return path + "/pages/" + hex.EncodeToString(id[:])
}

// pageIDPattern is what every id of a page looks like.
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

var companyAddress = regexp.MustCompile(`^/marketplace/companies/[a-z0-9-]+(/(products|services)/([a-z0-9-]+|pages/` + pageIDPattern + `))?$`)

// FileAddress returns the address of a document's file, relative to the API.
func FileAddress(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, strings.TrimSuffix(base, "/")), ".json")
}

// AddressFile returns the file of an address as AddressesOf gives it; ok is false
// for any other text.
func AddressFile(address string) (file string, ok bool) {
	if !companyAddress.MatchString(address) {
		return "", false
	}
	return strings.TrimSuffix(base, "/") + address + ".json", true
}
