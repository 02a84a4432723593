package facet

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/fold"
	"souk/build/kit/processors"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/hit"
)

// A facetBuilder numbers the values of all listings. Segments number the values of their
// listings themselves ("segment ordinals" in Lucene), so the builder compares the text of each
// value once per segment, and reads only numbers for each listing.
type facetBuilder struct {
	corpus  *corpus.Corpus
	counted []corpus.CountedValues
	list    []*facetValues
	fixed   map[string]*facetValues
	// attributes maps the spelling of an attribute to its values.
	attributes map[spelledAttribute]*facetValues
	folded     map[foldedAttribute]*facetValues
	prices     map[string]*facetValues
	// all contains all values as spelled. A place is an index into it.
	all []written
	// categories and sellers are the places of the corpus's categories and sellers.
	categories, sellers []uint32
	// ofSeller are the places of the values that all listings of a seller have; nil until the
	// first segment with the seller.
	ofSeller [][]uint32
	// segments map the numbers of each segment.
	segments []ordinals
	// languages maps tags as spelled to their canonical form. read is the last seller that was
	// read.
	languages map[string]string
	read      catalog.Seller
}

type foldedAttribute struct {
	name, dimension string
	kind            valueKind
}

func NewFacets(c *corpus.Corpus, counted []corpus.CountedValues) *Facets {
	b := &facetBuilder{
		corpus: c, counted: counted, fixed: map[string]*facetValues{}, attributes: map[spelledAttribute]*facetValues{},
		folded: map[foldedAttribute]*facetValues{}, prices: map[string]*facetValues{}, languages: map[string]string{},
	}
	b.prepare()
	b.join()
	f := b.finish()
	f.corpus, f.tallies, f.respelled = c, newCountPool(len(f.Value)), &atomic.Pointer[respelled]{}
	return f
}

// prepare creates the facets whose values are known, and the values that all listings of a
// seller have.
func (b *facetBuilder) prepare() {
	c := b.corpus
	for _, filter := range Parameters(c) {
		if filter != document.FilterPrice && filter != document.FilterAttribute {
			b.fixed[filter] = b.facet(filter, textValues)
			b.fixed[filter].exact = !slices.Contains([]string{document.FilterRegion, document.FilterPriceUnit, document.FilterCity}, filter)
		}
	}
	b.put(b.fixed[document.FilterKind], "product", "", c.Texts.Text("name.products"))
	b.put(b.fixed[document.FilterKind], "service", "", c.Texts.Text("name.services"))
	for i, label := range c.CategoryLabels() {
		b.categories = append(b.categories, b.put(b.fixed[document.FilterCategory], corpus.CategoryValue(c.Categories[i].Link), "", label))
	}
	for i := range c.Sellers {
		s := &c.Sellers[i]
		b.sellers = append(b.sellers, b.put(b.fixed[document.FilterSeller], s.Company.Slug, "", s.Name))
	}
	b.ofSeller = make([][]uint32, len(c.Sellers))
}

// Parameters returns the parameters that can narrow a corpus, in the order of the response.
// For companies, it includes the seller, which identifies a company and excludes one, although
// no parameter narrows by it.
func Parameters(c *corpus.Corpus) []string {
	if !c.OfCompanies {
		return document.SearchFilters()
	}
	return []string{
		document.FilterKind, document.FilterCategory, document.FilterSeller, document.FilterCountry, document.FilterCity,
		document.FilterLanguage, document.FilterProof,
	}
}

func (b *facetBuilder) facet(filter string, kind valueKind) *facetValues {
	v := &facetValues{filter: filter, kind: kind, names: map[string]int{}, units: map[string]int{}, at: map[writtenAs]uint32{}}
	b.list = append(b.list, v)
	return v
}

// put returns the place of a value, a new one for a new value.
func (b *facetBuilder) put(v *facetValues, value, unit, label string) uint32 {
	key := writtenAs{value, unit}
	at, known := v.at[key]
	if !known {
		at = uint32(len(b.all))
		v.at[key] = at
		v.places = append(v.places, at)
		b.all = append(b.all, written{writtenAs: key, label: label})
	}
	return at
}

// place returns the place of a text in a facet. The empty text has none.
func (b *facetBuilder) place(filter, value string, label func(string) string) (at uint32, any bool) {
	v := b.fixed[filter]
	if value == "" || v == nil {
		return 0, false
	}
	at, known := v.at[writtenAs{value: value}]
	if !known {
		value = strings.Clone(value)
		at = b.put(v, value, "", label(value))
	}
	return at, true
}

