package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/kit/fold"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func day(text string) Date {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return Date{Time: t, Day: true}
}

func ref(text string) Ref {
	r, err := ParseRef(text)
	if err != nil {
		panic(err)
	}
	return r
}

func mention(texts ...string) []Mention {
	var all []Mention
	for i, text := range texts {
		all = append(all, Mention{ref(text), Position{i + 1, 1}})
	}
	return all
}

func seller(slug string) *Seller {
	return &Seller{Head: Head{Ref: SellerRef(slug), Name: slug, File: "sellers/" + slug + "/seller.yaml"}, ID: slug, OfficialDomain: slug + ".example"}
}

func product(text, name string, categories ...string) *Offer {
	r := ref("product:" + text)
	o := &Offer{Head: Head{Ref: r, Name: name, File: "sellers/" + r.Company + "/products/" + r.Slug + ".yaml"}}
	for _, c := range categories {
		o.Categories = append(o.Categories, Mention{CategoryRef(KindProduct, c), Position{3, 5}})
	}
	return o
}

func category(slug, parent string) *Category {
	c := &Category{Head: Head{Ref: CategoryRef(KindProduct, slug), Name: slug, File: "categories/product/" + slug + ".yaml"}, Order: NoOrder}
	if parent != "" {
		c.Parent = &Mention{CategoryRef(KindProduct, parent), Position{2, 9}}
	}
	return c
}

func filled(items ...Item) *Catalog {
	c := New()
	c.Apply(Change{Marketplace: &Marketplace{}, Put: items, Now: noon})
	return c
}

func names(nodes []*Node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.Head().Name)
	}
	return strings.Join(all, " ")
}

