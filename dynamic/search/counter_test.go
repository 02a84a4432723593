package search

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/dynamic/search/corpus"
)

// The counter in this file checks the counts of search by testing every listing against
// every filter. It shares no code with search: numbers are floats, and the units are a
// separate table.

// plainUnits maps the units in random markets to their dimension and factor.
var plainUnits = map[string]plainUnit{"mm": {"length", 1}, "cm": {"length", 10}, "m": {"length", 1000}, "kg": {"mass", 1000}, "g": {"mass", 1}}

type plainUnit struct {
	dimension string
	factor    float64
}

func unitOf(symbol string) plainUnit {
	if u, known := plainUnits[symbol]; known {
		return u
	}
	return plainUnit{symbol, 1}
}

// plainText lowercases a text and removes the accents that random markets use.
func plainText(text string) string {
	return strings.NewReplacer("ü", "u", "é", "e").Replace(strings.ToLower(text))
}

// A plainFacet identifies a filter: its parameter, the name, type and dimension of an
// attribute, or the currency of a price.
type plainFacet struct{ filter, name, kind, dimension string }

// plainValues are a listing's values: texts in the form in which they are compared, and
// numbers in the base unit.
type plainValues map[plainFacet][]string

func (v plainValues) add(f plainFacet, value string) {
	if value != "" && !slices.Contains(v[f], value) {
		v[f] = append(v[f], value)
	}
}

func plainNumber(digits, unit string) string {
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(math.Round(n*unitOf(unit).factor*1000)/1000, 'f', -1, 64)
}

func (v plainValues) attributes(list []catalog.Attribute) {
	for _, a := range list {
		f := plainFacet{"attribute", plainText(a.Name), "text", ""}
		value := plainText(a.Value)
		switch a.Kind {
		case catalog.NumberValue:
			f.kind, f.dimension = "number", unitOf(a.Unit).dimension
			value = plainNumber(a.Value, a.Unit)
		case catalog.BooleanValue:
			f.kind = "boolean"
		}
		v.add(f, value)
	}
}

// valuesOf returns all values by which a listing can be filtered.
func valuesOf(c *corpus.Corpus, l *corpus.Listing) plainValues {
	v, o, s := plainValues{}, l.Offer, c.Seller(l.Seller)
	text := func(filter, value string) { v.add(plainFacet{filter, "", "text", ""}, value) }
	text("kind", o.Ref.Kind.String())
	text("seller", s.Ref.Slug)
	if s.Headquarters != nil {
		text("country", s.Headquarters.Country)
	}
	for _, at := range l.Categories {
		for _, up := range c.Categories[at].Lineage {
			text("category", corpus.CategoryValue(c.Categories[up].Link))
		}
	}
	text("availability", o.Availability)
	for _, v := range o.Variants {
		text("availability", v.Availability)
	}
	text("delivery", o.Delivery)
	for _, one := range o.Regions {
		text("region", plainText(one))
	}
	for _, one := range s.Languages {
		text("language", one)
	}
	for _, one := range slices.Concat(o.Proof, s.Proof) {
		text("proof", one.Kind)
	}
	v.attributes(o.Attributes)
	prices := []*catalog.Price{o.Price}
	for _, one := range o.Variants {
		v.attributes(one.Attributes)
		prices = append(prices, one.Price)
	}
	for _, p := range prices {
		if p != nil {
			v.add(plainFacet{"price", p.Currency, "number", ""}, plainNumber(p.Amount, ""))
			text("priceUnit", plainText(p.Unit))
		}
	}
	v.typed()
	return v
}

// typed removes texts that the listing also has in another type.
func (v plainValues) typed() {
	for f, list := range v {
		if f.filter == "attribute" && f.kind == "text" {
			others := maps.Clone(v)
			delete(others, f)
			v[f] = slices.DeleteFunc(list, func(value string) bool { return others.admits(Query{}, "attribute", f.name+":"+value) })
		}
	}
}

