package web

import (
	"strings"

	"souk/build/document"
)

// unambiguous returns the pattern under which the mux takes a static path. Where
// another Endpoint's path matches some of the same addresses and neither is the
// more specific, as with companies/pages/{id} and companies/{companySlug}/claims,
// the mux would refuse both: the static one then takes all the addresses of
// their shape. That reveals nothing, since only a lookup tells what is there.
func unambiguous(path string, endpoints []document.Endpoint) string {
	for _, e := range endpoints {
		if wider, ambiguous := join(path, e.Pattern()); ambiguous {
			path = wider
		}
	}
	return path
}

// join returns the pattern of all addresses of the shape of two overlapping
// patterns, and whether neither of them is the more specific.
func join(a, b string) (wider string, ambiguous bool) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if len(x) != len(y) {
		return "", false
	}
	var above, below bool // a is the wider, or the narrower, somewhere
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
