package document

import (
	"maps"
	"path"
	"strings"
)

// What every server of the public tree sends beside a body. `souk serve` and
// the configurations of other servers take it from here, so that none differs.

// A Header is a field of an answer.
type Header struct{ Name, Value string }

// EveryAnswer returns the fields of every answer, whatever its status.
func EveryAnswer() []Header {
	return []Header{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Expose-Headers", "ETag, Retry-After, WWW-Authenticate"},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// What a preflight request (Fetch, section 3.2.2) is answered beside the
// methods: the header fields that a page from elsewhere may send, and for how
// many seconds the answer holds.
const (
	PreflightHeaders = "content-type, authorization, idempotency-key"
	PreflightAge     = "600"
)

// HeadersFor returns the fields that a file of the public tree carries beside
// those of EveryAnswer; most carry none.
func HeadersFor(file string) []Header {
	switch {
	case strings.HasPrefix(file, MediaFolder):
		// An SVG is a document that may hold scripts, opened by itself.
		return []Header{{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"}}
	case strings.HasPrefix(file, VerifyFolder):
		// The page holds a policy of its own, which cannot say this (CSP 3,
		// section 3.3); a token in its address is nobody else's to see.
		return []Header{{"Content-Security-Policy", "frame-ancestors 'none'"}, {"Referrer-Policy", "no-referrer"}}
	}
	return nil
}

// ContentTypes returns the media type of each ending of a file's name that the
// public tree knows, with its dot; ContentType tells the exceptions.
func ContentTypes() map[string]string { return maps.Clone(contentTypes) }

// Address returns the path that a file of the public tree answers at, or the
// stub of one; "" where it answers at none, as a compressed twin.
func Address(file string) string {
	if withoutEncoding(file) != file {
		return ""
	}
	file, _ = IsGone(file)
	switch {
	case file == OpenAPIFile, file == ReleaseFile:
	case strings.HasPrefix(file, base):
		file = strings.TrimSuffix(file, ".json")
	case path.Base(file) == "index.html":
		file = strings.TrimSuffix(strings.TrimSuffix(file, "index.html"), "/")
	}
	return "/" + file
}

// Details of Problems that every server tells in the same words.
const (
	NotFoundDetail    = "Nothing stands at this address. " + APIRoot + "/openapi.json tells which addresses there are."
	UnavailableDetail = "The service cannot answer now. Try again in a moment."
)
