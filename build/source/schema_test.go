package source

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/rendition"
)

// compiled returns the schemas, compiled with a validator that also checks formats.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all := map[string]*jsonschema.Schema{}
	for name, data := range Schemas() {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s is no JSON: %v", name, err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("https://souk.example/"+name, document); err != nil {
			t.Fatal(err)
		}
		if all[name], err = c.Compile("https://souk.example/" + name); err != nil {
			t.Fatalf("%s is no schema: %v", name, err)
		}
	}
	return all
}

// plain returns a YAML node as JSON would represent it: dates are text.
func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	n = resolve(n)
	switch n.Kind {
	case yaml.DocumentNode:
		return plain(t, n.Content[0])
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, child := range n.Content {
			list = append(list, plain(t, child))
		}
		return list
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		if number, ok := jsonNumber(n); ok {
			return json.Number(number)
		}
	}
	return n.Value
}

// fieldsIn returns the fields of a content file as plain values.
func fieldsIn(t *testing.T, file string, data []byte) any {
	t.Helper()
	d := &decoder{file: file}
	front, _, ok := d.split(data)
	if !ok {
		t.Fatalf("%s: %v", file, d.problems)
	}
	var n yaml.Node
	if err := yaml.Load([]byte(front), &n); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return plain(t, &n)
}

// kindAt returns the name of the schema for a file, or "" if it is not content.
func kindAt(file string) string {
	what, ref, _ := place(file)
	if what == synonymsFile {
		return "synonyms"
	}
	if what != itemFile && what != marketplace {
		return ""
	}
	at := slices.IndexFunc(fileKinds, func(k fileKind) bool { return k.kind == ref.Kind })
	if at < 0 {
		return "" // a file that is published unchanged
	}
	return fileKinds[at].name
}

