package search

import (
	"cmp"
	"context"
	"slices"
	"souk/build/catalog"
	"souk/build/codes"
	"souk/build/document"
	"souk/build/fold"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/engine"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/grammar"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// An interpreter knows what patterns may name in a market.
type interpreter struct {
	grammar.Grammar
	// countries lead from names, compact, to codes of ISO 3166-1.
	countries map[string]string
	// countryBegins are the first words of the names of countries that have several.
	countryBegins map[string]bool
	// cities lead from names of cities and regions, compact, to the sellers who have their
	// headquarters there; regions are the names of those in which services are done.
	cities  map[string][]int32
	regions map[string]bool
	// attributes lead from the stems of a name to the facets that hold numbers of it,
	// by their place.
	attributes map[string][]int
	// truths lead from the stems of a name, and from the name as it is compared, to the facet of what is true or false of it.
	truths map[string]int
	// languages lead from names, compact, to the values of the facet of languages that sellers
	// speak.
	languages map[string][]uint32
	// hints are words that every pattern has one of, but for those of signs.
	hints map[string]bool
}

// maxNameWords is how many words of a text are looked at as a name.
const maxNameWords = 6

// newInterpreter learns what patterns may name. The names of countries are those of the
// previous index, if it is in the same language.
func newInterpreter(c *corpus.Corpus, f *facet.Facets, l *text.Language, previous *Index) *interpreter {
	p := &interpreter{
		Grammar:   grammar.Of(c.Language),
		countries: map[string]string{}, cities: map[string][]int32{}, attributes: map[string][]int{}, truths: map[string]int{}, languages: map[string][]uint32{},
	}
	p.nameLanguages(c.Language, f)
	if previous != nil && previous.Corpus.Language == c.Language {
		p.countries, p.countryBegins = previous.interpreter.countries, previous.interpreter.countryBegins
	} else {
		p.countryBegins = map[string]bool{}
		p.nameCountries(c.Language)
	}
	c.EachSeller(func(at int32, item *catalog.Seller) {
		if h := item.Headquarters; h != nil {
			for _, key := range append(text.Compacts(h.City), text.Compacts(h.Region)...) {
				there, known := p.cities[key]
				if !known {
					key = strings.Clone(key) // it may be the name itself, in a part
				}
				if n := len(there); n == 0 || there[n-1] != at {
					p.cities[key] = append(there, at)
				}
			}
		}
	})
	p.nameRegions(f)
	for at := range f.List {
		switch one := &f.List[at]; {
		case one.Filter != document.FilterAttribute:
		case one.Kind == facet.NumberValues:
			key := stemmed(one.Folded, l)
			p.attributes[key] = append(p.attributes[key], at)
		case one.Kind == facet.BooleanValues:
			p.truths[stemmed(one.Folded, l)] = at
			p.truths[text.Compact(one.Folded)] = at
		}
	}
	p.hints = map[string]bool{}
	hint(p.hints, p.Phrases)
	hint(p.hints, p.countries)
	hint(p.hints, p.countryBegins)
	hint(p.hints, p.cities)
	hint(p.hints, p.regions)
	hint(p.hints, nations())
	hint(p.hints, p.languages)
	for _, set := range [...]map[string]bool{p.PlaceJoiners, p.SpanJoiners, p.Alternatives, p.Others, p.Having, p.Speaking, p.Each} {
		hint(p.hints, set)
	}
	for _, b := range p.Behind {
		p.hints[b.Words[0]] = true
	}
	return p
}

func hint[V any](hints map[string]bool, words map[string]V) {
	for word := range words {
		hints[word] = true
	}
}

// nameCountries learns the names of CLDR, in English and the language of the market.
func (p *interpreter) nameCountries(tag string) {
	own, err := language.Parse(tag)
	if err != nil {
		own = language.English
	}
	namers := []display.Namer{display.Regions(own), display.Regions(language.English)}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if !codes.Country(code) {
				continue
			}
			region := language.MustParseRegion(code)
			if region.Canonicalize() != region {
				continue // a former code of a country
			}
			for _, n := range namers {
				if n == nil {
					continue
				}
				name := n.Name(region)
				for _, key := range text.Compacts(name) {
					p.countries[key] = code
				}
				for _, key := range text.Compacts(asSaid(name)) {
					if p.countries[key] == "" {
						p.countries[key] = code
					}
				}
				p.beginCountry(name)
			}
		}
	}
	for name, code := range alsoCalled {
		p.beginCountry(name)
		for _, key := range text.Compacts(name) {
			p.countries[key] = code
		}
	}
}

