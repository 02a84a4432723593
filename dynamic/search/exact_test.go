package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/dynamic/search/corpus"
)

// The tests in this file check that totals and counts are exact, as the contract requires.
// They compare them with a scan that tests every listing against the filters.

// drawnMarket generates a small marketplace with many duplicate values.
func drawnMarket(t *rapid.T) *catalog.Catalog {
	words := []string{"usb", "c", "cable", "robot", "robots", "arm", "k8s", "dash", "2", "Grün", "load", "balancer", "工具", "2.5"}
	name := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "words"), rapid.SampledFrom([]string{" ", "-", ""}).Draw(t, "by"))
	})
	change := catalog.Change{
		Marketplace: &catalog.Marketplace{Name: "M", SiteURL: "https://m.example", APIURL: "https://m.example/api/v1", Language: "en"},
		Now:         sampleNow(),
	}
	var categories []catalog.Mention
	for i := range rapid.IntRange(0, 5).Draw(t, "categories") {
		c := &catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, fmt.Sprint("c", i)), Name: name.Draw(t, "category")}}
		if i > 0 && rapid.Bool().Draw(t, "below") {
			c.Parent = &catalog.Mention{Ref: categories[rapid.IntRange(0, i-1).Draw(t, "parent")].Ref}
		}
		change.Put = append(change.Put, c)
		categories = append(categories, catalog.Mention{Ref: c.Ref})
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "sellers") {
		slug := fmt.Sprint("s", i)
		s := &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: name.Draw(t, "seller")}, ID: slug, OfficialDomain: slug + ".example"}
		if country := rapid.SampledFrom([]string{"", "DE", "FR"}).Draw(t, "country"); country != "" {
			s.Headquarters = &catalog.Headquarters{Country: country}
		}
		s.Languages = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"de", "en"}), 0, 2, rapid.ID[string]).Draw(t, "languages")
		if rapid.Bool().Draw(t, "proven") {
			s.Proof = []catalog.Proof{{Kind: "award", Title: "A"}}
		}
		change.Put = append(change.Put, s)
		for j := range rapid.IntRange(0, 8).Draw(t, "offers") {
			kind := rapid.SampledFrom([]catalog.Kind{catalog.KindProduct, catalog.KindService}).Draw(t, "kind")
			o := &catalog.Offer{Head: catalog.Head{Ref: catalog.Ref{Kind: kind, Company: slug, Slug: fmt.Sprint("o", j)}, Name: name.Draw(t, "name"), Summary: name.Draw(t, "summary")}}
			dress(t, o)
			if len(categories) > 0 {
				o.Categories = rapid.SliceOfN(rapid.SampledFrom(categories), 0, 3).Draw(t, "in")
			}
			if rapid.Bool().Draw(t, "hasSKU") {
				o.SKU = fmt.Sprintf("S-%d-%d", i, j)
			}
			change.Put = append(change.Put, o)
		}
	}
	c := catalog.New()
	c.Apply(change)
	return c
}

func drawnQuery(t *rapid.T, x *Index) Query {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "usb c", "usbc", "robot", "robto", "arm robot", "k8sdash2", "k8s-dash", "lod balancer", "工", "S-0-1", "c", "gru", "robot nothing", "...", "the arm"}),
		rapid.StringN(0, 12, -1),
	).Draw(t, "q")
	q := Query{Text: strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), ""), Limit: 20}
	q.Filters = map[string][]string{}
	for _, filter := range []string{"kind", "category", "seller", "country"} {
		if all := valuesOfFilter(x, filter); len(all) > 0 && rapid.Bool().Draw(t, "filtered") {
			q.Filters[filter] = rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, min(2, len(all)), rapid.ID[string]).Draw(t, "values")
		}
	}
	return q
}

// scan reports whether a listing matches the filters of a query.
func scan(c *corpus.Corpus, l *corpus.Listing, q Query) bool {
	any := func(chosen []string, has ...string) bool {
		return len(chosen) == 0 || slices.ContainsFunc(chosen, func(v string) bool { return slices.Contains(has, v) })
	}
	var in []string
	for _, at := range l.Categories {
		for _, up := range c.Categories[at].Lineage {
			in = append(in, corpus.CategoryValue(c.Categories[up].Link))
		}
	}
	s := c.Sellers[l.Seller]
	return any(q.Filters["kind"], l.Offer.Ref.Kind.String()) && any(q.Filters["category"], in...) && any(q.Filters["seller"], s.Company.Slug) && any(q.Filters["country"], s.Country)
}

