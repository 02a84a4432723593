package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// with sets the aliases of an item.
func with[T Item](item T, aliases ...string) T {
	item.Common().Aliases = mention(aliases...)
	return item
}

func TestAFormerReferenceResolvesToTheItemWithThatAlias(t *testing.T) {
	c := filled(
		with(seller("acme"), "seller:old", "seller:older"), seller("bolt"), category("robots", ""),
		product("acme/arm", "Arm", "robots"),
		with(product("acme/leg", "Leg", "robots"), "product:acme/foot", "product:bolt/leg", "product:old/hand"),
		product("acme/hand", "Hand", "robots"),
		with(category("tools", ""), "category:product/machines"),
	)
	for former, now := range map[string]string{
		"seller:acme": "seller:acme", "seller:old": "seller:acme", "seller:older": "seller:acme", "seller:ghost": "",
		"product:old/arm": "product:acme/arm", "product:older/arm": "product:acme/arm", "product:bolt/arm": "",
		"product:acme/foot": "product:acme/leg", "product:older/foot": "product:acme/leg", "product:bolt/leg": "product:acme/leg",
		// An alias in a file takes precedence over one that follows from its seller's
		// aliases.
		"product:old/hand": "product:acme/leg", "product:older/hand": "product:acme/hand",
		"product:old/leg": "product:acme/leg", "product:old/nothing": "", "service:old/arm": "",
		"category:product/machines": "category:product/tools", "category:service/machines": "",
	} {
		got := ""
		if n := c.At(ref(former)); n != nil {
			got = n.ref.String()
		}
		if got != now {
			t.Errorf("%s leads to %q, want %q", former, got, now)
		}
	}
	if list := c.Problems(); len(list) > 0 {
		t.Errorf("mistakes: %v", list)
	}
}

