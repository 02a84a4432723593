package question

import (
	"slices"
	"strings"

	"souk/build/document"
)

// A rule reads the words that begin at a piece, and returns the piece after them, or i if it
// does not understand them. The first rule that does wins.
func (r *reader) rule(i int) (next int) {
	if r.taken[i] {
		return i
	}
	for _, read := range [...]func(int) int{r.spoken, r.likeness, r.comparison, r.located, r.ofCountry, r.bare, r.delivered, r.perUnit} {
		if next = read(i); next > i {
			return next
		}
	}
	return i
}

// spoken reads the languages that a seller should speak, as in English-speaking guides, who
// speak German or French, or support in German. Such sellers are preferred.
func (r *reader) spoken(i int) (next int) {
	if list, to := r.named(i, document.FilterLanguage); list != nil && r.has(to, speaks) {
		return r.mean(i, to+1, Preferred, document.FilterLanguage, list...)
	}
	for _, ending := range r.endings[speaksEnding] {
		if name, ends := strings.CutSuffix(r.pieces[i].folded, ending); ends {
			if list := valuesOf(r.Names(name), document.FilterLanguage); list != nil {
				return r.mean(i, i+1, Preferred, document.FilterLanguage, list...)
			}
		}
	}
	if m, found := r.at(i, speaks); found {
		if list, to := r.row(m.to, document.FilterLanguage); list != nil {
			return r.mean(i, to, Preferred, document.FilterLanguage, list...)
		}
	}
	if m, found := r.at(i, inLanguage); found {
		at := r.behind(m.to, article)
		if list, to := r.row(at, document.FilterLanguage); list != nil && r.endsThere(to) && !r.Says(r.said(at, to)) {
			return r.mean(at, to, Preferred, document.FilterLanguage, list...)
		}
	}
	return i
}

// endsThere reports whether a phrase ends before a piece, or only asking words follow.
func (r *reader) endsThere(i int) bool { return r.border(i) || !r.Asks(r.said(i, i+1)) }

// valuesOf returns the values of the things with a filter.
func valuesOf(things []Thing, filter string) (values []string) {
	for _, thing := range things {
		if thing.Filter == filter {
			values = append(values, thing.Value)
		}
	}
	return values
}

// row returns the values of a filter that are listed from a piece on, with commas, and or or
// between them, and the end of the list.
func (r *reader) row(i int, filter string) (values []string, to int) {
	for at, joined := i, true; joined; at, joined = r.joined(to) {
		list, next := r.named(at, filter)
		if also, to := r.named(r.behind(at, article), filter); to > next {
			list, next = also, to
		}
		if list == nil {
			break
		}
		values, to = append(values, list...), next
	}
	return values, max(i, to)
}

// joined returns the piece after a separator of such a list: a comma, a slash or an ampersand,
// words for and, or and nor, or both.
func (r *reader) joined(i int) (to int, joins bool) {
	for to = i; to < len(r.pieces); {
		gap := strings.TrimSpace(r.pieces[to].gap)
		if !slices.Contains([]string{"", ",", "/", "&"}, gap) {
			return to, false
		}
		joins = joins || gap != ""
		next := r.skip(to, and, or, nor)
		if next == to {
			return to, joins
		}
		to, joins = next, true
	}
	return to, false
}

// likeness reads a request for something like a listing: alternatives to X, like X, or X
// alternatives.
func (r *reader) likeness(i int) (next int) {
	if r.likened {
		return i
	}
	m, found := r.at(i, similar)
	from := i
	if !found {
		if m, found = r.at(i, like); !found {
			return r.alternativesOf(i)
		}
		if before, thing := r.before(i, anything); thing {
			from = before.from
		} else if i > 0 && r.goesOn(i) {
			return i // would you like X
		}
	}
	name, to, list := r.listingFrom(m.to)
	if list == nil || !r.goesOn(m.to) {
		return r.alternativesOf(i)
	}
	if said := r.said(m.from, to); said != r.said(name, to) && r.Called(said) {
		return i // as in the name Like Minds
	}
	if next = r.behind(to, but); next > to {
		r.take(&span{from: to, to: next, silent: true})
	}
	return max(r.likeListing(from, to, list), next)
}

