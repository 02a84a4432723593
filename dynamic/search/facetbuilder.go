package search

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/fold"
	"souk/build/unit"
)

// A facetBuilder collects the values of all listings, in the order in which they are
// met, and numbers them when all are known.
type facetBuilder struct {
	corpus *Corpus
	list   []*facetValues
	fixed  map[string]*facetValues
	// attributes leads from an attribute as it is spelled to its values.
	attributes map[spelledAttribute]*facetValues
	folded     map[foldedAttribute]*facetValues
	prices     map[string]*facetValues
	// all values, as they are spelled; those of listing i are met[from[i]:from[i+1]].
	all  []written
	met  []uint32
	from []uint32
	// categories and sellers are the places among all of those of the corpus.
	categories, sellers []uint32
	// ofSeller are the places of what all listings of a seller have; nil until the first
	// of them is met.
	ofSeller [][]uint32
}

type spelledAttribute struct {
	name, unit string
	kind       catalog.ValueKind
}

type foldedAttribute struct {
	name, dimension string
	kind            valueKind
}

// sampled is how many listings tell how many values all have.
const sampled = 10_000

func newFacets(c *Corpus) *facets {
	b := &facetBuilder{
		corpus: c, fixed: map[string]*facetValues{}, attributes: map[spelledAttribute]*facetValues{},
		folded: map[foldedAttribute]*facetValues{}, prices: map[string]*facetValues{}, from: make([]uint32, 1, len(c.places)+1),
	}
	b.prepare()
	published := make([]time.Time, len(c.places))
	c.eachListing(func(at uint32, l *listing) {
		b.listing(l)
		published[at] = l.offer.PublishedAt.Time
		b.from = append(b.from, uint32(len(b.met)))
		if at == sampled {
			// The others have about as many: growing step by step takes twice the memory.
			b.met = slices.Grow(b.met, len(b.met)*(len(c.places)-sampled)/sampled*9/8)
		}
	})
	return b.finish(published)
}

// prepare makes the facets whose values are known, and those of all listings of a
// seller.
func (b *facetBuilder) prepare() {
	for _, filter := range document.SearchFilters() {
		if filter != document.FilterPrice && filter != document.FilterAttribute {
			b.fixed[filter] = b.facet(filter, textValues)
			b.fixed[filter].exact = filter != document.FilterRegion && filter != document.FilterPriceUnit
		}
	}
	c := b.corpus
	b.put(b.fixed[document.FilterKind], "product", "", c.texts.Text("name.products"))
	b.put(b.fixed[document.FilterKind], "service", "", c.texts.Text("name.services"))
	for i := range c.categories {
		link := c.categories[i].link
		b.categories = append(b.categories, b.put(b.fixed[document.FilterCategory], categoryValue(link), "", link.Name))
	}
	for i := range c.sellers {
		link := c.sellers[i].link
		b.sellers = append(b.sellers, b.put(b.fixed[document.FilterSeller], link.Slug, "", link.Name))
	}
	b.ofSeller = make([][]uint32, len(c.sellers))
}

func (b *facetBuilder) facet(filter string, kind valueKind) *facetValues {
	v := &facetValues{filter: filter, kind: kind, names: map[string]int{}, units: map[string]int{}, at: map[writtenAs]uint32{}}
	b.list = append(b.list, v)
	return v
}

// put returns the place of a value, a new one if it was not met before. The texts of a
// listing lie in the parts: what is kept of them is a copy.
func (b *facetBuilder) put(v *facetValues, value, unit, label string) uint32 {
	key := writtenAs{value, unit}
	at, known := v.at[key]
	if !known {
		key = writtenAs{strings.Clone(value), strings.Clone(unit)}
		at = uint32(len(b.all))
		v.at[key] = at
		v.places = append(v.places, at)
		b.all = append(b.all, written{writtenAs: key, label: strings.Clone(label)})
	}
	return at
}

// has adds a value to the listing.
func (b *facetBuilder) has(place uint32) {
	b.all[place].listings++
	b.met = append(b.met, place)
}

func (b *facetBuilder) text(filter, value string, label func(string) string) {
	if place, any := b.place(filter, value, label); any {
		b.has(place)
	}
}