// alsoCalled are further names of countries.
var alsoCalled = map[string]string{
	"UK": "GB", "Great Britain": "GB", "Britain": "GB", "Großbritannien": "GB", "USA": "US", "US": "US", "United States of America": "US", "Holland": "NL",
	"Korea": "KR", "Czech Republic": "CZ", "Tschechische Republik": "CZ", "Türkiye": "TR", "UAE": "AE", "Ivory Coast": "CI", "Bosnia": "BA", "Eswatini": "SZ",
}

// beginCountry learns how the name of a country of several words begins.
func (p *interpreter) beginCountry(name string) {
	if said := grammar.Pieces(name); len(said) > 1 {
		p.countryBegins[said[0].Folded] = true
	}
}

// asSaid returns the name of a country as people say it: CLDR's is Hong Kong SAR China, Myanmar
// (Burma) or Bosnia & Herzegovina.
func asSaid(name string) string {
	name, _, _ = strings.Cut(name, " SAR ")
	name, _, _ = strings.Cut(name, " (")
	return strings.ReplaceAll(name, "&", "and")
}

// nameRegions learns the names of the regions in which services are done. Two letters, as of the
// codes of countries, are too many other words.
func (p *interpreter) nameRegions(f *facet.Facets) {
	p.regions = map[string]bool{}
	codes := map[string]bool{}
	learn := func(key string) {
		if len(key) > 2 {
			p.regions[key] = true
		}
	}
	for _, of := range f.Named(document.FilterRegion, "") {
		for id := of.First; id < of.End; id++ {
			codes[f.Value[id]] = true
			for _, key := range text.Compacts(f.Value[id]) {
				learn(strings.Clone(key)) // it may be the value itself, in a part
			}
		}
	}
	for name, code := range p.countries {
		if codes[code] {
			learn(name)
		}
	}
}

// nameLanguages learns the names of the languages that sellers speak, in English and the
// language of the market. Who speaks Swiss German speaks German.
func (p *interpreter) nameLanguages(tag string, f *facet.Facets) {
	own, err := language.Parse(tag)
	if err != nil {
		own = language.English
	}
	namers := []display.Namer{display.Languages(own), display.Languages(language.English)}
	for _, spoken := range f.Named(document.FilterLanguage, "") {
		for id := spoken.First; id < spoken.End; id++ {
			one, err := language.Parse(f.Value[id])
			if err != nil {
				continue
			}
			base, _ := one.Base()
			for _, n := range namers {
				if n == nil {
					continue
				}
				for _, key := range text.Compacts(n.Name(base)) {
					if !slices.Contains(p.languages[key], id) {
						p.languages[key] = append(p.languages[key], id)
					}
				}
			}
		}
	}
}

// stemmed returns the stems of the words of a name.
func stemmed(name string, l *text.Language) string {
	var b strings.Builder
	for _, t := range text.Tokens(nil, name) {
		b.WriteString(l.Stem(t.Text) + " ")
	}
	return b.String()
}

// An interpretation is what a text is taken to mean beyond its words.
type interpretation struct {
	// text is what remains to be looked for, each word where it was; words that
	// stand for a listing follow.
	text string
	// named is what remains with the names of listings that others are similar to:
	// articles tell of these.
	named string
	told  []Interpretation
	// filters are by parameter, as if they had been sent; currency is that of a price.
	filters  map[string][]string
	currency string
	// without are the words of what is excluded, elsewhere the countries whose sellers are,
	// unasked the companySlugs of sellers who are.
	without            []exclusion
	elsewhere, unasked []string
	// left are the listings that others are similar to, which are left out; compares are
	// those that the text names to compare them, which come first.
	left, compares []uint32
	engine.Preferences
}

// An exclusion is the words of what is excluded, and whether they name a seller.
type exclusion struct {
	words  []string
	seller maker
}

// A maker tells whether what is excluded may be so for who sells it.
type maker uint8

const (
	anyMaker   maker = iota
	maybeMaker       // if somebody who sells what is found is called so
	namedMaker
)

// A reading is an interpretation in the making.
type reading struct {
	*interpreter
	*interpretation
	index   *Index
	ctx     context.Context
	visible *corpus.Visibility
	typed   string
	pieces  []grammar.Piece
	// rest is what remains of the text; appended is what stands for a listing.
	rest, names []byte
	appended    []string
	// prices are what is said of a price, in the order of the text.
	prices []bound
}