// alternativesOf reads the name of a listing before a piece that asks for alternatives.
func (r *reader) alternativesOf(i int) (next int) {
	m, found := r.at(i, alternatives)
	if !found || i == 0 || !r.goesOn(i) {
		return i
	}
	for from := max(0, i-maxName); from < i; from++ {
		if !slices.Contains(r.taken[from:i], true) && r.stretch(from) >= i {
			if list := r.listings(from, i, from < i-1); list != nil {
				return r.likeListing(from, m.to, list)
			}
		}
	}
	return i
}

func (r *reader) likeListing(from, to int, list []uint32) int {
	r.likened = true
	return r.take(&span{from: from, to: to, Meaning: Meaning{As: Similar, Listings: list}})
}

// listingFrom returns the listings with the longest name that begins at a piece or after an
// article there.
func (r *reader) listingFrom(i int) (from, to int, list []uint32) {
	for from = i; from < len(r.pieces); from = r.behind(from, article) {
		for to = r.stretch(from); to > from; to-- {
			if list = r.listings(from, to, false); list != nil {
				return from, to, list
			}
		}
		if r.behind(from, article) == from {
			break
		}
	}
	return from, from, nil
}

// listings returns the listings that pieces name, by the full name or a part of it. Words
// without meaning are not a part.
func (r *reader) listings(from, to int, whole bool) []uint32 {
	if r.lookups++; r.lookups > maxLookups {
		return nil
	}
	return r.Listings(r.said(from, to), whole || len(r.folded(from, to)) == 0)
}

// maxLookups is the maximum number of searches for listings by words in one text.
const maxLookups = 60

// A namedListing is pieces that name listings.
type namedListing struct {
	from, to int
	list     []uint32
}

// comparison reads the names of listings that are compared, which come first: compare X and Y,
// X vs Y, or X or Y if the text asks for nothing else.
func (r *reader) comparison(i int) (next int) {
	if m, found := r.at(i, compare); found {
		if names := r.comparable(m.to, comparedTo); len(names) > 1 {
			r.take(&span{from: i, to: names[0].from, Meaning: Meaning{As: LeftOut}})
			return r.compare(names)
		}
	}
	m, found := r.at(i, versus, or)
	if !found || !r.goesOn(i) {
		return i
	}
	for from := max(0, i-maxName); from < i; from++ {
		if names := r.comparedAt(from, m); names != nil {
			return r.compare(names)
		}
	}
	return i
}

// comparedAt returns the listings named from a piece on, the first of them before the
// comparing phrase, or nil if there are fewer than two. Alternatives are compared only if the
// text asks for nothing else.
func (r *reader) comparedAt(i int, by mark) []namedListing {
	before := by.role == or && r.Asks(r.text[:r.pieces[i].from])
	if r.taken[i] || r.stretch(i) < by.from || before {
		return nil
	}
	names := r.comparable(i, or)
	if len(names) < 2 || names[0].to != by.from {
		return nil
	}
	if by.role == or && r.asksBeside(i, names[len(names)-1].to) {
		return nil
	}
	return names
}

// comparable returns the listings named from a piece on, separated by phrases with a role or
// by commas.
func (r *reader) comparable(i int, joiner role) (names []namedListing) {
	for joins := true; joins && i < len(r.pieces); {
		from, to, list := r.listingFrom(i)
		if list == nil {
			break
		}
		names = append(names, namedListing{from, to, list})
		if m, found := r.at(to, versus, joiner); found && r.goesOn(to) {
			i = m.to
		} else {
			i, joins = r.joined(to)
		}
	}
	return names
}

