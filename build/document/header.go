package document

import (
	"maps"
	"path"
	"strings"

	"souk/build/kit/twin"
	"souk/templates"
)

// The headers that every server of the public tree sends. 'souk serve' and the configurations
// of other servers take them from here, so that all agree.

// A Header is a header field of a response.
type Header struct{ Name, Value string }

// EveryAnswer returns the header fields of every response, whatever its status.
func EveryAnswer() []Header {
	return []Header{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Expose-Headers", "ETag, Retry-After, WWW-Authenticate"},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// The response to a preflight request (Fetch, section 3.2.2), apart from the methods: the
// header fields that a page of another origin may send, and the number of seconds for which
// the response is valid.
const (
	PreflightHeaders = "content-type, authorization, idempotency-key"
	PreflightAge     = "600"
)

// HeadersFor returns the header fields of a file in the public tree, besides those of
// EveryAnswer. Most files have none.
func HeadersFor(file string) []Header {
	switch {
	case strings.HasPrefix(file, MediaFolder):
		// Opened on its own, an SVG is a document that could run scripts.
		return []Header{{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'"}}
	case strings.HasPrefix(file, VerifyFolder):
		// The policy in the page itself cannot express this (CSP 3, section 3.3). No other
		// site may see the token in its address.
		return []Header{{"Content-Security-Policy", "frame-ancestors 'none'"}, {"Referrer-Policy", "no-referrer"}}
	case strings.HasPrefix(file, EmbedFolder):
		// Only these pages are made for frames on other sites.
		return []Header{{"Content-Security-Policy", "frame-ancestors *"}, {"Referrer-Policy", "strict-origin-when-cross-origin"}}
	case path.Ext(file) == ".html":
		// Nor can the policy of any other page.
		return []Header{{"Content-Security-Policy", "frame-ancestors 'none'"}, {"Referrer-Policy", "strict-origin-when-cross-origin"}}
	}
	return nil
}

// LinksFor returns the links (RFC 8288) from a file in the public tree to the descriptions of
// the API, as a running program sends them. Most files have none. If the API is at the site's
// own address, the links have no host, so that they work on a test server.
func (a Addresses) LinksFor(file string) []Header {
	if file != HomeFile && file != MarketFile {
		return nil
	}
	site, api := a.Site, a.API
	if api == site+APIRoot {
		site = a.SitePath()
		api = site + APIRoot
	}
	return []Header{
		{"Link", "<" + site + "/" + APICatalogFile + ">; rel=\"api-catalog\"; type=\"application/linkset+json\""},
		{"Link", "<" + api + "/openapi.json>; rel=\"service-desc\"; type=\"" + jsonType + "\""},
		{"Link", "<" + site + "/" + LLMsFile + ">; rel=\"service-doc\"; type=\"text/plain\""},
		{"Link", "<" + site + "/" + AICatalogFile + ">; rel=\"service-meta\"; type=\"" + aiCatalogType + "\""},
		{"Link", "<" + site + "/" + AICatalogFile + ">; rel=\"ai-catalog\"; type=\"" + aiCatalogType + "\""},
		{"Link", "<" + site + "/" + ARDFile + ">; rel=\"ard\"; type=\"" + aiCatalogType + "\""},
	}
}

// BelowAPI reports whether an escaped path is below the API: errors are Problems there, and
// pages everywhere else.
func BelowAPI(path string) bool {
	below, ok := strings.CutPrefix(path, "/api")
	return ok && (below == "" || below[0] == '/')
}

// ProgramPaths returns the addresses outside the API that a running program answers. Without a
// program, a file answers at the pages of Searches, and nothing at the others, which receive
// the forms that start and confirm a claim or removal.
func ProgramPaths() []string {
	return []string{
		ListingSearch().Path, CompanySearch().Path, ComparePath, FormPath(ClaimForm), FormPath(RemoveForm),
		templates.VerifyAction(templates.VerifyClaim), templates.VerifyAction(templates.VerifyRemoval), MCPPath,
	}
}

// LinkedPage returns the file of the page that a mail's link opens, given the escaped path, or
// "" for another path. Mail gateways encode the # of a link as %23, %2523 or otherwise, so
// anything after the page's name may be part of the path.
func LinkedPage(path string) string {
	for _, file := range []string{VerifyClaimFile, VerifyRemovalFile} {
		if strings.HasPrefix(path, Address(file)) && !IsPageName(strings.TrimPrefix(path, "/")) {
			return file
		}
	}
	return ""
}

// ContentTypes returns the media type of each file extension, with its dot, in the public
// tree. ContentType knows the exceptions.
func ContentTypes() map[string]string { return maps.Clone(contentTypes) }

// NamesFile reports whether the address of a document is its file's name, including the
// extension.
func NamesFile(file string) bool {
	return file == OpenAPIFile || file == ReleaseFile || strings.HasPrefix(file, partFolder)
}

// Address returns the path at which a file in the public tree, or its stub, is served, or ""
// for a file that is not served by itself, such as a compressed twin.
func Address(file string) string {
	if twin.Of(file) != file {
		return ""
	}
	switch file = Plain(file); {
	case NamesFile(file):
	case strings.HasPrefix(file, base):
		file = strings.TrimSuffix(file, ".json")
	case strings.HasPrefix(file, errorFolder):
		return ""
	case path.Base(file) == "index.html":
		file = strings.TrimSuffix(strings.TrimSuffix(file, "index.html"), "/")
	case path.Ext(file) == ".html":
		file = strings.TrimSuffix(file, ".html")
	}
	return "/" + file
}

// Details of Problems that all servers share.
const (
	NotFoundDetail    = "There is nothing at this address. " + APIRoot + "/openapi.json lists the addresses."
	UnavailableDetail = "The service is not available right now. Try again in a moment."
)
