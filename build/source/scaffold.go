package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/templates"
)

// Init writes a small marketplace, ready to build, into a content folder that is missing or
// empty. If home is set, it also writes there the files that belong around the content;
// existing files stay. If it fails, it deletes what it wrote.
func Init(content, home string) (written, kept []string, err error) {
	content = filepath.Clean(content)
	entries, err := os.ReadDir(content)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("create a marketplace: %w", err)
	}
	if len(entries) > 0 {
		return nil, nil, occupied(content)
	}
	defer func() {
		if err != nil {
			undo(written, content)
			written = nil
		}
	}()
	err = fs.WalkDir(templates.Init, "init", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := templates.Init.ReadFile(name)
		if err != nil {
			return err
		}
		file := initPath(name, content, home)
		if file == "" {
			return nil
		}
		err = createFile(file, data)
		switch {
		case err == nil:
			written = append(written, file)
		case errors.Is(err, fs.ErrExist) && path.Dir(name) == "init":
			kept, err = append(kept, file), nil
		}
		return err
	})
	if err != nil {
		return written, nil, fmt.Errorf("create a marketplace: %w", err)
	}
	schemas, err := WriteSchemas(filepath.Join(content, SchemaDir))
	return append(written, schemas...), kept, err
}

// What Init writes as the addresses of the market.
const (
	initSiteURL      = "https://market.example"
	initContactEmail = "hello@market.example"
	// initMark is in every marketplace.yaml that a command wrote. Without it, someone may
	// have chosen these addresses, for a test.
	initMark = "# yaml-language-server: $schema=" + SchemaDir + "/marketplace.schema.json"
)

// Placeholders returns what Init wrote and nobody has changed: the addresses, given as they
// are now, and files of the content.
func Placeholders(content, siteURL, contactEmail string) (list []string) {
	if text, err := os.ReadFile(filepath.Join(content, "marketplace.yaml")); err == nil && bytes.Contains(text, []byte(initMark)) {
		if siteURL == initSiteURL {
			list = append(list, "siteUrl "+siteURL)
		}
		if contactEmail == initContactEmail {
			list = append(list, "contactEmail "+contactEmail)
		}
	}
	_ = fs.WalkDir(templates.Init, "init/content", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Dir(name) == "init/content" {
			return err
		}
		ours, err := templates.Init.ReadFile(name)
		if err != nil {
			return err
		}
		file := strings.TrimPrefix(name, "init/content/")
		if text, err := os.ReadFile(filepath.Join(content, filepath.FromSlash(file))); err == nil && bytes.Equal(text, ours) {
			list = append(list, file)
		}
		return nil
	})
	return list
}

// initPath returns the target path of an embedded file, or "" to skip it.
func initPath(name, content, home string) string {
	rel := strings.TrimPrefix(name, "init/")
	if below, ok := strings.CutPrefix(rel, "content/"); ok {
		return filepath.Join(content, filepath.FromSlash(below))
	}
	switch {
	case home == "":
		return ""
	case rel == "gitignore":
		// With its dot it would apply to the folder of the templates.
		return filepath.Join(home, ".gitignore")
	default:
		return filepath.Join(home, rel)
	}
}

// occupied returns the error for a content folder that is not empty.
func occupied(content string) error {
	for _, name := range marketFiles {
		if _, err := os.Lstat(filepath.Join(content, name)); err == nil {
			return fmt.Errorf("%s already exists and is not empty; nothing was changed", content)
		}
	}
	return fmt.Errorf("%s already exists and is not empty; nothing was changed (write %s with a name and siteUrl, or use another folder)",
		content, filepath.Join(content, "marketplace.yaml"))
}

// undo deletes what Init wrote. The content folder was missing or empty, so everything in it
// is Init's, including a file cut short by a full disk.
func undo(written []string, content string) {
	for _, file := range written {
		os.Remove(file)
	}
	entries, err := os.ReadDir(content)
	if err != nil {
		return
	}
	for _, e := range entries {
		os.RemoveAll(filepath.Join(content, e.Name()))
	}
}

// createFile writes a file that must not exist yet, and creates its folders.
func createFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(file)
	}
	return err
}

// newExamples are the kinds that 'souk new' makes, each with an example of its path.
var newExamples = []struct{ kind, place string }{
	{"seller", "lumen"}, {"product", "lumen/beacon"}, {"service", "lumen/repair"},
	{"category", "product/lamps"}, {"article", "my-title"}, {"market-map", "lamps"}, {"page", "imprint"},
}

// NewKinds returns the names of the kinds that Scaffold makes.
func NewKinds() []string {
	var names []string
	for _, e := range newExamples {
		names = append(names, e.kind)
	}
	return append(names, NewTexts)
}

// ParseNew parses the kind and the path of a new item from the command line, such as product
// and lumen/beacon.
func ParseNew(kind, place string) (catalog.Ref, error) {
	at := slices.Index(NewKinds(), kind)
	if at < 0 || kind == NewTexts {
		return catalog.Ref{}, meant(problem.Nearest(kind, NewKinds()),
			fmt.Sprintf("there is no kind %q: the kinds are %s", kind, strings.Join(NewKinds(), ", ")))
	}
	example := newExamples[at].place
	ref := catalog.Ref{Kind: kindNamed(kind).kind, Slug: place}
	slugs := []string{place}
	if first, rest, found := strings.Cut(example, "/"); found {
		above, slug, parted := strings.Cut(place, "/")
		if !parted {
			return catalog.Ref{}, fmt.Errorf("%q is not the path of a %s: write it as in %s/%s", place, kind, first, rest)
		}
		ref.Slug, slugs = slug, []string{slug}
		if ref.Kind != catalog.KindCategory {
			ref.Company, slugs = above, []string{above, slug}
		} else if ref.Root, _ = catalog.ParseKind(above); !slices.Contains(catalog.Roots[:], ref.Root) {
			return catalog.Ref{}, meant(problem.Nearest(above, []string{"product", "service"}),
				fmt.Sprintf("%q is not a root of categories: use product or service", above))
		}
	}
	if ref.Kind == catalog.KindPage {
		slugs = strings.Split(place, "/")
	}
	for _, slug := range slugs {
		if err := catalog.CheckSlug(slug); err != nil {
			return catalog.Ref{}, meant(rightSlug(slug), err.Error())
		}
	}
	if ref.Kind == catalog.KindPage {
		return ref, checkPage(ref)
	}
	return ref, nil
}

