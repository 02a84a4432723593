package search

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"souk/build/catalog"
	"souk/dynamic/search/text"
)

// The dimensions of the filters, in the order of the answer.
const (
	byKind = iota
	byCategory
	bySeller
	byCountry
	dimensions
)

var dimensionNames = [dimensions]string{"kind", "category", "seller", "country"}

// columns hold what listings are filtered and counted by, by listing.
type columns struct {
	kind   []int32
	seller []int32
	// country is -1 if unknown.
	country []int32
	// categories of listing i, with their ancestors, each once, are
	// categories[first[i]:first[i+1]].
	categories []int32
	first      []uint32

	values [dimensions]values
}

// values are all values of a dimension.
type values struct {
	value, label []string
	// rank is the place of each value in the order of labels, then values.
	rank []uint32
	// ranked returns the value of each rank.
	ranked []int32
	at     map[string]int32
}

func newValues(n int) values { return values{at: make(map[string]int32, n)} }

func (v *values) add(value, label string) int32 {
	if at, known := v.at[value]; known {
		return at
	}
	at := int32(len(v.value))
	v.at[value] = at
	v.value, v.label = append(v.value, value), append(v.label, label)
	return at
}

func (v *values) order() {
	folded := make([]string, len(v.label))
	byLabel := make([]int32, len(v.label))
	for i, label := range v.label {
		folded[i], byLabel[i] = text.Fold(label), int32(i)
	}
	slices.SortFunc(byLabel, func(a, b int32) int {
		if c := strings.Compare(folded[a], folded[b]); c != 0 {
			return c
		}
		return strings.Compare(v.value[a], v.value[b])
	})
	v.rank, v.ranked = make([]uint32, len(byLabel)), byLabel
	for rank, at := range byLabel {
		v.rank[at] = uint32(rank)
	}
}

func newColumns(c *Corpus) *columns {
	n := len(c.listings)
	col := &columns{
		kind: make([]int32, n), seller: make([]int32, n), country: make([]int32, n), first: make([]uint32, n+1),
	}
	kinds, categories := newValues(2), newValues(len(c.categories))
	sellers, countries := newValues(len(c.sellers)), newValues(64)
	kinds.add("product", c.kinds[0])
	kinds.add("service", c.kinds[1])
	for i := range c.categories {
		categories.add(categoryValue(c.categories[i].link), c.categories[i].link.Name)
	}
	names := display.Regions(language.Make(c.language))
	country := make([]int32, len(c.sellers))
	for i := range c.sellers {
		sellers.add(c.sellers[i].link.Slug, c.sellers[i].link.Name)
		country[i] = -1
		if code := c.sellers[i].country; code != "" {
			country[i] = countries.add(code, countryName(names, code))
		}
	}
	for i := range c.listings {
		l := &c.listings[i]
		if l.offer.Ref.Kind == catalog.KindService {
			col.kind[i] = 1
		}
		col.seller[i], col.country[i] = l.seller, country[l.seller]
		from := len(col.categories)
		for _, at := range l.categories {
			for _, up := range c.categories[at].lineage {
				if !contains(col.categories[from:], up) {
					col.categories = append(col.categories, up)
				}
			}
		}
		col.first[i+1] = uint32(len(col.categories))
	}
	col.values = [dimensions]values{kinds, categories, sellers, countries}
	for d := range col.values {
		col.values[d].order()
	}
	return col
}

func countryName(names display.Namer, code string) string {
	if region, err := language.ParseRegion(code); err == nil && names != nil {
		if name := names.Name(region); name != "" {
			return name
		}
	}
	return code
}

func (c *columns) categoriesOf(doc uint32) []int32 { return c.categories[c.first[doc]:c.first[doc+1]] }
