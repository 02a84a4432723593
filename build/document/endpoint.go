package document

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"souk/build/kit/twin"
)

// An Endpoint is an address of the API and its responses. The routes, the OpenAPI description,
// llms.txt, the API catalog and the table in docs/reference/api.md are derived from Endpoints.
type Endpoint struct {
	// ID is the operationId, unique and in camelCase.
	ID string
	// Method is the HTTP method; GET includes HEAD.
	Method string
	// Path is relative to the API, with the wildcards of http.ServeMux. The last segment may
	// have an ending after its wildcard.
	Path string
	// Summary describes the response in a few words, without a full stop.
	Summary string
	// Description is Markdown.
	Description string
	// Tag is the name of its group.
	Tag    string
	Params []Param
	// RequestBody is a value of the type of the body; nil if there is none.
	RequestBody any
	// Status is the status of success.
	Status int
	// MediaType is the type of the response body on success if it is not JSON.
	MediaType string
	// Response is a value of the type of the response body on success.
	Response any
	// Answers are the responses, other than success, whose body is not a Problem.
	Answers []Answer
	// Problems are the codes of the Problems that it may return.
	Problems []string
	Cache    Cache
	// Bearer means that a bearer token is required.
	Bearer bool
	// Relation is its link relation in the API catalog, or "".
	Relation string
	// Static means that a file in the public tree answers.
	Static bool
	// Dynamic means that the running program answers. If both are set, the program's response
	// contains more.
	Dynamic bool
}

// Pattern returns Path in the form of http.ServeMux, which is wider if an ending follows a
// wildcard.
func (e Endpoint) Pattern() string {
	if end := strings.LastIndexByte(e.Path, '}'); end >= 0 {
		if ending := e.Path[end+1:]; strings.HasPrefix(ending, ".") {
			return e.Path[:end+1]
		}
	}
	return e.Path
}

// An Answer is a status that an Endpoint may return.
type Answer struct {
	Status      int
	Description string
	// Body is a value of the type of the body; nil if there is none.
	Body any
}

// The places of a Param in a request.
const (
	InPath   = "path"
	InQuery  = "query"
	InHeader = "header"
)

// The types of a Param.
const (
	TypeString  = "string"
	TypeInteger = "integer"
)

// A Param is a value in a request, outside the body.
type Param struct {
	Name        string
	In          string
	Description string
	Required    bool
	// Repeat means that it may be given several times: from Least to Most times if these are set.
	Repeat      bool
	Least, Most int
	Type        string
	Pattern     string
	Enum        []string
	// Min and Max limit an integer, or the length of text; a Max of 0 means no limit.
	Min, Max int
	// Default is the value if it is absent, or nil.
	Default any
	Example any
}

// Cache is the number of seconds for which a response may be cached.
type Cache int

// The policies. A removal takes effect only as fast as the longest of them allows. So only
// pictures are cached for more than five minutes, and 404 and 410 for less than one.
const (
	Uncached         Cache = 0
	DocumentCache    Cache = 120
	DescriptionCache Cache = 300
	ReleaseCache     Cache = 10
	MediaCache       Cache = 3600
	ErrorCache       Cache = 30
	// SearchCache is the longest time until a removal reaches caches of search responses.
	SearchCache Cache = 30
)

// Header returns the value of the Cache-Control header.
func (c Cache) Header() string {
	if c == Uncached {
		return "no-store"
	}
	return "public, max-age=" + strconv.Itoa(int(c))
}

// CacheFor returns the policy for a file in the public tree or one of its compressed twins.
func CacheFor(file string) Cache {
	file = twin.Of(file)
	if _, gone := IsGone(file); gone {
		return ErrorCache
	}
	switch file {
	case HealthFile:
		return Uncached
	case ReleaseFile:
		return ReleaseCache
	case OpenAPIFile, LLMsFile, APICatalogFile, AICatalogFile, ARDFile, ServerCardFile, RobotsFile, SitemapFile, FaviconFile, AtomFile, JSONFeedFile:
		return DescriptionCache
	}
	switch {
	case strings.HasPrefix(file, MediaFolder):
		return MediaCache
	case strings.HasPrefix(file, VerifyFolder):
		return Uncached
	case strings.HasPrefix(file, SitemapFolder), strings.HasPrefix(file, AssetFolder):
		return DescriptionCache
	default:
		return DocumentCache
	}
}