// checkFolder validates all content files of a folder and counts them.
func checkFolder(t *testing.T, root string) int {
	t.Helper()
	schemas, checked := compiled(t), 0
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || kindAt(file) == "" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return err
		}
		checked++
		if err := schemas[kindAt(file)].Validate(fieldsIn(t, file, data)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

func TestSampleContentFitsItsSchemas(t *testing.T) {
	const root = "../../content"
	if _, err := os.Stat(filepath.Join(root, "marketplace.yaml")); err != nil {
		t.Skip("there is no sample content: ", err)
	}
	if n := checkFolder(t, root); n == 0 {
		t.Skip("the sample content has no files")
	}
}

func TestSchemasAreTheSameEveryTime(t *testing.T) {
	first, again := Schemas(), Schemas()
	if len(first) != len(fileKinds) {
		t.Errorf("%d schemas for %d kinds", len(first), len(fileKinds))
	}
	for name := range first {
		if !bytes.Equal(first[name], again[name]) {
			t.Errorf("%s differs", name)
		}
		if !bytes.HasSuffix(first[name], []byte("\n}\n")) || bytes.Contains(first[name], []byte(`\u003`)) {
			t.Errorf("%s is not written for people", name)
		}
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	var look func(path string, s *schema)
	look = func(path string, s *schema) {
		if s == nil {
			return
		}
		for _, p := range s.Properties {
			if p.is.Description == "" {
				t.Errorf("%s.%s has no description", path, p.name)
			}
			look(path+"."+p.name, p.is)
		}
		look(path, s.Items)
		for _, one := range s.AnyOf {
			look(path, one)
		}
	}
	for _, k := range fileKinds {
		look(k.name, schemaOf(k.of))
	}
}

// The minimal content of a file of each kind.
const (
	leastSeller  = "officialDomain: acme.example\nversions: [{version: 1, name: Acme}]\n"
	leastProduct = "name: Arm\ncategories: [robots]\n"
	leastArticle = "title: T\n"
	leastMap     = "title: T\nsegments: [{name: S, entries: []}]\n"
)

var forms = []struct {
	kind, text string
	right      bool
}{
	{"seller", leastSeller, true},
	{"seller", leastSeller + "summary: is of a version\n", false},
	{"seller", leastSeller + "selectedVersion: '1'\n", true},
	{"seller", leastSeller + "selectedVersion:\nstatus:\nproof:\n", true},
	{"seller", leastSeller + "status: hidden\n", false},
	{"seller", leastSeller + "id: ''\n", false},
	{"seller", leastSeller + "id: 7\n", false},
	{"seller", leastSeller + "categories: [product/robots]\n", true},
	{"seller", leastSeller + "categories: [robots]\n", false},
	{"seller", leastSeller + "keywords: ['']\n", false},
	{"seller", leastSeller + "keywords: cobot\n", false},
	{"seller", leastSeller + "formerDomains: [bücher.example]\n", true},
	{"seller", leastSeller + "formerDomains: ['https://acme.example']\n", false},
	{"seller", leastSeller + "proof: [{kind: award, title: A}]\n", false},
	{"seller", leastSeller + "proof: [{kind: award, title: A, public: false, evidence: [1, {a: b}]}]\n", true},
	{"seller", leastSeller + "proof: [{kind: prize, title: A, public: true}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: []\n", false},
	{"seller", "officialDomain: localhost\nversions: [{version: 1, name: Acme}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: ' '}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: A, headquarters: {country: de}}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: A, website: acme.example}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: A, employees: 12, founded: 1999, languages: [de, pt-BR]}]\n", true},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: A, founded: '1999'}]\n", false},
	{"seller", "officialDomain: acme.example\nversions: [{version: 1, name: A, languages: [de_DE]}]\n", false},
	{"product", leastProduct, true},
	{"product", leastProduct + "delivery: remote\n", false},
	{"product", leastProduct + "price: {amount: '12.50', currency: EUR}\n", true},
	{"product", leastProduct + "price: {amount: 12.50, currency: EUR}\n", true},
	{"product", leastProduct + "price: {amount: -5, currency: EUR}\n", false},
	{"product", leastProduct + "price: {amount: '12,50', currency: EUR}\n", false},
	{"product", leastProduct + "price: {amount: '12', currency: eur}\n", false},
	{"product", leastProduct + "price: {amount: '12'}\n", false},
	{"product", leastProduct + "attributes: {a: 1, b: two, c: true, d: {value: 4, unit: kg}}\n", true},
	{"product", leastProduct + "attributes: {a: [1]}\n", false},
	{"product", leastProduct + "attributes: {a: {unit: kg}}\n", false},
	{"product", leastProduct + "attributes: {a: {value: 1, units: kg}}\n", false},
	{"product", leastProduct + "media: [{file: media/a.svg, alt: An arm}]\n", true},
	{"product", leastProduct + "media: [{file: media/a.svg}]\n", false},
	{"product", leastProduct + "media: [{alt: An arm}]\n", false},
	{"product", leastProduct + "media: [{file: media/a.svg, url: 'https://a.example/a.png', alt: An arm}]\n", false},
	{"product", leastProduct + "media: [{file: 'https://a.example/a.png', alt: An arm}]\n", false},
	{"product", leastProduct + "related: [seller:acme, category:service/x, marketMap:m, article:a, service:acme/s]\n", true},
	{"product", leastProduct + "related: [acme]\n", false},
	{"product", leastProduct + "related: [category:x]\n", false},
	{"product", "name: Arm\ncategories: [product/robots]\n", false},
	{"product", "name: Arm\n", false},
	{"service", leastProduct + "delivery: hybrid\nregions: [Benelux]\n", true},
	{"service", leastProduct + "sku: A\n", false},
	{"category", "name: Robots\norder: 3\nparent: automation\n", true},
	{"category", "name: Robots\norder: first\n", false},
	{"category", "name: Robots\npins: [product:acme/arm-7]\n", true},
	{"category", "name: Robots\npins: [seller:acme]\n", false},
	{"category", "name: Robots\npins: product:acme/arm-7\n", false},
	{"product", leastProduct + "attributes: {'Reach: max': 1}\n", false},
	{"synonyms", "null\n", true},
	{"synonyms", "[]\n", true},
	{"synonyms", "- [robot arm, manipulator]\n- {from: cobot, to: robot}\n- {from: [a, b], to: [c, d]}\n", true},
	{"synonyms", "- robot\n", false},
	{"synonyms", "- [robot]\n", false},
	{"synonyms", "- []\n", false},
	{"synonyms", "- [robot, 7]\n", false},
	{"synonyms", "- [robot, '']\n", false},
	{"synonyms", "- {from: cobot}\n", false},
	{"synonyms", "- {from: cobot, to: []}\n", false},
	{"synonyms", "- {from: cobot, to: robot, both: true}\n", false},
	{"synonyms", "robot: cobot\n", false},
	{"article", leastArticle + "publishedAt: 2026-01-31\n", true},
	{"article", leastArticle + "publishedAt: 2026-01-31T09:30:00\n", true},
	{"article", leastArticle + "publishedAt: 2026-01-31T09:30:00.5+02:00\n", true},
	{"article", leastArticle + "publishedAt: 2026-01-32\n", false},
	{"article", leastArticle + "publishedAt: 31.1.2026\n", false},
	{"article", leastArticle + "publishedAt: 2026\n", false},
	{"article", leastArticle + "private: [1, two]\neditorial: note\n", true},
	{"market-map", leastMap, true},
	{"market-map", "title: T\nsegments: [{name: S, entries: [seller:acme, {ref: product:acme/a, note: N}]}]\n", true},
	{"market-map", "title: T\nsegments: [{name: S, entries: [article:a]}]\n", false},
	{"market-map", "title: T\nsegments: [{name: S, entries: [{ref: article:a}]}]\n", false},
	{"market-map", "title: T\nsegments: [{name: S, entries: [{note: N}]}]\n", false},
	{"market-map", "title: T\nsegments: [{name: S}]\n", false},
	{"market-map", "title: T\nsegments: []\n", false},
}

// If the form of a file alone decides whether it is valid, editors should agree with the
// check.
func TestSchemasAndDecoderAgree(t *testing.T) {
	schemas := compiled(t)
	for _, c := range forms {
		kind := kindNamed(c.kind)
		file := synonymsName
		if c.kind != "synonyms" {
			file = kind.path(catalog.Ref{Kind: kind.kind, Root: catalog.KindProduct, Company: "acme", Slug: "x"}) + ".yaml"
		}
		mistakes, _ := read(file, []byte(c.text), rendition.Open("")).Problems.Split()
		if decoded := len(mistakes) == 0; decoded != c.right {
			t.Errorf("%s %q: the decoder says %v", c.kind, c.text, mistakes)
		}
		if err := schemas[c.kind].Validate(fieldsIn(t, file, []byte(c.text))); (err == nil) != c.right {
			t.Errorf("%s %q: the schema says %v", c.kind, c.text, err)
		}
	}
}
