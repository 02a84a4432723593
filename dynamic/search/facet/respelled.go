package facet

import (
	"cmp"
	"slices"

	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/hit"
)

// A respelled contains the displayed forms of Facets while sellers are withheld.
type respelled struct {
	visible *corpus.Visibility
	facets  *Facets
}

// ShownTo returns the facets with the names, units and texts that most of the visible listings
// use, because the spelling of a withheld seller must not appear. The parts must be open.
func (x *Facets) ShownTo(v *corpus.Visibility) *Facets {
	if v.ShowsAll() {
		return x
	}
	last := x.respelled.Load()
	if last == nil || last.visible != v {
		last = &respelled{v, x.respell(v)}
		x.respelled.Store(last)
	}
	return last.facets
}

// respell computes the displayed forms for a visibility.
func (x *Facets) respell(v *corpus.Visibility) *Facets {
	y := *x
	y.List, y.Value = slices.Clone(x.List), slices.Clone(x.Value)
	s := spellings{facets: x, withheld: x.idsWithheld(v), at: map[spelledValue]int{}, names: map[int]map[string]int{}, units: map[int]map[string]int{}, texts: map[uint32]map[string]int{}}
	s.count(v)
	for at, names := range s.names {
		y.List[at].Name = most(names)
	}
	for at, units := range s.units {
		one := &y.List[at]
		if one.units == nil {
			one.units = slices.Repeat([]unit.Unit{one.Unit}, int(one.End-one.First))
		}
		one.measure(most(units))
	}
	for id, texts := range s.texts {
		y.Value[id] = most(texts)
	}
	for i := range y.List {
		if one := &y.List[i]; one.Filter == document.FilterRegion {
			one.label = slices.Clone(one.label)
			for at := range one.label {
				text := y.Value[one.First+uint32(at)]
				one.label[at] = cmp.Or(x.corpus.Country(text), text)
			}
		}
	}
	return &y
}

// measure sets the displayed unit of numbers.
func (one *Facet) measure(symbol string) {
	known := false
	if one.Unit, known = unit.Parse(symbol); known {
		symbol = one.Unit.Symbol()
	}
	one.symbol = symbol
}

// idsWithheld returns the ids of withheld listings.
func (x *Facets) idsWithheld(v *corpus.Visibility) hit.Marks {
	ids := make(hit.Marks, (len(x.Value)+63)/64)
	for doc, seller := range x.corpus.SellerOf {
		if v.Hides(seller) {
			for _, id := range x.Of(uint32(doc)) {
				ids.Mark(id)
			}
		}
	}
	return ids
}

// A spelledValue is one spelling of an attribute, or of a filter whose values authors write
// freely.
type spelledValue struct {
	filter string
	spelledAttribute
}

var wordedFilters = map[index.Facet]string{
	index.OfAttribute: document.FilterAttribute, index.OfRegion: document.FilterRegion, index.OfPriceUnit: document.FilterPriceUnit,
}

// spellings counts the spellings of values that withheld listings have too.
type spellings struct {
	facets   *Facets
	withheld hit.Marks
	// at maps to the index of a facet, or -1 if no withheld listing has it.
	at map[spelledValue]int
	// names and units are by index of the facet, texts by id.
	names, units map[int]map[string]int
	texts        map[uint32]map[string]int
}

// count counts the spellings of visible listings.
func (s *spellings) count(v *corpus.Visibility) {
	c := s.facets.corpus
	for i := range c.Segments {
		segment := &c.Segments[i]
		values := segment.Values()
		times := make([]int, len(values))
		for document, at := range segment.Listings {
			if at >= 0 && !v.Hides(c.SellerOf[at]) {
				for _, n := range segment.ListingValues(document) {
					times[n]++
				}
			}
		}
		for n, listings := range times {
			if listings > 0 {
				s.add(&values[n], listings)
			}
		}
	}
}

// add counts a value with its number of listings.
func (s *spellings) add(v *index.Value, listings int) {
	spelled := spelledValue{wordedFilters[v.Of], spelledAttribute{v.Name, v.Unit, v.Kind}}
	if spelled.filter == "" {
		return
	}
	at, known := s.at[spelled]
	if !known {
		at = s.place(spelled)
		s.at[spelled] = at
	}
	if at < 0 {
		return
	}
	one := &s.facets.List[at]
	more(s.names, at, v.Name, listings)
	switch one.Kind {
	case NumberValues:
		more(s.units, at, v.Unit, listings)
	case textValues:
		if id, held := s.facets.Find(one, v.Text); held && s.withheld.Marked(id) {
			more(s.texts, id, v.Text, listings)
		}
	}
}

// place returns the index of a facet that a withheld listing has, or -1.
func (s *spellings) place(v spelledValue) int {
	folded := foldedOf(v.spelledAttribute)
	return slices.IndexFunc(s.facets.List, func(one Facet) bool {
		is := one.Filter == v.filter && one.Folded == folded.name && one.Kind == folded.kind && one.Unit.Dimension() == folded.dimension
		for id := one.First; is && id < one.End; id++ {
			if s.withheld.Marked(id) {
				return true
			}
		}
		return false
	})
}

func more[K comparable](counts map[K]map[string]int, of K, text string, times int) {
	if counts[of] == nil {
		counts[of] = map[string]int{}
	}
	counts[of][text] += times
}
