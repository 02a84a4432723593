package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/templates/texts"
)

// textsFolder contains the operator's own wording of the site's texts.
const textsFolder = "texts"

// placeWording returns what is wrong with the name of a texts file, or nil.
func placeWording(file string) *problem.Problem {
	tag := tagOf(file)
	parsed, err := language.Parse(tag)
	switch {
	case path.Ext(file) != ".yaml":
		return &problem.Problem{File: file, Text: "texts are in YAML", Meant: "use a name that ends in .yaml"}
	case err != nil || parsed == language.Und:
		return &problem.Problem{File: file, Text: fmt.Sprintf("%q is not a language", shorten(tag)), Meant: "name it after a tag of BCP 47, as in texts/nl.yaml or texts/pt-BR.yaml"}
	case parsed.String() != tag:
		return &problem.Problem{File: file, Text: fmt.Sprintf("%q is not the standard form of the language tag", shorten(tag)), Meant: "name it texts/" + parsed.String() + ".yaml"}
	}
	return nil
}

// tagOf returns the language that a texts file is named after.
func tagOf(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// wording reads a texts file. An empty file is not a mistake, but how one begins.
func (d *decoder) wording(front string) texts.Wording {
	w := texts.Wording{}
	n := d.root(front)
	if n == nil || isNull(n) {
		return w
	}
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "", "the file takes a mapping of texts, not %s", what(n))
		return w
	}
	keys, values := map[string]*yaml.Node{}, map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(valueAt(n, i))
		if keys[key.Value] != nil {
			d.wrong(key, "", "the text %q appears twice", shorten(key.Value))
			continue
		}
		keys[key.Value], values[key.Value] = key, n.Content[i+1]
		d.name = "the text"
		if text, ok := d.text(value); ok {
			w[key.Value] = text
		}
	}
	for _, f := range texts.Check(tagOf(d.file), w) {
		at := keys[f.Key]
		if f.Value {
			at = values[f.Key]
		}
		meant := f.Meant
		if nearest := problem.Nearest(f.Word, f.Options); f.Word != "" && nearest != "" {
			meant = nearest
		}
		d.wrong(at, meant, "%s", f.Text)
	}
	return w
}

// market returns the settings of the marketplace with the operator's texts and theme, or nil
// if they could not be read.
func (f *Folder) market() *catalog.Marketplace {
	for _, path := range f.markets {
		r := f.files[path].reading
		if r == nil || r.Market == nil {
			continue
		}
		m := *r.Market
		m.Texts = map[string]texts.Wording{}
		for _, path := range f.wordings {
			if r := f.files[path].reading; r != nil && len(r.Texts) > 0 {
				m.Texts[tagOf(path)] = r.Texts
			}
		}
		m.Theme.Files = f.themeFiles()
		return &m
	}
	return nil
}

// wordingProblems warns about missing texts in the language of the marketplace, and about
// texts files in other languages.
func (f *Folder) wordingProblems() (list problem.List) {
	m := f.market()
	if m == nil || m.Language == "" {
		return nil
	}
	warn := func(file, meant, format string, args ...any) {
		list = append(list, problem.Problem{File: file, Text: fmt.Sprintf(format, args...), Meant: meant, Warning: true})
	}
	used := f.markets[0]
	chain := texts.Chain(m.Language)
	for _, path := range f.wordings {
		if !slices.Contains(chain, tagOf(path)) {
			warn(path, "rename it, or change the language there", "the texts are not used: the language in %s is %s", f.markets[0], m.Language)
		} else if used == f.markets[0] || len(path) < len(used) {
			used = path
		}
	}
	missing := texts.New(m.Language, m.Texts).Missing()
	switch {
	case len(missing) == 0:
	case used == f.markets[0]:
		warn(used, "write texts/"+chain[len(chain)-1]+".yaml", "there are no texts in the language %s, so mails, pages and labels are in English", m.Language)
	default:
		const most = 5
		meant := strings.Join(missing[:min(most, len(missing))], ", ")
		if len(missing) > most {
			meant += ", …"
		}
		warn(used, meant, "%s in English, because the file lacks them", staying(len(missing)))
	}
	return list
}

func staying(n int) string {
	if n == 1 {
		return "1 text stays"
	}
	return fmt.Sprintf("%d texts stay", n)
}
