package search

import (
	"slices"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/naming"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
	"souk/dynamic/search/suggest"
	"strings"
)

// place understands a country, which is a filter, or a city or a region, which is preferred:
// whom that leaves out may well deliver there.
func (r *reading) place(i, end int) (next int) {
	if end >= len(r.pieces) || r.pieces[end].Ended {
		return i
	}
	from := end
	if r.ArticleWords[r.pieces[from].Folded] {
		from++
	}
	if code, to := r.countryFrom(from); code != "" {
		return r.inCountries(r.denied(i), i, to, code)
	}
	if _, city := r.cityFrom(from); city > from {
		for to := min(len(r.pieces), end+maxNameWords); to > city; to-- {
			if r.makerNamed(end, to) >= 0 {
				return r.maker(i, end) // from Berlin Tools, not from Berlin
			}
		}
	}
	if next := r.near(i, from); next > i {
		return next
	}
	if r.denied(i) == i && r.pieces[end-1].Folded == "in" {
		return i // in Acme is said of nothing
	}
	return r.maker(i, end)
}

// near understands a city or a region behind a phrase, which is the pieces from i to before end.
func (r *reading) near(i, end int) (next int) {
	if end >= len(r.pieces) || r.pieces[end].Ended {
		return i
	}
	if next := r.city(i, end); next > i {
		return next
	}
	return r.region(i, end)
}

// maker understands whose things are wanted, as in made by Acme, or products by Acme of Acme Tools, or not wanted, as in not from
// Acme, where the phrase is the pieces from i to before end.
func (r *reading) maker(i, end int) (next int) {
	if from := r.denied(i); from < i {
		return r.notOf(from, end)
	}
	for to := min(len(r.pieces), end+maxNameWords); to > end && !r.pieces[end].Ended; to-- {
		if at := r.makerNamed(end, to); at >= 0 {
			r.filter(i, to, document.FilterSeller, "", r.index.Corpus.Sellers[at].Company.Slug)
			return to
		}
		if i == 0 || !r.Anything[r.pieces[i-1].Folded] || len(r.wordsOf(end, to)) == 0 {
			continue // it may be how something is made: by hand
		}
		if begun := r.index.sellersBegun(match.WordsOf(r.said(end, to)), r.visible); len(begun) > 0 && len(begun) <= maxMakers {
			r.filter(i, to, document.FilterSeller, "", begun...)
			return to
		}
	}
	return i
}

// makerNamed returns the seller with listings whose name the pieces from i to before end are, or are
// behind the: the Acme Company, the Acme; -1 for none.
func (r *reading) makerNamed(i, end int) int32 {
	for _, from := range [...]int{i, r.behindThe(i)} {
		if from >= end {
			break
		}
		at := r.index.Exact.Seller(text.Compacts(r.said(from, end)), r.visible)
		if at >= 0 && r.index.Corpus.Sellers[at].Offers > 0 {
			return at
		}
	}
	return -1
}

// maxMakers is how many sellers are meant by words that the names of all of them begin with.
const maxMakers = 3

// sellersBegun returns the companySlugs of the sellers who may be shown, have listings, and have a
// name that begins with words, in their order.
func (x *Index) sellersBegun(begin []string, v *corpus.Visibility) (slugs []string) {
	if len(begin) == 0 {
		return nil
	}
	for _, o := range x.suggester.Options.Of(begin[0]) {
		option := &x.suggester.Options.List[o.Option()]
		if option.Kind != suggest.OfSeller || o&suggest.OfOtherName != 0 || naming.As(o&suggest.AsMask) == naming.Within || v.Hides(option.At) {
			continue
		}
		s := &x.Corpus.Sellers[option.At]
		if name := match.WordsOf(s.Name); s.Offers > 0 && len(name) >= len(begin) && slices.Equal(name[:len(begin)], begin) {
			slugs = append(slugs, s.Company.Slug)
		}
	}
	return slugs
}

// notOf tells that what is of a seller, or is called so, is excluded: from one piece on, with
// the name from another.
func (r *reading) notOf(i, from int) (next int) {
	whole := from
	if from = r.behindThe(from); from >= len(r.pieces) || r.pieces[from].Ended {
		return i
	}
	to := r.thing(from)
	words := r.wordsOf(from, to)
	if len(words) == 0 || len(words) > maxExcluded {
		return i
	}
	return r.exclude(i, whole, to, exclusion{words, maybeMaker})
}

// beyond understands a country outside of which something is wanted.
func (r *reading) beyond(i, end int) (next int) {
	if end < len(r.pieces) && !r.pieces[end].Ended {
		if code, to := r.countryFrom(r.behindThe(end)); code != "" {
			return r.inCountries(i, end, to, code)
		}
	}
	return i
}

