package web

import (
	"net/http"
	"testing"

	"souk/build/document"
)

func TestPatternsThatAMuxWouldRejectAreJoined(t *testing.T) {
	endpoints := []document.Endpoint{{Path: "/c/{slug}/claims"}, {Path: "/c/{slug}/removals"}, {Path: "/c/{slug}"}, {Path: "/a/{slug}"}}
	for path, want := range map[string]string{
		"/c/pages/{id}":       "/c/{slug}/{id}", // both could match /c/pages/claims
		"/c/pages":            "/c/pages",       // more specific
		"/c/{slug}":           "/c/{slug}",
		"/c/{any}/{thing}":    "/c/{any}/{thing}", // wider
		"/a/pages/{id}":       "/a/pages/{id}",
		"/c/x/y/{id}":         "/c/x/y/{id}",
		"/c/{slug}/pages/{i}": "/c/{slug}/pages/{i}",
	} {
		got := unambiguous(path, endpoints)
		if got != want {
			t.Errorf("%s becomes %s, want %s", path, got, want)
		}
		mux := http.NewServeMux() // panics if two patterns conflict
		for _, e := range endpoints {
			if e.Pattern() != got {
				mux.Handle(e.Pattern(), http.NotFoundHandler())
			}
		}
		mux.Handle(got, http.NotFoundHandler())
	}
}
