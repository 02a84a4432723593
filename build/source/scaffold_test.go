package source

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
)

// found returns everything that a build would report about a content folder.
func found(t *testing.T, content string) (mistakes, warnings problem.List) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }
	f := Open(content, filepath.Join(t.TempDir(), "cache"), "test", rendition.Open(""), now)
	if err := f.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := f.All()
	change.Now = now()
	c := catalog.New()
	c.Apply(change)
	return slices.Concat(f.Problems(), c.Problems(), c.Warnings()).Split()
}

func begun(t *testing.T) string {
	t.Helper()
	content := filepath.Join(t.TempDir(), "content")
	if _, _, err := Init(content, ""); err != nil {
		t.Fatal(err)
	}
	return content
}

func scaffold(t *testing.T, content, kind, place string, markdown bool) *Scaffolded {
	t.Helper()
	ref, err := ParseNew(kind, place)
	if err != nil {
		t.Fatal(err)
	}
	made, err := Scaffold(content, ref, markdown)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestANewMarketplaceHasNoMistakes(t *testing.T) {
	home := t.TempDir()
	content := filepath.Join(home, "content")
	written, kept, err := Init(content, home)
	if err != nil || len(kept) > 0 {
		t.Fatal(err, kept)
	}
	for _, file := range append(written, filepath.Join(home, ".gitignore"), filepath.Join(home, "README.md")) {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	mistakes, warnings := found(t, content)
	if len(mistakes)+len(warnings) > 0 {
		t.Errorf("mistakes %v, warnings %v", mistakes, warnings)
	}
	if n := checkFolder(t, content); n != 9 {
		t.Errorf("%d content files fit their schemas", n)
	}
	checkSchemaLines(t, content, written)
}

// checkSchemaLines checks the schema line for editors in each file.
func checkSchemaLines(t *testing.T, content string, files []string) {
	t.Helper()
	for _, file := range files {
		rel, err := filepath.Rel(content, file)
		if err != nil {
			t.Fatal(err)
		}
		kind := kindAt(filepath.ToSlash(rel))
		if kind == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n")
		_, schema, _ := strings.Cut(head, "# yaml-language-server: $schema=")
		if got := filepath.Join(filepath.Dir(file), schema); got != filepath.Join(content, SchemaDir, SchemaFile(kind)) {
			t.Errorf("%s refers to the schema %q", rel, schema)
		}
	}
}

func TestInitKeepsExistingFiles(t *testing.T) {
	home := t.TempDir()
	content := filepath.Join(home, "content")
	mine := filepath.Join(content, "mine.txt")
	if err := createFile(mine, []byte("mine")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Init(content, home); err == nil || !strings.Contains(err.Error(), content) {
		t.Errorf("a folder with content: %v", err)
	}
	if entries, _ := os.ReadDir(home); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(home, "README.md")
	if err := os.WriteFile(readme, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, kept, err := Init(content, home)
	if err != nil || !slices.Equal(kept, []string{readme}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	if data, _ := os.ReadFile(readme); string(data) != "mine" {
		t.Errorf("the README became %q", data)
	}
}

func TestInitUndoesWhatItCannotFinish(t *testing.T) {
	home := t.TempDir()
	content := filepath.Join(home, "content")
	// If the home is a file, there is no place for a README.
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Init(content, file); err == nil {
		t.Fatal("a file was taken for a folder")
	}
	if entries, _ := os.ReadDir(content); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestInitLeavesNoPartialFiles(t *testing.T) {
	const pathMax = 4096 // including the NUL at the end
	content := t.TempDir()
	for len(content) < pathMax-270 {
		content += "/" + strings.Repeat("d", 230)
	}
	// content/articles/welcome.md fits, and an offer of a seller does not.
	content += "/" + strings.Repeat("d", pathMax-len(content)-len("/")-len("/sellers/acme/products/arm.md"))
	if err := os.MkdirAll(content, 0o777); err != nil {
		t.Skip("the system's paths are shorter:", err)
	}
	if written, _, err := Init(content, ""); err == nil {
		t.Skip("the system's paths are longer:", len(written))
	}
	if entries, err := os.ReadDir(content); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

var news = []struct{ kind, place, file string }{
	{"seller", "zeta", "sellers/zeta/seller"},
	{"product", "zeta/arm-9", "sellers/zeta/products/arm-9"},
	{"service", "zeta/repair", "sellers/zeta/services/repair"},
	{"category", "product/grippers", "categories/product/grippers"},
	{"category", "service/123", "categories/service/123"},
	{"article", "2026-01-31", "articles/2026-01-31"},
	{"market-map", "true", "market-maps/true"},
	{"page", "imprint", "site/imprint"},
	{"page", "about/team", "site/about/team"},
}

func TestADraftIsValidOncePublished(t *testing.T) {
	for _, markdown := range []bool{false, true} {
		content := begun(t)
		var files []string
		for _, n := range news {
			made := scaffold(t, content, n.kind, n.place, markdown)
			ext := ".yaml"
			if markdown || n.kind == "article" || n.kind == "page" {
				ext = ".md"
			}
			if want := filepath.Join(content, n.file+ext); made.Path != want || len(made.Schemas)+len(made.Hints) > 0 {
				t.Errorf("%s: %+v, not %s", n.kind, made, want)
			}
			files = append(files, made.Path)
		}
		if mistakes, warnings := found(t, content); len(mistakes)+len(warnings) > 0 {
			t.Errorf("as drafts: mistakes %v, warnings %v", mistakes, warnings)
		}
		checkFolder(t, content)
		checkSchemaLines(t, content, files)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			public := strings.Replace(string(data), "\nstatus: draft\n", "\n", 1)
			if public == string(data) {
				t.Errorf("%s is no draft", file)
			}
			if err := os.WriteFile(file, []byte(public), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if mistakes, _ := found(t, content); len(mistakes) > 0 {
			t.Errorf("published: %v", mistakes)
		}
	}
}

// unused matches commented-out fields, such as "# name: value".
var unused = regexp.MustCompile(`(?m)^( *)# ( *(?:- )?[a-z][A-Za-z]*:(?: .*)?| *- \S.*)$`)

func TestEveryCommentedFieldOfADraftCanBeUsed(t *testing.T) {
	content, schemas := begun(t), compiled(t)
	for _, n := range news {
		made := scaffold(t, content, n.kind, n.place, false)
		data, err := os.ReadFile(made.Path)
		if err != nil {
			t.Fatal(err)
		}
		whole := unused.ReplaceAll(data, []byte("$1$2"))
		file := n.file + filepath.Ext(made.Path)
		if problems := read(file, whole, rendition.Open("")).Problems; len(problems) > 0 {
			t.Errorf("%v\n%s", problems, whole)
		}
		fields := fieldsIn(t, file, whole)
		if err := schemas[n.kind].Validate(fields); err != nil {
			t.Errorf("%s: %v", n.kind, err)
		}
		for _, f := range fieldsOf(kindNamed(n.kind).of) {
			if _, shown := fields.(map[string]any)[f.name]; shown == (n.kind == "page" && f.name == "aliases") {
				t.Errorf("the draft of a %s: %s is shown: %t", n.kind, f.name, shown)
			}
		}
	}
}

func TestADraftNeverReplacesAFile(t *testing.T) {
	content := begun(t)
	for _, n := range []struct{ kind, place, file string }{
		{"seller", "acme", "sellers/acme/seller.yaml"},
		{"product", "acme/arm-7", "sellers/acme/products/arm-7.md"},
	} {
		ref, err := ParseNew(n.kind, n.place)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(content, n.file)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, markdown := range []bool{false, true} {
			if _, err := Scaffold(content, ref, markdown); err == nil || !strings.Contains(err.Error(), file) {
				t.Errorf("%s: %v", n.place, err)
			}
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("%s was changed", file)
		}
	}
}

func TestADraftInAnEmptyFolderSaysWhatIsMissing(t *testing.T) {
	content := filepath.Join(t.TempDir(), "market")
	made := scaffold(t, content, "product", "acme/arm-7", false)
	hints := strings.Join(made.Hints, "\n")
	for _, want := range []string{"marketplace.yaml with a name and siteUrl", "souk new seller acme --content " + content, "souk new category product/robots"} {
		if !strings.Contains(hints, want) {
			t.Errorf("no hint at %q in:\n%s", want, hints)
		}
	}
	if len(made.Schemas) != len(fileKinds) {
		t.Errorf("%d schemas were written", len(made.Schemas))
	}
	made = scaffold(t, content, "market-map", "map", false)
	if len(made.Schemas) > 0 {
		t.Errorf("the schemas were written again: %v", made.Schemas)
	}
	data, err := os.ReadFile(made.Path)
	if err != nil {
		t.Fatal(err)
	}
	if problems := read("market-maps/map.yaml", data, rendition.Open("")).Problems; len(problems) > 0 {
		t.Error(problems)
	}
}

func TestADraftUsesTheFirstExistingCategory(t *testing.T) {
	content := begun(t)
	scaffold(t, content, "category", "product/robot-arms", false)
	made := scaffold(t, content, "product", "acme/arm-9", false)
	data, err := os.ReadFile(made.Path)
	if err != nil {
		t.Fatal(err)
	}
	// "robot-arms" sorts before "robots", although some orders reverse the file names.
	if !strings.Contains(string(data), "\ncategories:\n  - robot-arms\n") {
		t.Errorf("another category was taken:\n%s", data)
	}
}

func TestAnInvalidKindOrSlugIsRejectedWithASuggestion(t *testing.T) {
	for _, c := range []struct{ kind, place, want string }{
		{"seler", "acme", `did you mean "seller"?`},
		{"marketMap", "robots", `did you mean "market-map"?`},
		{"nothing", "x", "the kinds are seller, product"},
		{"seller", "Acme Robotics", `did you mean "acme-robotics"?`},
		{"seller", "Große Firma", `did you mean "grosse-firma"?`},
		{"seller", "", "a slug is missing"},
		{"product", "arm-7", "lumen/beacon"},
		{"product", "/arm-7", "a slug is missing"},
		{"product", "acme/", "a slug is missing"},
		{"product", "acme/media", "reserved"},
		{"category", "robots", "product/lamps"},
		{"category", "produkt/robots", `did you mean "product"?`},
		{"category", "seller/robots", "product or service"},
		{"article", "../../etc/passwd", "not allowed"},
		{"page", "../etc", "not allowed"},
		{"page", "about//team", "a slug is missing"},
		{"page", "companies", "the marketplace itself uses"},
		{"article", strings.Repeat("a", 81), "at most 80"},
	} {
		if _, err := ParseNew(c.kind, c.place); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, not %s", c.kind, c.place, err, c.want)
		}
	}
}

func TestTheLongestSlugMakesAValidDraft(t *testing.T) {
	content := begun(t)
	scaffold(t, content, "seller", strings.Repeat("a", 80), false)
	if mistakes, _ := found(t, content); len(mistakes) > 0 {
		t.Error(mistakes)
	}
}
