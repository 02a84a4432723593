package texts

import (
	"embed"
	"fmt"
	"maps"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

//go:embed *.yaml
var files embed.FS

// ours are Souk's own texts, by language.
var ours = sync.OnceValue(func() map[string]Wording {
	all := map[string]Wording{}
	entries, err := files.ReadDir(".")
	for _, entry := range entries {
		data, err := files.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		var w Wording
		if err := yaml.Unmarshal(data, &w); err != nil {
			panic(fmt.Sprintf("texts: %s: %v", entry.Name(), err)) // part of the program
		}
		all[strings.TrimSuffix(entry.Name(), ".yaml")] = w
	}
	if err != nil {
		panic(err)
	}
	return all
})

// A Line is a text with its key.
type Line struct{ Key, Text string }

// Draft returns every text as it is in a language where the operator has worded
// none, with the plural forms that the language has, in the order of Souk's own.
func Draft(tag string) (lines []Line) {
	wording := ours()["en"]
	for _, at := range Chain(tag) {
		if w, there := ours()[at]; there {
			wording = w
			break
		}
	}
	last := ""
	for _, key := range order() {
		name, form := nameOf(key)
		if form == "" {
			lines = append(lines, Line{key, wording[key]})
			continue
		}
		if name != last {
			for _, form := range formsOf(language.Make(tag)) {
				text, there := wording[name+"."+form]
				if !there {
					text = wording[name+".other"]
				}
				lines = append(lines, Line{name + "." + form, text})
			}
		}
		last = name
	}
	return lines
}

// order returns the keys as they stand in the English file.
func order() (keys []string) {
	data, err := files.ReadFile("en.yaml")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(data)) {
		if key, _, found := strings.Cut(line, ": "); found && !strings.HasPrefix(key, "#") {
			keys = append(keys, key)
		}
	}
	return keys
}

// plurals are the names of the texts that have plural forms.
var plurals = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for key := range ours()["en"] {
		if name, form := cutForm(key); form == "other" {
			names[name] = true
		}
	}
	return names
})

// nameOf returns the text that a key belongs to, and the plural form that it is.
func nameOf(key string) (name, form string) {
	if name, form = cutForm(key); plurals()[name] {
		return name, form
	}
	return key, ""
}

// messages takes the texts of one language apart; those that do not parse are
// left out.
func messages(tag language.Tag, w Wording) map[string]message {
	all := map[string]message{}
	for key, text := range w {
		parts, err := parse(text)
		if err != nil {
			continue
		}
		name, form := nameOf(key)
		if all[name].forms == nil {
			all[name] = message{language: tag, forms: map[string][]part{}}
		}
		all[name].forms[form] = parts
	}
	for name, m := range all {
		m.wanted = m.names()
		all[name] = m
	}
	return all
}

// english are the texts by which all others are measured.
var english = sync.OnceValue(func() map[string]message { return messages(language.English, ours()["en"]) })

var parsed = sync.OnceValue(func() map[string]map[string]message {
	all := map[string]map[string]message{}
	for tag, w := range ours() {
		all[tag] = messages(language.Make(tag), w)
	}
	return all
})

// embedded returns Souk's own texts in a language, or none.
func embedded(tag language.Tag) map[string]message { return parsed()[tag.String()] }

// sound returns the texts of an operator in which Check finds no mistake.
func sound(tag language.Tag, w Wording) map[string]message {
	if len(w) == 0 {
		return nil
	}
	good := maps.Clone(w)
	for _, f := range Check(tag.String(), w) {
		bad, _ := nameOf(f.Key)
		maps.DeleteFunc(good, func(key, _ string) bool { name, _ := nameOf(key); return name == bad })
	}
	return messages(tag, good)
}