func TestAnAliasThatBelongsToAnotherItemIsAMistake(t *testing.T) {
	arm, leg := with(product("acme/arm", "Arm", "robots"), "product:acme/leg", "product:acme/foot"), product("acme/leg", "Leg", "robots")
	leg.Status = Draft
	c := filled(with(seller("acme"), "seller:bolt"), with(seller("bolt"), "seller:old"), with(seller("cord"), "seller:older", "seller:old"),
		category("robots", ""), arm, leg, with(product("acme/toe", "Toe", "robots"), "product:acme/foot"))
	want := []string{
		`sellers/acme/products/arm.yaml:1:1: the alias "product:acme/leg" is a current address (remove it, or give sellers/acme/products/leg.yaml another slug)`,
		`sellers/acme/products/toe.yaml:1:1: two files have the alias "product:acme/foot" (see sellers/acme/products/arm.yaml)`,
		`sellers/acme/seller.yaml:1:1: the alias "seller:bolt" is a current address (remove it, or give sellers/bolt/seller.yaml another slug)`,
		`sellers/cord/seller.yaml:2:1: two files have the alias "seller:old" (see sellers/bolt/seller.yaml)`,
	}
	told := func() (lines []string) {
		for _, p := range c.Problems() {
			lines = append(lines, p.String())
		}
		return lines
	}
	if got := told(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The message does not depend on the order.
	for _, slug := range []string{"cord", "bolt"} {
		c.Apply(Change{Delete: []Ref{SellerRef(slug)}, Now: noon})
		c.Apply(Change{Put: []Item{with(seller(slug), map[string][]string{"cord": {"seller:older", "seller:old"}, "bolt": {"seller:old"}}[slug]...)}, Now: noon})
		if n := c.At(ref("seller:old")); n.ref.Slug != "bolt" {
			t.Errorf("after %s came again, it is %s", slug, n.ref)
		}
	}
	c.Apply(Change{Delete: []Ref{leg.Ref, SellerRef("bolt")}, Put: []Item{with(product("acme/toe", "Toe", "robots"))}, Now: noon})
	if got := told(); len(got) > 0 {
		t.Errorf("after they were mended: %v", got)
	}
}

func TestAnAliasCoveredByAnotherSellersAliasIsAMistake(t *testing.T) {
	help := product("acme/help", "Help")
	help.Ref.Kind, help.File = KindService, "sellers/acme/services/help.yaml"
	items := func(extra ...Item) []Item {
		return append(extra, with(seller("acme"), "seller:old", "seller:older"), with(seller("bolt"), "seller:other"), category("robots", ""),
			product("acme/hand", "Hand", "robots"), with(product("acme/arm", "Arm", "robots"), "product:acme/leg", "product:old/hand"), help)
	}
	twice := func(alias, company, ref string) string {
		return fmt.Sprintf("sellers/bolt/products/x.yaml:1:1: two files have the alias %q (the alias seller:%s in sellers/acme/seller.yaml covers it too, because that seller has %s)", alias, company, ref)
	}
	for _, test := range []struct{ alias, want string }{
		{"product:old/hand", `sellers/bolt/products/x.yaml:1:1: two files have the alias "product:old/hand" (see sellers/acme/products/arm.yaml)
` + twice("product:old/hand", "old", "product:acme/hand")},
		{"product:older/hand", twice("product:older/hand", "older", "product:acme/hand")},
		{"product:old/leg", twice("product:old/leg", "old", "product:acme/arm")}, // by two of the seller's aliases
		{"product:old/help", ""}, // the service of that slug has a different address
		{"product:old/toe", ""},  // acme has no such item
		{"product:other/hand", ""},
		{"product:acme/hand", `sellers/bolt/products/x.yaml:1:1: the alias "product:acme/hand" is a current address (remove it, or give sellers/acme/products/hand.yaml another slug)`},
	} {
		x := with(product("bolt/x", "X", "robots"), test.alias)
		told := func(c *Catalog) string {
			var lines []string
			for _, p := range c.Problems() {
				lines = append(lines, p.String())
			}
			return strings.Join(lines, "\n")
		}
		c := filled(items(x)...)
		if got := told(c); got != test.want {
			t.Errorf("%s: told\n%s\nwant\n%s", test.alias, got, test.want)
		}
		// Add them one at a time, and delete them again.
		c = New()
		for _, item := range items(x) {
			c.Apply(Change{Marketplace: &Marketplace{}, Put: []Item{item}, Now: noon})
		}
		if got := told(c); got != test.want {
			t.Errorf("%s, one by one: told\n%s\nwant\n%s", test.alias, got, test.want)
		}
		c.Apply(Change{Delete: []Ref{x.Ref}, Now: noon})
		if got := told(c); got != "" {
			t.Errorf("%s: when it is away: told\n%s", test.alias, got)
		}
	}
}

func TestAFormerSlugOfCategoriesInBothRootsGetsAWarning(t *testing.T) {
	service := func(slug string, aliases ...string) *Category {
		c := with(category(slug, ""), aliases...)
		c.Ref.Root = KindService
		c.File = "categories/service/" + slug + ".yaml"
		return c
	}
	for name, test := range map[string]struct {
		items []Item
		want  string
	}{
		"two slugs now": {[]Item{with(category("tools", ""), "category:product/gear"), service("hire", "category:service/gear")}, "/categories/gear redirects to category:product/tools, which had that slug too"},
		"one slug now":  {[]Item{with(category("tools", ""), "category:product/gear"), service("tools", "category:service/gear")}, ""},
		"one has it":    {[]Item{category("gear", ""), service("hire", "category:service/gear")}, ""},
		"one had it":    {[]Item{category("tools", ""), service("hire", "category:service/gear")}, ""},
	} {
		got := ""
		for _, w := range filled(test.items...).Warnings() {
			if strings.Contains(w.Text, "redirects to") {
				got += w.Text
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestAReferenceToAnAliasIsReportedWithTheCurrentReference(t *testing.T) {
	arm := product("acme/arm", "Arm", "machines")
	arm.Related = relation(RelRelated, "product:old/arm", "seller:old")
	c := filled(with(seller("acme"), "seller:old"), arm, with(category("robots", ""), "category:product/machines"))
	var got []string
	for _, p := range c.Problems() {
		got = append(got, p.Text+" ("+p.Meant+")")
	}
	if want := []string{
		`there is no product:old/arm (it is "product:acme/arm" now)`, `there is no seller:old (it is "seller:acme" now)`,
		`there is no category:product/machines (it is "category:product/robots" now)`,
	}; !slices.Equal(got, want) {
		t.Errorf("told: %v", got)
	}
}

func TestNoAddressOfARemovedSellerResolvesToAnotherSeller(t *testing.T) {
	arm := with(product("acme/arm", "Arm", "robots"), "product:bolt/arm", "product:acme/foot")
	items := []Item{with(seller("acme"), "seller:old"), seller("bolt"), arm, category("robots", "")}
	for _, test := range []struct {
		name     string
		removal  Removal
		reserved string
	}{
		{"nobody", Removal{ID: "x", Slug: "x"}, ""},
		{"who is in the content", Removal{ID: "bolt"}, "product:bolt/arm"},
		{"whose companySlug it was", Removal{ID: "y", Slug: "old", SeparateIDs: []string{"acme"}}, "product:old/arm product:old/foot seller:old"},
		{"whose companySlug it was before", Removal{ID: "y", Slug: "now", SeparateIDs: []string{"acme"}, Addresses: []string{"/marketplace/companies/old"}}, "product:old/arm product:old/foot seller:old"},
		{"who had the address", Removal{ID: "y", Addresses: []string{"/marketplace/companies/acme/products/foot"}}, "product:acme/foot"},
	} {
		c := New()
		c.Apply(Change{Marketplace: &Marketplace{}, Put: items, Now: noon, Removals: NewRemovals([]Removal{test.removal})})
		var got []string
		for _, text := range []string{"product:acme/foot", "product:bolt/arm", "product:old/arm", "product:old/foot", "seller:old"} {
			if c.Reserved(ref(text)) {
				got = append(got, text)
			}
		}
		if strings.Join(got, " ") != test.reserved {
			t.Errorf("%s: reserved are %v, want %s", test.name, got, test.reserved)
		}
	}
}

// formerRefs returns all former References of the sellers and products in the next test.
func formerRefs() (sellers, products []string) {
	for _, company := range []string{"a", "b", "c", "o", "p"} {
		sellers = append(sellers, "seller:"+company)
		for _, slug := range []string{"x", "y", "z"} {
			products = append(products, "product:"+company+"/"+slug)
		}
	}
	return sellers, products
}

func TestADeltaHasEveryFormerAddressThatAChangeAffects(t *testing.T) {
	sellers, products := formerRefs()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		items := []Item{category("robots", "")}
		for i := range 200 {
			items = append(items, &Article{Head: Head{Ref: ref(fmt.Sprintf("article:a%d", i)), Name: "A", File: "f"}})
		}
		c.Apply(Change{Marketplace: &Marketplace{}, Put: items, Now: noon, Removals: NewRemovals(nil)})
		leads := func() map[string]string {
			all := map[string]string{}
			for _, text := range slices.Concat(sellers, products) {
				switch n := c.At(ref(text)); {
				case n == nil:
				case n.ref.String() != text && c.Reserved(ref(text)):
					all[text] = "reserved"
				default:
					all[text] = fmt.Sprint(n.ref, n.Current(), n.Live() && n.Removed())
				}
			}
			return all
		}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			before, ch := leads(), drawAliased(t, sellers, products)
			// If a removal was lifted, a build looks at everything.
			removals, lifted, held := ch.Removals, false, c.removals
			d := NewDelta()
			facts := func() {
				if removals != nil {
					_, restored, lost := removals.Since(held)
					lifted = len(restored)+len(lost) > 0
					d.Merge(c.Apply(Change{Now: noon, Removals: removals}))
				}
			}
			ch.Removals = nil
			facts()
			if touched, back := tried(c, ch); len(c.Problems()) == 0 {
				d.Merge(touched)
			} else {
				// A build undoes the whole attempt, discards its Delta, and tries again
				// with the last good content.
				back.Removals = held
				if c.Apply(back); !maps.Equal(before, leads()) {
					t.Fatalf("after it was undone, %v leads to %v", before, leads())
				}
				d = NewDelta()
				facts()
			}
			after := leads()
			touched := map[Ref]bool{}
			for n := range d.Documents {
				touched[n.ref] = true
				for _, former := range n.Aliases() {
					touched[former] = true
				}
			}
			for _, text := range slices.Concat(sellers, products) {
				if before[text] != after[text] && !d.All && !lifted && !d.Aliases[ref(text)] && !touched[ref(text)] {
					t.Fatalf("%s led to %q and leads to %q, and is not touched", text, before[text], after[text])
				}
			}
		}
	})
}

// drawAliased draws a change of a few sellers, their products and the removals.
func drawAliased(t *rapid.T, sellers, products []string) Change {
	ch := Change{Now: noon}
	some := func(of []string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 0, 2, rapid.ID).Draw(t, "aliases")
	}
	seen := map[Ref]bool{}
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		company := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "seller")
		var item Item = with(seller(company), some(sellers)...)
		if rapid.Bool().Draw(t, "product") {
			item = with(product(company+"/"+rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "slug"), "P", "robots"), some(products)...)
		}
		if seen[item.Common().Ref] {
			continue
		}
		seen[item.Common().Ref] = true
		if rapid.IntRange(0, 3).Draw(t, "deleted") == 0 {
			ch.Delete = append(ch.Delete, item.Common().Ref)
			continue
		}
		item.Common().Status = rapid.SampledFrom([]Status{Published, Published, Draft}).Draw(t, "status")
		ch.Put = append(ch.Put, item)
	}
	if rapid.IntRange(0, 2).Draw(t, "removals") == 0 {
		var list []Removal
		for _, slug := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "o"}), 0, 2, rapid.ID).Draw(t, "removed") {
			one := Removal{ID: slug, Slug: slug}
			if rapid.IntRange(0, 3).Draw(t, "restored") == 0 {
				one.Undone = time.Unix(1, 0)
			}
			list = append(list, one)
		}
		ch.Removals = NewRemovals(list)
	}
	return ch
}