// place returns that of a text in a facet; the empty one has none.
func (b *facetBuilder) place(filter, value string, label func(string) string) (at uint32, any bool) {
	if value == "" {
		return 0, false
	}
	v := b.fixed[filter]
	at, known := v.at[writtenAs{value: value}]
	if !known {
		at = b.put(v, value, "", label(value))
	}
	return at, true
}

func (b *facetBuilder) listing(l *listing) {
	c, o := b.corpus, l.offer
	kind := "product"
	if o.Ref.Kind == catalog.KindService {
		kind = "service"
	}
	b.text(document.FilterKind, kind, nil)
	for _, at := range l.categories {
		for _, up := range c.categories[at].lineage {
			b.has(b.categories[up])
		}
	}
	if b.ofSeller[l.seller] == nil {
		b.ofSeller[l.seller] = b.sellerHas(l.seller)
	}
	for _, place := range b.ofSeller[l.seller] {
		b.has(place)
	}
	b.text(document.FilterDelivery, o.Delivery, c.delivery)
	for _, region := range o.Regions {
		b.text(document.FilterRegion, region, plain)
	}
	for i := range o.Proof {
		b.text(document.FilterProof, o.Proof[i].Kind, c.proof)
	}
	b.price(o.Price)
	b.attributesOf(o.Attributes)
	for i := range o.Variants {
		b.price(o.Variants[i].Price)
		b.attributesOf(o.Variants[i].Attributes)
	}
}

// sellerHas returns the places of what all listings of a seller have.
func (b *facetBuilder) sellerHas(at int32) []uint32 {
	c, s := b.corpus, &b.corpus.sellers[at]
	places := []uint32{b.sellers[at]}
	add := func(filter, value string, label func(string) string) {
		if place, any := b.place(filter, value, label); any {
			places = append(places, place)
		}
	}
	add(document.FilterCountry, s.country, c.country)
	for _, tag := range s.item.Languages {
		add(document.FilterLanguage, languageTag(tag), c.spoken)
	}
	for i := range s.item.Proof {
		add(document.FilterProof, s.item.Proof[i].Kind, c.proof)
	}
	return places
}

func plain(string) string { return "" }

func (b *facetBuilder) price(p *catalog.Price) {
	if p == nil {
		return
	}
	v := b.prices[p.Currency]
	if v == nil {
		v = b.facet(document.FilterPrice, numberValues)
		v.folded = strings.Clone(p.Currency)
		b.prices[v.folded] = v
	}
	b.has(b.put(v, p.Amount, "", ""))
	b.text(document.FilterPriceUnit, p.Unit, plain)
}

func (b *facetBuilder) attributesOf(list []catalog.Attribute) {
	for i := range list {
		a := &list[i]
		v := b.attribute(a)
		v.names[a.Name]++
		v.units[a.Unit]++
		value, label := a.Value, ""
		if v.kind == booleanValues {
			label = b.corpus.truth(a.Value)
		}
		b.has(b.put(v, value, a.Unit, label))
	}
}

// attribute returns the values of an attribute's facet.
func (b *facetBuilder) attribute(a *catalog.Attribute) *facetValues {
	spelled := spelledAttribute{a.Name, a.Unit, a.Kind}
	if v := b.attributes[spelled]; v != nil {
		return v
	}
	spelled.name, spelled.unit = strings.Clone(a.Name), strings.Clone(a.Unit)
	folded := foldedAttribute{name: foldedName(spelled.name)}
	switch a.Kind {
	case catalog.NumberValue:
		u, _ := unit.Parse(spelled.unit)
		folded.kind, folded.dimension = numberValues, u.Dimension()
	case catalog.BooleanValue:
		folded.kind = booleanValues
	}
	v := b.folded[folded]
	if v == nil {
		v = b.facet(document.FilterAttribute, folded.kind)
		v.folded, v.dimension, v.exact = folded.name, folded.dimension, folded.kind == booleanValues
		b.folded[folded] = v
	}
	b.attributes[spelled] = v
	return v
}

// foldedName returns an attribute's name as it is compared.
func foldedName(name string) string { return strings.Join(strings.Fields(fold.Text(name)), " ") }

