package web

import (
	"strings"

	"souk/build/document"
)

// unambiguous returns the pattern under which the mux registers a static path. If another
// Endpoint's path overlaps with it and neither is more specific, as with
// companies/pages/{id} and companies/{companySlug}/claims, the mux would reject both. The
// static path is then widened to all addresses of that shape. That reveals nothing, since
// only a lookup finds out what exists.
func unambiguous(path string, endpoints []document.Endpoint) string {
	for _, e := range endpoints {
		if wider, ambiguous := join(path, e.Pattern()); ambiguous {
			path = wider
		}
	}
	return path
}

// join returns a pattern for all addresses that match either of two overlapping patterns,
// and reports whether neither of them is more specific.
func join(a, b string) (wider string, ambiguous bool) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if len(x) != len(y) {
		return "", false
	}
	var above, below bool // whether a is wider, or narrower, in some segment
	for i := range x {
		wild, other := strings.HasPrefix(x[i], "{"), strings.HasPrefix(y[i], "{")
		switch {
		case !wild && !other && x[i] != y[i]:
			return "", false
		case wild && !other:
			above = true
		case !wild && other:
			below, x[i] = true, y[i]
		}
	}
	return strings.Join(x, "/"), above && below
}