// Media types that are served.
const (
	ProblemType = "application/problem+json"
	jsonType    = "application/json"
	gzipType    = "application/gzip"
	textType    = "text/plain; charset=utf-8"
	linksetType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// contentTypes lists the types, because those known to the operating system differ between
// machines.
var contentTypes = map[string]string{
	".json": jsonType,
	".xml":  "application/xml",
	".txt":  textType,
	".md":   "text/markdown; charset=utf-8",
	".atom": "application/atom+xml",
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".jpeg": "image/jpeg",
	".gif":  "image/gif",
	".webp": "image/webp",
	".avif": "image/avif",
	".svg":  "image/svg+xml",
	// Types that operators add with the folder site.
	".ico":         "image/vnd.microsoft.icon",
	".pdf":         "application/pdf",
	".csv":         "text/csv; charset=utf-8",
	".woff":        "font/woff",
	".woff2":       "font/woff2",
	".webmanifest": "application/manifest+json",
	".zip":         "application/zip",
	// The snapshot. A twin has the type of its document.
	".gz": gzipType,
}

// ContentType returns the media type of a file in the public tree. A compressed twin has the
// type of its document. Extensions may be in capitals, as cameras and old systems write them.
func ContentType(file string) string {
	file = twin.Of(file)
	switch file {
	case APICatalogFile:
		return linksetType
	case AICatalogFile, ARDFile:
		return aiCatalogType
	case ServerCardFile:
		return serverCardType
	case JSONFeedFile:
		return "application/feed+json"
	}
	if _, gone := IsGone(file); gone && path.Ext(file) == ".json" {
		return ProblemType
	}
	if known, ok := contentTypes[strings.ToLower(path.Ext(file))]; ok {
		return known
	}
	return "application/octet-stream"
}

// The codes of Problems.
const (
	CodeInvalidParameter     = "invalid-parameter"
	CodeInvalidBody          = "invalid-body"
	CodeUnauthenticated      = "unauthenticated"
	CodeForbidden            = "forbidden"
	CodeNotFound             = "not-found"
	CodeVerificationNotFound = "verification-not-found"
	CodeMethodNotAllowed     = "method-not-allowed"
	CodeVerificationUsed     = "verification-used"
	CodeAlreadyClaimed       = "already-claimed"
	CodeRemoved              = "removed"
	CodeVerificationExpired  = "verification-expired"
	CodeBodyTooLarge         = "body-too-large"
	CodeUnsupportedMediaType = "unsupported-media-type"
	CodeInvalidField         = "invalid-field"
	CodeEmailDomainMismatch  = "email-domain-mismatch"
	CodeNoOfficialDomain     = "no-official-domain"
	CodeRateLimited          = "rate-limited"
	CodeUnavailable          = "unavailable"
)

// problemCodes contains the status and the meaning of each code.
var problemCodes = map[string]struct {
	status  int
	meaning string
}{
	CodeInvalidParameter:     {http.StatusBadRequest, "A parameter is unknown or invalid; `errors` lists each one."},
	CodeInvalidBody:          {http.StatusBadRequest, "The body is not a single JSON value of the right type."},
	CodeUnauthenticated:      {http.StatusUnauthorized, "The request has no credentials, or they are not valid."},
	CodeForbidden:            {http.StatusForbidden, "The caller may not do this."},
	CodeNotFound:             {http.StatusNotFound, "There is nothing at this address."},
	CodeVerificationNotFound: {http.StatusNotFound, "There is no such request, or the token belongs to a different one; the answer does not say which."},
	CodeMethodNotAllowed:     {http.StatusMethodNotAllowed, "The address does not accept this method; `Allow` lists the methods that it accepts."},
	CodeVerificationUsed:     {http.StatusConflict, "The token has already been used."},
	CodeAlreadyClaimed:       {http.StatusConflict, "The profile belongs to another workspace."},
	CodeRemoved:              {http.StatusGone, "The company that this address belonged to was removed. The answer does not name it. Delete your copy of the document."},
	CodeVerificationExpired:  {http.StatusGone, "The token has expired; start again."},
	CodeBodyTooLarge:         {http.StatusRequestEntityTooLarge, "The body is longer than 16 KiB."},
	CodeUnsupportedMediaType: {http.StatusUnsupportedMediaType, "The body is not `application/json`, or has a `Content-Encoding`."},
	CodeInvalidField:         {http.StatusUnprocessableEntity, "A field is unknown, missing or invalid; `errors` lists each one."},
	CodeEmailDomainMismatch:  {http.StatusUnprocessableEntity, "The email address is not on the company's official domain."},
	CodeNoOfficialDomain:     {http.StatusUnprocessableEntity, "The company has no official domain, so it cannot confirm requests by email. The operator of the marketplace can help."},
	CodeRateLimited:          {http.StatusTooManyRequests, "Too many requests; `Retry-After` says when to try again."},
	CodeUnavailable:          {http.StatusServiceUnavailable, "The service is not available right now; `Retry-After` says when to try again."},
}

// ProblemStatus returns the HTTP status of a Problem's code, or 0 if there is no
// such code.
func ProblemStatus(code string) int { return problemCodes[code].status }
