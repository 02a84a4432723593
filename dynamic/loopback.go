package dynamic

import (
	"io"
	"net/http"

	"souk/dynamic/web/reach"
)

// The answers of a preview on loopback to requests from other hosts or other sites' pages.
const (
	otherHost = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title>
<p>This preview is for the machine that it runs on. To look at it under another address, name that with --site-url.</p></html>
`
	otherSite = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title>
<p>You came here from another site, and this preview answers only pages on its own machine. <a href="">Open the page</a> yourself.</p></html>
`
)

// toThisMachine protects a preview on loopback from the pages of other sites. The editor's
// browser may show such pages, and each could read drafts or their mistakes through the
// loopback address or a name that resolves to it.
func toThisMachine(c Config, h http.Handler) http.Handler {
	own := reach.Of(c.Hosts...)
	own.Add(c.Build.SiteURL)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !reach.Loopback(r) || len(c.Verification.Trusted) > 0:
			h.ServeHTTP(w, r)
		case !own.Host(r):
			refuse(w, otherHost)
		case !own.Pages(r):
			refuse(w, otherSite)
		default:
			h.ServeHTTP(&toOrigin{ResponseWriter: w, origin: r.Header.Get("Origin")}, r)
		}
	})
}

func refuse(w http.ResponseWriter, page string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Origin, Sec-Fetch-Site")
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, page) // a client that disconnects is not an error
}

// A toOrigin allows at most one origin to read an answer that would allow any.
type toOrigin struct {
	http.ResponseWriter
	origin string
	begun  bool
}

// WriteHeader sets the allowed origin.
func (o *toOrigin) WriteHeader(status int) {
	const allowed = "Access-Control-Allow-Origin"
	if h := o.Header(); !o.begun {
		o.begun = true
		h.Add("Vary", "Origin")
		h.Del(allowed)
		if o.origin != "" {
			h.Set(allowed, o.origin)
		}
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write sets the allowed origin first.
func (o *toOrigin) Write(b []byte) (int, error) {
	if !o.begun {
		o.WriteHeader(http.StatusOK)
	}
	return o.ResponseWriter.Write(b)
}

// Unwrap implements the interface of http.ResponseController.
func (o *toOrigin) Unwrap() http.ResponseWriter { return o.ResponseWriter }
