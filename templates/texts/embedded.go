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

// ours contains the built-in texts by language.
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

// Draft returns every text of a language before an operator has changed any, with
// the plural forms that the language has, in the order of the English file.
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

// order returns the keys in the order of the English file.
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

// plurals contains the names of the texts that have plural forms.
var plurals = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for key := range ours()["en"] {
		if name, form := cutForm(key); form == "other" {
			names[name] = true
		}
	}
	return names
})

// nameOf splits a key into the name of its text and its plural form, if any.
func nameOf(key string) (name, form string) {
	if name, form = cutForm(key); plurals()[name] {
		return name, form
	}
	return key, ""
}

// messages parses the texts of one language and skips those that do not parse.
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

// english contains the English texts, which define the keys and placeholders of all
// others.
var english = sync.OnceValue(func() map[string]message { return messages(language.English, ours()["en"]) })

var parsed = sync.OnceValue(func() map[string]map[string]message {
	all := map[string]map[string]message{}
	for tag, w := range ours() {
		all[tag] = messages(language.Make(tag), w)
	}
	return all
})

// embedded returns the built-in texts of a language, if any.
func embedded(tag language.Tag) map[string]message { return parsed()[tag.String()] }

// sound returns those of an operator's texts in which Check finds no mistake.
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