func TestAnItemIsCurrentFromPublicationUntilExpiry(t *testing.T) {
	at := func(text string) time.Time {
		m, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	s := seller("acme")
	s.PublishedAt, s.ExpiresAt = day("2026-03-01"), Date{Time: at("2026-04-01T10:00:00Z")}
	c := filled(s)
	for now, want := range map[string]bool{
		"2026-02-28T23:59:59Z": false, "2026-03-01T00:00:00Z": true,
		"2026-04-01T09:59:59Z": true, "2026-04-01T10:00:00Z": false,
	} {
		c.Apply(Change{Now: at(now)})
		if got := c.Node(s.Ref).Current(); got != want {
			t.Errorf("at %s it is current: %v", now, got)
		}
	}
}

func TestOnlyPublishedItemsCauseTheNextTransition(t *testing.T) {
	a, b, draft := seller("a"), seller("b"), seller("c")
	a.ExpiresAt, b.PublishedAt, draft.PublishedAt = day("2026-08-01"), day("2026-07-01"), day("2026-06-15")
	draft.Status = Draft
	if got := filled(a, b, draft).NextTransition(); !got.Equal(day("2026-07-01").Time) {
		t.Errorf("the next transition is %v", got)
	}
	if got := filled(seller("a")).NextTransition(); !got.IsZero() {
		t.Errorf("without dates there is a transition at %v", got)
	}
}

func TestOffersAreHiddenWithTheirSeller(t *testing.T) {
	for name, hide := range map[string]func(*Seller) *Removals{
		"draft":   func(s *Seller) *Removals { s.Status = Draft; return nil },
		"expired": func(s *Seller) *Removals { s.ExpiresAt = day("2020-01-01"); return nil },
		"removed": func(s *Seller) *Removals { return NewRemovals([]Removal{{ID: s.ID}}) },
	} {
		s, o := seller("acme"), product("acme/arm", "Arm", "robots")
		removals := hide(s)
		c := New()
		c.Apply(Change{Marketplace: &Marketplace{}, Put: []Item{s, o, category("robots", "")}, Now: noon, Removals: removals})
		if c.Node(o.Ref).Current() || len(c.Node(CategoryRef(KindProduct, "robots")).List(Listings)) != 0 {
			t.Errorf("%s: the seller is hidden and its offer is not", name)
		}
	}
}

func TestListsAreOrderedByFoldedNameThenNameThenAddress(t *testing.T) {
	c := filled(seller("acme"), seller("bolt"), category("robots", ""),
		product("bolt/z", "alpha", "robots"), product("acme/y", "Beta", "robots"),
		product("acme/b", "ALPHA", "robots"), product("acme/a", "Alpha", "robots"), product("bolt/c", "beta", "robots"),
		product("acme/c", "Zeta", "robots"), product("bolt/d", "Écran", "robots"))
	var got []string
	for _, n := range c.Node(CategoryRef(KindProduct, "robots")).List(Listings) {
		got = append(got, n.Ref().Company+"/"+n.Ref().Slug)
	}
	if want := []string{"acme/b", "acme/a", "bolt/z", "acme/y", "bolt/c", "bolt/d", "acme/c"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

func TestTheParentOfACategoryIsItsNearestCurrentAncestor(t *testing.T) {
	middle := category("middle", "top")
	middle.Status = Draft
	c := filled(seller("acme"), category("top", ""), middle, category("low", "middle"), product("acme/arm", "Arm", "low"), product("acme/leg", "Leg", "middle"))
	low, top := c.Node(CategoryRef(KindProduct, "low")), c.Node(CategoryRef(KindProduct, "top"))
	if low.Parent() != top || names(top.Children()) != "low" {
		t.Errorf("the parent is %v", low.Parent())
	}
	if got := names(top.List(Listings)); got != "Arm" {
		t.Errorf("the top lists %q: what counts below a hidden category is only what stands in a current one", got)
	}
}

func TestAnOfferCountsOnceInAnAncestorOfTwoOfItsCategories(t *testing.T) {
	c := filled(seller("acme"), category("top", ""), category("a", "top"), category("b", "top"), product("acme/arm", "Arm", "a", "b", "top"))
	if got := len(c.Node(CategoryRef(KindProduct, "top")).List(Listings)); got != 1 {
		t.Errorf("it counts %d times", got)
	}
}

func TestCategoriesAreInTheAuthorsOrderThenByName(t *testing.T) {
	first, second := category("zeta", ""), category("eta", "")
	first.Order = 0
	second.Order = 5
	c := filled(category("beta", ""), second, category("alpha", ""), first)
	if got := names(c.Tops(KindProduct)); got != "zeta eta alpha beta" {
		t.Errorf("the order is %s", got)
	}
}

func TestASKUBelongsToOneProductAndItsVariantsMayShareIt(t *testing.T) {
	arm, leg := product("acme/arm", "Arm", "robots"), product("acme/leg", "Leg", "robots")
	arm.SKU, arm.SKUAt = "X-1", Position{4, 6}
	for i, sku := range []string{"X-1", "X-1", "Gro\u0308-1", "Gr\u00f6-1", "x-1", "", ""} {
		arm.Variants = append(arm.Variants, Variant{SKU: sku, SKUAt: Position{10 + i, 5}})
	}
	leg.Variants = []Variant{{SKU: "Gr\u00f6-1", SKUAt: Position{7, 10}}, {SKU: "Gr\u00f6-1", SKUAt: Position{8, 10}}, {SKU: "Y", SKUAt: Position{9, 10}}}
	bolt := product("bolt/arm", "Arm", "robots")
	bolt.SKU = "X-1"
	mistakes, warnings := filled(seller("acme"), seller("bolt"), arm, leg, bolt, category("robots", "")).Problems().Split()
	want := []string{
		`sellers/acme/products/arm.yaml:10:5: the product has the SKU "X-1" more than once (see sellers/acme/products/arm.yaml:4:6)`,
		`sellers/acme/products/arm.yaml:13:5: the product has the SKU "Grö-1" more than once (see sellers/acme/products/arm.yaml:12:5)`,
		`sellers/acme/products/leg.yaml:7:10: the seller uses the SKU "Grö-1" twice (see sellers/acme/products/arm.yaml:12:5)`,
	}
	var got []string
	for _, p := range slices.Concat(warnings, mistakes) {
		got = append(got, p.String())
	}
	if len(mistakes) != 1 || !slices.Equal(got, want) {
		t.Errorf("%d mistakes:\n%s", len(mistakes), strings.Join(got, "\n"))
	}
}

func TestNoCompanyIsFoundedInTheFuture(t *testing.T) {
	for founded, want := range map[int]string{
		noon.Year(): "", noon.Year() + 1: "sellers/acme/seller.yaml:7:5: the founding year 2027 is in the future", 0: "",
	} {
		acme := seller("acme")
		acme.Founded, acme.FoundedAt = founded, Position{7, 5}
		got := ""
		for _, p := range filled(acme).Problems() {
			got += p.String()
		}
		if got != want {
			t.Errorf("%d: %q, want %q", founded, got, want)
		}
	}
}

func TestAMissingPictureIsReportedWithTheSameNameInAnotherEncoding(t *testing.T) {
	arm := product("acme/arm", "Arm", "robots")
	arm.Media = []Picture{{File: "sellers/acme/products/media/gr\u00f6\u00dfe.svg", At: Position{4, 16}}}
	c := New()
	c.Apply(Change{Marketplace: &Marketplace{}, Put: []Item{seller("acme"), category("robots", ""), arm}, Now: noon,
		Media: map[string]*Media{"sellers/acme/products/media/gro\u0308\u00dfe.svg": {Name: "a.svg"}}})
	want := `sellers/acme/products/arm.yaml:4:16: there is no picture "sellers/acme/products/media/größe.svg" (there is "gro\u0308\u00dfe.svg", whose accents are encoded differently: rename the file)`
	if list := c.Problems(); len(list) != 1 || list[0].String() != want {
		t.Errorf("told %v", list)
	}
}

func TestMistakesBetweenFilesAreReportedWithPositions(t *testing.T) {
	a, b := seller("acme"), seller("bolt")
	b.ID, b.IDAt = "acme", Position{2, 5}
	b.OfficialDomain, b.DomainAt = "acme.example", Position{1, 17}
	arm := product("acme/arm", "Arm", "robotz")
	arm.SKU, arm.SKUAt = "X-1", Position{4, 6}
	leg := product("acme/leg", "Leg", "robots")
	leg.Variants = []Variant{{Name: "long", SKU: "X-1", SKUAt: Position{7, 10}}}
	leg.Related = relation(RelRelated, "seller:nobody", "product:acme/arn")
	leg.Media = []Picture{{File: "sellers/acme/products/media/leg.svg", At: Position{9, 11}}}
	orphan := product("ghost/sheet", "Sheet", "robots")
	got := filled(a, b, arm, leg, orphan, category("robots", ""), category("one", "two"), category("two", "one"), category("self", "self")).Problems()
	want := []string{
		`categories/product/one.yaml:2:9: the category is its own ancestor: one → two → one (remove one parent to break the cycle)`,
		`categories/product/self.yaml:2:9: the category is its own ancestor: self → self (remove one parent to break the cycle)`,
		`categories/product/two.yaml:2:9: the category is its own ancestor: two → one → two (remove one parent to break the cycle)`,
		`sellers/acme/products/arm.yaml:3:5: there is no category:product/robotz (did you mean "category:product/robots"?)`,
		`sellers/acme/products/leg.yaml:1:1: there is no seller:nobody`,
		`sellers/acme/products/leg.yaml:2:1: there is no product:acme/arn (did you mean "product:acme/arm"?)`,
		`sellers/acme/products/leg.yaml:7:10: the seller uses the SKU "X-1" twice (see sellers/acme/products/arm.yaml:4:6)`,
		`sellers/acme/products/leg.yaml:9:11: there is no picture "sellers/acme/products/media/leg.svg"`,
		`sellers/bolt/seller.yaml:1:17: the official domain "acme.example" also belongs to another seller (see sellers/acme/seller.yaml)`,
		`sellers/bolt/seller.yaml:2:5: the id "acme" also belongs to another seller (see sellers/acme/seller.yaml)`,
		`sellers/ghost/seller.yaml:1:1: the file is missing, but the folder holds offers of this seller`,
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, p.String())
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestMistakesDisappearOnceFixed(t *testing.T) {
	arm := product("acme/arm", "Arm", "robots")
	arm.Related = relation(RelRelated, "seller:bolt")
	c := filled(seller("acme"), arm, category("robots", ""))
	if len(c.Problems()) != 1 {
		t.Fatalf("problems %v", c.Problems())
	}
	c.Apply(Change{Put: []Item{seller("bolt")}, Now: noon})
	if list := c.Problems(); len(list) != 0 {
		t.Errorf("problems %v", list)
	}
	c.Apply(Change{Delete: []Ref{SellerRef("bolt")}, Now: noon})
	if len(c.Problems()) != 1 {
		t.Errorf("problems %v", c.Problems())
	}
}

func TestAnEditTouchesThePagesThatShowItsCard(t *testing.T) {
	items := []Item{seller("acme"), category("robots", ""), category("other", "")}
	for i := range 1000 {
		items = append(items, product(fmt.Sprintf("acme/item-%03d", i), fmt.Sprintf("Item %03d", i), "robots"))
	}
	c := filled(items...)
	robots := ListRef{Node: c.Node(CategoryRef(KindProduct, "robots")), Which: Listings}
	// item returns an item in the middle of a page, where no page begins or ends.
	item := func(page int) (*Node, Page) {
		p := robots.Node.List(Listings).Pages()[page]
		return p.Items[len(p.Items)/2], p
	}
	touched := func(d *Delta) map[*Node]bool {
		pages := map[*Node]bool{}
		for p := range d.Pages {
			if p.List == robots {
				pages[p.First] = true
			}
		}
		if !d.Documents[robots.Node] || d.All {
			t.Errorf("the list's own document is touched: %t; all is %t", d.Documents[robots.Node], d.All)
		}
		return pages
	}
	n, page := item(3)
	same := product("acme/"+n.ref.Slug, n.Head().Name, "robots")
	same.Summary = "new"
	if d := c.Apply(Change{Put: []Item{same}, Now: noon}); !touched(d)[page.First] || d.Tree {
		t.Errorf("a new summary touches the pages %v, and the tree is touched: %t", touched(d), d.Tree)
	}
	_, to := item(7)
	d := c.Apply(Change{Put: []Item{product("acme/"+n.ref.Slug, to.Items[0].Head().Name+" too", "robots")}, Now: noon})
	if got := touched(d); !got[page.First] || !got[to.First] || len(got) > 6 || d.Tree {
		t.Errorf("a new name touches %d pages, and the tree is touched: %t", len(got), d.Tree)
	}
	if d := c.Apply(Change{Delete: []Ref{n.ref}, Now: noon}); !touched(d)[to.First] || len(touched(d)) > 4 || !d.Tree {
		t.Errorf("a deletion touches %d pages, and the tree is touched: %t", len(touched(d)), d.Tree)
	}
}

func TestReferencesAreParsedAndFormatted(t *testing.T) {
	for _, text := range []string{"seller:acme", "product:acme/arm-7", "service:acme/installation", "category:product/robots", "category:service/x", "article:news", "marketMap:atlas"} {
		r, err := ParseRef(text)
		if err != nil || r.String() != text {
			t.Errorf("%s is read as %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "acme", "seller:", "Seller:acme", "seller:Acme", "seller:a--b", "seller:-a", "seller:a-", "product:acme", "product:/x", "product:a/b/c", "category:robots", "category:seller/x", "article:pages", "seller:media", "marketmap:x", "seller:" + strings.Repeat("a", 81)} {
		if r, err := ParseRef(text); err == nil {
			t.Errorf("%q is taken for %v", text, r)
		}
	}
}

func TestKeysCompareByFoldedNameThenName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringOf(rapid.SampledFrom([]rune("aAbBzZ[_ éÉÄäßẞKkıİ\u0308\u200d"))), rapid.StringMatching(`[ -~]*`), rapid.SampledFrom([]string{"a\xff", "A\xc3", "\xe2\x84"}))
		of := func(slug string) *Node {
			h := Head{Ref: SellerRef(slug), Name: name.Draw(t, slug)}
			return &Node{ref: h.Ref, name: h.Name, key: listKey(&h)}
		}
		a, b := of("a"), of("b")
		want := cmp.Or(strings.Compare(fold.Text(a.name), fold.Text(b.name)), strings.Compare(a.name, b.name), -1)
		if got := compareListed(a, b); got != want {
			t.Fatalf("%q and %q compare as %d, not %d", a.name, b.name, got, want)
		}
		if got := CompareListed(a.Key(), a.ref, b.Key(), b.ref); got != want {
			t.Fatalf("by their keys %q and %q compare as %d, not %d", a.name, b.name, got, want)
		}
	})
}
