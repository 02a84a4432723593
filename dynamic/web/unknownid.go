package web

import (
	"slices"
	"strings"

	"souk/build/document"
)

// pathForms are the segments of paths, in which one in braces stands for any
// text.
type pathForms [][]string

// verificationPaths returns those of the Endpoints that answer unknown ids.
func verificationPaths(endpoints []document.Endpoint) (forms pathForms) {
	for _, e := range endpoints {
		if slices.Contains(e.Problems, document.CodeVerificationNotFound) {
			forms = append(forms, strings.Split(apiRoot+e.Path, "/"))
		}
	}
	return forms
}

// nobodys is an id that no record has.
const nobodys = "-"

// withoutID returns a path of one of the forms with nobody's id in it. Any text
// between the slashes is an id, also none and one that is encoded.
func (forms pathForms) withoutID(path string) (string, bool) {
	asked := strings.Split(path, "/")
	for _, form := range forms {
		if len(asked) != len(form) {
			continue
		}
		found := slices.Clone(form)
		fits := true
		for i, segment := range form {
			if strings.HasPrefix(segment, "{") {
				found[i] = nobodys
				continue
			}
			fits = fits && segment == asked[i]
		}
		if fits {
			return strings.Join(found, "/"), true
		}
	}
	return "", false
}
