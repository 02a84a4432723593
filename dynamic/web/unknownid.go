package web

import (
	"slices"
	"strings"

	"souk/build/document"
)

// pathForms lists paths split into segments; a segment in braces stands for any text.
type pathForms [][]string

// verificationPaths returns the paths of the Endpoints that answer for unknown ids.
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

// withoutID replaces the id in a path of one of the forms by nobodys. Any text between the
// slashes counts as an id, even if it is empty or encoded.
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
