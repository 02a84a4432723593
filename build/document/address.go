package document

import (
	"fmt"
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

// apiPath gives an address below the API for a path below the marketplace.
func apiPath(path string) string { return "/marketplace/" + path }

// docFile gives the file of a path below the marketplace.
func docFile(path string) string { return base + "marketplace/" + path + ".json" }

// GoneFile gives the file of the stub that stands instead of a document.
func GoneFile(file string) string { return strings.TrimSuffix(file, ".json") + goneSuffix }

// IsGone tells whether a file is a stub, and for which document.
func IsGone(file string) (document string, gone bool) {
	if at, ok := strings.CutSuffix(file, goneSuffix); ok {
		return at + ".json", true
	}
	return file, false
}

// CompanyOf gives the companySlug whose address a file's is, or "".
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

// listPath gives the path of a page of a node's list, or of the node itself
// for page 1.
func listPath(n *catalog.Node, which, page int) string {
	path := n.Ref().Path()
	if page == 1 {
		return path
	}
	if n.Ref().Kind == catalog.KindSeller {
		path += "/" + [...]string{"products", "services"}[which]
	}
	return fmt.Sprintf("%s/pages/%d", path, page)
}

// editorialPath gives the path of a page of the Articles or Market Maps.
func editorialPath(kind catalog.Kind, page int) string {
	path := "articles"
	if kind == catalog.KindMarketMap {
		path = "market-maps"
	}
	if page == 1 {
		return path
	}
	return fmt.Sprintf("%s/pages/%d", path, page)
}

// pageCount gives the pages of a list; 1 where it is empty.
func pageCount(items int) int { return max(1, (items+catalog.PageSize-1)/catalog.PageSize) }

// AddressesOf gives all addresses of a current Seller, its current offers and
// the further pages of its lists, relative to the API.
func AddressesOf(seller *catalog.Node) []string {
	all := []string{apiPath(seller.Ref().Path())}
	for which := range 2 {
		list := seller.List(which)
		for _, o := range list {
			all = append(all, apiPath(o.Ref().Path()))
		}
		for page := 2; page <= pageCount(len(list)); page++ {
			all = append(all, apiPath(listPath(seller, which, page)))
		}
	}
	return all
}

var companyAddress = regexp.MustCompile(`^/marketplace/companies/[a-z0-9-]+(/(products|services)/([a-z0-9-]+|pages/[0-9]+))?$`)

// FileAddress returns the address of a document's file, relative to the API.
func FileAddress(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, strings.TrimSuffix(base, "/")), ".json")
}

// AddressFile gives the file of an address as AddressesOf gives it; ok is false
// for any other text.
func AddressFile(address string) (file string, ok bool) {
	if !companyAddress.MatchString(address) {
		return "", false
	}
	return strings.TrimSuffix(base, "/") + address + ".json", true
}