// with returns a copy of a query with other values for a filter.
func (q Query) with(filter string, values ...string) Query {
	q.Filters = maps.Clone(q.Filters)
	if q.Filters == nil {
		q.Filters = map[string][]string{}
	}
	q.Filters[filter] = values
	return q
}

func mustAnswer(t *rapid.T, x *Index, q Query) *Result {
	r, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return r
}

// drawnIndex opens the index of a random market, which may withhold a seller.
func drawnIndex(t *rapid.T) (*catalog.Catalog, *Index) {
	c := drawnMarket(t)
	x, err := Open(context.Background(), index.Extract(c, document.NewRenderer(c, "")), Options{State: index.State{Release: "r"}})
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "withholds") {
		x.removals = &catalog.Register{}
		remove(x.removals, "s0")
	}
	return c, x
}

func TestTotalsAndCountsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawnIndex(t)
		defer x.Close()
		q := drawnQuery(t, x)
		result := mustAnswer(t, x, q)
		checkAgainstScan(t, x, q, result)
		checkPages(t, x, q, result)
		checkFilters(t, x, q, result)
	})
}

// hidden reports whether the seller with a companySlug is withheld.
func hidden(x *Index, slug string) bool {
	_, held := x.removals.Now().Holds(catalog.Company{Slug: slug})
	return held
}

// checkAgainstScan compares an answer with a scan of the listings that the text alone
// finds.
func checkAgainstScan(t *rapid.T, x *Index, q Query, result *Result) {
	bare := Query{Text: q.Text, Limit: MaxLimit}
	want := 0
	for _, h := range mustAnswer(t, x, bare).Listings {
		i := slices.IndexFunc(every(x.Corpus), func(l corpus.Listing) bool { return x.Corpus.Card(l).APIURL == h.APIURL })
		if hidden(x, h.CompanySlug) {
			t.Fatalf("%q finds %s, whose seller is withheld", q.Text, h.APIURL)
		}
		if scan(x.Corpus, &every(x.Corpus)[i], q) {
			want++
		}
	}
	if result.Total != want {
		t.Fatalf("%+v: total %d, a scan counts %d", q, result.Total, want)
	}
	if strings.TrimSpace(q.Text) != "" {
		return
	}
	all := 0
	for i := range every(x.Corpus) {
		l := &every(x.Corpus)[i]
		if !hidden(x, l.Offer.Ref.Company) && scan(x.Corpus, l, q) {
			all++
		}
	}
	if result.Total != all {
		t.Fatalf("%+v: total %d of everything, a scan counts %d", q, result.Total, all)
	}
}

// checkPages checks that the pages together contain each listing once, in the same order as
// a single page, and that the total never changes.
func checkPages(t *rapid.T, x *Index, q Query, result *Result) {
	whole := q
	whole.Limit = MaxLimit
	var joined []string
	size := rapid.IntRange(1, 5).Draw(t, "page")
	for at := 0; at < result.Total+size; at += size {
		page := q
		page.Offset, page.Limit = at, size
		r := mustAnswer(t, x, page)
		if r.Total != result.Total {
			t.Fatalf("%+v: total %d on the page at %d, %d on the first", q, r.Total, at, result.Total)
		}
		if (r.Next != "") != (at+size < r.Total) {
			t.Fatalf("%+v: next of the page at %d of %d is %q", q, at, r.Total, r.Next)
		}
		for _, h := range r.Listings {
			joined = append(joined, h.APIURL)
		}
	}
	var want []string
	for _, h := range mustAnswer(t, x, whole).Listings {
		want = append(want, h.APIURL)
	}
	if !slices.Equal(joined, want) || len(joined) != result.Total {
		t.Fatalf("%+v: the pages give %v, one page gives %v of %d", q, joined, want, result.Total)
	}
	slices.Sort(joined)
	if len(slices.Compact(joined)) != result.Total {
		t.Fatalf("%+v: a listing is on two pages", q)
	}
}