// interpret returns what a text means beyond its words, or nil if that is nothing. It
// depends on the text, the index and who is withheld: what only withheld sellers have
// means nothing.
func (x *Index) interpret(ctx context.Context, typed string, v *corpus.Visibility) (*interpretation, error) {
	r := &reading{interpreter: x.interpreter, interpretation: &interpretation{}, index: x, ctx: ctx, visible: v, typed: typed}
	r.pieces = grammar.Pieces(typed)
	if whole := text.Compact(typed); r.cities[whole] == nil && !r.regions[whole] && !slices.ContainsFunc(r.pieces, r.mayMean) {
		return nil, nil
	}
	// What begins with a minus is no name, though names are compared without signs.
	if !r.pieces[0].Minus {
		if named, err := x.namesSomething(ctx, typed, v); named || err != nil {
			return nil, err
		}
	}
	r.rest, r.names = []byte(typed), []byte(typed)
	for i := 0; i < len(r.pieces); {
		next, err := r.at(i)
		if err != nil {
			return nil, err
		}
		i = max(next, i+1)
	}
	r.tellPrice()
	if len(r.told) == 0 {
		return nil, nil
	}
	if r.named = string(r.names); r.asksFor(string(r.rest)) {
		r.text = string(r.rest)
	} else {
		r.kind()
	}
	if len(r.appended) > 0 {
		if r.text == "" { // what is appended is behind all that was typed
			r.text = strings.Repeat(" ", len(typed))
		}
		r.text = strings.Join(append([]string{r.text}, r.appended...), " ")
	}
	if !r.interpretation.asks() {
		return nil, nil
	}
	return r.interpretation, nil
}

// kind understands that services or products are wanted, of whatever kind, as in services in
// Austria; not both.
func (r *reading) kind() {
	at, kind := -1, ""
	for i, p := range r.pieces {
		switch one := cmp.Or(r.Kinds[p.Folded], r.OneOf[p.Folded]); {
		case one == "" || !r.free(i):
		case kind != "" && kind != one:
			return
		default:
			at, kind = i, one
		}
	}
	if kind != "" {
		r.filter(at, at+1, document.FilterKind, "", kind)
	}
}

// asks reports whether an interpretation asks for anything.
func (in *interpretation) asks() bool {
	return len(in.filters)+len(in.elsewhere)+len(in.without)+len(in.Sellers)+len(in.Served) > 0 || strings.TrimSpace(in.text) != ""
}

// mayMean reports whether a piece may be of a pattern, so that one has to be looked for.
func (p *interpreter) mayMean(one grammar.Piece) bool {
	return p.hints[one.Folded] || one.Minus || one.Hyphen && (one.Number || one.Symbol) || strings.Contains(one.Folded, spokenEnding)
}

// asksFor reports whether what remains of a text asks for anything: a question mark, please,
// everything and companies do not.
func (r *reading) asksFor(rest string) bool {
	list := text.Tokens(nil, rest)
	asking := r.index.Language.Asking(list)
	for i, t := range list {
		if !asking[i] && !r.index.Language.IsStop(t.Text) && !r.index.Language.AsksBehind(t.Text) {
			return true
		}
	}
	return false
}

// namesSomething reports whether a text is wholly the name of something that may be
// shown.
func (x *Index) namesSomething(ctx context.Context, typed string, v *corpus.Visibility) (bool, error) {
	name := text.Compacts(typed)
	if len(name) == 0 || x.Exact.Category(name) >= 0 {
		return true, nil
	}
	return x.NamesOffer(ctx, name, v)
}

// at understands what begins at a piece, and returns the piece after it; i itself if
// nothing is understood.
func (r *reading) at(i int) (next int, err error) {
	if next := max(r.span(i), r.boundBehind(i)); next > i {
		return next, nil
	}
	if next, err := r.vagueBehind(i); next > i || err != nil {
		return next, err
	}
	if next := max(r.minus(i), r.spoken(i), r.perUnit(i)); next > i {
		return next, nil
	}
	if next, err := r.nation(i); next > i || err != nil {
		return next, err
	}
	if next, err := r.placeBare(i); next > i || err != nil {
		return next, err
	}
	if r.Alternatives[r.pieces[i].Folded] {
		if next, err = r.aroundJoiner(i, i+1); next > i || err != nil {
			return next, err
		}
	}
	for _, p := range r.Phrases[r.pieces[i].Folded] {
		end := i + len(p.Words)
		if !r.reads(i, p.Words) {
			continue
		}
		switch p.Means {
		case grammar.AtMost, grammar.AtLeast:
			if next = r.bounded(i, end, p.Means); next == i {
				next, err = r.thanListing(i, end, p.Means)
			}
			if next == i && err == nil {
				next, err = r.vague(i, end, p.Means)
			}
			if next == i && err == nil {
				next, err = r.unmeasured(i, end)
			}
		case grammar.Between:
			if next = r.ranged(i, end); next == i {
				next, err = r.vagueRange(i, end)
			}
		case grammar.Located:
			next = r.place(i, end)
		case grammar.Near:
			next = r.near(i, end)
		case grammar.Made:
			next = r.maker(i, end)
		case grammar.OtherThan:
			next = r.notOf(i, end)
		case grammar.Outside:
			next = r.beyond(i, end)
		case grammar.Excluding, grammar.TailExcluding, grammar.CommaExcluding:
			next, err = r.exclusion(i, end, p.Means)
		case grammar.Prefixing:
			next, err = r.nonThing(i)
		case grammar.Similar, grammar.Like:
			next, err = r.likeness(i, end, p.Means)
		case grammar.Onsite:
			next = r.delivered(i, end)
		case grammar.Against:
			next, err = r.aroundJoiner(i, end)
		case grammar.Comparing:
			next, err = r.comparison(i, end, end, r.ComparedTo)
		}
		if next > i || err != nil {
			return next, err
		}
	}
	if r.Having[r.pieces[i].Folded] {
		return r.truth(i), nil
	}
	if r.Others[r.pieces[i].Folded] {
		return r.othersThan(i)
	}
	return i, nil
}

