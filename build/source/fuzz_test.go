package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
)

// sample calls yield for each content file of the sample marketplace.
func sample(f *testing.F, yield func(file string, data []byte)) {
	root := filepath.Join("..", "..", "content")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		yield(filepath.ToSlash(file), data)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// FuzzFrontMatter reads any bytes as each kind of content file. It only fails with problems
// whose positions are inside the file, and items that are read fit into a catalog.
func FuzzFrontMatter(f *testing.F) {
	places := []string{
		"sellers/acme/seller.yaml", "sellers/acme/products/arm.md", "sellers/acme/services/help.md",
		"categories/product/robots.yaml", "articles/news.md", "market-maps/map.yaml", "marketplace.yaml",
		"sellers/acme/seller.md", "sellers/acme/products/arm.yaml", "synonyms.yaml",
	}
	kinds := map[string]int{}
	for i, file := range places {
		what, ref, _ := place(file)
		kinds[string(rune(what))+ref.Kind.String()+filepath.Ext(file)] = i
	}
	sample(f, func(file string, data []byte) {
		what, ref, _ := place(file)
		if i, known := kinds[string(rune(what))+ref.Kind.String()+filepath.Ext(file)]; known {
			f.Add(i, data)
		}
	})
	for i := range places {
		f.Add(i, []byte("- [robot arm, manipulator]\n- {from: &b cobot, to: [robot, *b]}\n"))
		f.Add(i, []byte("---\ntitle: &a [*a]\r\n---\r\n\r\n[a](seller:acme) ![](media/a%20b.svg) <b>\n"))
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		file := places[uint(i)%uint(len(places))]
		r := read(file, data, rendition.Open(""))
		checkPlaces(t, r.Problems, data)
		for _, s := range r.Synonyms {
			if len(s.From) == 0 || len(s.To) == 0 {
				t.Fatalf("synonyms have no words: %+v", s)
			}
		}
		if mistakes, _ := r.Problems.Split(); r.Item == nil && r.Market == nil && file != synonymsName && len(mistakes) == 0 {
			t.Fatal("nothing was read, and nothing is said to be wrong")
		}
		c := catalog.New()
		ch := catalog.Change{Marketplace: r.Market, Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
		if r.Item != nil {
			ch.Put = []catalog.Item{r.Item}
		}
		c.Apply(ch)
		checkPlaces(t, slices.Concat(c.Problems(), c.Warnings()), data)
	})
}

// checkPlaces fails if a problem has a position that is not in the file. The end of a line
// and the line after the last one are valid positions.
func checkPlaces(t *testing.T, problems problem.List, data []byte) {
	t.Helper()
	// YAML ends lines where editors may not.
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(string(data))
	odd := text != strings.ReplaceAll(string(data), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	for _, p := range problems {
		switch {
		case strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text) && utf8.Valid(data):
			t.Errorf("a problem says %q", p.Text)
		case p.Line < 0 || p.Line > len(lines)+1 || p.Column < 0:
			t.Errorf("%v: there are only %d lines", p, len(lines))
		case p.Line > 0 && p.Line <= len(lines) && !odd && p.Column > utf8.RuneCountInString(lines[p.Line-1])+1:
			t.Errorf("%v: the line is only %q", p, lines[p.Line-1])
		}
	}
}

// FuzzReferences reads any text as a Reference. A valid Reference is formatted as it was
// read and names the same item.
func FuzzReferences(f *testing.F) {
	sample(f, func(file string, _ []byte) {
		if what, ref, _ := place(file); what == itemFile {
			f.Add(ref.String())
		}
	})
	for _, text := range []string{"", ":", "seller:", "product:acme", "category:robots", "category:product/", "seller:Acme", "article:a--b", "marketMap:pages"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := catalog.ParseRef(text)
		if err != nil {
			if ref != (catalog.Ref{}) || !strings.Contains(err.Error(), "is not a Reference") {
				t.Fatalf("%q: %v, %v", text, ref, err)
			}
			return
		}
		if ref.String() != text {
			t.Fatalf("%q is written %q", text, ref.String())
		}
		if again, err := catalog.ParseRef(ref.String()); again != ref || err != nil {
			t.Fatalf("%q is read again as %v, %v", text, again, err)
		}
		if !catalog.IsRefLike(text) || ref.Path() == "" {
			t.Fatalf("%q is a Reference but does not look like one", text)
		}
	})
}
