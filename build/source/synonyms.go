package source

import (
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/unicode/norm"

	"souk/build/catalog"
	"souk/build/kit/fold"
	"souk/build/kit/problem"
)

// synonymsName is the name of the synonyms file.
const synonymsName = "synonyms.yaml"

// synonymsList is the file as its author writes it; synonyms decodes it.
type synonymsList struct{}

// synonyms reads the synonyms file. An empty file is not a mistake, but how one begins.
func (d *decoder) synonyms(front string) []catalog.Synonyms {
	n := d.root(front)
	if n == nil || isNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, "start each item with \"- \"", "the file takes a list of synonyms, not %s", what(n))
		return nil
	}
	var all []catalog.Synonyms
	seen := map[string]bool{}
	for _, child := range n.Content {
		child = resolve(child)
		before := len(d.problems)
		var s catalog.Synonyms
		switch child.Kind {
		case yaml.SequenceNode:
			s = d.sameWords(child)
		case yaml.MappingNode:
			s = d.oneWay(child)
		default:
			d.wrong(child, "write [word, word], or {from: word, to: word}", "an item takes a list of words, or from and to, not %s", what(child))
		}
		if len(d.problems) > before {
			continue
		}
		if key := synonymsKey(s); seen[key] {
			d.wrong(child, "remove one", "the same synonyms appear twice")
		} else {
			seen[key] = true
			all = append(all, s)
		}
	}
	return all
}

// sameWords reads [word, word…].
func (d *decoder) sameWords(n *yaml.Node) catalog.Synonyms {
	words := d.words(n, "an item")
	if len(n.Content) < 2 {
		d.wrong(n, "name two words or more that mean the same", "an item has %s", counted(len(n.Content)))
	}
	return catalog.Synonyms{From: words, To: words}
}

// oneWay reads {from, to}; each is a word or a list of words.
func (d *decoder) oneWay(n *yaml.Node) (s catalog.Synonyms) {
	seen := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		if seen[key.Value] != nil {
			d.wrong(key, "", "the field %q appears twice", shorten(key.Value))
			continue
		}
		switch seen[key.Value] = value; key.Value {
		case "from":
			s.From = d.words(value, "from")
		case "to":
			s.To = d.words(value, "to")
		default:
			d.wrong(key, problem.Nearest(key.Value, []string{"from", "to"}), "unknown field %q", shorten(key.Value))
		}
	}
	for _, name := range []string{"from", "to"} {
		if seen[name] == nil {
			d.wrong(n, "write {from: word, to: word}", "an item has no %q", name)
		}
	}
	for _, word := range s.To {
		for _, from := range s.From {
			if foldedWord(word) == foldedWord(from) {
				d.wrong(seen["to"], "remove it", "%q is a synonym of itself", shorten(word))
			}
		}
	}
	return s
}

// words reads a word or a list of words.
func (d *decoder) words(n *yaml.Node, name string) (words []string) {
	nodes := n.Content
	switch {
	case n.Kind == yaml.ScalarNode:
		nodes = []*yaml.Node{n}
	case n.Kind != yaml.SequenceNode:
		d.wrong(n, "", "%s takes a word or a list of words, not %s", name, what(n))
		return nil
	case len(nodes) == 0 && name != "an item":
		d.wrong(n, "", "%s is an empty list", name)
	}
	seen := map[string]bool{}
	for _, child := range nodes {
		d.name = "a word"
		child = resolve(child)
		word, ok := d.text(child)
		if !ok {
			continue
		}
		d.checkName(child, "a word", word)
		word = strings.TrimSpace(word)
		key := foldedWord(word)
		switch {
		case word == "":
			d.wrong(child, "", "a word is empty")
		case strings.Trim(key, "+# ") == "":
			d.wrong(child, "write what people type", "%q has no letter or digit, so it never matches", shorten(word))
		case seen[key]:
			d.wrong(child, "remove one", "the word %q appears twice: words are compared without case and accents", shorten(word))
		default:
			words = append(words, word)
		}
		seen[key] = true
	}
	return words
}

// foldedWord is a word or phrase as search compares it: letters and digits without case and
// accents, single spaces, and the signs of C++ and C#.
func foldedWord(word string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(fold.Canonical(word))) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '+' || r == '#':
			b.WriteRune(r)
		case !unicode.Is(unicode.Mn, r):
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func synonymsKey(s catalog.Synonyms) string {
	return strings.ToLower(strings.Join(s.From, "\n") + "\n\n" + strings.Join(s.To, "\n"))
}

func counted(words int) string {
	if words == 0 {
		return "no word"
	}
	return "one word"
}

// synonyms returns the operator's synonyms, or an empty list.
func (f *Folder) synonyms() *[]catalog.Synonyms {
	if r := f.files[synonymsName]; r != nil && r.reading != nil && r.reading.Synonyms != nil {
		return &r.reading.Synonyms
	}
	return &[]catalog.Synonyms{}
}
