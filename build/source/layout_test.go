package source

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/kit/rendition"
)

func TestTheFilesOfAnItemFollowFromItsPath(t *testing.T) {
	for ref, most := range map[catalog.Ref]int{
		catalog.SellerRef("acme"):                                    2,
		catalog.CategoryRef(catalog.KindProduct, "arms"):             2,
		catalog.CategoryRef(catalog.KindService, "advice"):           2,
		{Kind: catalog.KindProduct, Company: "acme", Slug: "arm-7"}:  2,
		{Kind: catalog.KindService, Company: "acme", Slug: "advice"}: 2,
		{Kind: catalog.KindArticle, Slug: "news"}:                    2,
		{Kind: catalog.KindMarketMap, Slug: "robots"}:                2,
		{Kind: catalog.KindPage, Slug: "about/us"}:                   1,
		{Kind: catalog.KindFile, Slug: ".well-known/security.txt"}:   1,
	} {
		paths := pathsOf(ref)
		if len(paths) != most || !slices.IsSorted(paths) {
			t.Errorf("the files of %v are %q", ref, paths)
		}
		for _, path := range paths {
			if what, got, _ := place(path); what != itemFile || got != ref {
				t.Errorf("%s has the role %d and is of %v, not of %v", path, what, got, ref)
			}
		}
	}
}

func TestTheReservedSlugMediaOfASellerIsReported(t *testing.T) {
	for _, file := range []string{"sellers/media/seller.yaml", "sellers/media/seller.md", "sellers/media/products/arm.md", "sellers/media/services/advice.yaml"} {
		what, _, p := place(file)
		if what != stray || p == nil || p.Text != `the slug "media" is reserved: choose another` {
			t.Errorf("of %s is said %v", file, p)
		}
	}
	for _, file := range []string{"sellers/media/logo.svg", "sellers/media/notes.yaml", "sellers/acme/media/seller.yaml", "sellers/acme/products/media/arm.md", "articles/media/plan.md"} {
		if what, _, p := place(file); what != media || p != nil {
			t.Errorf("%s has the role %d, and is said %v", file, what, p)
		}
	}
}

func TestAFolderInTheWrongPlaceIsOneMistake(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"a seller's slug", []string{"sellers/ACME/seller.yaml", "sellers/ACME/products/arm.md", "sellers/ACME/services/advice.yaml"},
			[]string{`sellers/ACME/seller.yaml:1:1: the slug "ACME" is not allowed: use lower-case letters, digits and single hyphens between them; also 2 more files in sellers/ACME (did you mean "acme"?)`}},
		{"a folder at the top", []string{"seller/acme/seller.yaml", "seller/acme/notes.txt", "seller/acme/products/arm.md"},
			[]string{`seller/acme/notes.txt:1:1: the file is not content`, `seller/acme/seller.yaml:1:1: content does not belong here; also 1 more file in seller (did you mean "sellers"?)`}},
		{"products of a seller", []string{"sellers/acme/product/arm.md", "sellers/acme/product/leg.md"},
			[]string{`sellers/acme/product/arm.md:1:1: content does not belong here; also 1 more file in sellers/acme/product (did you mean "products"?)`}},
		{"a root of categories", []string{"categories/products/arms.yaml"},
			[]string{`categories/products/arms.yaml:1:1: content does not belong here (did you mean "product"?)`}},
		{"a folder too deep", []string{"articles/2026/may.md", "articles/2026/june.md"},
			[]string{`articles/2026/june.md:1:1: content does not belong here; also 1 more file in articles/2026 (content belongs in `}},
		{"a folder of site", []string{"site/My Files/a.pdf", "site/My Files/more/b.pdf"},
			[]string{`site/My Files/a.pdf:1:1: the name "My Files" cannot be part of an address: use letters from a to z, digits, hyphens, underscores and dots; also 1 more file in site/My Files`}},
		{"names of files", []string{"articles/A.md", "articles/B.md", "sellers/acme/Seller.yaml"},
			[]string{`articles/A.md:1:1: the slug "A" is not allowed`, `articles/B.md:1:1: the slug "B" is not allowed`, `sellers/acme/Seller.yaml:1:1: content does not belong here (name it seller.yaml)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range append(c.files, "marketplace.yaml") {
				write(t, dir, file, "name: M\nsiteUrl: https://market.example\n")
			}
			list := problemsIn(t, dir)
			if len(list) != len(c.want) {
				t.Fatalf("there are %d problems, not %d: %v", len(list), len(c.want), list)
			}
			for i, p := range list {
				if got := p.String(); !strings.HasPrefix(got, c.want[i]) {
					t.Errorf("it is said\n%s\nnot\n%s", got, c.want[i])
				}
			}
		})
	}
}

func TestANestedContentFolderIsReported(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "market/marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	list := problemsIn(t, dir)
	if p := list[len(list)-1]; p.String() != "marketplace.yaml:1:1: the file is missing (there is one in market/: --content names the folder)" {
		t.Errorf("it is said %v", p)
	}
}

func problemsIn(t *testing.T, dir string) problem.List {
	t.Helper()
	f := Open(dir, filepath.Join(t.TempDir(), "cache"), "test", rendition.Open(""), time.Now)
	if err := f.Scan(context.Background(), Whole); err != nil {
		t.Fatal(err)
	}
	return f.Problems()
}

func TestAValidSlugIsSuggested(t *testing.T) {
	long := strings.Repeat("long-name-", 8)
	for name, want := range map[string]string{
		"My Arm": "my-arm", "Größe": "grosse", "arm-7.yaml": "arm-7", "Über uns.md": "uber-uns", "!?": "",
		long + "of-somebody": long[:79], strings.Repeat("x", 81): "",
	} {
		if want != "" {
			want = `did you mean "` + want + `"?`
		}
		if got := rightSlug(name); got != want {
			t.Errorf("for %q is proposed %q, not %q", name, got, want)
		}
	}
}

func TestAFolderReplacedByAFileIsForgotten(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	write(t, dir, "site/files/a.txt", "a")
	f := Open(dir, filepath.Join(t.TempDir(), "cache"), "test", rendition.Open(""), time.Now)
	scan := func(paths ...string) []string {
		t.Helper()
		if err := f.Scan(t.Context(), paths...); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(f.files))
	}
	scan(Whole)
	if err := os.RemoveAll(filepath.Join(dir, "site/files")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "site/files", "now a file")
	if files := scan("site/files"); !slices.Equal(files, []string{"marketplace.yaml", "site/files"}) {
		t.Errorf("the files are %q", files)
	}
	if err := os.Remove(filepath.Join(dir, "site/files")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "site/files/b.txt", "b")
	if files := scan("site/files"); !slices.Equal(files, []string{"marketplace.yaml", "site/files/b.txt"}) {
		t.Errorf("then the files are %q", files)
	}
}