// few counts a value of a kind with few values, or one that names a seller or category of the
// corpus (of is then its number, otherwise -1). n is the number of occurrences. It returns the
// value's place, or none for a seller or category.
func (b *facetBuilder) few(v *index.Value, named int32, times int) (place uint32) {
	c := b.corpus
	switch v.Of {
	case index.OfSeller:
		if named < 0 {
			return 0
		}
		if b.ofSeller[named] == nil {
			b.ofSeller[named] = b.sellerHas(named)
		}
		for _, one := range b.ofSeller[named] {
			b.all[one].listings += times
		}
		return 0
	case index.OfCategory:
		return 0 // each has one spelling, so no count is needed
	case index.OfKind:
		place, _ = b.place(document.FilterKind, v.Text, plain)
	case index.OfAvailability:
		place, _ = b.place(document.FilterAvailability, v.Text, c.Availability)
	case index.OfDelivery:
		place, _ = b.place(document.FilterDelivery, v.Text, c.Delivery)
	case index.OfRegion:
		place, _ = b.place(document.FilterRegion, v.Text, c.Country)
	case index.OfProof:
		place, _ = b.place(document.FilterProof, v.Text, c.Proof)
	case index.OfPriceUnit:
		place, _ = b.place(document.FilterPriceUnit, v.Text, plain)
	}
	b.all[place].listings += times
	return place
}

// sellerHas returns the places of the values that all listings of a seller have.
func (b *facetBuilder) sellerHas(at int32) []uint32 {
	c, s := b.corpus, &b.corpus.Sellers[at]
	c.ReadSeller(at, &b.read)
	places := []uint32{b.sellers[at]}
	add := func(filter, value string, label func(string) string) {
		if place, any := b.place(filter, value, label); any {
			places = append(places, place)
		}
	}
	add(document.FilterCountry, s.Country, c.Country)
	if h := b.read.Headquarters; h != nil {
		add(document.FilterCity, h.City, plain)
	}
	for _, tag := range b.read.Languages {
		spoken, known := b.languages[tag]
		if !known {
			spoken = corpus.LanguageTag(strings.Clone(tag))
			b.languages[strings.Clone(tag)] = spoken
		}
		add(document.FilterLanguage, spoken, c.Spoken)
	}
	for i := range b.read.Proof {
		add(document.FilterProof, b.read.Proof[i].Kind, c.Proof)
	}
	return places
}

func plain(string) string { return "" }

// FoldedName returns the form in which attribute names are compared.
func FoldedName(name string) string { return strings.Join(strings.Fields(fold.Text(name)), " ") }

// finish numbers all values.
func (b *facetBuilder) finish() *Facets {
	order := map[string]int{}
	for i, filter := range Parameters(b.corpus) {
		order[filter] = i
	}
	slices.SortStableFunc(b.list, func(x, y *facetValues) int {
		return cmp.Or(cmp.Compare(order[x.filter], order[y.filter]), strings.Compare(x.folded, y.folded), cmp.Compare(x.kind, y.kind), strings.Compare(x.dimension, y.dimension))
	})
	f := &Facets{List: make([]Facet, 0, len(b.list))}
	var newest sync.WaitGroup
	newest.Go(func() { f.Newest = newestOf(b.corpus) })
	several := b.several()
	for i, v := range b.list {
		b.number(f, v, several[i])
	}
	f.findOtherTypes()
	b.assign(f)
	newest.Wait()
	f.categoryAt = b.placesOf(f.List[AtCategory].First, b.categories)
	f.SellerAt = b.placesOf(f.List[AtSeller].First, b.sellers)
	f.CategoryID = make([]uint32, len(b.categories))
	for at, place := range b.categories {
		f.CategoryID[at] = b.all[place].id
	}
	return f
}

// placesOf maps the ids of a facet to indexes in the corpus.
func (b *facetBuilder) placesOf(first uint32, values []uint32) []int32 {
	places := make([]int32, len(values))
	for at, place := range values {
		places[b.all[place].id-first] = int32(at)
	}
	return places
}

// several returns, by index in the list, the facets for which some listing has several values,
// if that matters for the facet.
func (b *facetBuilder) several() []bool {
	const none = -1
	facetOf := make([]int32, len(b.all))
	for i, v := range b.list {
		at := int32(i)
		if v.filter != document.FilterPrice && v.filter != document.FilterAttribute {
			at = none
		}
		for _, place := range v.places {
			facetOf[place] = at
		}
	}
	of := make([][]bool, len(b.segments))
	processors.Each(len(of), func(i int) {
		found, last := make([]bool, len(b.list)), make([]int, len(b.list)) // last is the last listing counted, from 1
		s := &b.corpus.Segments[i]
		for document, at := range s.Listings {
			if at < 0 {
				continue
			}
			for _, n := range s.ListingValues(document) {
				for _, place := range b.segments[i].of(n) {
					if facet := facetOf[place]; facet != none {
						found[facet] = found[facet] || last[facet] == document+1
						last[facet] = document + 1
					}
				}
			}
		}
		of[i] = found
	})
	all := make([]bool, len(b.list))
	for _, found := range of {
		for i, is := range found {
			all[i] = all[i] || is
		}
	}
	return all
}

