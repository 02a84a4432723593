package document

import (
	"fmt"
	"strings"

	"souk/build/catalog"
)

// Every address and file name of the public tree is spelled in this file.

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
