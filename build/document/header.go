package document

import (
	"maps"
	"path"
	"strings"

	"souk/build/kit/twin"
	"souk/templates"
)

// What every server of the public tree sends besides a body. `souk serve` and the
// configurations of other servers take it from here, so that all agree.

// A Header is a header field of an answer.
type Header struct{ Name, Value string }

// EveryAnswer returns the fields of every answer, whatever its status.
func EveryAnswer() []Header {
	return []Header{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Expose-Headers", "ETag, Retry-After, WWW-Authenticate"},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// The answer to a preflight request (Fetch, section 3.2.2), apart from the
// methods: the header fields that a page of another origin may send, and for how
// many seconds the answer is valid.
const (
	PreflightHeaders = "content-type, authorization, idempotency-key"
	PreflightAge     = "600"
)

// HeadersFor returns the fields that a file in the public tree has besides those
// of EveryAnswer; most files have none.
func HeadersFor(file string) []Header {
	switch {
	case strings.HasPrefix(file, MediaFolder):
		// Opened by itself, an SVG is a document that could run scripts. Chrome needs an object
		// to show a PDF, and shows none in a sandbox.
		return []Header{{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'"}}
	case strings.HasPrefix(file, VerifyFolder):
		// The policy in the page itself cannot say this (CSP 3, section 3.3);
		// and no one else may see the token in its address.
		return []Header{{"Content-Security-Policy", "frame-ancestors 'none'"}, {"Referrer-Policy", "no-referrer"}}
	case strings.HasPrefix(file, EmbedFolder):
		// These alone are made for the frames of others.
		return []Header{{"Content-Security-Policy", "frame-ancestors *"}, {"Referrer-Policy", "strict-origin-when-cross-origin"}}
	case path.Ext(file) == ".html":
		// Nor can the policy of any other page.
		return []Header{{"Content-Security-Policy", "frame-ancestors 'none'"}, {"Referrer-Policy", "strict-origin-when-cross-origin"}}
	}
	return nil
}

// LinksFor returns what leads from a file in the public tree to what describes the
// API (RFC 8288), as a running program sends it; most files have none. Where the API is
// at the site's own address they name no host, so that whoever tries a server out is
// led to that one.
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

// BelowAPI reports whether a path, as it was sent, is below the API: errors are
// Problems there, and pages everywhere else.
func BelowAPI(path string) bool {
	below, ok := strings.CutPrefix(path, "/api")
	return ok && (below == "" || below[0] == '/')
}

// ProgramPaths returns the addresses outside the API that a running program
// answers. Without a program, a file answers at FilledPages and nothing at the
// others, which take the forms that start and that confirm a claim or a removal.
func ProgramPaths() []string {
	return []string{
		ListingSearch().Path, CompanySearch().Path, ComparePath, FormPath(ClaimForm), FormPath(RemoveForm),
		templates.VerifyAction(templates.VerifyClaim), templates.VerifyAction(templates.VerifyRemoval), MCPPath,
	}
}

// LinkedPage returns the file of the page that the link of a mail opens, given the path
// as it was sent, or "" for any other path. Mail gateways write the # of a link as %23,
// %2523 or otherwise, so that whatever follows the page's name is part of the path.
func LinkedPage(path string) string {
	for _, file := range []string{VerifyClaimFile, VerifyRemovalFile} {
		if strings.HasPrefix(path, Address(file)) && !IsPageName(strings.TrimPrefix(path, "/")) {
			return file
		}
	}
	return ""
}

// ContentTypes returns the media type of each file extension, with its dot, that
// the public tree uses; ContentType knows the exceptions.
func ContentTypes() map[string]string { return maps.Clone(contentTypes) }

// NamesFile reports whether the address of a document is the name of its file, with
// the ending.
func NamesFile(file string) bool {
	return file == OpenAPIFile || file == ReleaseFile || strings.HasPrefix(file, partFolder)
}

// Address returns the path at which a file in the public tree, or the stub of one,
// is served; "" for a file that is not served by itself, such as a compressed
// twin.
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

// Details of Problems that every server words alike.
const (
	NotFoundDetail    = "There is nothing at this address. " + APIRoot + "/openapi.json lists the addresses."
	UnavailableDetail = "The service cannot answer now. Try again in a moment."
)
