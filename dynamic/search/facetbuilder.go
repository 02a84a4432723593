package search

import (
	"cmp"
	"slices"
	"strings"

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
}

type spelledAttribute struct {
	name, unit string
	kind       catalog.ValueKind
}

type foldedAttribute struct {
	name, dimension string
	kind            valueKind
}

func newFacets(c *Corpus) *facets {
	b := &facetBuilder{
		corpus: c, fixed: map[string]*facetValues{}, attributes: map[spelledAttribute]*facetValues{},
		folded: map[foldedAttribute]*facetValues{}, prices: map[string]*facetValues{}, from: make([]uint32, 1, len(c.listings)+1),
	}
	b.prepare()
	for i := range c.listings {
		b.listing(&c.listings[i])
		b.from = append(b.from, uint32(len(b.met)))
	}
	return b.finish()
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
}

func (b *facetBuilder) facet(filter string, kind valueKind) *facetValues {
	v := &facetValues{filter: filter, kind: kind, names: map[string]int{}, units: map[string]int{}, at: map[writtenAs]uint32{}}
	b.list = append(b.list, v)
	return v
}

// put returns the place of a value, a new one if it was not met before.
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

// has adds a value to the listing.
func (b *facetBuilder) has(place uint32) {
	b.all[place].listings++
	b.met = append(b.met, place)
}

func (b *facetBuilder) text(filter, value string, label func(string) string) {
	if value == "" {
		return
	}
	v := b.fixed[filter]
	at, known := v.at[writtenAs{value: value}]
	if !known {
		at = b.put(v, value, "", label(value))
	}
	b.has(at)
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
	b.has(b.sellers[l.seller])
	s := &c.sellers[l.seller]
	b.text(document.FilterCountry, s.country, c.country)
	b.text(document.FilterDelivery, o.Delivery, c.delivery)
	for _, region := range o.Regions {
		b.text(document.FilterRegion, region, plain)
	}
	for _, tag := range s.item.Languages {
		b.text(document.FilterLanguage, languageTag(tag), c.spoken)
	}
	for _, proof := range [...][]catalog.Proof{o.Proof, s.item.Proof} {
		for i := range proof {
			b.text(document.FilterProof, proof[i].Kind, c.proof)
		}
	}
	b.price(o.Price)
	b.attributesOf(o.Attributes)
	for i := range o.Variants {
		b.price(o.Variants[i].Price)
		b.attributesOf(o.Variants[i].Attributes)
	}
}

func plain(string) string { return "" }

func (b *facetBuilder) price(p *catalog.Price) {
	if p == nil {
		return
	}
	v := b.prices[p.Currency]
	if v == nil {
		v = b.facet(document.FilterPrice, numberValues)
		v.folded = p.Currency
		b.prices[p.Currency] = v
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
	folded := foldedAttribute{name: foldedName(a.Name)}
	switch a.Kind {
	case catalog.NumberValue:
		u, _ := unit.Parse(a.Unit)
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
func (b *facetBuilder) finish() *facets {
	order := map[string]int{}
	for i, filter := range document.SearchFilters() {
		order[filter] = i
	}
	slices.SortStableFunc(b.list, func(x, y *facetValues) int {
		return cmp.Or(cmp.Compare(order[x.filter], order[y.filter]), strings.Compare(x.folded, y.folded), cmp.Compare(x.kind, y.kind), strings.Compare(x.dimension, y.dimension))
	})
	f := &facets{list: make([]facet, 0, len(b.list)), seller: make([]int32, len(b.corpus.listings)), newest: b.corpus.newest()}
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
	for i := range b.corpus.listings {
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
	for i := range b.corpus.listings {
		f.seller[i] = b.corpus.listings[i].seller
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

// newest returns the place of each listing when the last published is first.
func (c *Corpus) newest() []uint32 {
	order := make([]uint32, len(c.listings))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		return c.listings[b].offer.PublishedAt.Time.Compare(c.listings[a].offer.PublishedAt.Time)
	})
	places := make([]uint32, len(order))
	for i, doc := range order {
		places[doc] = uint32(i)
		if i > 0 && c.listings[order[i-1]].offer.PublishedAt.Time.Equal(c.listings[doc].offer.PublishedAt.Time) {
			places[doc] = places[order[i-1]]
		}
	}
	return places
}
