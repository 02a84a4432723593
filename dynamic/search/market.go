package search

import (
	"context"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/naming"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"souk/dynamic/search/question"
	"souk/dynamic/search/suggest"
)

// A marketView resolves the names and numbers of one text in an index; it implements
// question.Market. Unreadable data counts as missing, and err records the error.
type marketView struct {
	index *Index
	// facets are the facets that are visible.
	facets  *facet.Facets
	ctx     context.Context
	visible *corpus.Visibility
	parsed  *match.ParsedQuery
	err     error
	// currencies and measured cache earlier results.
	currencies []string
	measured   map[string][]string
	// categories are the ids of the categories that the text names.
	categories []uint32
}

func (x *Index) marketOf(ctx context.Context, typed string, v *corpus.Visibility) *marketView {
	m := &marketView{index: x, facets: x.facets.ShownTo(v), ctx: ctx, visible: v, parsed: match.Parse(typed, x.Language), measured: map[string][]string{}}
	for _, s := range x.Meanings.Spans(m.parsed, x.Stems) {
		for _, at := range s.Categories {
			m.categories = append(m.categories, m.facets.CategoryID[at])
		}
	}
	for at := range m.facets.List {
		if one := &m.facets.List[at]; one.Filter == document.FilterPrice && m.facets.Shown(one.First, one.End, v) {
			m.currencies = append(m.currencies, one.Name)
		}
	}
	return m
}

// failed records an error, and reports whether there is one.
func (m *marketView) failed(err error) bool {
	if err != nil && m.err == nil {
		m.err = err
	}
	return err != nil
}

// isVisible reports whether a visible document has an id.
func (m *marketView) isVisible(id uint32) bool { return m.facets.Shown(id, id+1, m.visible) }

// Names is documented in question.Market.
func (m *marketView) Names(name string) (list []question.Thing) {
	x, key := m.index, text.Compact(name)
	if key == "" {
		return nil
	}
	add := func(filter, value string) { list = append(list, question.Thing{Filter: filter, Value: value}) }
	if code := x.vocabulary.countries[key]; code != "" && name != "us" && m.sells(code) {
		add(document.FilterCountry, code)
	}
	if there := m.inCity(key); len(there) > 0 {
		h := x.Corpus.Seller(there[0]).Headquarters
		if slices.Contains(text.Compacts(h.City), key) {
			add(question.City, h.City)
		} else {
			add(question.City, h.Region)
		}
	}
	if x.vocabulary.regions[key] {
		for _, said := range [...]string{name, x.vocabulary.countries[key]} {
			if value, has := m.Has(document.FilterRegion, said); has {
				add(document.FilterRegion, value)
			}
		}
	}
	if at := x.Exact.Seller(text.Compacts(name), m.visible); at >= 0 && x.Corpus.Sellers[at].Offers > 0 && !x.Corpus.OfCompanies {
		add(document.FilterSeller, x.Corpus.Sellers[at].Company.Slug)
	}
	for _, at := range x.Meanings.Called(match.WordsOf(name), x.Stems) {
		add(document.FilterCategory, m.facets.Value[m.facets.CategoryID[at]])
	}
	for _, id := range x.vocabulary.languages[key] {
		if m.isVisible(id) {
			add(document.FilterLanguage, m.facets.Value[id])
		}
	}
	if of := m.facets.Named(document.FilterAttribute, facet.FoldedName(name)); len(of) > 0 && m.facets.Shown(of[0].First, of[len(of)-1].End, m.visible) {
		add(document.FilterAttribute, of[0].Name)
	}
	return list
}

// sells reports whether a visible seller has headquarters in a country.
func (m *marketView) sells(code string) bool {
	id, has := m.facets.List[facet.AtCountry].At[code]
	return has && m.isVisible(id)
}

// inCity returns the visible sellers with listings and headquarters in a city or region, by
// its compact name.
func (m *marketView) inCity(key string) (there []int32) {
	for _, at := range m.index.vocabulary.cities[key] {
		if !m.visible.Hides(at) && m.index.Corpus.Sellers[at].Offers > 0 {
			there = append(there, at)
		}
	}
	return there
}

// maxMakers is the maximum number of sellers meant by words that begin all of their names.
const maxMakers = 3

