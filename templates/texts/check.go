package texts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// A Fault is a mistake in an operator's wording.
type Fault struct {
	// Key is the key as the operator wrote it.
	Key string
	// Value means that the fault is in the text, not in its key.
	Value bool
	// Text says what is wrong; Meant, if not empty, says how to fix it.
	Text, Meant string
	// Word is the misspelt word, if any; Options are the words that may have been
	// meant.
	Word    string
	Options []string
}

// Check finds mistakes in an operator's wording: unknown keys; plural forms that
// the language does not have or that are missing; and placeholders that are
// unknown, missing or not closed.
func Check(tag string, w Wording) (faults []Fault) {
	lang := language.Make(tag)
	incomplete := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(w)) {
		name, form := nameOf(key)
		base, known := english()[name]
		switch {
		case !known:
			options := slices.Sorted(maps.Keys(ours()["en"]))
			faults = append(faults, Fault{Key: key, Text: fmt.Sprintf("there is no text %q", shortKey(key)), Word: key, Options: options})
			continue
		case base.isPlural() && !slices.Contains(formsOf(lang), form):
			faults = append(faults, Fault{
				Key: key, Text: fmt.Sprintf("%q is no plural form of %s", shortKey(form), tag),
				Meant: "its forms are " + strings.Join(formsOf(lang), ", "),
			})
			continue
		case base.isPlural() && !incomplete[name]:
			if lacking := lackingForms(lang, name, w); len(lacking) > 0 {
				incomplete[name] = true
				faults = append(faults, Fault{
					Key: key, Text: fmt.Sprintf("the text lacks the plural %s %s of %s", noun(len(lacking), "form"), strings.Join(lacking, ", "), tag),
					Meant: fmt.Sprintf("add %s.%s", name, lacking[0]),
				})
			}
		}
		faults = append(faults, checkText(key, form, w[key], base)...)
	}
	return faults
}

func lackingForms(lang language.Tag, name string, w Wording) (lacking []string) {
	for _, form := range formsOf(lang) {
		if _, there := w[name+"."+form]; !there {
			lacking = append(lacking, form)
		}
	}
	return lacking
}

// checkText compares a text's placeholders with those of the English text.
func checkText(key, form, text string, base message) (faults []Fault) {
	if strings.TrimSpace(text) == "" {
		return []Fault{{Key: key, Value: true, Text: "the text is empty", Meant: "leave the line out for the text as it is"}}
	}
	parts, err := parse(text)
	if err != nil {
		return []Fault{{Key: key, Value: true, Text: err.Error()}}
	}
	wanted, given := base.wanted, namesOf(parts)
	for _, name := range given {
		if !slices.Contains(wanted, name) {
			f := Fault{Key: key, Value: true, Text: fmt.Sprintf("the text has no placeholder {%s}", shortKey(name)), Word: name, Options: wanted}
			if len(wanted) > 0 {
				f.Meant = "it has {" + strings.Join(wanted, "}, {") + "}"
			}
			faults = append(faults, f)
		}
	}
	for _, name := range wanted {
		// A form that is only used for one thing may omit the number.
		if !slices.Contains(given, name) && (name != "count" || form == "other") {
			faults = append(faults, Fault{Key: key, Value: true, Text: fmt.Sprintf("the placeholder {%s} is missing", name)})
		}
	}
	return faults
}

func shortKey(key string) string {
	if r := []rune(key); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return key
}

func noun(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
