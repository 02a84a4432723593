package facet

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/index/text"
	"souk/build/kit/codes"
	"souk/build/kit/problem"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/fault"
)

// malformed returns a message for a value that no listing can ever have, with a suggestion, or
// "" for other values, even if no listing has them now.
func (x *Facets) malformed(filter, value string, visible *corpus.Visibility) string {
	quoted := problem.Quoted(value)
	switch filter {
	case document.FilterKind:
		if value != "product" && value != "service" {
			return quoted + " is not a kind: choose product or service"
		}
	case document.FilterCategory:
		if !categoryPattern.MatchString(value) {
			return fault.Meant(quoted+" is not a category: write product/slug or service/slug", value, x.categoryHints(value))
		}
	case document.FilterSeller:
		if !sellerPattern.MatchString(value) {
			slug := value[strings.LastIndexAny(value, ":/")+1:] // also of a Reference or an address
			return fault.Meant(quoted+" is not a companySlug: write lower-case letters, digits and hyphens, as in acme-tools", slug, x.sellerHints(visible))
		}
	case document.FilterCountry:
		if !codes.Country(value) {
			hints := []string{cmp.Or(x.Countries[text.Compact(value)], codes.CountryMeant(value))}
			return fault.Meant(quoted+" is not a country: write an ISO 3166-1 alpha-2 code, as in DE", value, hints)
		}
	case document.FilterAvailability:
		return oneOf(value, "availability", document.Availabilities())
	case document.FilterDelivery:
		return oneOf(value, "way of delivery", document.Deliveries())
	case document.FilterProof:
		return oneOf(value, "kind of proof", document.ProofKinds())
	case document.FilterLanguage:
		if !codes.Language(value) {
			return fault.Meant(quoted+" is not a language: write a tag of BCP 47, as in de or pt-BR", value, []string{codes.LanguageMeant(value)})
		}
	case document.FilterRegion, document.FilterPriceUnit, document.FilterCity:
		if strings.TrimSpace(value) == "" {
			return "this is empty: give a value, or leave the parameter out"
		}
	}
	return ""
}

var (
	categoryPattern = regexp.MustCompile(document.CategoryPattern)
	sellerPattern   = regexp.MustCompile(document.SlugPattern)
)

// oneOf returns a message for a value that is not in a list.
func oneOf(value, what string, list []string) string {
	if slices.Contains(list, value) {
		return ""
	}
	return fault.Meant(fmt.Sprintf("%s is not a valid %s: choose from %s", problem.Quoted(value), what, strings.Join(list, ", ")), value, list)
}

// sellerHints returns the companySlugs of the sellers that are not withheld.
func (x *Facets) sellerHints(visible *corpus.Visibility) (slugs []string) {
	for i := range x.corpus.Sellers {
		if !visible.Hides(int32(i)) {
			slugs = append(slugs, x.corpus.Sellers[i].Company.Slug)
		}
	}
	return slugs
}

// categoryHints returns the category with the value's slug, whatever root was given, or the
// one with the closest slug. It does not compare the common beginning of all values.
func (x *Facets) categoryHints(value string) []string {
	root, slug := "", value
	if at := strings.LastIndexByte(value, '/'); at >= 0 {
		root, slug = value[:at], value[at+1:]
		root = root[strings.LastIndexAny(root, ":/")+1:] // also of a Reference or an address
	}
	for _, root := range [...]string{root, "product", "service"} {
		if _, known := x.List[AtCategory].At[root+"/"+slug]; known {
			return []string{root + "/" + slug}
		}
	}
	byslug := map[string]string{}
	var slugs []string
	for _, category := range x.values(AtCategory) {
		of, one, _ := strings.Cut(category, "/")
		if _, taken := byslug[one]; !taken || of == root {
			byslug[one] = category
		}
		slugs = append(slugs, one)
	}
	if nearest, near := problem.Closest(slug, slugs); near && len(slug) <= fault.LongestHinted {
		return []string{byslug[nearest]}
	}
	return nil
}
