package build_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"souk/build"
	"souk/build/source"
)

// The guide explains the fields with examples; the reference lists them.
const (
	guideFile  = "../docs/content.md"
	fieldsFile = "../docs/reference/content.md"
)

var updateGuide = flag.Bool("update", false, "write the tables of fields")

// guideNow is the time at which the examples of the guide are checked.
var guideNow = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// A sample is a fenced block of the guide: the file that it shows, and the output of souk
// check for it, or "".
type sample struct {
	file, text, says string
	line             int
}

// samples reads the fenced blocks of a guide. The line above a file's fence contains only
// the path; a console block after it contains the output of souk check.
func samples(t *testing.T, guide string) []sample {
	t.Helper()
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	var found []sample
	path := regexp.MustCompile("^`([a-z0-9_./-]+)`$")
	lines := strings.Split(string(data), "\n")
	above := ""
	for i := 0; i < len(lines); i++ {
		kind, fence := strings.CutPrefix(lines[i], "```")
		if !fence {
			if strings.TrimSpace(lines[i]) != "" {
				above = lines[i]
			}
			continue
		}
		end := i + 1 + slices.Index(lines[i+1:], "```")
		text := strings.Join(lines[i+1:end], "\n") + "\n"
		name := path.FindStringSubmatch(above)
		switch {
		case kind == "console" && len(found) > 0:
			found[len(found)-1].says += text
		case name != nil:
			found = append(found, sample{file: name[1], text: text, line: i + 1})
		case kind == "yaml" || kind == "markdown":
			t.Errorf("%s:%d: no line above the block names its file", guide, i+1)
		}
		above, i = "", end
	}
	return found
}

// layOut writes files into a new content folder.
func layOut(t *testing.T, files map[string]string) build.Config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, "content", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return build.Config{
		Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "state"),
		At: guideNow, Clock: func() time.Time { return guideNow }, Program: "test", Pages: true, Snapshot: true,
	}
}

// whole returns the marketplace of the guide: the first correct block of each file. Tests
// replace these by the file's other blocks, one at a time.
func whole(list []sample) map[string]string {
	files := map[string]string{}
	for _, s := range list {
		if _, stands := files[s.file]; !stands && s.says == "" {
			files[s.file] = s.text
		}
	}
	return files
}

// instead replaces the block's file, whatever its extension.
func instead(files map[string]string, s sample) map[string]string {
	files = maps.Clone(files)
	stem := strings.TrimSuffix(s.file, filepath.Ext(s.file))
	if ext := filepath.Ext(s.file); ext == ".yaml" || ext == ".md" {
		delete(files, stem+".yaml")
		delete(files, stem+".md")
	}
	files[s.file] = s.text
	return files
}

func TestExamplesInTheGuidesMatchTheOutputOfCheck(t *testing.T) {
	list := samples(t, guideFile)
	if len(list) < 15 {
		t.Fatalf("the guide has %d examples", len(list))
	}
	files := whole(list)
	for _, guide := range []string{guideFile, "../docs/theme.md"} {
		for _, s := range samples(t, guide) {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(guide), s.line), func(t *testing.T) {
				_, problems, err := build.Check(t.Context(), layOut(t, instead(files, s)), nil)
				if err != nil {
					t.Fatal(err)
				}
				var got strings.Builder
				mistakes, warnings := problems.Split()
				for _, p := range mistakes {
					fmt.Fprintln(&got, p)
				}
				for _, p := range warnings {
					p.Text = "warning: " + p.Text
					fmt.Fprintln(&got, p)
				}
				if got.String() != s.says {
					t.Errorf("%s: souk check says\n%sthe guide says\n%s", s.file, got.String(), s.says)
				}
			})
		}
	}
}

func TestExamplesInTheContentGuideShowNothingPrivate(t *testing.T) {
	config := layOut(t, whole(samples(t, guideFile)))
	b, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	// Every private value in the examples contains this word.
	inside := 0
	for _, text := range readTree(t, config.Content) {
		inside += bytes.Count(text, []byte("Insiders"))
	}
	if inside < 5 {
		t.Errorf("the examples hold %d private values", inside)
	}
	for name, text := range readTree(t, config.Public) {
		if bytes.Contains(text, []byte("Insiders")) {
			t.Errorf("%s shows what is private", name)
		}
	}
}

// A guideSchema is the part of a schema that the guide's tables and tests use.
type guideSchema struct {
	Description string
	Enum        []any
	Required    []string
	Properties  json.RawMessage
	Items       *guideSchema
	AnyOf       []*guideSchema
	Additional  json.RawMessage `json:"additionalProperties"`
}

