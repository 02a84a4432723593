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

// A promise is what an answer has to be. This file alone says what is promised at
// each kind of address; the others ask, and compare.
type promise struct {
	// status holds the statuses that keep the promise.
	status []int
	// mediaType is the Content-Type, "" if that is not promised.
	mediaType string
	// longest is for how many seconds at most the answer may be kept.
	longest int
	// header are the fields that the answer has at least.
	header []document.Header
	// body is the complete body without its coding, nil if that is not promised.
	body []byte
	// code is that of the Problem in the body, "" if it is none.
	code string
	// leads is where a redirect leads to, nil if there is none.
	leads *url.URL
}

// The maximum time, in seconds, that an answer may be kept: a removal takes effect
// only as fast as the longest of them.
const (
	longestDocument = 300
	longestError    = 60
	longestMedia    = 86400
)

// longestOf returns the maximum for a file: pictures alone may be kept for longer, and
// the pages at which the secrets of mails arrive not at all.
func longestOf(file string) int {
	switch {
	case strings.HasPrefix(file, document.MediaFolder):
		return longestMedia
	case strings.HasPrefix(file, document.VerifyFolder):
		return 0
	}
	return longestDocument
}

// standing is promised where a file is: document, page, feed or picture.
func standing(file string, body []byte) promise {
	return promise{
		status: []int{http.StatusOK}, mediaType: document.ContentType(file), longest: longestOf(file),
		header: document.HeadersFor(file), body: body,
	}
}

// gone is promised where a stub is: the stub, which names no one.
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

// nothing is promised at a path, as it is sent, where nothing is: a Problem below
// the API and where the release has no pages, else the page for it.
func (r published) nothing(path string) promise {
	p := promise{status: []int{http.StatusNotFound}, longest: longestError}
	if document.BelowAPI(path) || r.missing == nil {
		p.mediaType, p.code = document.ProblemType, document.CodeNotFound
		return p
	}
	p.mediaType, p.body, p.header = document.ContentType(document.MissingFile), r.missing, document.HeadersFor(document.MissingFile)
	return p
}

// leading is promised at the address of a page, or of the stub of one, with a slash
// behind it, where the host can do that; elsewhere it is nothing. It leads to where
// readers find the page, who may ask a proxy that takes a path off.
func (r published) leading(base url.URL, address string) promise {
	return promise{
		status: []int{http.StatusPermanentRedirect, http.StatusNotFound}, longest: longestError,
		leads: base.JoinPath(r.sitePath, address),
	}
}

// search is promised at the address of the page of a search, which a program
// answers or else the file, also while the program is away.
func search() promise {
	return promise{
		status: []int{http.StatusOK, http.StatusServiceUnavailable}, mediaType: document.ContentType(document.SearchFile),
		longest: longestDocument, header: document.HeadersFor(document.SearchFile),
	}
}

// wrongMethod is promised to a method that an address does not take.
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

// body checks the body, without its coding.
func (f *findings) body(q question, a answer, want []byte) {
	got, err := a.plain()
	switch {
	case err != nil:
		f.add(q, "encoding", "a body that can be decoded", err.Error())
	case !bytes.Equal(got, want) && len(want) < 300:
		f.add(q, "body", problem.Quoted(string(want)), problem.Quoted(string(got[:min(len(got), 300)])))
	case !bytes.Equal(got, want):
		f.add(q, "body", fmt.Sprintf("the %d bytes of the release", len(want)), fmt.Sprintf("%d others", len(got)))
	}
}

// leads checks where a redirect leads: also to the scheme and the port of the host
// that was asked, which a server behind another may take for its own.
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