// Begun is documented in question.Market.
func (m *marketView) Begun(begin string) (slugs []string) {
	said := match.WordsOf(begin)
	if len(said) == 0 {
		return nil
	}
	x := m.index
	if x.Corpus.OfCompanies {
		return nil // products are by a company
	}
	for _, o := range x.suggester.Options.Of(said[0]) {
		option := &x.suggester.Options.List[o.Option()]
		other := o&suggest.OfOtherName != 0 || naming.As(o&suggest.AsMask) == naming.Within
		if option.Kind != suggest.OfSeller || other || m.visible.Hides(option.At) {
			continue
		}
		s := &x.Corpus.Sellers[option.At]
		if name := match.WordsOf(s.Name); s.Offers > 0 && len(name) >= len(said) && slices.Equal(name[:len(said)], said) {
			slugs = append(slugs, s.Company.Slug)
		}
	}
	if len(slugs) > maxMakers {
		return nil
	}
	return slugs
}

// Listings is documented in question.Market.
func (m *marketView) Listings(name string, whole bool) []uint32 {
	docs, err := m.index.ListingsNamed(m.ctx, text.Compacts(name), m.visible)
	if m.failed(err) || len(docs) > 0 || whole {
		return docs
	}
	if docs, err = m.index.listingsCalled(m.ctx, name, m.visible); m.failed(err) {
		return nil
	}
	return docs
}

// Says is documented in question.Market.
func (m *marketView) Says(said string) bool {
	says, err := m.index.contains(m.ctx, match.WordsOf(said), m.visible)
	return says && !m.failed(err)
}

// Called is documented in question.Market.
func (m *marketView) Called(said string) bool {
	x, list := m.index, match.WordsOf(said)
	named := !slices.ContainsFunc(list, func(word string) bool { return !x.Meanings.OfCategories[x.Stems.Of(word)] })
	for i := 0; named && i < len(x.Corpus.Categories); i++ {
		if hasRun(match.WordsOf(x.Corpus.Categories[i].Item.Name), list) {
			return true
		}
	}
	joined, err := x.Word(m.ctx, strings.Join(list, "")) // names are indexed in this form too
	return !m.failed(err) && m.visible.Shows(joined.Docs)
}

// Currencies is documented in question.Market.
func (m *marketView) Currencies() []string { return m.currencies }

// Measured is documented in question.Market.
func (m *marketView) Measured(dimension string) (names []string) {
	names, known := m.measured[dimension]
	if known {
		return names
	}
	all, among := []*facet.Facet(nil), []*facet.Facet(nil)
	of := m.facets.Named(document.FilterAttribute, "")
	for at := range of {
		one := &of[at]
		if one.Kind == facet.NumberValues && one.Unit.Dimension() == dimension && m.facets.Shown(one.First, one.End, m.visible) {
			all = append(all, one)
		}
	}
	for _, one := range all {
		if m.categorised(one) {
			among = append(among, one)
		}
	}
	if len(among) == 0 {
		among = all
	}
	for _, one := range among {
		names = append(names, one.Name)
	}
	m.measured[dimension] = names
	return names
}

// categorised reports whether a visible listing in a category of the text has a value of a
// facet.
func (m *marketView) categorised(one *facet.Facet) bool {
	x := m.index
	if len(m.categories) == 0 {
		return false
	}
	for doc, seller := range x.Corpus.SellerOf {
		if m.visible.Hides(seller) {
			continue
		}
		ids := m.facets.Of(uint32(doc))
		if len(facet.Run(ids, one.First, one.End)) > 0 && slices.ContainsFunc(m.categories, func(id uint32) bool { _, is := slices.BinarySearch(ids, id); return is }) {
			return true
		}
	}
	return false
}

// Has is documented in question.Market.
func (m *marketView) Has(filter, value string) (sent string, has bool) {
	f := m.facets
	switch filter {
	case document.FilterPriceUnit:
		return m.priceUnit(value)
	case document.FilterRegion:
		if value == "" || len(m.index.servedIn([]string{value}, m.visible)) == 0 {
			return "", false
		}
	case document.FilterAttribute:
		name, amount, _ := strings.Cut(value, ":")
		has = f.HasNumber(facet.FoldedName(name), amount, m.visible)
		return value, has
	}
	of := f.Named(filter, "")
	if len(of) == 0 {
		return "", false
	}
	id, known := f.Find(&of[0], value)
	switch {
	case known && m.isVisible(id):
		return f.Value[id], true
	case filter == document.FilterRegion: // there the country is called by its name
		return value, true
	}
	return "", false
}

// priceUnit returns the unit of prices that a name means, in any form.
func (m *marketView) priceUnit(name string) (unit string, has bool) {
	f := m.facets
	for _, units := range f.Named(document.FilterPriceUnit, "") {
		for id := units.First; id < units.End; id++ {
			if m.stems(f.Value[id]) == m.stems(name) && m.isVisible(id) {
				return f.Value[id], true
			}
		}
	}
	return "", false
}

