package question

import (
	"slices"

	"souk/build/document"
)

// denialRoles deny what follows them.
var denialRoles = []role{without, no, not, doNot}

// maxDenied is the maximum number of meaningful words that are denied as one thing. With more
// words, it is not clear what is denied.
const maxDenied = 3

// A denial is a denying phrase, or a minus, which is a phrase of no pieces.
type denial struct {
	from, to int
	role     role
	// bare means that the denied word is attached, as in non-electric and -red-wine.
	bare bool
}

// denials reads what the text denies: the meaning after each denial, or words.
func (r *reader) denials() {
	began := false
	for i := 0; i < len(r.pieces); {
		if m, found := r.at(i, idiom); found {
			i = m.to
			continue
		}
		d, found := r.denial(i, began)
		if !found {
			i++
			continue
		}
		if to := r.calledSo(d); to > i {
			i = to
			continue
		}
		began = true
		i = max(d.to, i+1, r.deny(d))
	}
}

// denial returns the denial that begins at a piece. A phrase that continues a denial counts
// only after another.
func (r *reader) denial(i int, began bool) (d denial, found bool) {
	if p := &r.pieces[i]; p.minus && !p.number && p.word() {
		return denial{i, i, not, true}, true
	}
	if r.taken[i] {
		return d, false
	}
	m, found := r.at(i, denialRoles...)
	if !found && began {
		m, found = r.at(i, nor)
	}
	if !found {
		return d, false
	}
	return denial{m.from, m.to, m.role, r.hyphenAt(m.to)}, true
}

// calledSo returns the end of a name that begins with the denial, as in no code: the text asks
// for things with that name.
func (r *reader) calledSo(d denial) (to int) {
	const most = 3
	if d.to == d.from {
		return d.from
	}
	for to = min(r.stretch(d.from), d.to+most); to > d.to; to-- {
		if r.lookups++; r.lookups < maxLookups && len(r.folded(d.to, to)) > 0 && r.Called(r.said(d.from, to)) {
			return to
		}
	}
	return d.from
}

// deny negates the thing after a denial, and the things that or and similar words join to it.
func (r *reader) deny(d denial) (next int) {
	from := r.ahead(d.from, but, and)
	next, understood := r.denyAt(d, from, d.to)
	for understood && !d.bare {
		at, joins := r.denies(d, next)
		if !joins {
			break
		}
		to, also := r.denyAt(d, next, at)
		if !also || to <= at {
			break
		}
		next = to
	}
	return next
}

// denies returns the piece after a word that joins another denied thing at a piece: or, nor,
// also and after a denied noun, or a comma if one of them follows later.
func (r *reader) denies(d denial, i int) (next int, joins bool) {
	if i >= len(r.pieces) || r.taken[i] {
		return i, false
	}
	roles := []role{or, nor, and}
	if d.role != without && d.role != no {
		roles = roles[:2]
	}
	list := r.pieces[i].gap == ", "
	if m, found := r.at(i, roles...); found && (list || r.goesOn(i)) {
		return m.to, true
	}
	if list {
		_, joins = r.denies(d, r.thing(i))
	}
	return i, joins
}

// denyAt negates the thing named at a piece, after articles and verbs, and reports it with the
// pieces from another on. It returns false if the thing was not understood; then it is left
// out.
func (r *reader) denyAt(d denial, from, i int) (next int, understood bool) {
	at, verbs := i, 0
	for steps := 0; steps <= maxName && r.follows(i, at); steps++ {
		if s := r.spanAt(at); s != nil {
			return r.negate(s, from), true
		}
		m, found := r.at(at, article, light, around)
		switch {
		case found && m.role == light:
			verbs++
			at = m.to
		case found:
			at = m.to
		case r.Stop(r.pieces[at].folded):
			at++
		default:
			steps = maxName
		}
	}
	if d.role == doNot && verbs > 0 {
		d.role = no // I don't want a phone by Apple
	}
	to := r.denied(d, at)
	if d.role == not && !d.bare {
		for ; to > at+1 && !r.known(at, to); to-- {
		}
	}
	if next, understood = r.denyThing(d, from, i, at, to); understood {
		return next, true
	}
	return r.denyWords(d, from, at, to, verbs > 0)
}

