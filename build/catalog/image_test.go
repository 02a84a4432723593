package catalog

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plain returns a Catalog as plain values in a fixed order, field by field, so that a
// field that an image leaves out shows.
func plain(c *Catalog) map[string]any {
	nodes := func(list []*Node, sorted bool) (all []string) {
		for _, n := range list {
			all = append(all, n.ref.String())
		}
		if sorted {
			sort.Strings(all)
		}
		return all
	}
	keys := func(set map[*Node]bool) (all []string) {
		for n := range set {
			all = append(all, n.ref.String())
		}
		sort.Strings(all)
		return all
	}
	out := map[string]any{
		"sellers": keys(c.sellers), "own": keys(c.own), "ordered": keys(c.ordered), "missing": keys(c.missing), "next": c.next.UnixNano(), "now": c.now,
		"newest": nodes(c.newest, false), "categories": nodes(c.categories, true), "badClaims": len(c.badClaims), "missingFiles": len(c.missingFiles),
		"media": c.media, "named": c.named, "skus": len(c.skuClashes), "clashes": len(c.sellerClashes),
	}
	for kind := range c.lists {
		out[fmt.Sprint("list ", kind)] = nodes(c.lists[kind], false)
		out[fmt.Sprint("tops ", kind)] = nodes(c.tops[Kind(kind)], false)
		for s := range c.shards[kind].All() {
			out[fmt.Sprint("shard ", kind, s)] = nodes(c.shards[kind].Members(s), true)
		}
	}
	for s := range c.further.All() {
		out[fmt.Sprint("further ", s)] = len(c.further.Members(s))
	}
	for company, refs := range c.claims {
		for ref, by := range refs {
			out[fmt.Sprint("claim ", company, ref)] = nodes(by, true)
		}
	}
	for file, by := range c.shownBy {
		out["shown "+file] = nodes(by, true)
	}
	for _, n := range c.nodes {
		tallies := n.Tallies()
		sellers, attributes := map[string]int{}, map[string]string{}
		for s, listings := range tallies.sellers {
			sellers[s.ref.Slug] = listings
		}
		for key, u := range tallies.attributes {
			attributes[fmt.Sprint(key)] = fmt.Sprint(u.listings, u.pairs, u.names, u.units, u.numbers, len(u.texts))
			for value, held := range u.texts {
				attributes[fmt.Sprint(key, value)] = fmt.Sprint(held.listings, held.text, held.others != nil && len(*held.others) > 0, held.most())
			}
		}
		var item any
		if n.item != nil {
			item = Unpacked(n.item)
		}
		prices := map[band]int{}
		for b, listings := range tallies.prices {
			prices[b] = listings
		}
		var seller, parent string
		if n.seller != nil {
			seller = n.seller.ref.String()
		}
		if n.parent != nil {
			parent = n.parent.ref.String()
		}
		out["node "+n.ref.String()] = []any{
			item, n.live, n.renamed, n.relates, n.withheld, seller, parent, n.name, n.key, n.since, n.digest, nodes(n.uses, false), nodes(n.names(), false), nodes(n.usedBy, true),
			nodes(n.offers, true), nodes(n.lists[0], false), nodes(n.lists[1], false), sellers, prices, attributes, nodes(n.children, false), nodes(n.within, true),
		}
	}
	return out
}

// market draws Items of a Catalog without mistakes.
func drawMarket(t *rapid.T) Change {
	ch := Change{Marketplace: &Marketplace{Name: "M"}, Now: day("2026-01-15").Time, Media: map[string]*Media{"a.png": {Name: "1.png"}, "b.png": {Name: "1.png"}}}
	dates := rapid.SampledFrom([]Date{{}, {}, {}, day("2025-01-01"), day("2026-02-01"), day("2026-03-01")})
	dress := func(h *Head, name string) {
		h.PublishedAt, h.ExpiresAt = dates.Draw(t, "publishedAt"), Date{}
		h.Status = rapid.SampledFrom([]Status{Published, Published, Published, Draft}).Draw(t, "status")
		h.File, h.Name = "file "+name, rapid.SampledFrom([]string{"A", "b", "Ä", name}).Draw(t, "name")
	}
	for i, slug := range []string{"tops", "arms", "hands"} {
		one := category(slug, []string{"", "tops", "arms"}[i])
		dress(&one.Head, slug)
		ch.Put = append(ch.Put, one)
	}
	offers := 0
	for _, slug := range []string{"acme", "beta"} {
		one := seller(slug)
		dress(&one.Head, slug)
		one.ID, one.OfficialDomain = slug, slug+".example"
		if named := rapid.SampledFrom([]string{"", "tops", "hands"}).Draw(t, "named"); named != "" {
			one.Categories = mention("category:product/" + named)
		}
		if rapid.Bool().Draw(t, "moved") {
			one.Aliases = mention("seller:old-" + slug)
		}
		ch.Put = append(ch.Put, one)
		for i := range rapid.SampledFrom([]int{0, 1, 5, 130}).Draw(t, "offers") {
			o := product(fmt.Sprintf("%s/p%d", slug, i), "P", rapid.SampledFrom([]string{"tops", "arms", "hands"}).Draw(t, "category"))
			dress(&o.Head, fmt.Sprint("P", i))
			if rapid.Bool().Draw(t, "price") {
				o.Price = &Price{Amount: rapid.SampledFrom([]string{"1", "70", "120.50"}).Draw(t, "amount"), Currency: "EUR"}
			}
			o.Attributes = attributesOf(rapid.SampledFrom([]string{"", "Weight=1 kg", "Weight=1000 g", "Weight=heavy", "Colour=red", "Colour=Red"}).Draw(t, "attributes"))
			if offers++; offers > 1 {
				o.Related = []Relation{{Mention: Mention{Ref: SellerRef("acme")}, Rel: rapid.SampledFrom([]Rel{RelRelated, RelPartOf}).Draw(t, "rel")}}
			}
			if rapid.Bool().Draw(t, "picture") {
				o.Media = []Picture{{File: rapid.SampledFrom([]string{"a.png", "b.png"}).Draw(t, "file")}}
			}
			packed := Pack(o)
			ch.Put = append(ch.Put, &packed)
		}
	}
	article := &Article{Head: Head{Ref: Ref{Kind: KindArticle, Slug: "news"}, Description: Text{Targets: []Target{{Ref: SellerRef("beta")}}}}}
	dress(&article.Head, "news")
	ch.Put = append(ch.Put, article, &OwnPage{Head: Head{Ref: Ref{Kind: KindPage, Slug: "about"}, Name: "About"}, Menu: "About"})
	if rapid.Bool().Draw(t, "removed") {
		ch.Removals = NewRemovals([]Removal{{ID: "beta", Slug: "beta"}})
	}
	return ch
}