// compare takes the names of listings, which stay in the text, and the separators between
// them.
func (r *reader) compare(names []namedListing) (next int) {
	for i, one := range names {
		if i > 0 && next < one.from {
			r.take(&span{from: next, to: one.from, silent: true})
		}
		next = r.take(&span{from: one.from, to: one.to, keeps: true, Meaning: Meaning{As: Compared, Listings: one.list}})
	}
	return next
}

// located reads a place or a seller after a phrase. A country or a seller is a filter; a city
// or region is preferred, since sellers elsewhere may well deliver there. The longest name
// counts: from Berlin Tools is not from Berlin.
func (r *reader) located(i int) (next int) {
	if m, found := r.at(i, outside); found {
		if codes, to := r.row(m.to, document.FilterCountry); codes != nil {
			return r.mean(i, to, Excluded, document.FilterCountry, codes...)
		}
	}
	for _, of := range [...]role{by, located, near} {
		for _, m := range r.begins[i] {
			if m.role == of && r.goesOn(m.to) {
				if next = r.locatedBy(m); next > i {
					return next
				}
			}
		}
	}
	return i
}

// locatedBy reads the seller or place after one phrase.
func (r *reader) locatedBy(m mark) (next int) {
	at := r.behind(m.to, article)
	codes, country := r.row(at, document.FilterCountry)
	place, to := r.region(at)
	_, places := first(r.begins[m.from], []role{located})
	switch sellers, seller := r.sellers(m, at); {
	case m.role == by && sellers != nil && (seller > max(country, to) || !places):
		return r.mean(m.from, seller, Filter, document.FilterSeller, sellers...)
	case m.role == located && codes != nil:
		return r.inCountries(m.from, country, codes)
	case m.role != by && to > at:
		return r.mean(m.from, to, Preferred, place.Filter, place.Value)
	}
	return m.from
}

// sellers returns the sellers named after a phrase; after words for products, also those whose
// names only begin so.
func (r *reader) sellers(m mark, i int) (slugs []string, to int) {
	if slugs, to = r.row(m.to, document.FilterSeller); slugs != nil {
		return slugs, to
	}
	if _, thing := r.before(m.from, anything); thing {
		for to = r.stretch(i); to > i; to-- {
			if slugs = r.Begun(r.said(i, to)); slugs != nil && len(r.folded(i, to)) > 0 {
				return slugs, to
			}
		}
	}
	return nil, i
}

// region returns the city or region named at a piece.
func (r *reader) region(i int) (place Thing, to int) {
	to = i
	for _, filter := range [...]string{document.FilterRegion, City} {
		if values, end := r.named(i, filter); values != nil && end >= to {
			place, to = Thing{filter, values[0]}, end
		}
	}
	return place, to
}

// inCountries takes pieces that name countries. A seller from elsewhere may offer a service
// there, so if a text asks for services, the countries are preferred.
func (r *reader) inCountries(from, to int, codes []string) int {
	if r.servedIn(codes) {
		return r.mean(from, to, Preferred, document.FilterCountry, codes...)
	}
	return r.mean(from, to, Filter, document.FilterCountry, codes...)
}

// servedIn reports whether the text asks for services, and some are offered in one of some
// countries.
func (r *reader) servedIn(codes []string) bool {
	return r.serves() && slices.ContainsFunc(codes, func(code string) bool { _, has := r.Has(document.FilterRegion, code); return has })
}

// serves reports whether the text asks for services.
func (r *reader) serves() bool {
	for i := range r.pieces {
		switch m, found := r.at(i, services, service); {
		case !found:
		case m.role == services, r.border(m.to) && !r.Asks(r.text[:r.pieces[i].from]):
			return true // neither a Kubernetes service nor a service mesh
		}
	}
	return r.Serves()
}