// follows reports whether a piece continues what is denied from another on.
func (r *reader) follows(i, at int) bool { return at < len(r.pieces) && (at == i || r.goesOn(at)) }

// spanAt returns the span that begins at a piece.
func (r *reader) spanAt(i int) *span {
	at := slices.IndexFunc(r.spans, func(s *span) bool { return s.from == i && !s.silent })
	if at < 0 {
		return nil
	}
	return r.spans[at]
}

// known reports whether the market has the words.
func (r *reader) known(i, to int) bool {
	r.lookups++
	return len(r.Names(r.said(i, to))) > 0 || r.category(i+1, to) || r.lookups < maxLookups && r.Says(r.said(i, to))
}

// denied returns the end of what is denied from a piece on: words up to the next border, or
// words joined by hyphens. A number is included if it is part of a listing's name. Asking
// words are not.
func (r *reader) denied(d denial, i int) (to int) {
	to = i + 1
	if d.bare {
		for r.hyphenAt(to) {
			to++
		}
		return min(to, len(r.pieces))
	}
	if i >= len(r.pieces) || r.breaks(i) {
		return i
	}
	for !r.border(to) || r.hyphenAt(to) {
		to++
	}
	if r.goesOn(to) && r.pieces[to].number && r.listings(i, to+1, false) != nil {
		to++
	}
	for to > i && !r.Asks(r.said(to-1, to)) {
		to--
	}
	return to
}

// thing returns the end of the words that name a thing from a piece on.
func (r *reader) thing(i int) (to int) {
	for to = min(i+1, len(r.pieces)); to < len(r.pieces) && !r.border(to); to++ {
	}
	return to
}

// negate negates a span: it reverses a bound, and excludes anything else.
func (r *reader) negate(s *span, from int) (next int) {
	opposite, turns := limits{}, false
	if s.bound != nil {
		opposite, turns = s.bound.opposite()
	}
	switch {
	case turns:
		s.bound.limits = opposite
	case s.bound != nil:
		s.filterBy(s.bound, s.bound.limits, s.bound.unit)
		s.bound = nil
		r.exclude(s)
	case s.As == Filter || s.As == Preferred:
		r.exclude(s)
	default:
		s.As, s.keeps = LeftOut, false
	}
	s.from = min(s.from, from)
	return s.to
}

// exclude makes a span an exclusion, or leaves it out if enough of the text is excluded.
func (r *reader) exclude(s *span) {
	s.As = Excluded
	if r.excluded++; r.excluded > maxDenials {
		s.As = LeftOut
	}
}

// denyThing excludes the country, city, seller or category named from a piece up to another,
// or what qualifies a denied noun: no phone by Apple.
func (r *reader) denyThing(d denial, from, i, at, to int) (next int, understood bool) {
	if s := r.ofNoun(d, from, at, to); s != nil {
		if categories := r.categories(at, to); len(categories) > 0 {
			r.mean(at, to, Preferred, document.FilterCategory, categories...)
		}
		return r.negate(s, from), true
	}
	thing, end := r.deniedThing(i, at, to)
	if thing.Filter == "" {
		return i, false
	}
	s := &span{from: from, to: end, Meaning: thing}
	r.exclude(s)
	if words := r.folded(at, to); thing.Filter == document.FilterCategory && len(words) > 0 {
		r.take(&span{from: from, to: end, Meaning: Meaning{As: s.As, Words: words}})
	}
	r.take(s)
	return r.noun(d, end, to), true
}

// deniedThing returns the thing named from a piece, or after articles and the like, up to
// another. A category may follow anything but a category: not Apple laptops.
func (r *reader) deniedThing(i, at, to int) (thing Meaning, end int) {
	for _, filter := range [...]string{document.FilterCountry, document.FilterSeller, City, document.FilterCategory} {
		for start := i; start <= at; start++ {
			values, end := r.named(start, filter)
			if adjective := r.nationAt(start); values == nil && filter == document.FilterCountry {
				values, end = adjective, start+len(adjective)
			}
			wholly := end >= to || filter != document.FilterCategory && r.category(end, to)
			if len(values) > 0 && end > at && wholly {
				return Meaning{Filter: filter, Values: values}, end
			}
		}
	}
	return Meaning{}, i
}

