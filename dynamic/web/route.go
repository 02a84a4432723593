package web

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"souk/build/document"
	"souk/build/kit/problem"
)

// A route has the Handlers of one address, by method.
type route struct {
	methods map[string]Handler
	// open means that only a lookup finds out whether anything is at the address, so a
	// wrong method must not reveal that nothing is.
	open bool
}

// newRoute returns the route of read-only files.
func newRoute(get Handler) *route {
	return &route{methods: map[string]Handler{http.MethodGet: get}, open: true}
}

// allowed lists the methods for the Allow header.
func (o *route) allowed() string {
	all := slices.Collect(maps.Keys(o.methods))
	if o.methods[http.MethodGet] != nil {
		all = append(all, http.MethodHead)
	}
	all = append(all, http.MethodOptions)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// adapted turns the route into an http.Handler that also answers errors.
func (o *route) adapted(log *slog.Logger) http.Handler {
	allowed := o.allowed()
	return answering(log, func(w http.ResponseWriter, r *http.Request) error {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if h := o.methods[method]; h != nil {
			return h(w, r)
		}
		if method == http.MethodOptions {
			preflight(w.Header(), allowed)
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		wrong := &Error{
			Code: document.CodeMethodNotAllowed, Detail: "This address does not accept " + problem.Quoted(r.Method) + ", only " + allowed + ".",
			Header: http.Header{"Allow": {allowed}},
		}
		if o.open {
			return o.missing(w, r, wrong)
		}
		return wrong
	})
}

// missing returns the error for a wrong method at an open address, which is 404 if nothing
// is there.
func (o *route) missing(w http.ResponseWriter, r *http.Request, wrong *Error) error {
	probe := r.Clone(r.Context())
	probe.Method = http.MethodHead
	if err := o.methods[http.MethodGet](discarded{http.Header{}}, probe); err != nil {
		return err
	}
	return wrong
}

// discarded is a ResponseWriter that discards the answer.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(p []byte) (int, error) { return len(p), nil }
func (d discarded) WriteHeader(int)             {}

// preflight sets the headers that tell pages of other origins what they may send (CORS).
// They are the same at every address, whether or not anything is there.
func preflight(h http.Header, allowed string) {
	h.Set("Allow", allowed)
	h.Set("Access-Control-Allow-Methods", allowed)
	h.Set("Access-Control-Allow-Headers", document.PreflightHeaders)
	h.Set("Access-Control-Max-Age", document.PreflightAge)
}

const (
	// answerTime limits the time of a dynamic answer.
	answerTime = 15 * time.Second
	// longestBody is the largest request body, in bytes.
	longestBody = 16 << 10
)

// limited limits the time and the body of a dynamic request and compresses the answer, so
// that Handlers need not.
func limited(h Handler) Handler {
	return compressed(func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		r = r.WithContext(ctx)
		r.Body = http.MaxBytesReader(w, r.Body, longestBody)
		return h(w, r)
	})
}

// policy applies to every answer. It rejects every address that is not in its only valid
// spelling before the mux sees it, since the mux would redirect to a cleaned address. A
// misspelled id of a verification counts as an unknown id. The pages opened from mails
// accept anything after their name, since mail gateways may have changed the rest of the
// link. While nothing may be shown, only health answers.
func policy(c Config, files *tree, mux http.Handler) http.Handler {
	verifications := verificationPaths(c.Endpoints)
	health := map[string]bool{"/health": true}
	for _, e := range c.Endpoints {
		if e.ID == HealthID {
			health[apiRoot+e.Path] = true
		}
	}
	refuse := newRoute(func(_ http.ResponseWriter, r *http.Request) error { return files.nothing(r.URL.EscapedPath()) }).adapted(c.Log)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		every.set(w.Header())
		if err := c.Ready(); err != nil && !health[r.URL.EscapedPath()] {
			answering(c.Log, func(http.ResponseWriter, *http.Request) error { return err }).ServeHTTP(w, r)
			return
		}
		path, ok := r.URL.EscapedPath(), true
		if file := document.LinkedPage(path); file != "" {
			path = document.Address(file)
		} else if !plain(path) {
			path, ok = verifications.withoutID(path)
		}
		if path == r.URL.EscapedPath() {
			mux.ServeHTTP(w, r)
			return
		}
		if !ok {
			refuse.ServeHTTP(w, r)
			return
		}
		asked := *r
		asked.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
		mux.ServeHTTP(w, &asked)
		r.Pattern = asked.Pattern // used when counting the answers
	})
}

// plain reports whether a path, as sent, is the only spelling of its address: nothing is
// encoded, and no segment is empty or consists of dots.
func plain(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for i := 1; i < len(path); i++ {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		case c == '/' && path[i-1] != '/':
		default:
			return false
		}
	}
	for segment := range strings.SplitSeq(path[1:], "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return true
}