// ofCountry reads an adjective or the name of a country. Before a word for sellers, it is a
// filter; alone, it is a filter too, whatever listings contain the word; otherwise listings
// from there are preferred, unless a listing contains the words.
func (r *reader) ofCountry(i int) (next int) {
	if _, to := r.money(i); to > i+1 || r.tongue(i) {
		return i // Swiss francs, in German
	}
	codes, to := r.named(i, document.FilterCountry)
	name := to > i
	if adjective := r.nationAt(i); !name {
		codes, to = adjective, i+len(adjective)
	}
	if to == i {
		return i
	}
	says := r.Says(r.said(i, to))
	word := says && r.lower(i) // a polish
	if r.goesOn(to) && r.Trades(r.pieces[to].folded) && !word {
		next = to + 1
		if _, kind := r.at(to, services, products, service, product); kind {
			next = to // read by another rule
		}
		return r.inCountries(i, next, codes)
	}
	if all, end := r.row(i, document.FilterCountry); name && !r.asksBeside(i, end) {
		return r.mean(i, end, Filter, document.FilterCountry, all...)
	}
	if says {
		return i
	}
	return r.mean(i, to, Preferred, document.FilterCountry, codes...)
}

// lower reports whether a piece is in lower case.
func (r *reader) lower(i int) bool { return r.said(i, i+1) == strings.ToLower(r.said(i, i+1)) }

// tongue reports whether a piece names a language in which something is requested.
func (r *reader) tongue(i int) bool {
	_, in := r.before(r.ahead(i, article), inLanguage)
	_, language := r.named(i, document.FilterLanguage)
	adjective := len(nations()[r.pieces[i].folded]) > 0
	return in && (language > i || adjective) && r.endsThere(max(language, i+1))
}

// bare reads a city or region at the end of the text or before the next phrase, unless a
// listing contains its words. It is preferred.
func (r *reader) bare(i int) (next int) {
	place, to := r.region(i)
	if to == i || !r.border(to) || r.Says(r.said(i, to)) {
		return i
	}
	return r.mean(i, to, Preferred, place.Filter, place.Value)
}

// delivered reads a request for services on site. It is preferred, since it says nothing about
// products.
func (r *reader) delivered(i int) (next int) {
	m, found := r.at(i, onsite)
	if _, has := r.Has(document.FilterDelivery, "onsite"); !found || !has {
		return i
	}
	return r.mean(i, m.to, Preferred, document.FilterDelivery, "onsite")
}

// perUnit reads a request for a price per unit, as in photographer per hour.
func (r *reader) perUnit(i int) (next int) {
	if value, to := r.priceUnit(i); value != "" && r.has(i, per) && !r.has(i, article) {
		return r.mean(i, to, Preferred, document.FilterPriceUnit, value)
	}
	return i
}

// priceUnit returns the unit of prices named from a piece on, as in per hour, an hour or /h.
func (r *reader) priceUnit(i int) (value string, to int) {
	if i >= len(r.pieces) {
		return "", i
	}
	at := i
	if m, found := r.at(i, per); found {
		at = m.to
	} else if r.pieces[i].gap != "/" {
		return "", i
	}
	if at > i && !r.goesOn(at) || at >= len(r.pieces) {
		return "", i
	}
	names := []string{r.said(at, at+1)}
	if m, found := r.at(at, unitOf); found {
		names = append(names, m.argument)
	}
	for _, name := range names {
		if value, has := r.Has(document.FilterPriceUnit, name); has {
			return value, at + 1
		}
	}
	return "", i
}

// kind reads a request for services or for products in general, if the text asks for nothing
// else. A text that names both is not read.
func (r *reader) kind() {
	if len(r.spans) == 0 {
		return
	}
	var found *span
	for i := range r.pieces {
		m, is := r.at(i, services, products, service, product)
		if !is || r.taken[i] {
			continue
		}
		kind := "service"
		if m.role == products || m.role == product {
			kind = "product"
		}
		if found != nil && found.Values[0] != kind {
			return
		}
		found = &span{from: i, to: m.to, Meaning: Meaning{As: Filter, Filter: document.FilterKind, Values: []string{kind}}}
	}
	if found != nil && !r.Asks(r.reading().Rest) {
		r.take(found)
	}
}
