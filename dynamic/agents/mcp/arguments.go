package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/kit/problem"
	"souk/dynamic/search/fault"
)

// The types of parameters.
const (
	ofText   = "string"
	ofNumber = "integer"
	ofList   = "array"
)

// A param describes one parameter of a tool: its schema and how to parse its value.
type param struct {
	name, kind, about string
	values            []string // for ofText: the only valid ones
	least, most       int      // for ofNumber; most also for ofList: the number of values
	required          bool
}

// arguments are the parsed arguments of one call, by name; absent ones have no entry.
type arguments struct {
	texts   map[string]string
	numbers map[string]int
	lists   map[string][]string
}

func (a arguments) number(name string, absent int) int {
	if n, given := a.numbers[name]; given {
		return n
	}
	return absent
}

func (a arguments) full() bool { return a.texts["detail"] == "full" }

// longest is the maximum length of a text argument, in characters.
const longest = 2000

func invalid(field, code, format string, args ...any) error {
	return &fault.Error{Errors: []document.FieldError{{Field: field, Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// read parses arguments strictly. It fails with a *fault.Error that lists everything wrong
// with them.
func (t tool) read(raw []byte) (arguments, error) {
	a := arguments{map[string]string{}, map[string]int{}, map[string][]string{}}
	var given map[string]json.RawMessage
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &given) != nil {
		return a, invalid("arguments", fault.Invalid, "this is not a JSON object")
	}
	var faults []document.FieldError
	add := func(field, format string, args ...any) {
		faults = append(faults, document.FieldError{Field: field, Code: fault.Invalid, Message: fmt.Sprintf(format, args...)})
	}
	names := make([]string, 0, len(t.params))
	for _, p := range t.params {
		names = append(names, p.name)
		value, there := given[p.name]
		delete(given, p.name)
		if !there || string(value) == "null" {
			if p.required {
				add(p.name, "this is required: %s", p.about)
			}
			continue
		}
		if wrong := a.take(p, value); wrong != "" {
			add(p.name, "%s", wrong)
		}
	}
	for _, name := range sortedKeys(given) {
		if hint := problem.Nearest(name, names); hint != "" && len(name) < 100 {
			add(name, "there is no such parameter: %s", hint)
		} else {
			add(name, "there is no such parameter: choose from %s", strings.Join(names, ", "))
		}
		if len(faults) > 20 {
			break
		}
	}
	if len(faults) > 0 {
		return a, &fault.Error{Errors: faults}
	}
	return a, nil
}

// take parses one value, and returns what is wrong with it.
func (a arguments) take(p param, raw json.RawMessage) string {
	switch p.kind {
	case ofNumber:
		text := strings.Trim(string(raw), `"`)
		number, err := strconv.ParseFloat(text, 64) // in JSON Schema, 5.0 is an integer
		n := int(number)
		if err != nil || number < float64(p.least) || number > float64(p.most) || float64(n) != number {
			return fmt.Sprintf("%s is not a whole number from %d to %d", problem.Quoted(line(text, 30)), p.least, p.most)
		}
		a.numbers[p.name] = n
	case ofList:
		var list []string
		if json.Unmarshal(raw, &list) != nil {
			var one string
			if json.Unmarshal(raw, &one) != nil {
				return `this takes a list of strings, as in ["a"]`
			}
			list = []string{one}
		}
		for _, text := range list {
			if wrong := wrongText(text); wrong != "" {
				return wrong
			}
		}
		if n := len(list); n > p.most || n == 0 && p.required {
			return fmt.Sprintf("this has %d values: give 1 to %d", n, p.most)
		}
		a.lists[p.name] = list
	default:
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return "this takes a string"
		}
		if wrong := wrongText(text); wrong != "" {
			return wrong
		}
		if len(p.values) > 0 && !slices.Contains(p.values, text) {
			return fmt.Sprintf("%s is not one of %s", problem.Quoted(line(text, 60)), strings.Join(p.values, ", "))
		}
		if p.required && strings.TrimSpace(text) == "" {
			return "this is empty: " + p.about
		}
		a.texts[p.name] = text
	}
	return ""
}

func wrongText(text string) string {
	switch {
	case utf8.RuneCountInString(text) > longest:
		return fmt.Sprintf("this has %d characters: at most %d are read", utf8.RuneCountInString(text), longest)
	case strings.ContainsRune(text, 0):
		return "this contains a NUL character"
	}
	return ""
}