// admits reports whether a listing matches one value of a filter.
func (v plainValues) admits(q Query, filter, sent string) bool {
	switch filter {
	case "price":
		return v.inRange(plainFacet{"price", q.Currency, "number", ""}, sent, "")
	case "attribute":
		name, value, _ := strings.Cut(sent, ":")
		for f := range v {
			if f.filter != "attribute" || f.name != plainText(name) {
				continue
			}
			bounds, unit := value, ""
			if at := strings.LastIndex(value, " "); at > 0 && f.kind == "number" {
				bounds, unit = value[:at], value[at+1:]
			}
			switch {
			case f.kind == "number" && f.dimension == unitOf(unit).dimension && strings.Trim(bounds, "0123456789.") == "" && v.inRange(f, bounds, unit):
				return true
			case f.kind != "number" && slices.Contains(v[f], plainText(value)):
				return true
			}
		}
		return false
	case "region", "priceUnit":
		sent = plainText(sent)
	}
	return slices.Contains(v[plainFacet{filter, "", "text", ""}], sent)
}

func (v plainValues) inRange(f plainFacet, bounds, unit string) bool {
	low, high, ranged := strings.Cut(bounds, "..")
	if !ranged {
		high = low
	}
	for _, value := range v[f] {
		n, _ := strconv.ParseFloat(value, 64)
		least, most := math.Inf(-1), math.Inf(1)
		if low != "" {
			least, _ = strconv.ParseFloat(plainNumber(low, unit), 64)
		}
		if high != "" {
			most, _ = strconv.ParseFloat(plainNumber(high, unit), 64)
		}
		if n >= least && n <= most {
			return true
		}
	}
	return false
}

// passes reports whether a listing matches all filters of a query, ignoring the filter of
// one facet.
func (v plainValues) passes(q Query, without *plainFacet) bool {
	names := map[string]bool{}
	for filter, list := range q.Filters {
		if len(list) == 0 || without != nil && without.filter == filter && filter != "attribute" {
			continue
		}
		if filter != "attribute" {
			if !slices.ContainsFunc(list, func(sent string) bool { return v.admits(q, filter, sent) }) {
				return false
			}
			continue
		}
		for _, sent := range list {
			name, _, _ := strings.Cut(sent, ":")
			name = plainText(name)
			names[name] = names[name] || v.admits(q, filter, sent)
		}
	}
	for name, passed := range names {
		if !passed && (without == nil || without.filter != "attribute" || without.name != name) {
			return false
		}
	}
	return true
}

// A plainCount is the expected content of a filter.
type plainCount struct {
	// counts maps each value to its count. listings is the number of results with any
	// value.
	counts   map[string]int
	listings int
	results  int
}

// A plainMarket contains the values of all listings.
type plainMarket map[*corpus.Listing]plainValues

func plainly(c *corpus.Corpus) plainMarket {
	m := plainMarket{}
	for i := range every(c) {
		m[&every(c)[i]] = valuesOf(c, &every(c)[i])
	}
	return m
}

// Count applies a query's filters to the listings that its text finds, and counts every
// facet.
func (m plainMarket) Count(found []*corpus.Listing, q Query) (passed []*corpus.Listing, counts map[plainFacet]*plainCount) {
	values := make([]plainValues, len(found))
	counts = map[plainFacet]*plainCount{}
	for i, l := range found {
		values[i] = m[l]
		for f := range values[i] {
			counts[f] = &plainCount{counts: map[string]int{}}
		}
		if values[i].passes(q, nil) {
			passed = append(passed, l)
		}
	}
	for f, n := range counts {
		for _, v := range values {
			if !v.passes(q, &f) {
				continue
			}
			n.results++
			for _, value := range v[f] {
				n.counts[value]++
			}
			if len(v[f]) > 0 {
				n.listings++
			}
		}
	}
	return passed, counts
}

// finds counts the listings that an attribute's value matches, in any type, together with
// the query's other filters.
func (m plainMarket) finds(found []*corpus.Listing, q Query, f plainFacet, value string) (n int) {
	for _, l := range found {
		if v := m[l]; v.passes(q, &f) && v.admits(Query{}, "attribute", f.name+":"+value) {
			n++
		}
	}
	return n
}

