package catalog

import (
	"fmt"
	"reflect"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// tried applies a change of the content and returns its Delta and the change that undoes
// it, like a build of content with mistakes.
func tried(c *Catalog, ch Change) (*Delta, Change) {
	back := c.undo(ch)
	return c.Apply(ch), back
}

// undo returns the change that would undo ch in the content, but not in the clock or the
// removals.
func (c *Catalog) undo(ch Change) Change {
	undo := Change{Media: make(map[string]*Media, len(ch.Media)), Now: ch.Now}
	if ch.Marketplace != nil {
		undo.Marketplace = c.market
	}
	if ch.Synonyms != nil {
		undo.Synonyms = new(c.synonyms)
	}
	for file := range ch.Media {
		undo.Media[file] = c.media[file]
	}
	back := func(ref Ref) {
		if n := c.nodes[ref]; n != nil && n.item != nil {
			undo.Put = append(undo.Put, n.item)
		} else {
			undo.Delete = append(undo.Delete, ref)
		}
	}
	for _, item := range ch.Put {
		back(RefOf(item))
	}
	for _, ref := range ch.Delete {
		back(ref)
	}
	return undo
}

// plain returns a Catalog as plain values in a fixed order, field by field, so that a field
// missing from an image is noticed.
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
		"sellers": keys(c.sellers), "own": keys(c.own), "ordered": keys(c.ordered), "missing": keys(c.missing), "now": c.now,
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

// drawMarket draws Items for a Catalog without mistakes.
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

func TestUndoingAChangeRestoresTheCatalog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, first := New(), drawMarket(t)
		c.Apply(first)
		want, transition := plain(c), c.NextTransition()
		next, ch := drawMarket(t), Change{Now: first.Now, Media: map[string]*Media{}}
		for _, item := range next.Put {
			switch rapid.IntRange(0, 5).Draw(t, "edit") {
			case 0:
				ch.Delete = append(ch.Delete, RefOf(item))
			case 1, 2:
				ch.Put = append(ch.Put, item)
			}
		}
		_, back := tried(c, ch)
		if c.Apply(back); !reflect.DeepEqual(plain(c), want) {
			for key, value := range plain(c) {
				if !reflect.DeepEqual(value, want[key]) {
					t.Errorf("%s is %v, not %v", key, value, want[key])
				}
			}
			t.Fatal("it is another")
		}
		// It may be earlier: a transition of an item that is gone again costs one look.
		if after := c.NextTransition(); !transition.IsZero() && (after.IsZero() || after.After(transition)) {
			t.Fatalf("the next transition is %s, later than %s", after, transition)
		}
	})
}
