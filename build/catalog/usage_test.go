package catalog

import (
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/kit/fold"
	"souk/build/kit/unit"
)

// having returns a catalog with one category of products with these attributes. Commas
// separate the attributes of a product, and a bar precedes those of a variant: "Reach=850
// mm, Colour=red | Colour=blue".
func having(products ...string) *Catalog {
	items := []Item{seller("acme"), category("robots", "")}
	for i, text := range products {
		o := product(fmt.Sprintf("acme/p-%03d", i), "P", "robots")
		for j, form := range strings.Split(text, "|") {
			if j == 0 {
				o.Attributes = attributesOf(form)
			} else {
				o.Variants = append(o.Variants, Variant{Name: "V", Attributes: attributesOf(form)})
			}
		}
		items = append(items, o)
	}
	return filled(items...)
}

func attributesOf(text string) (all []Attribute) {
	for one := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(one), "=")
		if !found {
			continue
		}
		a := Attribute{Name: name, Value: value}
		number, symbol, _ := strings.Cut(value, " ")
		if _, ok := unit.ParseDecimal(number); ok || strings.HasPrefix(number, "9e") {
			a.Kind, a.Value, a.Unit = NumberValue, number, symbol
		} else if value == "true" || value == "false" {
			a.Kind = BooleanValue
		}
		all = append(all, a)
	}
	return all
}