// sortPlainly sorts listings, given in the order of their names, as a query requests.
func sortPlainly(list []*corpus.Listing, q Query) {
	switch q.Sort {
	case "newest":
		slices.SortStableFunc(list, func(a, b *corpus.Listing) int { return b.Offer.PublishedAt.Time.Compare(a.Offer.PublishedAt.Time) })
	case "price":
		lowest := func(l *corpus.Listing) float64 {
			best := math.Inf(1)
			for _, p := range append([]*catalog.Price{l.Offer.Price}, variantPrices(l.Offer)...) {
				if p != nil && p.Currency == q.Currency {
					n, _ := strconv.ParseFloat(p.Amount, 64)
					best = min(best, n)
				}
			}
			return best
		}
		slices.SortStableFunc(list, func(a, b *corpus.Listing) int {
			switch x, y := lowest(a), lowest(b); {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
	}
}

func variantPrices(o *catalog.Offer) (list []*catalog.Price) {
	for _, v := range o.Variants {
		list = append(list, v.Price)
	}
	return list
}

// facetOf returns the facet of a filter in an answer.
func facetOf(f Filter) plainFacet {
	switch f.Name {
	case "price":
		return plainFacet{"price", f.Unit, "number", ""}
	case "attribute":
		return plainFacet{"attribute", plainText(f.Attribute), f.Type, unitOf(f.Unit).dimension}
	}
	return plainFacet{f.Name, "", f.Type, ""}
}

// checkCounts compares the filters of an answer with the expected counts.
func (m plainMarket) checkCounts(found []*corpus.Listing, q Query, result *Result, counts map[plainFacet]*plainCount) error {
	told := map[plainFacet]bool{}
	attributes := 0
	for _, f := range result.Filters {
		facet := facetOf(f)
		if told[facet] {
			return fmt.Errorf("%v is told twice", facet)
		}
		told[facet] = true
		n := counts[facet]
		if n == nil {
			n = &plainCount{counts: map[string]int{}}
		}
		chosen := len(f.Selected) > 0 || slices.ContainsFunc(f.Values, func(v FilterValue) bool { return v.Selected })
		if f.Name == "attribute" {
			attributes++
			if !chosen && !n.worthTelling() {
				return fmt.Errorf("%v is told, which %d of %d results have with %d values", facet, n.listings, n.results, n.distinct())
			}
		}
		if (f.Name == "attribute" || f.Name == "price") && f.Count != n.listings {
			return fmt.Errorf("%v counts %d, want %d", facet, f.Count, n.listings)
		}
		if f.Name == "attribute" {
			for _, v := range f.Values {
				value := comparedValue(f, v)
				n.counts[value] = m.finds(found, q, facet, value)
			}
		}
		if err := checkValues(f, n); err != nil {
			return fmt.Errorf("%v: %w", facet, err)
		}
	}
	for facet, n := range counts {
		if !told[facet] && n.listings > 0 && (facet.filter != "attribute" || n.worthTelling() && attributes < 50) {
			return fmt.Errorf("%v is not told, which %d of %d results have with %d values", facet, n.listings, n.results, n.distinct())
		}
	}
	return nil
}

func (n *plainCount) distinct() (d int) {
	for _, count := range n.counts {
		if count > 0 {
			d++
		}
	}
	return d
}

// worthTelling is the rule for showing an attribute: at least 1 in 20 results has it, and
// at most 80 % of its values are distinct.
func (n *plainCount) worthTelling() bool {
	values := 0
	for _, count := range n.counts {
		values += count
	}
	return n.listings > 0 && n.listings*20 >= n.results && float64(n.distinct()) <= 0.8*float64(values)
}

func checkValues(f Filter, n *plainCount) error {
	if f.Type == "number" {
		return checkSpan(f, n)
	}
	got, last := map[string]int{}, FilterValue{Count: math.MaxInt}
	for _, v := range f.Values {
		if v.Count > last.Count {
			return fmt.Errorf("%v comes after %v", v, last)
		}
		last = v
		value := comparedValue(f, v)
		if _, twice := got[value]; twice {
			return fmt.Errorf("%q is told twice", value)
		}
		got[value] = v.Count
		if v.Count == 0 && !v.Selected {
			return fmt.Errorf("%q is told for nothing", value)
		}
	}
	want := map[string]int{}
	for value, count := range n.counts {
		if count > 0 {
			want[value] = count
		}
	}
	for value, count := range got {
		if count == 0 {
			want[value] = 0
		}
	}
	if f.More {
		// These are the first 100 by count, and the selected ones.
		unselected := 0
		for _, v := range f.Values {
			value := comparedValue(f, v)
			if v.Count != n.counts[value] {
				return fmt.Errorf("%q counts %d, want %d", value, v.Count, n.counts[value])
			}
			delete(want, value)
			if !v.Selected {
				unselected = v.Count
			}
		}
		for value, count := range want {
			if count > unselected {
				return fmt.Errorf("%q is not told, which %d have", value, count)
			}
		}
		if len(want) == 0 || len(f.Values) < 100 {
			return fmt.Errorf("there are no more than the %d values that are told", len(f.Values))
		}
		return nil
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("the values are %v, want %v", got, want)
	}
	return nil
}

// comparedValue returns a value in the form that the counter uses.
func comparedValue(f Filter, v FilterValue) string {
	switch f.Name {
	case "attribute":
		_, value, _ := strings.Cut(v.Value, ":")
		return plainText(value)
	case "region", "priceUnit":
		return plainText(v.Value)
	}
	return v.Value
}

func checkSpan(f Filter, n *plainCount) error {
	least, most := math.Inf(1), math.Inf(-1)
	for value, count := range n.counts {
		if v, _ := strconv.ParseFloat(value, 64); count > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	if n.distinct() == 0 {
		if (f.Min == "") != (f.Max == "") { // it covers all listings, if it is shown at all
			return fmt.Errorf("it goes from %q to %q", f.Min, f.Max)
		}
		return nil
	}
	unit := f.Unit
	if f.Name == "price" {
		unit = ""
	}
	low, _ := strconv.ParseFloat(plainNumber(f.Min.String(), unit), 64)
	high, _ := strconv.ParseFloat(plainNumber(f.Max.String(), unit), 64)
	if low != least || high != most {
		return fmt.Errorf("it goes from %s to %s %s, want %v to %v", f.Min, f.Max, f.Unit, least, most)
	}
	return nil
}

// listingsOf returns the listings that the words of a text find, sorted by name.
func listingsOf(t interface{ Fatalf(string, ...any) }, x *Index, text string) (found []*corpus.Listing) {
	at := map[string]*corpus.Listing{}
	for i := range every(x.Corpus) {
		at[x.Corpus.Card(every(x.Corpus)[i]).APIURL] = &every(x.Corpus)[i]
	}
	for q := (Query{Text: text, Limit: MaxLimit, Sort: "name", Literal: true}); ; q.Offset += MaxLimit {
		r, err := x.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		for _, hit := range r.Listings {
			found = append(found, at[hit.APIURL])
		}
		if r.Next == "" {
			return found
		}
	}
}

func TestFiltersEqualAnExhaustiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x := drawnIndex(t)
		defer x.Close()
		m := plainly(x.Corpus)
		for range 5 {
			q := drawnQuery(t, x)
			drawnFilters(t, x, &q)
			q.Limit, q.Literal = MaxLimit, true // a text such as >0$ would also filter
			if err := m.compare(x, listingsOf(t, x, q.Text), q, mustAnswer(t, x, q)); err != nil {
				t.Fatalf("%+v: %v", q, err)
			}
		}
	})
}

// compare checks an answer against the counter.
func (m plainMarket) compare(x *Index, found []*corpus.Listing, q Query, result *Result) error {
	passed, counts := m.Count(found, q)
	if result.Total != len(passed) {
		return fmt.Errorf("total %d, want %d", result.Total, len(passed))
	}
	if q.Sort != "" && q.Sort != "relevance" {
		sortPlainly(passed, q)
		for i, hit := range result.Listings {
			if want := x.Corpus.Card(*passed[q.Offset+i]).APIURL; hit.APIURL != want {
				return fmt.Errorf("%s stands at %d, where %s should", hit.APIURL, i, want)
			}
		}
	}
	return m.checkCounts(found, q, result, counts)
}

// TestFiltersOfCNCFEqualAnExhaustiveCount picks random filters from those that previous
// answers offer.
func TestFiltersOfCNCFEqualAnExhaustiveCount(t *testing.T) {
	x := openMemory(t, extract(readCatalog(t, cncfFolder(t))), nil)
	texts := []string{"", "kubernetes", "service mesh", "stor", "monitoring of containers in the cloud", "grafna"}
	m, found := plainly(x.Corpus), map[string][]*corpus.Listing{}
	for _, text := range texts {
		found[text] = listingsOf(t, x, text)
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 40 {
		q := Query{Text: texts[random.IntN(len(texts))], Limit: MaxLimit, Filters: map[string][]string{}, Sort: []string{"", "name", "newest"}[random.IntN(3)]}
		for range random.IntN(5) {
			result, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			f := result.Filters[random.IntN(len(result.Filters))]
			if len(f.Values) > 0 && (f.Name != "kind" || len(q.Filters["kind"]) == 0) {
				q = q.with(f.Name, append(slices.Clone(q.Filters[f.Name]), f.Values[random.IntN(len(f.Values))].Value)...)
			}
		}
		result, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.compare(x, found[q.Text], q, result); err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
	}
}
