package catalog

import (
	"strings"
	"testing"
)

func TestReferencesCompareLikeTheirPaths(t *testing.T) {
	var refs []Ref
	for _, company := range []string{"a", "a-b", "a0", "ab", "b"} {
		for _, kind := range []Kind{KindProduct, KindService} {
			for _, slug := range []string{"x", "x-1", "x1"} {
				refs = append(refs, Ref{Kind: kind, Company: company, Slug: slug})
			}
		}
	}
	refs = append(refs, SellerRef("a"), SellerRef("a-b"), CategoryRef(KindProduct, "x"), Ref{Kind: KindArticle, Slug: "x"})
	for _, a := range refs {
		for _, b := range refs {
			if got, want := a.ComparePath(b), strings.Compare(a.Path(), b.Path()); got != want {
				t.Errorf("%s and %s compare as %d, want %d", a.Path(), b.Path(), got, want)
			}
		}
	}
}

func TestReservedSlugsAreRejected(t *testing.T) {
	for _, slug := range []string{"media", "product", "service", "pages", "index", "claim", "remove", "search"} {
		if err := CheckSlug(slug); err == nil || !strings.Contains(err.Error(), `"`+slug+`" is reserved: choose another`) {
			t.Errorf("%q: %v", slug, err)
		}
		if err := CheckSlug(slug + "s-2"); err != nil {
			t.Errorf("a slug that only begins with %q: %v", slug, err)
		}
	}
}
