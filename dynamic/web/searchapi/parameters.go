package searchapi

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
	"souk/dynamic/search/suggest"
)

// Codes of FieldErrors, in addition to those of search.
const (
	codeUnknownParameter = "unknown-parameter"
	codeRepeated         = "repeated"
)

// parseQuery parses the parameters of a search strictly: an unknown or repeated parameter,
// or one of the wrong type, fails with a *fault.Error. Search checks the values that only
// an index knows.
func parseQuery(of document.Search, raw string) (search.Query, error) {
	p := read(raw, of.Parameters...)
	q := search.Query{
		Text: p.one("q"), Limit: p.number("limit", search.DefaultLimit), Offset: p.number("offset", 0),
		Filters: map[string][]string{}, Currency: p.one("currency"), Sort: p.one("sort"), Literal: p.switchedOff("interpret"),
	}
	for _, filter := range of.Filters {
		q.Filters[filter] = p.many(filter)
	}
	p.once("kind")
	p.once("price")
	p.filled("currency")
	p.filled("sort")
	return q, p.err()
}

// parseSuggest parses the parameters of suggestions, like parseQuery.
func parseSuggest(raw string) (suggest.Query, error) {
	p := read(raw, "q", "limit", "kind")
	q := suggest.Query{Text: p.one("q"), Limit: p.number("limit", suggest.DefaultSuggestions), Kinds: p.many("kind")}
	return q, p.err()
}

// parameters are the parameters of one request and the errors found in them.
type parameters struct {
	values url.Values
	faults []document.FieldError
}

func (p *parameters) add(field, code, format string, args ...any) {
	p.faults = append(p.faults, document.FieldError{Field: field, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (p *parameters) err() error {
	if len(p.faults) == 0 {
		return nil
	}
	return &fault.Error{Errors: p.faults}
}

func read(raw string, known ...string) *parameters {
	values, err := url.ParseQuery(raw)
	p := &parameters{values: values}
	if err != nil {
		p.add("", fault.Invalid, "the query string cannot be read: write parameters as name=value, joined by &, with other characters percent-encoded")
		p.values = url.Values{}
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		quoted := strings.ToValidUTF8(name, "\uFFFD")
		if !slices.Contains(known, name) {
			message := fmt.Sprintf("there is no such parameter: choose from %s", strings.Join(known, ", "))
			if hint := problem.Nearest(name, known); hint != "" && len(name) < 100 {
				message = "there is no such parameter: " + hint
			}
			if utf8.RuneCountInString(quoted) > 60 {
				quoted = string([]rune(quoted)[:60]) + "…"
			}
			p.add(quoted, codeUnknownParameter, "%s", message)
			delete(values, name)
			continue
		}
		for _, v := range values[name] {
			switch {
			case !utf8.ValidString(v):
				p.add(name, fault.Invalid, "this is not UTF-8")
			case strings.ContainsRune(v, 0):
				p.add(name, fault.Invalid, "this contains a NUL character")
			}
		}
	}
	return p
}

func (p *parameters) once(name string) {
	if n := len(p.values[name]); n > 1 {
		p.add(name, codeRepeated, "this is given %d times: give it once", n)
	}
}

// one returns the value of a parameter that may be given only once.
func (p *parameters) one(name string) string {
	p.once(name)
	return p.values.Get(name)
}

// filled rejects a parameter with an empty value.
func (p *parameters) filled(name string) {
	if p.values.Has(name) && p.values.Get(name) == "" {
		p.add(name, fault.Invalid, "this is empty: give a value, or leave the parameter out")
	}
}

// switchedOff reports whether something that is on by default is switched off.
func (p *parameters) switchedOff(name string) bool {
	if !p.values.Has(name) {
		return false
	}
	if p.one(name) != "off" {
		p.add(name, fault.Invalid, "write off, or leave the parameter out")
	}
	return true
}

// many returns the values of a filter without duplicates.
func (p *parameters) many(name string) []string {
	var list []string
	for _, v := range p.values[name] {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// number returns a decimal integer without sign.
func (p *parameters) number(name string, absent int) int {
	if !p.values.Has(name) {
		return absent
	}
	text := p.one(name)
	if text == "" || strings.Trim(text, "0123456789") != "" {
		p.add(name, fault.Invalid, "%s is not a whole number of at least 0", problem.Quoted(text))
		return absent
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		// The number is too large for any range; the later error names the limit.
		return int(^uint32(0) >> 1)
	}
	return n
}