// denied returns where a denial begins that ends before a piece, as in not in Germany,
// without under 50 EUR or isn't from France; i itself if there is none. Each pattern asks for
// it, since it would otherwise be understood as its opposite.
func (r *reading) denied(i int) (from int) {
	for from = max(0, i-2); from < i && !r.pieces[i].Ended; from++ {
		first, words := &r.pieces[from], r.said(from, i)
		if !r.free(from) {
			continue
		}
		if from == i-1 && r.Negations[first.Folded] || from == i-2 && strings.HasSuffix(first.Folded, "n") && strings.HasSuffix(fold.Text(strings.ReplaceAll(words, "’", "'")), "n't") {
			return from
		}
		for _, p := range r.Phrases[first.Folded] {
			if from+len(p.Words) == i && p.Means.Denies() && r.reads(from, p.Words) {
				return from
			}
		}
	}
	return i
}

// leaveOut tells that what is denied from a piece to before another is left out, since
// nothing narrows to its opposite.
func (r *reading) leaveOut(i, end int) (next int) {
	r.tell(i, end, Interpretation{As: document.AsLeftOut})
	return end
}

// reads reports whether the pieces from i are these words, without an end of a
// sentence among them. What goes on with a denial is one only behind it.
func (r *reading) reads(i int, words []string) bool {
	if i+len(words) > len(r.pieces) {
		return false
	}
	for j, w := range words {
		if p := &r.pieces[i+j]; p.Folded != w || p.Number || j > 0 && p.Ended {
			return false
		}
	}
	return grammar.FurtherDenials[words[0]] == nil || r.goesOn(i)
}

// said returns the text of the pieces from i to before end.
func (r *reading) said(i, end int) string { return r.typed[r.pieces[i].From:r.pieces[end-1].To] }

// goesOn reports whether a piece goes on with a denial that began before it.
func (r *reading) goesOn(i int) bool {
	began := grammar.FurtherDenials[r.pieces[i].Folded]
	return began != nil && slices.ContainsFunc(r.pieces[:i], func(p grammar.Piece) bool { return began[p.Folded] })
}

// say says what the pieces from i to before end mean.
func (r *reading) say(i, end int, as Interpretation) {
	from, to := r.pieces[i].From, r.pieces[end-1].To
	as.Text = r.typed[from:to]
	as.Start = utf8.RuneCountInString(r.typed[:from])
	as.End = as.Start + utf8.RuneCountInString(as.Text)
	r.told = append(r.told, as)
}

// tell says what the pieces from i to before end mean, and takes them out of the text.
func (r *reading) tell(i, end int, as Interpretation) {
	r.say(i, end, as)
	from, to := r.pieces[i].From, r.pieces[end-1].To
	blank(r.rest[from:to])
	if as.As != document.AsSimilar {
		blank(r.names[from:to])
	}
}

func blank(text []byte) {
	for at := range text {
		text[at] = ' '
	}
}

// filter tells that pieces are a filter.
func (r *reading) filter(i, end int, filter, currency string, values ...string) {
	if r.filters == nil {
		r.filters = map[string][]string{}
	}
	for _, value := range values {
		if !slices.Contains(r.filters[filter], value) {
			r.filters[filter] = append(r.filters[filter], value)
		}
	}
	if currency != "" {
		r.currency = currency
	}
	for _, value := range values {
		r.tell(i, end, Interpretation{As: document.AsFilter, Filter: filter, Value: value, Currency: currency})
	}
}
