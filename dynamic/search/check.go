package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"souk/build/catalog"
	"souk/build/document"
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
	var faults []document.FieldError
	add := func(field, code, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	checkText(q.Text, MaxQuery, add)
	checkRange("limit", q.Limit, 0, MaxLimit, add)
	checkRange("offset", q.Offset, 0, MaxOffset, add)
	for d, list := range q.filters() {
		if len(list) > maxValues {
			add(dimensionNames[d], codeTooMany, "at most %d values can be chosen", maxValues)
			continue
		}
		for _, value := range list {
			if message := x.unknown(d, value); message != "" {
				add(dimensionNames[d], codeUnknown, "%s", message)
			}
		}
	}
	if len(faults) > 0 {
		return &InvalidError{faults}
	}
	return nil
}

type addFault func(field, code, format string, args ...any)

func checkText(text string, most int, add addFault) {
	switch {
	case !utf8.ValidString(text):
		add("q", CodeInvalid, "this is not UTF-8")
	case strings.ContainsRune(text, 0):
		add("q", CodeInvalid, "this holds a NUL character")
	case utf8.RuneCountInString(text) > most:
		add("q", codeTooLong, "this has %d characters: at most %d are read", utf8.RuneCountInString(text), most)
	}
}

func checkRange(field string, value, least, most int, add addFault) {
	if value < least || value > most {
		add(field, codeOutOfRange, "%d is out of range: choose from %d to %d", value, least, most)
	}
}

// unknown returns a message for a value that names nothing, with what was
// probably meant; "" for one that names something.
func (x *Index) unknown(d int, value string) string {
	visible := x.visibleNow()
	v := &x.columns.values[d]
	at, known := v.at[value]
	switch d {
	case byKind:
		if !known {
			return fmt.Sprintf("%s is no kind: choose product or service", problem.Quoted(value))
		}
	case byCategory:
		if !known {
			if _, err := catalog.ParseCategory(value); err != nil && utf8.ValidString(value) {
				return meant(fmt.Sprintf("%s is no category: write product/slug or service/slug", problem.Quoted(value)), value, x.categoryHints(value))
			}
			return meant(fmt.Sprintf("there is no category %s", problem.Quoted(value)), value, x.categoryHints(value))
		}
	case bySeller:
		if !known || visible.hides(at) {
			return meant(fmt.Sprintf("there is no seller %s", problem.Quoted(value)), value, sortedValues(v, visible.hides))
		}
	case byCountry:
		if !known && !isCountry(value) {
			hints := sortedValues(v, nil)
			if upper := strings.ToUpper(value); isCountry(upper) {
				hints = []string{upper}
				value = upper
			}
			return meant(fmt.Sprintf("%s is no country: write a code of ISO 3166-1 alpha-2, as in DE", problem.Quoted(value)), value, hints)
		}
	}
	return ""
}

// categoryHints returns the category with the value's slug, whatever root was
// given, or all categories where there is none.
func (x *Index) categoryHints(value string) []string {
	all := sortedValues(&x.columns.values[byCategory], nil)
	_, slug, found := strings.Cut(value, "/")
	if !found {
		slug = value
	}
	for _, root := range [...]string{"product/", "service/"} {
		if _, known := x.columns.values[byCategory].at[root+slug]; known {
			return []string{root + slug}
		}
	}
	return all
}

// isCountry reports whether ISO 3166-1 assigns a code to a country.
func isCountry(code string) bool {
	if len(code) != 2 || strings.ToUpper(code) != code {
		return false
	}
	region, err := language.ParseRegion(code)
	return err == nil && region.IsCountry() && region.String() == code
}

// meant adds the option that was probably meant to a message.
func meant(message, value string, options []string) string {
	if len(options) == 1 {
		return fmt.Sprintf("%s (did you mean %q?)", message, options[0])
	}
	if len(value) > 200 {
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