// inCountries tells of a filter by the country that was found, and by those that are
// joined to it, as in Germany, France or Spain; where they are denied, by what is from one
// piece to before another, that they are excluded. A service of a seller from elsewhere may
// be done there: where the text names such a category, the countries are preferred.
func (r *reading) inCountries(from, i, end int, code string) (next int) {
	codes, end := r.countriesFrom(code, end)
	if from < i {
		r.elsewhere = append(r.elsewhere, codes...)
		r.tell(from, end, Interpretation{As: document.AsExcluded, To: codes})
		return end
	}
	if there := r.index.servedIn(codes, r.visible); len(there) > 0 && r.wantsService() {
		r.Served = append(r.Served, there...)
		r.tell(i, end, Interpretation{As: document.AsPreferred, To: codes})
		return end
	}
	r.filter(i, end, document.FilterCountry, "", codes...)
	return end
}

// countriesFrom returns a country and those that are joined to it from a piece on, and where they end.
func (r *reading) countriesFrom(code string, i int) (codes []string, end int) {
	for codes, end = []string{code}, i; ; {
		also, to := r.countryFrom(r.behindThe(r.joined(end)))
		if also == "" {
			return codes, end
		}
		codes, end = append(codes, also), to
	}
}

// joined returns where the next place of a row may begin that goes on at a piece, as in
// Norway, Chile, and/or Spain; behind the last piece where none may.
func (r *reading) joined(i int) (next int) {
	if i >= len(r.pieces) {
		return i
	}
	gap := r.gap(i)
	joins := gap == "," || gap == "/" || gap == "&"
	if r.pieces[i].Ended && !joins {
		return len(r.pieces)
	}
	for next = i; next < len(r.pieces) && (r.PlaceJoiners[r.pieces[next].Folded] || r.goesOn(next)) && (next == i || !r.pieces[next].Ended); next++ {
		joins = true
	}
	if !joins || next < len(r.pieces) && next > i && r.pieces[next].Ended {
		return len(r.pieces)
	}
	return next
}

// gap returns what stands before a piece and behind the one before, without space.
func (r *reading) gap(i int) string {
	return strings.TrimSpace(r.typed[r.pieces[i-1].To:r.pieces[i].From])
}

// behindThe returns the piece behind the article at a piece, if one is there.
func (r *reading) behindThe(i int) int {
	if i < len(r.pieces) && r.Definite[r.pieces[i].Folded] {
		i++
	}
	return i
}

// countryFrom returns the country that is named from a piece on, in which a seller who
// may be shown has headquarters.
func (r *reading) countryFrom(i int) (code string, end int) {
	for end = min(len(r.pieces), i+maxNameWords); end > i; end-- {
		if code := r.countries[r.compact(i, end)]; code != "" && r.sells(code) {
			return code, end
		}
	}
	return "", i
}

// placeFrom reports whether a country or a city is named from a piece on, in which a seller who
// may be shown has headquarters.
func (r *reading) placeFrom(i int) bool {
	if code, _ := r.countryFrom(i); code != "" {
		return true
	}
	there, _ := r.cityFrom(i)
	return len(there) > 0
}

// sells reports whether a seller who may be shown has headquarters in a country.
func (r *reading) sells(code string) bool {
	id, held := r.index.facets.List[facet.AtCountry].At[code]
	return held && r.index.facets.Shown(id, id+1, r.visible)
}

// compact returns the pieces from i to before end as names are compared; "" across the
// end of a sentence.
func (r *reading) compact(i, end int) string {
	for at := i + 1; at < end; at++ {
		if r.pieces[at].Ended {
			return ""
		}
	}
	return text.Compact(r.said(i, end))
}

// city understands a city, or a region of headquarters, that is named from a piece on: it is preferred.
func (r *reading) city(i, from int) (next int) {
	there, end := r.cityFrom(from)
	if len(there) == 0 {
		return i
	}
	if from := r.denied(i); from < i {
		return r.leaveOut(from, end)
	}
	r.Sellers = append(r.Sellers, there...)
	h := r.index.Corpus.Seller(there[0]).Headquarters
	name := h.City
	if !slices.Contains(text.Compacts(name), r.compact(from, end)) {
		name = h.Region
	}
	r.tell(i, end, Interpretation{As: document.AsPreferred, To: []string{name}})
	return end
}

// placeBare understands a city or a region that ends the text, or what is said before the next
// phrase, as in bike repair Berlin, where no listing that may be shown has its words side by side.
func (r *reading) placeBare(i int) (next int, err error) {
	there, end := r.cityFrom(i)
	if len(there) == 0 {
		end = r.regionFrom(i)
	}
	if end == i || end < len(r.pieces) && !r.border(end) || r.denied(i) < i {
		return i, nil
	}
	held, err := r.index.says(r.ctx, match.WordsOf(r.said(i, end)), r.visible)
	if err != nil || held {
		return i, err
	}
	if len(there) > 0 {
		return r.city(i, i), nil
	}
	return r.regionAt(i, i, end), nil
}

// regionFrom returns the end of the region that is named from a piece on; i itself if none is.
func (r *reading) regionFrom(i int) (end int) {
	for end = min(len(r.pieces), i+maxNameWords); end > i && !r.regions[r.compact(i, end)]; end-- {
	}
	return end
}

