package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/release"
)

// A toucher counts the files that edits of a marketplace write.
type toucher struct {
	content, public string
	builder         *build.Builder
	removed         []catalog.Removal
	// changed files of each edit, by what they are.
	counts []map[string]int
	// files that were edited, with what they held; nil for new ones.
	before map[string][]byte
}

// touchedEdits is how many edits of each kind are made.
const touchedEdits = 30

// touched tells how many files edits of a content folder write: the removal of a
// seller with ten offers, a product that moves from the end of its lists to the
// front, and a new product in the longest list. The folder is left as it was.
func touched(ctx context.Context, content, work string) (err error) {
	t := &toucher{content: content, public: filepath.Join(work, "public"), before: map[string][]byte{}}
	t.builder, err = build.New(build.Config{
		Content: content, Public: t.public, State: filepath.Join(work, "var"),
		Clock: time.Now, Precompress: release.NoPrecompress, Program: "bench", LongLived: true,
	})
	if err != nil {
		return err
	}
	if _, err := t.builder.Build(ctx, nil); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.restore()) }()
	for _, kind := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"a product moves from the end of its lists to the front", t.moves},
		{"a new product in the longest list", t.additions},
		{"a seller with ten offers is removed", t.removals},
	} {
		t.counts = nil
		if err := kind.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		t.tell(os.Stdout, kind.name)
	}
	return nil
}

// longest returns the typed category with the most listings.
func (t *toucher) longest() *catalog.Node {
	var longest *catalog.Node
	for _, n := range t.builder.Catalog().Nodes() {
		if n.Ref().Kind == catalog.KindCategory && (longest == nil || len(n.List(catalog.Listings)) > len(longest.List(catalog.Listings))) {
			longest = n
		}
	}
	return longest
}

func (t *toucher) moves(ctx context.Context) error {
	for range touchedEdits {
		list := t.longest().List(catalog.Listings)
		head := list[len(list)-1].Head()
		data, err := os.ReadFile(filepath.Join(t.content, filepath.FromSlash(head.File)))
		if err != nil {
			return err
		}
		front := regexp.MustCompile(`(?m)^name: .*$`).ReplaceAll(data, []byte("name: 0 0 "+head.Ref.Slug))
		if err := t.build(ctx, head.File, front); err != nil {
			return err
		}
	}
	return nil
}

func (t *toucher) additions(ctx context.Context) error {
	category := t.longest()
	list := category.List(catalog.Listings)
	for i := range touchedEdits {
		beside := list[(2*i+1)*len(list)/(2*touchedEdits)]
		file := fmt.Sprintf("sellers/%s/products/touched-%d.yaml", beside.Ref().Company, i)
		body := fmt.Sprintf("name: %q\ncategories: [%s]\n", beside.Head().Name+" too", category.Ref().Slug)
		if err := t.build(ctx, file, []byte(body)); err != nil {
			return err
		}
	}
	return nil
}

func (t *toucher) removals(ctx context.Context) error {
	var sellers []*catalog.Seller
	for _, n := range t.builder.Catalog().Nodes() {
		if s, ok := n.Item().(*catalog.Seller); ok && n.Current() && len(n.List(catalog.Products))+len(n.List(catalog.Services)) == 10 {
			sellers = append(sellers, s)
		}
	}
	if len(sellers) < touchedEdits {
		return fmt.Errorf("only %d sellers have ten offers", len(sellers))
	}
	for i := range touchedEdits {
		s := sellers[i*len(sellers)/touchedEdits]
		t.removed = append(t.removed, catalog.Removal{ID: s.ID, Domain: s.OfficialDomain})
		if err := t.build(ctx, "", nil); err != nil {
			return err
		}
	}
	return nil
}

// build writes a file of the content, if any, and counts what a build of it
// writes.
func (t *toucher) build(ctx context.Context, file string, body []byte) error {
	path := "marketplace.yaml"
	if file != "" {
		path = file
		whole := filepath.Join(t.content, filepath.FromSlash(file))
		was, err := os.ReadFile(whole)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		t.before[whole] = was
		if err := os.MkdirAll(filepath.Dir(whole), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(whole, body, 0o644); err != nil {
			return err
		}
	}
	report, err := t.builder.Build(ctx, catalog.NewRemovals(t.removed), path)
	if err != nil {
		return err
	}
	if len(report.HeldBack) > 0 {
		return fmt.Errorf("the edit is a mistake: %v", report.HeldBack)
	}
	counts := map[string]int{}
	for _, file := range report.Changed {
		if _, err := os.Lstat(filepath.Join(t.public, filepath.FromSlash(file))); err != nil {
			counts["deleted"]++
			continue
		}
		if filepath.Ext(file) == ".json" {
			counts[" JSON in all"]++
		}
		counts[sortOf(file)]++
	}
	t.counts = append(t.counts, counts)
	return nil
}

// restore leaves the content as it was.
func (t *toucher) restore() (err error) {
	for file, was := range t.before {
		if was == nil {
			err = errors.Join(err, os.Remove(file))
		} else {
			err = errors.Join(err, os.WriteFile(file, was, 0o644))
		}
	}
	return err
}

// sortOf tells what a file of the public folder is.
func sortOf(file string) string {
	path, api := strings.CutPrefix(file, "api/v1/marketplace/")
	parts := strings.Split(path, "/")
	switch {
	case !api:
		return parts[0]
	case strings.Contains(file, ".gone."):
		return "stubs"
	case strings.Contains(path, "/pages/"):
		return "further pages"
	case parts[0] == "companies" && len(parts) == 2:
		return "sellers"
	case parts[0] == "companies":
		return "offers"
	case parts[0] == "categories" && len(parts) == 2:
		return "category slugs"
	default:
		return parts[0]
	}
}

// tell prints the median and the most of each sort of file.
func (t *toucher) tell(w io.Writer, name string) {
	sorts := map[string]bool{}
	for _, counts := range t.counts {
		for sort := range counts {
			sorts[sort] = true
		}
	}
	fmt.Fprintf(w, "%s, %d times: files written, median and most\n", name, len(t.counts))
	for _, sort := range slices.Sorted(maps.Keys(sorts)) {
		var all []int
		for _, counts := range t.counts {
			all = append(all, counts[sort])
		}
		slices.Sort(all)
		fmt.Fprintf(w, "  %5d %5d  %s\n", all[len(all)/2], all[len(all)-1], strings.TrimSpace(sort))
	}
}
