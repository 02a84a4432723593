package probe

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/problem"
)

// A promise is what an answer must be. Only this file defines the promises for each kind of
// address; the others send requests and compare.
type promise struct {
	// status lists the allowed statuses.
	status []int
	// mediaType is the Content-Type, "" if it is not promised.
	mediaType string
	// longest is for how many seconds at most the answer may be cached.
	longest int
	// header lists the minimum header fields of the answer.
	header []document.Header
	// body is the complete decoded body, nil if it is not promised.
	body []byte
	// code is the code of the Problem in the body, "" if there is none.
	code string
	// leads is the target of a redirect, nil if there is none.
	leads *url.URL
}

// The maximum times, in seconds, for which an answer may be cached: a removal takes effect
// only as fast as the longest of them.
const (
	longestDocument = 300
	longestError    = 60
	longestMedia    = 86400
)

// longestOf returns the maximum for a file. Only pictures may be cached for longer, and the
// pages that receive the tokens of mails not at all.
func longestOf(file string) int {
	switch {
	case strings.HasPrefix(file, document.MediaFolder):
		return longestMedia
	case strings.HasPrefix(file, document.VerifyFolder):
		return 0
	}
	return longestDocument
}

// existing is the promise for an existing file: a document, page, feed or picture.
func existing(file string, body []byte) promise {
	return promise{
		status: []int{http.StatusOK}, mediaType: document.ContentType(file), longest: longestOf(file),
		header: document.HeadersFor(file), body: body,
	}
}

// gone is the promise for a removed file: the stub, which names no one.
func gone(file string, stub []byte) promise {
	p := promise{
		status: []int{http.StatusGone}, mediaType: document.ContentType(file), longest: longestError,
		header: document.HeadersFor(file), body: stub,
	}
	if document.BelowAPI("/" + file) {
		p.code = document.CodeRemoved
	}
	return p
}

// absent is the promise for a path, as sent, where nothing exists: a Problem below the API
// and if the release has no pages, otherwise the 404 page.
func (r published) absent(path string) promise {
	p := promise{status: []int{http.StatusNotFound}, longest: longestError}
	if document.BelowAPI(path) || r.missing == nil {
		p.mediaType, p.code = document.ProblemType, document.CodeNotFound
		return p
	}
	p.mediaType, p.body, p.header = document.ContentType(document.MissingFile), r.missing, document.HeadersFor(document.MissingFile)
	return p
}

// leading is the promise for the address of a page, or of its stub, with a trailing slash.
// A host that supports it redirects to the page, at the address for readers, who may use a
// proxy that removes part of the path; for other hosts, nothing exists there.
func (r published) leading(base url.URL, address string) promise {
	return promise{
		status: []int{http.StatusPermanentRedirect, http.StatusNotFound}, longest: longestError,
		leads: base.JoinPath(r.sitePath, address),
	}
}

// filled is the promise for a page that a program fills, which is served by it or, even
// while the program is down, as a file.
func filled() promise {
	return promise{
		status: []int{http.StatusOK, http.StatusServiceUnavailable}, mediaType: document.ContentType(document.SearchFile),
		longest: longestDocument, header: document.HeadersFor(document.SearchFile),
	}
}

// wrongMethod is the promise for a method that an address does not support.
func wrongMethod() promise {
	return promise{
		status: []int{http.StatusMethodNotAllowed}, longest: longestError, mediaType: document.ProblemType, code: document.CodeMethodNotAllowed,
	}
}

// keeps checks an answer, and reports whether its status is as promised.
func (f *findings) keeps(q question, a answer, p promise) bool {
	if !f.status(q, a, p.status...) {
		return false
	}
	f.everywhere(q, a, p.longest)
	if p.mediaType != "" {
		f.contentType(q, a, p.mediaType)
	}
	f.encoding(q, a)
	for _, more := range p.header {
		if got := strings.Join(a.header.Values(more.Name), ", "); !strings.Contains(got, more.Value) {
			f.add(q, "policy", more.Name+": "+more.Value, problem.Quoted(got))
		}
	}
	if p.leads != nil && a.status == http.StatusPermanentRedirect {
		f.leads(q, a, p.leads)
	}
	if q.method == http.MethodHead {
		return true
	}
	if p.code != "" {
		f.problem(q, a, p.code)
	}
	if p.body != nil {
		f.body(q, a, p.body)
	}
	return true
}

// body checks the decoded body.
func (f *findings) body(q question, a answer, want []byte) {
	got, err := a.plain()
	switch {
	case err != nil:
		f.add(q, "encoding", "a body that can be decoded", err.Error())
	case !bytes.Equal(got, want) && len(want) < 300:
		f.add(q, "body", problem.Quoted(string(want)), problem.Quoted(string(got[:min(len(got), 300)])))
	case !bytes.Equal(got, want):
		f.add(q, "body", fmt.Sprintf("the %d bytes of the release", len(want)), fmt.Sprintf("%d other bytes", len(got)))
	}
}

// leads checks the target of a redirect, including the scheme and port of the requested
// host, which a server behind another may mistake for its own.
func (f *findings) leads(q question, a answer, want *url.URL) {
	location := a.header.Get("Location")
	from := url.URL{Scheme: want.Scheme, Host: want.Host, Path: q.path}
	if at, err := from.Parse(location); err != nil || at.String() != want.String() {
		f.add(q, "leads", want.Path, problem.Quoted(location))
	}
}

// status checks the status of an answer, and reports whether it is as wanted.
func (f *findings) status(q question, a answer, want ...int) bool {
	if slices.Contains(want, a.status) {
		return true
	}
	got := fmt.Sprint(a.status)
	if to := a.header.Get("Location"); to != "" {
		got += " to " + to
	}
	f.add(q, "status", strings.Trim(strings.ReplaceAll(fmt.Sprint(want), " ", " or "), "[]"), got)
	return false
}