// touches returns what a Delta says, in order.
func touches(d *Delta) string {
	all := []string{fmt.Sprint(d.All, d.Tree, d.Newest)}
	for n := range d.Documents {
		all = append(all, "document "+n.ref.String())
	}
	for n := range d.Changed {
		all = append(all, "changed "+n.ref.String())
	}
	for ref := range d.Aliases {
		all = append(all, "alias "+ref.String())
	}
	for p := range d.Pages {
		list := fmt.Sprint(p.List.Kind, p.List.Which)
		if p.List.Node != nil {
			list += p.List.Node.ref.String()
		}
		all = append(all, fmt.Sprint("page ", list, p.ID))
	}
	for s := range d.Shards {
		all = append(all, fmt.Sprint("shard ", s))
	}
	for name := range d.Pictures {
		all = append(all, "picture "+name)
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

func imageOf(t interface{ Fatal(...any) }, c *Catalog) string {
	var out bytes.Buffer
	if err := c.WriteImage(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestACatalogFromItsImageIsTheOneThatItsItemsMake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ch := drawMarket(t)
		c := New()
		c.Apply(ch)
		if !c.Sound() {
			t.Fatal(c.Problems())
		}
		same := func(c *Catalog, ch Change, what string) *Catalog {
			want := plain(c)
			got, ok := ReadImage(imageOf(t, c)).Catalog(false, ch)
			if !ok {
				t.Fatalf("the image %s is refused", what)
			}
			again, ok := ReadImage(imageOf(t, got)).Catalog(false, ch) // with counts that nobody has asked for
			if !reflect.DeepEqual(plain(c), want) {
				t.Fatalf("the catalog is another once its image is written %s", what)
			}
			have := plain(again)
			if !ok || !reflect.DeepEqual(have, want) {
				for key, value := range want {
					if !reflect.DeepEqual(value, have[key]) {
						t.Errorf("%s, %s is\n%v\nnot\n%v", what, key, have[key], value)
					}
				}
				t.Fatalf("%s, %d parts of %d", what, len(have), len(want))
			}
			return got
		}
		resumed := same(c, ch, "of all")
		edit := Change{Now: ch.Now.AddDate(0, rapid.IntRange(0, 2).Draw(t, "months"), 0)}
		at := rapid.IntRange(0, len(ch.Put)-1).Draw(t, "edited")
		item := Unpacked(ch.Put[at])
		changed := Pack(item).Unpack()
		changed.Common().Name = rapid.SampledFrom([]string{"A", "z", "Ö"}).Draw(t, "new name")
		changed.Common().Status = rapid.SampledFrom([]Status{Published, Draft}).Draw(t, "new status")
		edit.Put = []Item{changed}
		want, got := c.Apply(edit), resumed.Apply(edit)
		if touches(want) != touches(got) {
			t.Fatalf("an edit of %v touches\n%s\nnot\n%s", item.Common().Ref, touches(got), touches(want))
		}
		now := ch
		now.Put, now.Now = slices.Clone(ch.Put), edit.Now
		now.Put[at] = changed
		if fmt.Sprint(resumed.Warnings()) != fmt.Sprint(c.Warnings()) {
			t.Fatalf("%v\nnot\n%v", resumed.Warnings(), c.Warnings())
		}
		same(resumed, now, "after an edit")
		if !reflect.DeepEqual(plain(resumed), plain(c)) {
			t.Fatal("an edit of a catalog from an image ends elsewhere")
		}
	})
}

func TestAnImageOfOtherItemsOrCutShortIsRefused(t *testing.T) {
	one, two := seller("acme"), seller("beta")
	c := filled(one, two, product("acme/arm", "Arm"))
	text := imageOf(t, c)
	all := Change{Marketplace: c.market, Now: c.now, Put: []Item{one, two, product("acme/arm", "Arm")}}
	if _, ok := ReadImage(text).Catalog(false, all); !ok {
		t.Fatal("the image of the same items is refused")
	}
	for cut := range text {
		if _, ok := ReadImage(text[:cut]).Catalog(false, all); ok {
			t.Fatalf("%d bytes of %d are taken", cut, len(text))
		}
	}
	for _, put := range [][]Item{{one, two}, {one, two, product("acme/leg", "Leg")}, {one, one, two}} {
		other := all
		other.Put = put
		if _, ok := ReadImage(text).Catalog(false, other); ok {
			t.Errorf("the image is taken for %v", put)
		}
	}
}