func (m *marketView) stems(name string) string {
	list := match.WordsOf(name)
	for i, word := range list {
		list[i] = m.Stem(word)
	}
	return strings.Join(list, " ")
}

// Serves is documented in question.Market.
func (m *marketView) Serves() bool {
	x := m.index
	return slices.ContainsFunc(x.Meanings.Spans(m.parsed, x.Stems), func(s match.Span) bool {
		return slices.ContainsFunc(s.Categories, func(at int32) bool { return x.Corpus.Categories[at].Item.Ref.Root == catalog.KindService })
	})
}

// Asks is documented in question.Market. A question mark, please, everything and companies
// count as asking words.
func (m *marketView) Asks(said string) bool {
	l, list := m.index.Language, text.Tokens(nil, said)
	asking := l.Asking(list)
	for i, t := range list {
		if !asking[i] && !l.IsStop(t.Text) && !l.AsksBehind(t.Text) {
			return true
		}
	}
	return false
}

// Stop is documented in question.Market.
func (m *marketView) Stop(word string) bool { return m.index.Language.IsStop(word) }

// Trades is documented in question.Market.
func (m *marketView) Trades(word string) bool {
	return m.index.Language.AsksBehind(word) && !text.Asks(word)
}

// Stem is documented in question.Market.
func (m *marketView) Stem(word string) string { return m.index.Stems.Of(word) }

// maxAbbreviated is the maximum number of listings to examine that contain the words of a part
// of a name.
const maxAbbreviated = 256

// listingsCalled returns the only visible listing that has words, at least two, in its name,
// as Wren 7 arm has Wren 7; or that begins with a word that no other name has, as Apistop
// strips does; or that ends with the words as an abbreviation, as Rigid Frame Arm (RFA) does.
func (x *Index) listingsCalled(ctx context.Context, name string, v *corpus.Visibility) (docs []uint32, err error) {
	said := match.WordsOf(name)
	if len(said) == 0 {
		return nil, nil
	}
	held, err := x.Phrase(ctx, said, match.TypedForms)
	if err != nil || len(said) == 1 && v.Count(held.Docs) > maxAbbreviated {
		return nil, err
	}
	alone := v.Count(held.Docs) == 1
	for _, doc := range held.Docs {
		full := x.Corpus.Name(doc)
		called := match.WordsOf(full)
		part := len(said) > 1 && hasRun(called, said) || abbreviates(name, full)
		first := alone && len(called) > 0 && called[0] == said[0]
		if v.Hides(x.Corpus.SellerOf[doc]) || !part && !first {
			continue
		}
		if docs = append(docs, doc); len(docs) > 1 {
			return nil, nil
		}
	}
	return docs, nil
}

// abbreviates reports whether a name ends with the typed abbreviation in parentheses.
func abbreviates(typed, name string) bool {
	_, short, found := strings.Cut(name, " (")
	short, closed := strings.CutSuffix(short, ")")
	return found && closed && strings.EqualFold(short, typed) && short[0] >= 'A' && short[0] <= 'Z'
}

// hasRun reports whether a list contains another as a contiguous run.
func hasRun(list, run []string) bool {
	for ; len(list) >= len(run); list = list[1:] {
		if slices.Equal(list[:len(run)], run) {
			return true
		}
	}
	return false
}

// contains reports whether a visible listing has a word, in any form, or adjacent words.
func (x *Index) contains(ctx context.Context, phrase []string, v *corpus.Visibility) (bool, error) {
	p, err := x.Phrase(ctx, phrase, match.TypedForms)
	if err != nil || p == nil || len(phrase) == 1 {
		return p != nil && v.Shows(p.Docs), err
	}
	read := 0
	for _, doc := range p.Docs {
		if v.Hides(x.Corpus.SellerOf[doc]) {
			continue
		}
		if read++; read > match.MaxApart {
			return true, ctx.Err() // so many listings have them
		}
		if x.SideBySide(doc, phrase...) {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// namesSomething reports whether a text is exactly the name of a visible document.
func (x *Index) namesSomething(ctx context.Context, typed string, v *corpus.Visibility) (bool, error) {
	name := text.Compacts(typed)
	if len(name) == 0 || x.Exact.Category(name) >= 0 {
		return true, nil
	}
	return x.NamesOffer(ctx, name, v)
}