// checkFilters selects every value that is offered and compares the total with its count.
func checkFilters(t *rapid.T, x *Index, q Query, result *Result) {
	for _, f := range result.Filters {
		if f.Type == "number" {
			checkNumbers(t, x, q, f)
		}
		for _, v := range f.Values {
			chosen, add := q.with(f.Name, append(otherAttributes(q, f), v.Value)...), q.with(f.Name, append(slices.Clone(q.Filters[f.Name]), v.Value)...)
			if got := mustAnswer(t, x, chosen).Total; got != v.Count {
				t.Fatalf("%+v: choosing %s=%s gives %d, its count says %d", q, f.Name, v.Value, got, v.Count)
			}
			none := !slices.ContainsFunc(f.Values, func(v FilterValue) bool { return v.Selected })
			if got := mustAnswer(t, x, chosen).Total; none && got > result.Total {
				t.Fatalf("%+v: the filter %s=%s raises the total from %d to %d", q, f.Name, v.Value, result.Total, got)
			}
			if got := mustAnswer(t, x, add).Total; !none && got < result.Total {
				t.Fatalf("%+v: the further value %s=%s lowers the total from %d to %d", q, f.Name, v.Value, result.Total, got)
			}
		}
	}
	for _, d := range result.CategoryDirections {
		chosen := q.with("category", corpus.CategoryValue(d.Link))
		if got := mustAnswer(t, x, chosen).Total; len(q.Filters["category"]) == 0 && got != d.Count {
			t.Fatalf("%+v: the direction %s leads to %d, its count says %d", q, d.Slug, got, d.Count)
		}
	}
}

// checkNumbers selects the whole range of a numeric filter.
func checkNumbers(t *rapid.T, x *Index, q Query, f Filter) {
	all := fmt.Sprintf("%s..%s", f.Min, f.Max)
	if f.Name == "attribute" {
		all = strings.TrimSpace(fmt.Sprintf("%s:%s %s", f.Attribute, all, f.Unit))
	} else {
		q.Currency = f.Unit
	}
	if f.Count == 0 {
		return
	}
	chosen := q.with(f.Name, append(otherAttributes(q, f), all)...)
	if got := mustAnswer(t, x, chosen).Total; got != f.Count {
		t.Fatalf("%+v: choosing %s gives %d, its count says %d", q, all, got, f.Count)
	}
}

// otherAttributes returns a query's selected values for all other attributes.
func otherAttributes(q Query, f Filter) (others []string) {
	if f.Name != "attribute" {
		return nil
	}
	for _, sent := range q.Filters["attribute"] {
		if name, _, _ := strings.Cut(sent, ":"); plainText(name) != plainText(f.Attribute) {
			others = append(others, sent)
		}
	}
	return others
}

// TestIndexDoesNotDependOnItsHistory changes a marketplace step by step and compares its
// index with a new one.
func TestIndexDoesNotDependOnItsHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawnMarket(t)
		open := func(previous *Index) *Index {
			x, err := Open(context.Background(), index.Extract(c, document.NewRenderer(c, "")), Options{State: index.State{Release: "r"}, Previous: previous})
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		x := open(nil)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			offers := slices.DeleteFunc(c.Nodes(), func(n *catalog.Node) bool { _, is := n.Item().(*catalog.Offer); return !is })
			if len(offers) == 0 {
				break
			}
			n := rapid.SampledFrom(offers).Draw(t, "offer")
			change := catalog.Change{Now: sampleNow()}
			if rapid.Bool().Draw(t, "delete") {
				change.Delete = []catalog.Ref{n.Ref()}
			} else {
				o := *n.Item().(*catalog.Offer)
				o.Name = rapid.SampledFrom([]string{"usb c hub", "Robot-Arm 9", "dash"}).Draw(t, "new name")
				change.Put = []catalog.Item{&o}
			}
			c.Apply(change)
			next := open(x)
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			x = next
		}
		defer x.Close()
		fresh := open(nil)
		defer fresh.Close()
		q := drawnQuery(t, fresh)
		if got, want := fmt.Sprintf("%+v", mustAnswer(t, x, q)), fmt.Sprintf("%+v", mustAnswer(t, fresh, q)); deref(got) != deref(want) {
			t.Fatalf("%+v:\n changed %s\n fresh   %s", q, got, want)
		}
	})
}

// deref removes the addresses of pointers from a printed answer.
func deref(text string) string {
	words := strings.Fields(text)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.Contains(w, "0x") }), " ")
}

// valuesOfFilter returns all listings' values for a filter.
func valuesOfFilter(x *Index, filter string) (list []string) {
	for _, one := range x.facets.Named(filter, "") {
		list = append(list, x.facets.Value[one.First:one.End]...)
	}
	return list
}