// cityFrom returns the sellers who may be shown and have headquarters in the city or the region that
// is named from a piece on.
func (r *reading) cityFrom(i int) (there []int32, end int) {
	for end = min(len(r.pieces), i+maxNameWords); end > i; end-- {
		for _, at := range r.cities[r.compact(i, end)] {
			if s := &r.index.Corpus.Sellers[at]; !r.visible.Hides(at) && s.Offers > 0 {
				there = append(there, at)
			}
		}
		if len(there) > 0 {
			return there, end
		}
	}
	return nil, i
}

// region understands a region in which services are done, which is preferred like a city;
// that of a country may be its code.
func (r *reading) region(i, from int) (next int) {
	for end := min(len(r.pieces), from+maxNameWords); end > from; end-- {
		if next := r.regionAt(i, from, end); next > i {
			return next
		}
	}
	return i
}

func (r *reading) regionAt(i, from, end int) (next int) {
	key := r.compact(from, end)
	if key == "" {
		return i
	}
	for _, name := range [...]string{r.said(from, end), r.countries[key]} {
		if next := r.where(i, end, document.FilterRegion, name); next > i {
			return next
		}
	}
	return i
}

// servedIn returns what tells that services are done in one of some countries, or that a
// seller is there; nothing where no service that may be shown tells of such a region, by its
// code or name.
func (x *Index) servedIn(codes []string, v *corpus.Visibility) (list []engine.Serving) {
	for _, regions := range x.facets.Named(document.FilterRegion, "") {
		for id := regions.First; id < regions.End; id++ {
			name := x.facets.Value[id]
			if (slices.Contains(codes, name) || slices.Contains(codes, x.interpreter.countries[text.Compact(name)])) && x.facets.Shown(id, id+1, v) {
				list = append(list, engine.Serving{Filter: document.FilterRegion, ID: id})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	for _, code := range codes {
		list = append(list, engine.Serving{Filter: document.FilterCountry, ID: x.facets.List[facet.AtCountry].At[code]})
	}
	return list
}

// wantsService reports whether the text names a category of services, or services themselves.
func (r *reading) wantsService() bool {
	x := r.index
	for i, p := range r.pieces {
		kind := r.Kinds[p.Folded]
		if kind == "" && (i+1 == len(r.pieces) || r.border(i+1)) && !r.asksFor(r.typed[:p.From]) {
			kind = r.OneOf[p.Folded] // neither a Kubernetes service nor a service mesh
		}
		if kind == catalog.KindService.String() {
			return true
		}
	}
	return slices.ContainsFunc(x.Meanings.Spans(match.Parse(r.typed, x.Language), x.Stems), func(s match.Span) bool {
		return slices.ContainsFunc(s.Categories, func(at int32) bool { return x.Corpus.Categories[at].Item.Ref.Root == catalog.KindService })
	})
}

// truth understands that an attribute is wanted that is true or false of things, as in with a
// fan: what has it comes first, since texts name it, too, that do without. Its name stays.
func (r *reading) truth(i int) (next int) {
	from := i + 1
	for from < len(r.pieces) && r.ArticleWords[r.pieces[from].Folded] && !r.pieces[from].Ended {
		from++
	}
	if from >= len(r.pieces) || r.pieces[from].Ended || r.denied(i) < i {
		return i
	}
	end := r.truthFrom(from, r.thing(from))
	if end == from {
		return i
	}
	at, _ := r.truthNamed(from, end)
	one := &r.index.facets.List[at]
	id, held := r.index.facets.Find(one, "true")
	if !held || !r.index.facets.Shown(id, id+1, r.visible) || slices.Contains(r.Served, engine.Serving{Filter: one.Filter, ID: id}) {
		return i
	}
	r.Served = append(r.Served, engine.Serving{Filter: one.Filter, ID: id})
	r.say(i, end, Interpretation{As: document.AsPreferred, To: []string{one.Name}})
	return end
}

// delivered understands that a service is wanted on site, which is preferred: nothing
// is said of products. One that is not wanted so is excluded.
func (r *reading) delivered(i, end int) (next int) {
	if from := r.denied(i); from < i {
		return r.exclude(from, i, end, exclusion{words: []string{"onsite"}})
	}
	return r.where(i, end, document.FilterDelivery, "onsite")
}

// where prefers what has a value of a facet that tells where services are done.
func (r *reading) where(i, end int, filter, value string) (next int) {
	of := r.index.facets.Named(filter, "")
	if len(of) == 0 {
		return i
	}
	id, held := r.index.facets.Find(&of[0], value)
	if !held || !r.index.facets.Shown(id, id+1, r.visible) || slices.Contains(r.Served, engine.Serving{Filter: filter, ID: id}) {
		return i
	}
	if from := r.denied(i); from < i {
		return r.leaveOut(from, end)
	}
	r.Served = append(r.Served, engine.Serving{Filter: filter, ID: id})
	r.tell(i, end, Interpretation{As: document.AsPreferred, To: []string{r.index.facets.Value[id]}})
	return end
}