// told returns a category's attributes, one per line.
func told(uses []AttributeUse) string {
	var lines []string
	for _, u := range uses {
		line := fmt.Sprintf("%s %d", u.Name, u.Listings)
		if u.Kind == NumberValue {
			line += fmt.Sprintf(" %s..%s %s", u.Min, u.Max, u.Unit)
		}
		for _, v := range u.Values {
			line += fmt.Sprintf(" %s:%d", v.Value, v.Listings)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "; ")
}

func TestACategoryHasTheAttributesOfItsListings(t *testing.T) {
	for _, c := range []struct {
		name     string
		products []string
		want     string
	}{
		{"none", []string{""}, ""},
		{"texts by frequency, then by value", []string{"C=red", "C=blue", "C=blue", "C=green", "C=green", "C=red", "C=amber"}, "C 7 blue:2 green:2 red:2 amber:1"},
		{"the most frequent spelling, ties by text", []string{"Colour=Rot", "colour=ROT", "COLOUR=rot", "colour=Grün", "colour=grun", "colour=Grün"}, "colour 6 Grün:3 ROT:3"},
		{"spaces around do not count", []string{"C= red ", "C = red ", "C= red", "C=blue"}, "C 4 red:3 blue:1"},
		{"texts that are nearly all distinct", []string{"Home=a", "Home=b", "Home=c", "Home=d", "Home=e", "Home=a"}, "Home 6"},
		{"texts of which four in five are distinct", []string{"Home=a", "Home=b", "Home=c", "Home=d", "Home=a"}, "Home 5 a:2 b:1 c:1 d:1"},
		{"truth values, however few", []string{"Folds=true"}, "Folds 1 true:1"},
		{"numbers in units of a dimension", []string{"Reach=850 mm", "Reach=1 m", "Reach=900 mm", "Reach=12 in"}, "Reach 4 304.8..1000 mm"},
		{"a unit in several spellings", []string{"W=1 Kg", "W=2 kg", "W=3 kg", "W=4 g", "W=5 g", "W=6 kilograms"}, "W 6 0.004..6 kg"},
		{"units as frequent as each other", []string{"W=1 kg", "W=2 g"}, "W 2 2..1000 g"},
		{"what is no finite decimal", []string{"V=1 m/s", "V=1 km/h", "V=1 km/h", "V=7 m/min"}, "V 4 0.42..3.6 km/h"},
		{"rounded to hold all", []string{"V=1 km/h", "V=2 km/h", "V=1 m/s", "V=1 m/s", "V=1 m/s"}, "V 5 0.277777777..1 m/s"},
		{"several types and dimensions", []string{"R=far", "R=far", "R=1 m", "R=2 kg", "R=3", "R=true"}, "R 2 far:2; R 1 3..3; R 1 1..1 m; R 1 2..2 kg; R 1 true:1"},
		{"by frequency, then by name", []string{"b=1, a=2, C=3", "C=4"}, "C 2 3..4; a 1 2..2; b 1 1..1"},
		{"a product has what its variants have, once", []string{"C=red|C=Red|C=blue, R=1 m|R=100 cm", "C=red"}, "C 2 red:2 blue:1; R 1 1..1 m"},
		{"a number beyond all measure is left out", []string{"N=9e99", "N=1"}, "N 1 1..1"},
		{"a unit of nobody's", []string{"Ports=4 ports", "Ports=8 Ports", "Ports=2 Ports"}, "Ports 3 2..8 Ports"},
		{"digits that no floating-point number tells apart", []string{"N=1.00000000000000000001", "N=1.00000000000000000002", "N=1.00000000000000000003"}, "N 3 1.00000000000000000001..1.00000000000000000003"},
	} {
		n := having(c.products...).Node(ref("category:product/robots"))
		if got := told(n.Tallies().Attributes(50, 20)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestACategoryHasLimitedNumbersOfAttributesAndValues(t *testing.T) {
	var products []string
	for i := range 60 {
		products = append(products, fmt.Sprintf("A%02d=x, C=c%02d", i, i%30), fmt.Sprintf("A%02d=y, C=c%02d", i, i%25))
	}
	uses := having(products...).Node(ref("category:product/robots")).Tallies().Attributes(50, 20)
	if len(uses) != 50 || uses[0].Name != "C" || uses[1].Name != "A00" || uses[49].Name != "A48" {
		t.Errorf("%d attributes: %s", len(uses), told(uses))
	}
	if values := uses[0].Values; len(values) != 20 || values[0] != (ValueUse{"c00", 5}) || values[19] != (ValueUse{"c19", 4}) {
		t.Errorf("the values are %v", values)
	}
}

// plainly counts the attributes of a category's current listings from scratch.
func plainly(c *Catalog, category string) string {
	type one struct{ name, typed, value string }
	listings, values := map[one]map[*Node]bool{}, map[one]map[*Node]bool{}
	note := func(m map[one]map[*Node]bool, at one, n *Node) {
		if m[at] == nil {
			m[at] = map[*Node]bool{}
		}
		m[at][n] = true
	}
	for _, n := range c.Node(ref(category)).List(Listings) {
		o := n.Item().(*Offer)
		all := slices.Clone(o.Attributes)
		for _, v := range o.Variants {
			all = append(all, v.Attributes...)
		}
		for _, a := range all {
			at := one{name: fold.Text(strings.TrimSpace(a.Name)), typed: fmt.Sprint(a.Kind)}
			value := fold.Text(strings.TrimSpace(a.Value))
			if a.Kind == NumberValue {
				u, _ := unit.Parse(a.Unit)
				amount, _ := unit.ParseDecimal(a.Value)
				at.typed += u.Dimension()
				value = u.Base(amount).String()
			}
			note(listings, at, n)
			at.value = value
			note(values, at, n)
		}
	}
	var lines []string
	for at, nodes := range listings {
		line := fmt.Sprintf("%s %s %d", at.name, at.typed, len(nodes))
		var of []string
		for held, nodes := range values {
			if held.name == at.name && held.typed == at.typed {
				of = append(of, fmt.Sprintf(" %s:%d", held.value, len(nodes)))
			}
		}
		slices.Sort(of)
		lines = append(lines, line+strings.Join(of, ""))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// kept returns the same for the counts that the catalog stores.
func kept(n *Node) string {
	var lines []string
	for key, u := range n.Tallies().attributes {
		line := fmt.Sprintf("%s %d%s %d", key.name, key.kind, key.dimension, u.listings)
		var of []string
		for value, held := range u.texts {
			of = append(of, fmt.Sprintf(" %s:%d", value, held.listings))
		}
		for value, held := range u.numbers {
			of = append(of, fmt.Sprintf(" %s:%d", amountOf(value), held.listings))
		}
		slices.Sort(of)
		lines = append(lines, line+strings.Join(of, ""))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestAttributeCountsFollowAddedAndRemovedListings(t *testing.T) {
	attribute := rapid.SampledFrom([]string{"R=1 m", "R=100 cm", "r=2 m", "R=2 kg", "R=5", "R=far", "C=red", "C=Red", "c=rot", "C=blue", "F=true", "F=false", "N=1.5", "N=1.50"})
	form := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(attribute, 0, 4).Draw(t, "attributes"), ",")
	})
	rapid.Check(t, func(t *rapid.T) {
		items := []Item{seller("acme"), seller("bolt"), category("arms", "robots"), category("robots", ""), category("tools", "")}
		for i := range 40 { // so that an edit does not rebuild everything
			items = append(items, seller(fmt.Sprintf("other-%d", i)))
		}
		c := filled(items...)
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			slug := rapid.SampledFrom([]string{"acme/a", "acme/b", "bolt/c", "bolt/d"}).Draw(t, "which")
			ch := Change{Now: noon}
			switch rapid.SampledFrom([]string{"put", "put", "put", "delete", "remove", "restore"}).Draw(t, "edit") {
			case "delete":
				ch.Delete = []Ref{ref("product:" + slug)}
			case "remove":
				ch.Removals = NewRemovals([]Removal{{ID: "acme", Slug: "acme"}})
			case "restore":
				ch.Removals = NewRemovals(nil)
			default:
				o := product(slug, rapid.SampledFrom([]string{"A", "B"}).Draw(t, "name"), rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"arms", "robots", "tools"}), 1, 2, rapid.ID).Draw(t, "categories")...)
				o.Attributes = attributesOf(form.Draw(t, "own"))
				for range rapid.IntRange(0, 2).Draw(t, "variants") {
					o.Variants = append(o.Variants, Variant{Name: "V", Attributes: attributesOf(form.Draw(t, "variant"))})
				}
				if rapid.IntRange(0, 4).Draw(t, "draft") == 0 {
					o.Status = Draft
				}
				ch.Put = []Item{o}
			}
			if rapid.IntRange(0, 3).Draw(t, "tried") == 0 && ch.Removals == nil {
				_, back := tried(c, ch)
				c.Apply(back)
				if len(ch.Put) > 0 && rapid.Bool().Draw(t, "again") {
					c.Apply(ch)
				}
			} else {
				c.Apply(ch)
			}
			fresh := New()
			whole := Change{Marketplace: &Marketplace{}, Now: noon, Removals: c.Removals()}
			c.Each(func(n *Node) { whole.Put = append(whole.Put, n.Item()) })
			fresh.Apply(whole)
			for _, name := range []string{"category:product/arms", "category:product/robots", "category:product/tools"} {
				got, want := c.Node(ref(name)), fresh.Node(ref(name))
				if kept, plain := kept(got), plainly(c, name); kept != plain {
					t.Fatalf("%s has\n%s\nand not\n%s", name, kept, plain)
				}
				if a, b := got.Tallies().Attributes(50, 20), want.Tallies().Attributes(50, 20); !reflect.DeepEqual(a, b) {
					t.Fatalf("%s tells after edits\n%v\nand anew\n%v", name, a, b)
				}
			}
		}
	})
}

func TestEveryNumberIsWithinTheRange(t *testing.T) {
	length := rapid.SampledFrom([]string{"mm", "in", "ft", "km", "µm", "yd"})
	rapid.Check(t, func(t *rapid.T) {
		var products []string
		var bases []*big.Rat
		for range rapid.IntRange(1, 8).Draw(t, "products") {
			symbol := length.Draw(t, "unit")
			text := fmt.Sprintf("%d.%d", rapid.IntRange(-50, 50).Draw(t, "whole"), rapid.IntRange(0, 99).Draw(t, "part"))
			products = append(products, "L="+text+" "+symbol)
			amount, _ := unit.ParseDecimal(text)
			u, _ := unit.Parse(symbol)
			bases = append(bases, u.Base(amount))
		}
		use := having(products...).Node(ref("category:product/robots")).Tallies().Attributes(1, 1)[0]
		u, _ := unit.Parse(use.Unit)
		low, _ := unit.ParseDecimal(use.Min)
		high, _ := unit.ParseDecimal(use.Max)
		for _, base := range bases {
			if base.Cmp(u.Base(low)) < 0 || base.Cmp(u.Base(high)) > 0 {
				t.Fatalf("%v: %s..%s %s does not hold %s", products, use.Min, use.Max, use.Unit, base)
			}
		}
		least := slices.MinFunc(bases, func(a, b *big.Rat) int { return a.Cmp(b) })
		near := new(big.Rat).Abs(new(big.Rat).Sub(u.Base(low), least))
		if size := new(big.Rat).Abs(least); near.Cmp(size.Mul(size, big.NewRat(1, 100_000_000))) > 0 {
			t.Fatalf("%v: the least is %s, and %s %s is far from it", products, least, use.Min, use.Unit)
		}
	})
}

// Distinct values for each listing must not fill the memory.
func TestValuesThatAreAllDistinctCostLittleMemory(t *testing.T) {
	const count = 20_000
	items := []Item{seller("acme"), category("a", "b"), category("b", "c"), category("c", "")}
	for i := range count {
		o := product(fmt.Sprintf("acme/p-%d", i), "P", "a")
		o.Attributes = []Attribute{{Name: "Homepage", Value: fmt.Sprintf("https://Project-%d.example/", i)}}
		items = append(items, o)
	}
	c := filled(items...)
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	with := held()
	for _, n := range c.nodes {
		n.open, n.kept = nil, nil
	}
	without := held()
	perListing := int64(with-without) / count
	t.Logf("%d bytes a listing in three categories", perListing)
	if perListing > 400 {
		t.Errorf("the attributes of three categories take %d bytes a listing", perListing)
	}
	runtime.KeepAlive(items)
	runtime.KeepAlive(c)
}