// finish numbers all values.
func (b *facetBuilder) finish(published []time.Time) *facets {
	order := map[string]int{}
	for i, filter := range document.SearchFilters() {
		order[filter] = i
	}
	slices.SortStableFunc(b.list, func(x, y *facetValues) int {
		return cmp.Or(cmp.Compare(order[x.filter], order[y.filter]), strings.Compare(x.folded, y.folded), cmp.Compare(x.kind, y.kind), strings.Compare(x.dimension, y.dimension))
	})
	f := &facets{list: make([]facet, 0, len(b.list)), newest: newestOf(published)}
	several := b.several()
	for _, v := range b.list {
		b.number(f, v, several[v])
	}
	b.assign(f)
	f.categoryAt = b.placesOf(f.list[atCategory].first, b.categories)
	f.sellerAt = b.placesOf(f.list[atSeller].first, b.sellers)
	f.categoryID = make([]uint32, len(b.categories))
	for at, place := range b.categories {
		f.categoryID[at] = b.all[place].id
	}
	return f
}

// placesOf leads from the ids of a facet back to the places in the corpus.
func (b *facetBuilder) placesOf(first uint32, values []uint32) []int32 {
	places := make([]int32, len(values))
	for at, place := range values {
		places[b.all[place].id-first] = int32(at)
	}
	return places
}

// several returns the facets of which some listing has several values, where that
// counts.
func (b *facetBuilder) several() map[*facetValues]bool {
	of := make([]*facetValues, len(b.all))
	for _, v := range b.list {
		if v.filter == document.FilterPrice || v.filter == document.FilterAttribute {
			for _, place := range v.places {
				of[place] = v
			}
		}
	}
	found := map[*facetValues]bool{}
	var seen []*facetValues
	for i := range b.corpus.places {
		seen = seen[:0]
		for _, place := range b.met[b.from[i]:b.from[i+1]] {
			v := of[place]
			switch {
			case v == nil:
			case slices.Contains(seen, v):
				found[v] = true
			default:
				seen = append(seen, v)
			}
		}
	}
	return found
}

// number gives the values of a facet their ids.
func (b *facetBuilder) number(f *facets, v *facetValues, several bool) {
	one := facet{filter: v.filter, folded: v.folded, name: most(v.names), kind: v.kind, first: uint32(len(f.value))}
	if v.filter == document.FilterPrice {
		one.name, one.symbol = v.folded, v.folded
	}
	if v.filter == document.FilterAttribute && v.kind == numberValues {
		one.symbol = most(v.units)
		known := false
		if one.unit, known = unit.Parse(one.symbol); known {
			one.symbol = one.unit.Symbol()
		}
	}
	if v.exact {
		one.at = make(map[string]uint32, len(v.places))
	}
	mixed := false
	list := v.sorted(b.all)
	for i, n := range list {
		w := &b.all[n.place]
		if i > 0 && v.compare(list[i-1], n, &b.all[list[i-1].place], w) == 0 {
			w.id = b.all[list[i-1].place].id
			continue
		}
		w.id = uint32(len(f.value))
		f.value = append(f.value, w.value)
		if v.kind == numberValues {
			u, _ := unit.Parse(w.unit)
			one.units = append(one.units, u)
			mixed = mixed || u != one.unit
		}
		if v.exact {
			one.label = append(one.label, cmp.Or(w.label, w.value))
			one.at[w.value] = w.id
		}
	}
	if !mixed {
		one.units = nil
	}
	one.end = uint32(len(f.value))
	if several {
		one.surplus = one.end
		f.value = append(f.value, "")
	}
	f.list = append(f.list, one)
}

// assign gives each listing its ids.
func (b *facetBuilder) assign(f *facets) {
	surplus := make([]uint32, len(f.value)) // of the facet of each id
	for _, one := range f.list {
		for id := one.first; id < one.end; id++ {
			surplus[id] = one.surplus
		}
	}
	f.from = make([]uint32, 1, len(b.from))
	f.ids = make([]uint32, 0, len(b.met))
	for i := range b.corpus.places {
		start := len(f.ids)
		for _, place := range b.met[b.from[i]:b.from[i+1]] {
			f.ids = append(f.ids, b.all[place].id)
		}
		slices.Sort(f.ids[start:])
		f.ids = f.ids[:start+len(slices.Compact(f.ids[start:]))]
		last := uint32(0)
		for _, id := range f.ids[start:] {
			if s := surplus[id]; s != 0 && s == last {
				f.ids = append(f.ids, s)
			} else {
				last = s
			}
		}
		slices.Sort(f.ids[start:])
		f.from = append(f.from, uint32(len(f.ids)))
	}
	f.ids = slices.Clip(f.ids)
}
