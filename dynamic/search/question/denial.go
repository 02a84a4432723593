package question

import (
	"slices"

	"souk/build/document"
)

// denialRoles deny what stands behind them.
var denialRoles = []role{without, no, not, doNot}

// maxDenied is how many words of meaning are denied as one thing. Of more it is not safe to say
// what is denied.
const maxDenied = 3

// A denial is one phrase that denies, or a minus, which is a phrase of no pieces.
type denial struct {
	from, to int
	role     role
	// bare: what is denied is joined to the denial, as in non-electric and -red-wine.
	bare bool
}

// denials reads what the text denies: of each denial the meaning behind it, or words.
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

// denial returns the denial that begins at a piece. What goes on with a denial is one only behind
// another.
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
	bare := m.to < len(r.pieces) && r.pieces[m.to].hyphen()
	return denial{m.from, m.to, m.role, bare}, true
}

// calledSo returns where a name ends that begins with the denial, as in no code: it asks for what
// is called so.
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

// deny negates what stands behind a denial, and what or and the like join to that.
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

// denies returns the piece behind what joins a further denied thing at a piece: or and nor, and
// also and where a noun is denied; a comma where one of them follows further on.
func (r *reader) denies(d denial, i int) (next int, joins bool) {
	roles := []role{or, nor}
	if d.role == without || d.role == no {
		roles = append(roles, and)
	}
	if i >= len(r.pieces) {
		return i, false
	}
	if m, found := r.at(i, roles...); found && !r.taken[i] && (r.goesOn(i) || r.pieces[i].gap == ", ") {
		return m.to, true
	}
	if r.pieces[i].gap == ", " && !r.taken[i] {
		_, joins = r.denies(d, r.thing(i))
	}
	return i, joins
}

// denyAt negates what is named from a piece on, behind articles and verbs, and tells of it with
// the pieces from another on. It reports whether that was understood: else it is left out.
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
	for ; d.role == not && to > at+1 && !d.bare && !r.known(at, to); to-- {
	}
	if next, understood = r.denyThing(d, from, i, at, to); understood {
		return next, true
	}
	return r.denyWords(d, from, at, to, verbs > 0)
}

// follows reports whether a piece follows on what is denied from another on.
func (r *reader) follows(i, at int) bool { return at < len(r.pieces) && (at == i || r.goesOn(at)) }

// spanAt returns what was understood from a piece on.
func (r *reader) spanAt(i int) *span {
	at := slices.IndexFunc(r.spans, func(s *span) bool { return s.from == i && !s.silent })
	if at < 0 {
		return nil
	}
	return r.spans[at]
}

// known reports whether anything in the market is called or said so.
func (r *reader) known(i, to int) bool {
	r.lookups++
	return len(r.Names(r.said(i, to))) > 0 || r.category(i+1, to) || r.lookups < maxLookups && r.Says(r.said(i, to))
}

// denied returns where what is denied from a piece on ends: words up to the next border, or what
// hyphens join. A number is part of it in the name of a listing. Words that only ask are not.
func (r *reader) denied(d denial, i int) (to int) {
	if to = i; i >= len(r.pieces) || r.breaks(i) && !d.bare {
		return i
	}
	goes := func(to int) bool { return !r.border(to) || to < len(r.pieces) && r.pieces[to].hyphen() }
	if d.bare {
		goes = func(to int) bool { return to < len(r.pieces) && r.pieces[to].hyphen() }
	}
	for to++; goes(to); to++ {
	}
	if r.goesOn(to) && r.pieces[to].number && !d.bare && r.listings(i, to+1, false) != nil {
		to++
	}
	for to > i && !d.bare && !r.Asks(r.said(to-1, to)) {
		to--
	}
	return to
}

// thing returns where words that are named from a piece on end.
func (r *reader) thing(i int) (to int) {
	for to = min(i+1, len(r.pieces)); to < len(r.pieces) && !r.border(to); to++ {
	}
	return to
}

// negate negates what was understood: a bound is turned around, and what is wanted is not.
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

// exclude makes a span one that is excluded, or left out if enough of the text is excluded.
func (r *reader) exclude(s *span) {
	s.As = Excluded
	if r.excluded++; r.excluded > MaxDenials {
		s.As = LeftOut
	}
}

