package document

import (
	"fmt"
	"strings"

	"souk/build/catalog"
)

// FileOf returns the file of the document that a text names: by a Reference, by the address of
// a page or document, or by such an address relative to its site. It fails for other text.
func (a Addresses) FileOf(text string) (string, error) {
	address := strings.TrimSuffix(text, ".md")
	for _, root := range []string{a.API, a.Site} {
		if below, ok := strings.CutPrefix(address, root); ok && (below == "" || below[0] == '/') {
			if root == a.API {
				below = APIRoot + below
			}
			return fileAt(text, below)
		}
	}
	switch {
	case strings.HasPrefix(address, "/"):
		return fileAt(text, address)
	case strings.Contains(address, "://"):
		return "", fmt.Errorf("%q is not an address of this market, %s", text, a.Site)
	}
	ref, err := catalog.ParseRef(text)
	if err != nil {
		return "", fmt.Errorf("%w, or an address of this market", err)
	}
	return RefFile(ref), nil
}

// fileAt returns the file of the document at a path of the site.
func fileAt(text, address string) (string, error) {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	address = strings.TrimSuffix(address, "/")
	if below, ok := strings.CutPrefix(address, APIRoot); ok {
		if (below == "/marketplace" || strings.HasPrefix(below, "/marketplace/")) && slugged(below[1:]) {
			return base + below[1:] + ".json", nil
		}
	} else if file, ok := DocumentOf(HTMLFile(address)); ok && address != "" {
		return file, nil
	}
	return "", fmt.Errorf("%q is the address of no document", text)
}

// ListingFile returns the file of the document of a Product or Service, given its
// Reference.
func ListingFile(reference string) (string, error) {
	ref, err := catalog.ParseRef(reference)
	if err != nil {
		return "", err
	}
	if !ref.Kind.Offer() {
		return "", fmt.Errorf("%q is neither a product nor a service", reference)
	}
	return RefFile(ref), nil
}

// CategoryFile returns the file of a typed Category.
func CategoryFile(rootKind, slug string) string {
	return docFile("categories/" + rootKind + "/" + slug)
}

// IsListing reports whether a file is the document of a Product or Service.
func IsListing(file string) bool {
	subject, known := ParseFile(file)
	return known && subject.Page == "" && subject.Ref.Kind.Offer()
}
