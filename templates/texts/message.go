package texts

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// A message is one parsed text.
type message struct {
	// language is the text's language, whose rules select the plural form.
	language language.Tag
	// forms has the single entry "" if the text is not about a number.
	forms map[string][]part
	// wanted lists the placeholders that callers fill, sorted: those of the English
	// text.
	wanted []string
}

// A part is a literal text or, if name is set, a placeholder.
type part struct{ text, name string }

// parse splits a text into its parts.
func parse(text string) ([]part, error) {
	var parts []part
	for text != "" {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			return append(parts, part{text: text}), nil
		}
		if at > 0 {
			parts = append(parts, part{text: text[:at]})
		}
		name, rest, closed := strings.Cut(text[at+1:], "}")
		switch {
		case text[at] == '}':
			return nil, fmt.Errorf("a } closes no placeholder")
		case !closed || strings.Contains(name, "{"):
			return nil, fmt.Errorf("the placeholder that begins at %q is not closed", shortened(text[at:]))
		case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
			return nil, fmt.Errorf("%q is no placeholder: a placeholder is a word in braces", shortened("{"+name+"}"))
		}
		parts, text = append(parts, part{name: name}), rest
	}
	return parts, nil
}

func shortened(text string) string {
	if r := []rune(text); len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return text
}

// names returns the placeholders of all forms, sorted and without duplicates.
func (m message) names() []string {
	var names []string
	for _, parts := range m.forms {
		names = append(names, namesOf(parts)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func namesOf(parts []part) (names []string) {
	for _, p := range parts {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isPlural reports whether the text is about a number.
func (m message) isPlural() bool { return m.forms[""] == nil }

// form returns the parts of the plural form for a number.
func (m message) form(count int) []part {
	if !m.isPlural() {
		return m.forms[""]
	}
	if parts, there := m.forms[formOf(m.language, count)]; there {
		return parts
	}
	return m.forms["other"]
}

// formNames contains CLDR's names of the plural forms.
var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// formOf returns the plural form of a whole number in a language.
func formOf(tag language.Tag, count int) string {
	// MatchPlural expects the last seven digits of a whole number.
	digits := max(count, -count) % 10_000_000
	return formNames[plural.Cardinal.MatchPlural(tag, digits, 0, 0, 0, 0)]
}

// formsOf returns the plural forms of whole numbers in a language, in CLDR's order.
func formsOf(tag language.Tag) []string {
	has := map[string]bool{"other": true}
	for n := range 201 {
		has[formOf(tag, n)] = true
	}
	has[formOf(tag, 1_000_000)] = true
	all := []string{"zero", "one", "two", "few", "many", "other"}
	return slices.DeleteFunc(all, func(form string) bool { return !has[form] })
}

// cutForm splits the key of a plural form.
func cutForm(key string) (name, form string) {
	if at := strings.LastIndexByte(key, '.'); at >= 0 {
		return key[:at], key[at+1:]
	}
	return key, ""
}