// properties returns the fields of a mapping in order.
func (s *guideSchema) properties(t *testing.T) (names []string, of map[string]*guideSchema) {
	t.Helper()
	of = map[string]*guideSchema{}
	if s == nil || len(s.Properties) == 0 {
		return nil, of
	}
	if err := json.Unmarshal(s.Properties, &of); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		name, isName := key.(string)
		if !isName {
			continue // the opening brace
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names, of
}

// inner returns the mapping that a field contains, or the items of its list.
func (s *guideSchema) inner() *guideSchema {
	for ; s.Items != nil; s = s.Items {
	}
	for _, one := range s.AnyOf {
		if len(one.Properties) > 0 {
			return one
		}
	}
	return s
}

func guideSchemas(t *testing.T) map[string]*guideSchema {
	t.Helper()
	all := map[string]*guideSchema{}
	for kind, data := range source.Schemas() {
		all[kind] = &guideSchema{}
		if err := json.Unmarshal(data, all[kind]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// sharedFields are the fields of every file.
var sharedFields = []string{"status", "publishedAt", "updatedAt", "expiresAt", "aliases", "private"}

// fieldTable returns the table for a mark: a kind, the path of a field within it and, after
// "without", the kind whose fields are omitted.
func fieldTable(t *testing.T, all map[string]*guideSchema, mark string) string {
	t.Helper()
	where, other, _ := strings.Cut(mark, " without ")
	path := strings.Split(where, ".")
	left := slices.Clone(sharedFields)
	if other != "" {
		names, _ := all[other].properties(t)
		left = append(left, names...)
	}
	s := all[path[0]]
	if path[0] == "every" {
		s, left = all["article"], nil
		names, _ := s.properties(t)
		for _, name := range names {
			if !slices.Contains(sharedFields, name) {
				left = append(left, name)
			}
		}
	}
	for _, name := range path[1:] {
		_, of := s.properties(t)
		if s = of[name]; s == nil {
			t.Fatalf("%s: there is no field %q", mark, name)
		}
		s = s.inner()
	}
	var b strings.Builder
	b.WriteString("\n| field | what it is |\n|---|---|\n")
	names, of := s.properties(t)
	for _, name := range names {
		if slices.Contains(left, name) && len(path) == 1 {
			continue
		}
		said := of[name].Description
		if words := of[name].Enum; len(words) > 0 {
			var quoted []string
			for _, w := range words {
				if text, ok := w.(string); ok {
					quoted = append(quoted, "`"+text+"`")
				}
			}
			said += " One of " + strings.Join(quoted, ", ") + "."
		}
		if slices.Contains(s.Required, name) {
			name, said = "**"+"`"+name+"`"+"**", strings.TrimSuffix(said, " Required.")
		} else {
			name = "`" + name + "`"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, strings.ReplaceAll(said, "|", `\|`))
	}
	return b.String() + "\n"
}

var fieldMark = regexp.MustCompile(`(?s)<!-- fields ([^>]+) -->\n.*?<!-- /fields -->`)

func TestContentReferenceHasTheFieldsOfTheSchemas(t *testing.T) {
	all := guideSchemas(t)
	data, err := os.ReadFile(fieldsFile)
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	want := fieldMark.ReplaceAllStringFunc(string(data), func(section string) string {
		mark := fieldMark.FindStringSubmatch(section)[1]
		has[strings.Fields(strings.ReplaceAll(mark, ".", " "))[0]] = true
		return "<!-- fields " + mark + " -->\n" + fieldTable(t, all, mark) + "<!-- /fields -->"
	})
	for kind, schema := range all {
		if names, _ := schema.properties(t); len(names) > 0 && !has[kind] {
			t.Errorf("the reference has no table of the fields of a %s", kind)
		}
	}
	if want == string(data) {
		return
	}
	if !*updateGuide {
		t.Fatalf("%s does not match the schemas; run: make generate", fieldsFile)
	}
	if err := os.WriteFile(fieldsFile, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// kindOf returns the kind of content file at a path.
func kindOf(file string) string {
	parts := strings.Split(file, "/")
	switch {
	case parts[0] == "marketplace.yaml":
		return "marketplace"
	case parts[0] == "categories":
		return "category"
	case parts[0] == "articles":
		return "article"
	case parts[0] == "market-maps":
		return "market-map"
	case parts[0] == "site" && strings.HasSuffix(file, ".md"):
		return "page"
	case len(parts) == 3 && strings.HasPrefix(parts[2], "seller."):
		return "seller"
	case len(parts) == 4 && parts[2] == "products":
		return "product"
	case len(parts) == 4 && parts[2] == "services":
		return "service"
	}
	return ""
}

func TestContentGuideShowsEveryFieldInAnExample(t *testing.T) {
	used := map[string]bool{}
	for file, text := range whole(samples(t, guideFile)) {
		kind := kindOf(file)
		if kind == "" || strings.Contains(file, "/media/") {
			continue
		}
		if rest, fenced := strings.CutPrefix(text, "---\n"); fenced {
			text, _, _ = strings.Cut(rest, "\n---\n")
		}
		var value map[string]any
		if err := yaml.Load([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		note(used, kind, value)
	}
	for kind, s := range guideSchemas(t) {
		wantFields(t, used, kind, s)
	}
}

// note records the fields of a mapping by its parent: fields that several kinds share, like
// those of a price, need only one example.
func note(used map[string]bool, holder string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			used[holder+"."+name] = true
			note(used, name, inner)
		}
	case []any:
		for _, inner := range v {
			note(used, holder, inner)
		}
	}
}

func wantFields(t *testing.T, used map[string]bool, holder string, s *guideSchema) {
	t.Helper()
	names, of := s.properties(t)
	for _, name := range names {
		if slices.Contains(sharedFields, name) {
			holder := []string{"product", "article", "seller", "service", "category", "market-map", "marketplace"}
			if !slices.ContainsFunc(holder, func(h string) bool { return used[h+"."+name] }) {
				t.Errorf("no example has the field %q", name)
			}
			continue
		}
		if !used[holder+"."+name] {
			t.Errorf("no example has the field %q of %s", name, holder)
		}
		wantFields(t, used, name, of[name].inner())
	}
}