// number assigns ids to the values of a facet.
func (b *facetBuilder) number(f *Facets, v *facetValues, several bool) {
	one := Facet{Filter: v.filter, Folded: v.folded, Name: most(v.names), Kind: v.kind, First: uint32(len(f.Value))}
	if v.filter == document.FilterPrice {
		one.Name, one.symbol = v.folded, v.folded
	}
	if v.filter == document.FilterAttribute && v.kind == NumberValues {
		one.measure(most(v.units))
	}
	if v.exact {
		one.At = make(map[string]uint32, len(v.places))
	}
	mixed := false
	list := v.sorted(b.all)
	for i, n := range list {
		w := &b.all[n.place]
		if i > 0 && v.compare(list[i-1], n, &b.all[list[i-1].place], w) == 0 {
			w.id = b.all[list[i-1].place].id
			continue
		}
		w.id = uint32(len(f.Value))
		f.Value = append(f.Value, w.value)
		if v.kind == NumberValues {
			u, _ := unit.Parse(w.unit)
			one.units = append(one.units, u)
			mixed = mixed || u != one.Unit
		}
		if v.exact || v.filter == document.FilterRegion {
			one.label = append(one.label, cmp.Or(w.label, w.value))
		}
		if v.exact {
			one.At[w.value] = w.id
		}
	}
	if !mixed {
		one.units = nil
	}
	one.End = uint32(len(f.Value))
	if several {
		one.Surplus = one.End
		f.Value = append(f.Value, "")
	}
	f.List = append(f.List, one)
}

// assigned is how many listings get their ids at a time.
const assigned = 1 << 14

// assign assigns each listing its ids.
func (b *facetBuilder) assign(f *Facets) {
	surplus := make([]uint32, len(f.Value)) // by id, of its facet
	for _, one := range f.List {
		for id := one.First; id < one.End; id++ {
			surplus[id] = one.Surplus
		}
	}
	processors.Each(len(b.segments), func(i int) {
		all := b.segments[i].all
		for n, place := range all {
			all[n] = b.all[place].id
		}
	})
	var typed hit.Marks // the texts that are also values of another type
	for id, other := range f.otherTypes {
		if typed == nil {
			typed = make(hit.Marks, (len(f.Value)+63)/64)
		}
		if id < other[0] {
			typed.Mark(id)
		}
	}
	places := b.corpus.Places
	f.from = make([]uint32, len(places)+1) // at first, how many ids each listing has
	shares := make([][]uint32, (len(places)+assigned-1)/assigned)
	room := b.idsOfAll()*assigned/max(1, len(places))*9/8 + 64
	processors.Each(len(shares), func(i int) {
		ids := make([]uint32, 0, room)
		for at := i * assigned; at < min((i+1)*assigned, len(places)); at++ {
			start := len(ids)
			ids = b.idsOf(ids, f, typed, places[at], surplus)
			f.from[at+1] = uint32(len(ids) - start)
		}
		shares[i] = ids
	})
	for at := range places {
		f.from[at+1] += f.from[at]
	}
	f.ids = make([]uint32, 0, f.from[len(places)])
	for i, ids := range shares {
		f.ids, shares[i] = append(f.ids, ids...), nil
	}
}

// idsOfAll returns the number of ids of all listings, counting an id twice if a listing has it
// twice.
func (b *facetBuilder) idsOfAll() (n int) {
	for i := range b.counted {
		for number, times := range b.counted[i].Times {
			n += int(times) * len(b.segments[i].of(uint32(number)))
		}
	}
	return n
}

// idsOf appends the ids of a listing, ascending. A text that the listing also has as a number
// or truth value counts only as that.
func (b *facetBuilder) idsOf(ids []uint32, f *Facets, typed hit.Marks, p corpus.Place, surplus []uint32) []uint32 {
	start := len(ids)
	for _, n := range b.corpus.Segments[p.Segment].ListingValues(int(p.Document)) {
		ids = append(ids, b.segments[p.Segment].of(n)...)
	}
	slices.Sort(ids[start:])
	ids = ids[:start+len(slices.Compact(ids[start:]))]
	if typed != nil {
		all := ids[start:]
		ids = ids[:start]
		for i, id := range all {
			if typed.Marked(id) && len(Run(all[i+1:], f.otherTypes[id][0], f.otherTypes[id][1])) > 0 {
				continue
			}
			ids = append(ids, id)
		}
	}
	last, end := uint32(0), len(ids)
	for _, id := range ids[start:end] {
		if s := surplus[id]; s != 0 && s == last {
			ids = append(ids, s)
		} else {
			last = s
		}
	}
	if len(ids) > end {
		slices.Sort(ids[start:])
	}
	return ids
}