func meant(proposal, text string) error {
	if proposal != "" {
		text += " (" + proposal + ")"
	}
	return errors.New(text)
}

func kindNamed(name string) fileKind {
	return fileKinds[slices.IndexFunc(fileKinds, func(k fileKind) bool { return k.name == name })]
}

// path returns the path of an item relative to the content folder, without an
// extension.
func (k fileKind) path(ref catalog.Ref) string {
	return strings.NewReplacer("{companySlug}", cmp.Or(ref.Company, ref.Slug),
		"{product|service}", ref.Root.String(), "{slug}", ref.Slug).Replace(k.file)
}

// Scaffolded describes what Scaffold wrote.
type Scaffolded struct {
	// Path is the new file.
	Path string
	// Schemas are the schema files that were missing and have been written.
	Schemas []string
	// Hints say what else the new file needs.
	Hints []string
}

// Scaffold writes a draft of a new item to its path in a content folder, with all its fields
// explained. It never touches an existing file.
func Scaffold(content string, ref catalog.Ref, markdown bool) (*Scaffolded, error) {
	at := slices.IndexFunc(fileKinds, func(k fileKind) bool { return k.kind == ref.Kind })
	kind := fileKinds[at]
	name := kind.path(ref)
	ext := ".yaml"
	if markdown || ref.Kind == catalog.KindArticle || ref.Kind == catalog.KindPage {
		ext = ".md"
	}
	for _, twin := range []string{".yaml", ".md"} {
		file := filepath.Join(content, filepath.FromSlash(name)+twin)
		if _, err := os.Lstat(file); err == nil {
			return nil, fmt.Errorf("%s already exists and was left as it is", file)
		}
	}
	around, hints := lookAround(content, ref)
	made := &Scaffolded{Path: filepath.Join(content, filepath.FromSlash(name)+ext), Hints: hints}
	if err := createFile(made.Path, draft(kind, ref, around, ext == ".md")); err != nil {
		return nil, fmt.Errorf("write the new file: %w", err)
	}
	dir := filepath.Join(content, SchemaDir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return made, nil
	}
	var err error
	made.Schemas, err = WriteSchemas(dir)
	return made, err
}

// neighbours are the items in a content folder that a draft can refer to.
type neighbours struct {
	// category has a category's root and slug; seller may be empty.
	category catalog.Ref
	seller   string
}

// lookAround finds items that a draft can refer to, and returns hints about missing ones.
func lookAround(content string, ref catalog.Ref) (neighbours, []string) {
	var hints []string
	hint := func(format string, args ...any) { hints = append(hints, fmt.Sprintf(format, args...)) }
	suffix := ""
	if content != "content" {
		suffix = " --content " + content
	}
	exists := func(name string) bool {
		return len(slugsIn(filepath.Join(content, filepath.Dir(name)), filepath.Base(name))) > 0
	}
	if !exists("marketplace") {
		hint("there is no marketplace in %s yet: write %s with a name and siteUrl", content, filepath.Join(content, "marketplace.yaml"))
	}
	if ref.Company != "" && !exists("sellers/"+ref.Company+"/seller") {
		hint("the seller is missing: run 'souk new seller %s%s'", ref.Company, suffix)
	}
	n := neighbours{category: catalog.CategoryRef(catalog.KindProduct, "robots")}
	roots := catalog.Roots[:]
	if ref.Kind == catalog.KindService {
		n.category = catalog.CategoryRef(catalog.KindService, "installation")
	}
	if ref.Company != "" {
		roots = []catalog.Kind{ref.Kind}
	}
	found := false
	for _, root := range roots {
		if slugs := slugsIn(filepath.Join(content, "categories", root.String()), ""); len(slugs) > 0 && !found {
			n.category, found = catalog.CategoryRef(root, slugs[0]), true
		}
	}
	if ref.Company != "" && !found {
		hint("its category is missing: run 'souk new category %s/%s%s'", n.category.Root, n.category.Slug, suffix)
	}
	sellers, _ := os.ReadDir(filepath.Join(content, "sellers"))
	for _, e := range sellers {
		if n.seller == "" && catalog.CheckSlug(e.Name()) == nil && exists("sellers/"+e.Name()+"/seller") {
			n.seller = e.Name()
		}
	}
	return n, hints
}

// slugsIn returns the sorted slugs of the content files in a folder, or only the given one.
func slugsIn(dir, only string) []string {
	// An unreadable folder has nothing to propose.
	entries, _ := os.ReadDir(dir)
	var slugs []string
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		slug := strings.TrimSuffix(e.Name(), ext)
		if (ext == ".yaml" || ext == ".md") && catalog.CheckSlug(slug) == nil && (only == "" || only == slug) {
			slugs = append(slugs, slug)
		}
	}
	slices.Sort(slugs)
	return slugs
}
