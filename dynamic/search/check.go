package search

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/codes"
	"souk/build/document"
	"souk/build/index/text"
	"souk/build/problem"
)

// The codes of FieldErrors.
const (
	CodeInvalid    = "invalid"
	codeUnknown    = "unknown-value"
	codeOutOfRange = "out-of-range"
	codeTooLong    = "too-long"
	codeTooMany    = "too-many"
	codeRequired   = "required"
)

// maxValues is the greatest number of values of one filter.
const maxValues = 100

// Check returns nil if a query can be answered, or an *InvalidError that says
// what is wrong with it.
func (x *Index) Check(q Query) error {
	_, err := x.checked(context.Background(), &q, x.visibleNow())
	return err
}

// checked returns what a query narrows by, if it can be answered.
func (x *Index) checked(ctx context.Context, q *Query, visible *visibility) (*selection, error) {
	var faults []document.FieldError
	add := func(field, code, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	checkText(q.Text, MaxQuery, add)
	checkRange("limit", q.Limit, 0, MaxLimit, add)
	checkRange("offset", q.Offset, 0, MaxOffset, add)
	c := x.selection(ctx, q, visible, add)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, &InvalidError{faults}
	}
	return c, nil
}

type addFault func(field, code, format string, args ...any)

func checkText(typed string, most int, add addFault) {
	switch {
	case !utf8.ValidString(typed):
		add("q", CodeInvalid, "this is not UTF-8")
	case strings.ContainsRune(typed, 0):
		add("q", CodeInvalid, "this holds a NUL character")
	case utf8.RuneCountInString(typed) > most:
		add("q", codeTooLong, "this has %d characters: at most %d are read", utf8.RuneCountInString(typed), most)
	}
}

func checkRange(field string, value, least, most int, add addFault) {
	if value < least || value > most {
		add(field, codeOutOfRange, "this is out of range: choose from %d to %d", least, most)
	}
}

// malformed returns a message for a value that no listing can ever have, with the value
// that was probably meant. It returns "" for all others, even if no listing has them now.
func (x *Index) malformed(filter, value string, visible *visibility) string {
	quoted := problem.Quoted(value)
	switch filter {
	case document.FilterKind:
		if value != "product" && value != "service" {
			return quoted + " is no kind: choose product or service"
		}
	case document.FilterCategory:
		if !categoryPattern.MatchString(value) {
			return meant(quoted+" is no category: write product/slug or service/slug", value, x.categoryHints(value))
		}
	case document.FilterSeller:
		if !sellerPattern.MatchString(value) {
			slug := value[strings.LastIndexAny(value, ":/")+1:] // of a Reference or an address too
			return meant(quoted+" is no companySlug: write lower-case letters, digits and hyphens, as in acme-tools", slug, x.sellerHints(visible))
		}
	case document.FilterCountry:
		if !codes.Country(value) {
			hints := []string{cmp.Or(x.interpreter.countries[text.Compact(value)], codes.CountryMeant(value))}
			return meant(quoted+" is no country: write a code of ISO 3166-1 alpha-2, as in DE", value, hints)
		}
	case document.FilterDelivery:
		return oneOf(value, "way of delivery", document.Deliveries())
	case document.FilterProof:
		return oneOf(value, "kind of proof", document.ProofKinds())
	case document.FilterLanguage:
		if !codes.Language(value) {
			return meant(quoted+" is no language: write a tag of BCP 47, as in de or pt-BR", value, []string{codes.LanguageMeant(value)})
		}
	case document.FilterRegion, document.FilterPriceUnit:
		if strings.TrimSpace(value) == "" {
			return "this is empty: write what is looked for, or leave the parameter out"
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
	return meant(fmt.Sprintf("%s is no %s: choose from %s", problem.Quoted(value), what, strings.Join(list, ", ")), value, list)
}

// sellerHints returns the companySlugs of the sellers that are not withheld.
func (x *Index) sellerHints(visible *visibility) (slugs []string) {
	for i := range x.corpus.sellers {
		if !visible.hides(int32(i)) {
			slugs = append(slugs, x.corpus.sellers[i].company.Slug)
		}
	}
	return slugs
}

// categoryHints returns the category with the value's slug, whatever root was given, or the one
// whose slug is nearest: what all begin with says nothing.
func (x *Index) categoryHints(value string) []string {
	root, slug := "", value
	if at := strings.LastIndexByte(value, '/'); at >= 0 {
		root, slug = value[:at], value[at+1:]
		root = root[strings.LastIndexAny(root, ":/")+1:] // of a Reference or an address too
	}
	for _, root := range [...]string{root, "product", "service"} {
		if _, known := x.facets.list[atCategory].at[root+"/"+slug]; known {
			return []string{root + "/" + slug}
		}
	}
	byslug := map[string]string{}
	var slugs []string
	for _, category := range x.facets.values(atCategory) {
		of, one, _ := strings.Cut(category, "/")
		if _, taken := byslug[one]; !taken || of == root {
			byslug[one] = category
		}
		slugs = append(slugs, one)
	}
	if nearest, near := problem.Closest(slug, slugs); near && len(slug) <= longestHinted {
		return []string{byslug[nearest]}
	}
	return nil
}

// longestHinted is the greatest length of a value that another is proposed for.
const longestHinted = 200

// meant adds the option that was probably meant to a message.
func meant(message, value string, options []string) string {
	if len(options) == 1 && options[0] != "" {
		return fmt.Sprintf("%s (did you mean %q?)", message, options[0])
	}
	if len(value) > longestHinted {
		return message
	}
	if hint := problem.Nearest(value, options); hint != "" {
		return message + " (" + hint + ")"
	}
	return message
}

func checkSuggest(q SuggestQuery) error {
	var faults []document.FieldError
	add := func(field, code, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if q.Text == "" {
		add("q", codeRequired, "say what is typed, from 1 to %d characters", MaxQuery)
	}
	checkText(q.Text, MaxQuery, add)
	checkRange("limit", q.Limit, 1, MaxSuggestions, add)
	for _, kind := range q.Kinds {
		if !slices.Contains(suggestKindNames[:], kind) {
			add("kind", codeUnknown, "%s", meant(fmt.Sprintf("%s is no kind: choose category, product, service or seller", problem.Quoted(kind)), kind, suggestKindNames[:]))
		}
	}
	if len(faults) > 0 {
		return &InvalidError{faults}
	}
	return nil
}

// Check returns what is wrong with a query as an *InvalidError, or nil.
func (q SuggestQuery) Check() error { return checkSuggest(q) }
