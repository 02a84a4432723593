package diff

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
)

// thing returns an item of the catalog with which the next test compares releases.
func thing(text, name string) catalog.Item {
	ref, err := catalog.ParseRef(text)
	if err != nil {
		panic(err)
	}
	head := catalog.Head{Ref: ref, Name: name, File: text}
	switch ref.Kind {
	case catalog.KindSeller:
		return &catalog.Seller{Head: head, ID: ref.Slug, OfficialDomain: ref.Slug + ".example"}
	case catalog.KindArticle:
		return &catalog.Article{Head: head}
	default:
		return &catalog.Offer{Head: head}
	}
}

func TestRenamedItemsAreFound(t *testing.T) {
	acme := thing("seller:acme-tools", "Acme Tools").(*catalog.Seller)
	acme.FormerDomains = []string{"acme.example"}
	moved := thing("product:bolt/hex-nut", "Hexagonal nut").(*catalog.Offer)
	moved.SKU = "N-1"
	draft := thing("article:later", "Soon")
	draft.Common().Status = catalog.Draft
	aliased := thing("article:told", "Told")
	aliased.Common().Aliases = []catalog.Mention{{Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "untold"}}}
	c := catalog.New()
	c.Apply(catalog.Change{Marketplace: &catalog.Marketplace{}, Now: time.Unix(0, 0), Put: []catalog.Item{
		acme, thing("product:acme-tools/saw", "Saw"), thing("product:acme-tools/big-axe", "Axe"),
		thing("seller:bolt", "Bolt"), moved, thing("product:bolt/left", "Twin"), thing("product:bolt/right", "Twin"), thing("product:bolt/washer", "Washer"),
		thing("article:hello", "Welcome"), draft, aliased,
	}})
	before := map[string]string{
		"seller:acme": `{"name":"Acme"}`, "product:acme/saw": `{"name":"Saw"}`, "product:acme/axe": `{"name":"Axe"}`,
		"seller:bolt": `{"name":"Bolt"}`, "product:bolt/nut": `{"name":"Nut","sku":"N-1"}`, "product:bolt/twin": `{"name":"Twin"}`,
		"product:bolt/washer": `{"name":"Washer"}`, "product:bolt/old-washer": `{"name":"Washer"}`,
		"article:welcome": `{"title":"Welcome"}`, "article:soon": `{"title":"Soon"}`, "article:untold": `{"title":"Told"}`, "article:lost": "",
	}
	earlier := Earlier{
		Files: []string{"sitemap.xml", "api/v1/marketplace/companies/gone.gone.json"},
		Owner: func(slug string) (string, []string) { return slug, []string{slug + ".example"} },
	}
	bodies := map[string]string{}
	for text, body := range before {
		ref, err := catalog.ParseRef(text)
		if err != nil {
			t.Fatal(err)
		}
		bodies[document.RefFile(ref)] = body
		earlier.Files = append(earlier.Files, document.RefFile(ref))
	}
	earlier.Read = func(file string) ([]byte, error) {
		if bodies[file] == "" {
			return nil, errors.New("it cannot be read")
		}
		return []byte(bodies[file]), nil
	}
	var got []string
	for _, r := range Renamings(c, document.NewRenderer(c, ""), earlier) {
		got = append(got, fmt.Sprintf("%s is %s", r.Former, r.Now.Ref()))
	}
	// The saw follows from its seller's alias, either twin may be chosen, and the washer
	// existed before.
	want := "seller:acme is seller:acme-tools, product:acme/axe is product:acme-tools/big-axe, product:bolt/nut is product:bolt/hex-nut, article:welcome is article:hello"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}
