package catalog

import (
	"testing"
	"time"
)

func TestMisspeltReferencesSuggestTheNearestSellerFirst(t *testing.T) {
	seller := func(slug string) Item {
		return &Seller{Head: Head{Ref: SellerRef(slug), Name: slug}, ID: slug, OfficialDomain: slug + ".example"}
	}
	offer := func(kind Kind, company, slug string) Item {
		return &Offer{Head: Head{Ref: Ref{Kind: kind, Company: company, Slug: slug}, Name: slug}}
	}
	c := New()
	c.Apply(Change{Now: time.Unix(1, 0), Put: []Item{
		seller("acme"), seller("kachel-koenig"), seller("zobel"),
		offer(KindProduct, "acme", "glasur"), offer(KindProduct, "acme", "ofen"), offer(KindProduct, "acme", "fliesen"),
		offer(KindProduct, "kachel-koenig", "fliese"), offer(KindProduct, "kachel-koenig", "kachel-ofen"),
		offer(KindService, "kachel-koenig", "verlegung"), offer(KindProduct, "zobel", "muetze"),
		&Category{Head: Head{Ref: CategoryRef(KindProduct, "fliesen"), Name: "Fliesen"}},
	}})
	for wrong, want := range map[string]string{
		"seller:kachelkoenig":                   `did you mean "seller:kachel-koenig"?`,
		"product:kachelkoenig/fliese":           `did you mean "product:kachel-koenig/fliese"?`,
		"product:kachelkoenig/fliesen":          `did you mean "product:kachel-koenig/fliese"?`,
		"product:kachel-koenig/fliesen":         `did you mean "product:kachel-koenig/fliese"?`,
		"product:kachel-koenig/kachelofen":      `did you mean "product:kachel-koenig/kachel-ofen"?`,
		"product:kachelkoenig/verlegung":        `did you mean "service:kachel-koenig/verlegung"?`,
		"service:kachel-koenig/verlegungen":     `did you mean "service:kachel-koenig/verlegung"?`,
		"service:kachelkoenig/mauern":           `did you mean the seller "kachel-koenig"?`,
		"product:kachel-koenig/glasur":          `did you mean "product:acme/glasur"?`,
		"product:nobody/muetze":                 `did you mean "product:zobel/muetze"?`,
		"product:kachel-koenig/schraubenzieher": "",
		"category:service/fliesen":              "category:product/fliesen exists",
		"category:product/fleisen":              `did you mean "category:product/fliesen"?`,
	} {
		ref, err := ParseRef(wrong)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.nearest(ref); got != want {
			t.Errorf("%s: %q, not %q", wrong, got, want)
		}
	}
}