// ofNoun returns what qualifies a denied noun, or nil. A noun that is not a category is
// qualified only by its seller or place, and only if the text asks for nothing before it.
func (r *reader) ofNoun(d denial, from, at, to int) *span {
	s := r.spanAt(to)
	if s == nil || d.role != no || at == to {
		return nil
	}
	noun := r.category(at, to) || !r.Asks(r.said(at, to))
	if whose := slices.Contains([]string{document.FilterSeller, document.FilterCountry, City}, s.Filter); noun || whose && !r.Asks(r.text[:r.pieces[from].from]) {
		return s
	}
	return nil
}

// noun takes the category after its denied qualification, if a noun is denied: it is not
// required, but preferred.
func (r *reader) noun(d denial, i, to int) (next int) {
	if d.role != no || i >= to {
		return i
	}
	return r.mean(i, to, Preferred, document.FilterCategory, r.categories(i, to)...)
}

// nationAt returns the country whose adjective a piece is, if a seller is there.
func (r *reader) nationAt(i int) []string {
	if i >= len(r.pieces) {
		return nil
	}
	for _, code := range nations()[r.pieces[i].folded] {
		if _, has := r.Has(document.FilterCountry, code); has {
			return []string{code}
		}
	}
	return nil
}

// categories returns the categories that pieces exactly name, and whether there are any.
func (r *reader) categories(from, to int) []string {
	return valuesOf(r.Names(r.said(from, to)), document.FilterCategory)
}

func (r *reader) category(from, to int) bool { return len(r.categories(from, to)) > 0 }

// denyWords excludes listings with the words from one piece up to another, if that is safe:
// not for actions, unknown adjectives or many words. Otherwise the words are left out, up to
// the end of the clause if they name nothing.
func (r *reader) denyWords(d denial, from, i, to int, verb bool) (next int, understood bool) {
	words := r.folded(i, to)
	begun := max(i, d.to)
	_, unsaid := r.at(i, vague)
	switch {
	case len(words) == 0 && !r.goesOn(begun):
		return begun, false // nothing is denied
	case len(words) == 0, r.does(d, words, to, verb):
		return r.leaveOut(from, r.clause(begun, to)), false
	case unsaid:
		return r.leaveOut(from, i+1), false
	case len(words) > maxDenied:
		return r.leaveOut(from, to), false
	}
	noun := r.nounOf(d, i, to)
	s := &span{from: from, to: noun, Meaning: Meaning{Words: r.folded(i, noun)}}
	if r.exclude(s); noun < to && d.role == no { // no gaming laptops
		s.Filter, s.Values = document.FilterCategory, r.categories(noun, to)
	}
	r.take(s)
	return r.noun(d, noun, to), true
}

// does reports whether words after a denial are an action, which no listing has.
func (r *reader) does(d denial, words []string, to int, verb bool) bool {
	switch d.role {
	case doNot:
		return !verb
	case without:
		return r.endsAs(words[0], verbEnding) && (len(words) > 1 || r.goesOn(to))
	}
	return false
}

// clause returns the end of the part of a sentence that begins at a piece and extends at least
// to another.
func (r *reader) clause(i, to int) int {
	for to = max(i, to); r.goesOn(to) && !r.taken[to]; to++ {
		if to > i && r.has(to, clauses...) {
			break
		}
	}
	return to
}

// nounOf returns the start of a category at the end of denied words, as in not electric bikes,
// or their end.
func (r *reader) nounOf(d denial, i, to int) int {
	for at := i + 1; at < to && d.role != without; at++ {
		if r.category(at, to) {
			return at
		}
	}
	return to
}

// clauses are the roles of phrases that end a verb and its object.
var clauses = slices.Concat(borders, []role{spanTo, around})

func (r *reader) leaveOut(from, to int) int {
	return r.take(&span{from: from, to: to, Meaning: Meaning{As: LeftOut}})
}