// denyThing excludes the country, the city, the seller or the category that is named from a piece
// on, up to another. A category may stand behind it: of what a noun is denied of, it comes first,
// and else it is asked for.
func (r *reader) denyThing(d denial, from, i, at, to int) (next int, understood bool) {
	for _, filter := range [...]string{document.FilterCountry, document.FilterSeller, City, document.FilterCategory} {
		for start := i; start <= at; start++ {
			values, end := r.named(start, filter)
			if adjective := r.nationAt(start); values == nil && filter == document.FilterCountry && adjective != "" {
				values, end = []string{adjective}, start+1
			}
			if values == nil || end <= at && at > start || end < to && !r.category(end, to) {
				continue
			}
			if filter == document.FilterCategory {
				if end < to {
					continue
				}
				if s := r.spanAt(to); s != nil && d.role == no && r.goesOn(to) { // no phone by Apple
					r.mean(at, to, Preferred, filter, values...)
					return r.negate(s, from), true
				}
				if len(r.folded(at, to)) > 0 {
					r.exclude(r.denyWordsOf(from, at, to))
				}
			}
			s := &span{from: from, to: end, Meaning: Meaning{Filter: filter, Values: values}}
			r.exclude(s)
			r.take(s)
			if d.role == no && end < to {
				return r.mean(end, to, Preferred, document.FilterCategory, r.categories(end, to)...), true
			}
			return end, true
		}
	}
	if s := r.spanAt(to); s != nil && d.role == no && to > at && (!r.Asks(r.said(at, to)) || r.whose(s) && !r.Asks(r.text[:r.pieces[from].from])) {
		return r.negate(s, from), true
	}
	return i, false
}

// whose reports whether a span tells who sells something, or where.
func (r *reader) whose(s *span) bool {
	return s.Filter == document.FilterSeller || s.Filter == document.FilterCountry || s.Filter == City
}

// nationAt returns the country whose adjective a piece is, if anybody is there.
func (r *reader) nationAt(i int) string {
	if i >= len(r.pieces) {
		return ""
	}
	codes := nations()[r.pieces[i].folded]
	if len(codes) == 0 {
		return ""
	}
	code, _ := r.Has(document.FilterCountry, codes[0])
	return code
}

// categories returns the categories that pieces wholly name, and category whether there are any.
func (r *reader) categories(from, to int) []string {
	return valuesOf(r.Names(r.said(from, to)), document.FilterCategory)
}

func (r *reader) category(from, to int) bool { return len(r.categories(from, to)) > 0 }

// denyWords excludes what the pieces from one to before another say, if that is safe to say: not
// what is done, nor adjectives of which nothing tells, nor many words. Else they are left out, to
// the end of what is said where nothing is named.
func (r *reader) denyWords(d denial, from, i, to int, verb bool) (next int, understood bool) {
	words := r.folded(i, to)
	begun := max(i, d.to)
	does := len(words) > 0 && (d.role == doNot && !verb || d.role == without && r.endsAs(words[0], verbEnding) && (len(words) > 1 || r.goesOn(to)))
	_, unsaid := r.at(i, vague)
	switch {
	case len(words) == 0 && !r.goesOn(begun):
		return begun, false // nothing is denied
	case len(words) == 0, does:
		for to = max(begun, to); r.goesOn(to) && !r.taken[to] && (to == begun || !r.has(to, clauses...)); to++ {
		}
		return r.leaveOut(from, to), false
	case unsaid:
		return r.leaveOut(from, i+1), false
	case len(words) > maxDenied:
		return r.leaveOut(from, to), false
	}
	noun := to
	for c := to - 1; c > i && d.role != without && noun == to; c-- {
		if r.category(c, to) {
			noun = c
		}
	}
	s := r.denyWordsOf(from, i, noun)
	r.exclude(s)
	if noun < to && d.role == no { // no gaming laptops
		s.Filter, s.Values = document.FilterCategory, r.categories(noun, to)
		return r.mean(noun, to, Preferred, s.Filter, s.Values...), true
	}
	return noun, true
}

// clauses are the roles of phrases before which a verb and what it is done to end.
var clauses = slices.Concat(borders, []role{spanTo, around})

func (r *reader) leaveOut(from, to int) int {
	return r.take(&span{from: from, to: to, Meaning: Meaning{As: LeftOut}})
}

// denyWordsOf takes pieces, and returns the span of their words.
func (r *reader) denyWordsOf(from, i, to int) *span {
	s := &span{from: from, to: to, Meaning: Meaning{Words: r.folded(i, to)}}
	r.take(s)
	return s
}
