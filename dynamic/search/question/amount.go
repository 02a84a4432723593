package question

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"souk/build/document"
	"souk/build/kit/codes"
	"souk/build/kit/fold"
	"souk/build/kit/unit"
)

// limits are the ends of a range; "" is open. lowOut and highOut exclude the ends.
type limits struct {
	low, high       string
	lowOut, highOut bool
}

// String formats them as the value of a filter.
func (l limits) String() string {
	low, high := l.low, l.high
	if l.lowOut && low != "" {
		low += "<"
	}
	if l.highOut && high != "" {
		high = "<" + high
	}
	return low + ".." + high
}

// opposite returns the range of everything outside. ok is false if that is on both sides.
func (l limits) opposite() (other limits, ok bool) {
	return limits{low: l.high, high: l.low, lowOut: !l.highOut, highOut: !l.lowOut}, l.low == "" || l.high == ""
}

// within returns the intersection of two ranges. ok is false if it is empty.
func (l limits) within(other limits) (both limits, ok bool) {
	both = l
	if other.low != "" && (both.low == "" || below(both.low, other.low)) {
		both.low, both.lowOut = other.low, other.lowOut
	}
	if other.high != "" && (both.high == "" || below(other.high, both.high)) {
		both.high, both.highOut = other.high, other.highOut
	}
	return both, both.low == "" || both.high == "" || !below(both.high, both.low)
}

// below reports whether a decimal number is less than another.
func below(a, b string) bool {
	x, ok := unit.ParseDecimal(a)
	y, also := unit.ParseDecimal(b)
	return ok && also && x.Cmp(y) < 0
}

// A bound is a limit that a text sets for a number: of a price, or of an attribute.
type bound struct {
	from, to int
	limits
	// currency is that of a price. attribute and unit are those of an amount; sure says how
	// surely the attribute was named.
	currency, attribute, unit string
	sure                      int
	// measured means that the amount has a unit or is money, even if the market does not have
	// it. said is the amount as it was typed.
	measured bool
	said     string
	side     mark
}

// An amount is a number with the words before and after it.
type amount struct {
	from, to  int
	number    string
	thousands bool
	// currency is the only currency of prices that it can mean. measured means that the amount
	// has a unit or is money.
	currency, unit string
	measured       bool
	unitEnd        int
	// side is a bound that follows the number or its unit.
	side  mark
	sided bool
}

// behindRoles bound an amount after them, boundingRoles one before them.
var (
	boundRoles  = []role{under, over, atMost, atLeast}
	behindRoles = []role{underBehind, overBehind, atMostBehind, atLeastBehind}
)

// limitsOf returns the limits of a phrase that bounds a number.
func limitsOf(r role, number string) limits {
	switch r {
	case under, underBehind:
		return limits{high: number, highOut: true}
	case over, overBehind:
		return limits{low: number, lowOut: true}
	case atMost, atMostBehind:
		return limits{high: number}
	default:
		return limits{low: number}
	}
}

// amounts reads the bounds in the text, then their subjects. A bound may take the subject of
// its neighbour, as in over 50 and under 100 EUR.
func (r *reader) amounts() {
	var list []*bound
	for i := 0; i < len(r.pieces); i++ {
		if !r.pieces[i].number || r.taken[i] {
			continue
		}
		if b := r.boundAt(i); b != nil {
			list = append(list, b)
			i = max(i, b.to-1)
		} else if to := r.alternatives(i); to > i {
			i = to - 1
		}
	}
	for i := 1; i < len(list); i++ {
		if list[i-1].to < list[i].from && r.and(list[i-1].to, list[i].from) {
			list[i-1].share(list[i])
		}
	}
	for _, b := range list {
		r.bound(b)
	}
}

// and reports whether only words for and, or nothing, are between two pieces.
func (r *reader) and(from, to int) bool {
	return from <= to && (from == to || r.behind(from, and, but) == to || r.pieces[from].ended && max(from, r.skip(from, and, but)) == to)
}

// skip returns the piece after a phrase with one of some roles that begins at a piece, even if
// a sentence ends before it.
func (r *reader) skip(i int, roles ...role) int {
	if m, found := r.at(i, roles...); found {
		return m.to
	}
	return i
}

// known reports whether the subject of a bound is known.
func (b *bound) known() bool { return b.currency != "" || b.attribute != "" }

// money reports whether a bound is for money, even if no price has the currency.
func (b *bound) money() bool { return b.measured && b.unit == "" }

// share copies the subject of one of two bounds to the other, if that one's is less sure.
func (b *bound) share(other *bound) {
	from, to := b, other
	if other.sure > b.sure || !b.known() {
		from, to = other, b
	}
	u, _ := unit.Parse(from.unit)
	v, _ := unit.Parse(to.unit)
	switch {
	case to.money(), to.known() && to.sure >= from.sure:
	case from.currency != "":
		if to.unit == "" {
			to.currency, to.sure = from.currency, from.sure
		}
	case to.unit == "", u.Dimension() == v.Dimension():
		to.attribute, to.sure, to.unit = from.attribute, from.sure, cmp.Or(to.unit, from.unit)
	}
}

// bound takes the pieces of a bound whose subject is known. An amount of money, or in a unit,
// that the market does not have is left out.
func (r *reader) bound(b *bound) {
	if !b.known() && r.plain(b) {
		b.currency = r.Currencies()[0]
	}
	s := &span{from: b.from, to: b.to, bound: b}
	switch {
	case b.currency != "":
		s.from = r.ahead(b.from, around)
		if m, found := r.before(s.from, rateOf); found {
			r.price(m.from, m.to, m.argument)
		}
	case b.attribute != "":
	case b.measured && (b.unit == "" || !r.Says(b.said)):
		s.bound, s.As = nil, LeftOut
	default:
		return
	}
	r.take(s)
	if value, to := r.priceUnit(s.to); b.attribute == "" && value != "" {
		r.mean(s.to, to, Filter, document.FilterPriceUnit, value)
	}
}

// price takes the pieces that name a unit of prices.
func (r *reader) price(from, to int, said string) {
	if value, has := r.Has(document.FilterPriceUnit, said); has {
		r.mean(from, to, Filter, document.FilterPriceUnit, value)
	}
}

// plain reports whether a bound without a subject may be for the price: all prices are in one
// currency, no counted thing follows, and no person with an age and no attribute precedes it.
func (r *reader) plain(b *bound) bool {
	max := len(b.side.words) == 1 && slices.Contains(behindRoles, b.side.role) // Phone 15 Max may be a name
	switch {
	case b.measured, max, len(r.Currencies()) != 1, r.counts(b.to):
		return false
	}
	_, old := r.before(b.from, aged)
	return !old && !r.attributeBefore(b.from) && !r.Called(r.said(b.from, b.to))
}

// counts reports whether a counted thing, rather than a unit of prices, is at a piece.
func (r *reader) counts(i int) bool {
	if _, to := r.priceUnit(i); to > i || !r.goesOn(i) {
		return false
	}
	return r.pieces[i].glued() || !r.border(i) && !r.has(i, per)
}

// attributeBefore reports whether the piece before another is the name of an attribute.
func (r *reader) attributeBefore(i int) bool {
	if i == 0 {
		return false
	}
	_, to := r.named(i-1, document.FilterAttribute)
	return to == i
}

// boundAt reads the bound around the number at a piece, or returns nil if there is none.
func (r *reader) boundAt(i int) *bound {
	a, ok := r.amount(i)
	if !ok {
		return nil
	}
	b := &bound{from: a.from, to: a.to, currency: a.currency, unit: a.unit, measured: a.measured, said: r.said(i, max(i+1, a.unitEnd))}
	if begins, found := r.before(a.from, between); found && r.ranged(b, a, true) {
		b.from, b.side = begins.from, begins
	} else if !r.ranged(b, a, false) {
		return r.oneSided(b, a)
	}
	if b.currency == "" {
		r.attributeOf(b, b.from, b.to, "")
	}
	if !b.known() && b.side.phrase == nil {
		return nil // 2-3 without a subject
	}
	return b
}

// oneSided reads a bound on one side. Its phrase is before the amount, before the name of the
// attribute, or after either.
func (r *reader) oneSided(b *bound, a amount) *bound {
	side, found := r.before(a.from, boundRoles...)
	switch {
	case a.sided:
		side, found = a.side, true
	case found:
		b.from = side.from
	}
	measure := ""
	if found {
		measure = side.argument
	}
	switch {
	case b.currency != "" && !found:
		side, found = r.perUnitBounded(b)
	case b.currency == "":
		r.attributeOf(b, b.from, b.to, measure)
		if !found && b.attribute != "" {
			side, found = r.attributeBounded(b)
		}
	}
	if !found {
		return nil
	}
	b.limits, b.side = limitsOf(side.role, a.number), side
	return b
}

// attributeBounded reads the bound before or after an amount and the name of its attribute, as
// in max weight 2 kg and 8 gears or more.
func (r *reader) attributeBounded(b *bound) (side mark, found bool) {
	if side, found = r.before(b.from, boundRoles...); found {
		b.from = side.from
		return side, true
	}
	if side, found = r.on(b.to, behindRoles...); found {
		b.to = side.to
	}
	return side, found
}

// perUnitBounded reads the bound after a price per unit, as in 80 EUR/hour or less.
func (r *reader) perUnitBounded(b *bound) (side mark, found bool) {
	value, to := r.priceUnit(b.to)
	if side, found = r.on(to, behindRoles...); to > b.to && found {
		r.mean(b.to, to, Filter, document.FilterPriceUnit, value)
		b.to = side.to
		return side, true
	}
	return side, false
}

// amount reads the number at a piece, with its money or its unit.
func (r *reader) amount(i int) (a amount, ok bool) {
	a = amount{from: i, to: i + 1}
	money, from := r.moneyBefore(i)
	if money != nil {
		a.from = from
	}
	if r.gluedAt(a.to) && r.pieces[a.to].folded == "k" {
		a.thousands = true
		a.to++
	}
	r.boundBehind(&a)
	if money == nil {
		codes, to := r.money(a.to)
		if symbol, end := r.unit(a.to); r.currency(codes) == "" && end > a.to {
			a.unit, a.to, a.unitEnd = symbol, end, end
		} else if codes != nil {
			money, a.to = codes, to
		}
	}
	if !a.sided {
		r.boundBehind(&a)
	}
	a.currency, a.measured = r.currency(money), money != nil || a.unit != ""
	a.number, ok = r.number(i, a.unit == "")
	if ok && a.thousands {
		a.number = thousandfold(a.number)
	}
	return a, ok
}

// boundBehind reads a bound after an amount. A phrase that can also precede an amount belongs
// to the next amount, if one follows, as in 18 V max 2 kg.
func (r *reader) boundBehind(a *amount) {
	side, found := r.on(a.to, behindRoles...)
	if !found {
		return
	}
	_, either := r.at(a.to, boundRoles...)
	another, or := r.at(a.to+1, boundRoles...)
	plus := side.words[0] == "+"
	switch {
	case r.has(side.to, than): // 50 or less than 2 kg
	case plus && (!r.gluedAt(a.to) || r.gluedAt(side.to)): // 5+1
	case either && r.bounds(side.to):
	case or && r.numberAt(another.to): // under 50 or over 100
	default:
		a.side, a.sided, a.to = side, true, side.to
	}
}

// bounds reports whether a number follows a piece, with at most the name of an attribute
// before it and no bound of its own after it.
func (r *reader) bounds(i int) bool {
	const most = 3
	at := i
	for r.goesOn(at) && at < i+most && !r.pieces[at].number {
		if len(r.begins[at]) > 0 {
			return false
		}
		at++
	}
	if !r.goesOn(at) || !r.pieces[at].number {
		return false
	}
	_, to := r.unit(at + 1)
	if _, money := r.money(at + 1); money > to {
		to = money
	}
	return !r.has(to, behindRoles...)
}

// ranged reads a second amount after a first one and a dash or a word for to, and reports
// whether both are a range. After the beginning of a range, and also joins them.
func (r *reader) ranged(b *bound, a amount, begun bool) bool {
	next := r.secondOf(a, begun)
	if next < 0 {
		return false
	}
	z, ok := r.amount(next)
	if !ok || !a.agrees(&z) {
		return false
	}
	if more := thousandfold(a.number); z.thousands && !a.thousands && !below(z.number, more) { // 5-10k, and not 500-10k
		a.number = more
	}
	if a.unit != "" && z.unit != "" {
		if a.number, ok = converted(a.number, a.unit, z.unit); !ok {
			return false
		}
	}
	if below(z.number, a.number) {
		return false
	}
	b.to, b.limits = z.to, limits{low: a.number, high: z.number}
	b.currency, b.unit, b.measured = cmp.Or(z.currency, a.currency), cmp.Or(z.unit, a.unit), a.measured || z.measured
	return true
}

// secondOf returns the number after an amount and the piece that joins it to a range, or -1.
func (r *reader) secondOf(a amount, begun bool) (next int) {
	if next = a.to; next >= len(r.pieces) || a.sided {
		return -1
	}
	if !r.pieces[next].dash() {
		roles := []role{spanTo}
		if begun {
			roles = []role{spanTo, rangeTo, and}
		}
		m, found := r.on(next, roles...)
		if !found {
			return -1
		}
		next = m.to
	}
	if _, at := r.money(next); at > next {
		next = at
	}
	if !r.numberAt(next) {
		return -1
	}
	return next
}

// agrees reports whether two amounts can be the ends of one range.
func (a *amount) agrees(z *amount) bool {
	if a.currency != "" && z.currency != "" {
		return a.currency == z.currency
	}
	return (a.currency == "" || z.unit == "") && (z.currency == "" || a.unit == "")
}

// alternatives reads amounts of which one is requested, as in 16 or 32 GB. They belong to the
// named attribute, or to the only one with such a value.
func (r *reader) alternatives(i int) (next int) {
	list := r.joinedAmounts(i)
	if len(list) < 2 {
		return i
	}
	last := list[len(list)-1]
	b := &bound{from: i, to: last.to, unit: last.unit}
	r.attributeOf(b, i, last.to, "")
	u, _ := unit.Parse(last.unit)
	names := r.Measured(u.Dimension())
	if b.sure >= partly {
		names = []string{b.attribute}
	}
	var found [][]string
	for _, name := range names {
		if values := r.exactly(name, list, last.unit); values != nil {
			found = append(found, values)
		}
	}
	if len(found) != 1 {
		return i
	}
	return r.mean(b.from, b.to, Filter, document.FilterAttribute, found[0]...)
}

// maxAmounts is the maximum number of alternative amounts.
const maxAmounts = 8

// joinedAmounts returns the amounts from a piece on that or and commas join, or none if they
// are bounds or money, or without an or.
func (r *reader) joinedAmounts(i int) (list []amount) {
	joined := false
	for next := true; next && len(list) < maxAmounts && r.numberAt(i); {
		a, ok := r.amount(i)
		if !ok || a.sided || a.currency != "" {
			return nil
		}
		list = append(list, a)
		m, either := r.on(a.to, or)
		if i = a.to; either {
			joined, i = true, m.to
		}
		next = either || i < len(r.pieces) && r.pieces[i].gap == ", "
	}
	if !joined {
		return nil
	}
	return list
}

// exactly returns the values of an attribute that equal amounts, or nil if no listing has any
// of them.
func (r *reader) exactly(name string, list []amount, symbol string) (values []string) {
	any := false
	for _, a := range list {
		value := strings.TrimSpace(name + ":" + a.number + " " + cmp.Or(a.unit, symbol))
		_, has := r.Has(document.FilterAttribute, value)
		any = any || has
		values = append(values, value)
	}
	if !any {
		return nil
	}
	return values
}

// maxUnit is the maximum number of pieces in a unit, as in cubic metres per hour.
const maxUnit = 4

// unit returns the unit of measure that begins at a piece: a known one, or one of the market's
// numbers.
func (r *reader) unit(i int) (symbol string, to int) {
	if !r.goesOn(i) || r.pieces[i].number || r.pieces[i].dash() {
		return "", i
	}
	place := r.has(i, located) && !r.pieces[i].glued() && r.place(i+1) // in Berlin, not inches
	if _, at := r.priceUnit(i); at > i || place {
		return "", i
	}
	for to = min(r.stretch(i), i+maxUnit); to > i; to-- {
		symbol = r.said(i, to)
		if u, known := unit.Parse(symbol); known && !r.Stop(r.pieces[i].folded) {
			return symbol, to
		} else if (known || to == i+1) && len(r.Measured(u.Dimension())) > 0 {
			return symbol, to
		}
	}
	return "", i
}

// place reports whether a country or city is named at a piece.
func (r *reader) place(i int) bool {
	_, country := r.named(i, document.FilterCountry)
	_, city := r.named(i, City)
	return max(country, city) > i
}

// How surely an attribute is named: the only one, the usual one, by a word of its name, by a
// comparison, or by its name.
const (
	only = iota + 1
	usually
	partly
	compared
	fully
)

// A candidate is an attribute that an amount may belong to, with the pieces that name it.
type candidate struct {
	name     string
	from, to int
	sure     int
	words    int
}

// attributeOf finds the attribute of an amount, whose name may end before a piece or begin at
// another: the one that is named most surely.
func (r *reader) attributeOf(b *bound, left, right int, measure string) {
	u, _ := unit.Parse(b.unit)
	if m, found := r.on(right, measured); found {
		if r.choose(b, left, m.to, u.Dimension(), m.argument); b.sure >= compared {
			b.to = max(b.to, m.to)
			return
		}
	}
	r.choose(b, left, right, u.Dimension(), measure)
}

func (r *reader) choose(b *bound, left, right int, dimension, measure string) {
	best, tied := candidate{}, false
	names := r.Measured(dimension)
	for _, name := range names {
		c := r.candidate(name, left, right, dimension, measure)
		c.from, c.to = min(b.from, c.from), max(b.to, c.to)
		order := cmp.Or(cmp.Compare(c.sure, best.sure), cmp.Compare(c.words, best.words))
		if order > 0 {
			best, tied = c, false
		} else {
			tied = tied || order == 0
		}
	}
	switch {
	case tied:
	case best.sure <= only && (len(names) > 1 || dimension == ""):
	case measure != "" && measure != usual[dimension] && best.sure < compared: // stronger than 500 kg is not about a weight
	default:
		b.attribute, b.from, b.to, b.sure = best.name, best.from, best.to, best.sure
	}
}

// candidate says how surely a text names an attribute.
func (r *reader) candidate(name string, left, right int, dimension, measure string) candidate {
	stems := r.stems(name)
	c := candidate{name: name, from: left, to: right, sure: only}
	behind, ahead := r.behind(right, of), r.ahead(left, of)
	denied := r.ahead(ahead, not, no, doNot)
	switch {
	case r.spells(behind, stems):
		c.to, c.sure, c.words = behind+len(stems), fully+1, len(stems)
	case r.spells(ahead-len(stems), stems):
		c.from, c.sure, c.words = ahead-len(stems), fully, len(stems)
	case denied < ahead && r.spells(denied-len(stems), stems): // payload not under 6 kg
		c.sure, c.words = fully, len(stems)
	case measuredBy(name, measure):
		c.sure, c.words = compared, -len(stems)
	case dimension == "":
		c.sure = 0
	case r.part(behind, stems):
		c.to, c.sure = behind+1, partly
	case r.part(ahead-1, stems):
		c.from, c.sure = ahead-1, partly
	case measuredBy(name, usual[dimension]):
		c.sure, c.words = usually, -len(stems)
	}
	return c
}

// measuredBy reports whether a word of an attribute's name names a measure.
func measuredBy(name, measure string) bool {
	return measure != "" && slices.ContainsFunc(fields(name), func(word string) bool { return slices.Contains(measures()[word], measure) })
}

// spells reports whether the pieces from i on have these stems, within one sentence.
func (r *reader) spells(i int, stems []string) bool {
	if i < 0 || i+len(stems) > len(r.pieces) || len(stems) == 0 {
		return false
	}
	for j, stem := range stems {
		p := &r.pieces[i+j]
		if ended := j > 0 && p.ended; ended || r.taken[i+j] || r.Stem(p.folded) != stem {
			return false
		}
	}
	return true
}

// part reports whether a piece is one of some words, and meaningful.
func (r *reader) part(i int, stems []string) bool {
	return i >= 0 && i < len(r.pieces) && !r.border(i) && slices.Contains(stems, r.Stem(r.pieces[i].folded))
}

// settle converts bounds to filters. Bounds of one price or attribute apply together, or as
// alternatives if or is between them. Impossible bounds are no filter.
func (r *reader) settle() {
	var list []*span
	for _, s := range r.spans {
		if s.bound != nil {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *span) int { return a.from - b.from })
	for i, s := range list {
		if s.bound == nil {
			continue
		}
		together := []*span{s}
		for _, other := range list[i+1:] {
			if other.bound != nil && other.bound.attribute == s.bound.attribute {
				together = append(together, other)
			}
		}
		r.settled(together)
	}
	r.spans = slices.DeleteFunc(r.spans, func(s *span) bool { return s.from == s.to })
}

// settled converts bounds of one subject to one filter, or to one each if they are
// alternatives.
func (r *reader) settled(list []*span) {
	all := list[0].bound
	both, holds := together(list)
	either := slices.ContainsFunc(list[1:], func(s *span) bool { _, or := r.before(s.from, or); return or })
	if either {
		holds = all.attribute != "" // a price has one range
	}
	for i, s := range list {
		b := s.bound
		s.bound = nil
		switch {
		case !holds:
			s.to = s.from // these are only words
		case either:
			s.filterBy(b, b.limits, b.unit)
		default:
			if s.filterBy(all, both, all.unit); i > 0 && r.and(list[i-1].to, s.from) { // reported as one
				s.from = list[i-1].from
				list[i-1].to = list[i-1].from
			}
		}
	}
}

// together returns the intersection of the bounds of one subject, in the unit of the first.
// holds is false if it is empty.
func together(list []*span) (both limits, holds bool) {
	all := list[0].bound
	both, holds = all.limits, true
	for _, s := range list[1:] {
		next, ok := s.bound.limits, s.bound.currency == all.currency
		if ok && all.attribute != "" {
			next, ok = next.in(s.bound.unit, all.unit)
		}
		if ok {
			both, ok = both.within(next)
		}
		holds = holds && ok
	}
	return both, holds
}

func (s *span) filterBy(b *bound, l limits, symbol string) {
	s.Filter, s.Currency, s.Values = document.FilterPrice, b.currency, []string{l.String()}
	if b.attribute != "" {
		s.Filter, s.Values = document.FilterAttribute, []string{strings.TrimSpace(b.attribute + ":" + l.String() + " " + symbol)}
	}
}

// in converts limits to another unit, if they are decimal numbers in it.
func (l limits) in(from, to string) (limits, bool) {
	ok, also := true, true
	if l.low != "" {
		l.low, ok = converted(l.low, from, to)
	}
	if l.high != "" {
		l.high, also = converted(l.high, from, to)
	}
	return l, ok && also
}

// converted returns a decimal number in another unit of the same dimension, if it is a decimal
// number there.
func converted(number, from, to string) (decimal string, ok bool) {
	u, _ := unit.Parse(from)
	v, _ := unit.Parse(to)
	amount, ok := unit.ParseDecimal(number)
	if !ok || u.Dimension() != v.Dimension() {
		return "", false
	}
	if u == v {
		return number, true
	}
	return unit.Decimal(v.FromBase(u.Base(amount)))
}

// thousandfold returns a decimal number times a thousand.
func thousandfold(number string) string {
	decimal, ok := unit.ParseDecimal(number)
	if !ok {
		return number
	}
	product, _ := unit.Decimal(decimal.Mul(decimal, big.NewRat(1000, 1)))
	return product
}

// money returns the currencies that a word or sign at a piece may mean. It also knows a
// nationality followed by a word for money, as in Swiss francs: codes of currencies begin with
// that of the country.
func (r *reader) money(i int) (list []string, to int) {
	if !r.goesOn(i) {
		return nil, i
	}
	nation := nations()[r.pieces[i].folded]
	if codes, _ := r.named(i, document.FilterCountry); codes != nil {
		nation = append(slices.Clone(nation), codes...)
	}
	if r.goesOn(i + 1) {
		for _, m := range r.begins[i+1] {
			if m.role == money && slices.ContainsFunc(nation, func(code string) bool { return strings.HasPrefix(m.argument, code) }) {
				return []string{m.argument}, m.to
			}
		}
	}
	if list, to = moneyOf(r.begins[i], i); list == nil && codes.Currency(r.said(i, i+1)) {
		return []string{r.said(i, i+1)}, i + 1
	}
	return list, to
}

// moneyOf returns the currencies of the longest of some phrases.
func moneyOf(marks []mark, i int) (list []string, to int) {
	longest := 0
	for _, m := range marks {
		if m.role == money && len(m.words) >= longest {
			if len(m.words) > longest {
				list, longest = nil, len(m.words)
			}
			list, to = append(list, m.argument), m.to
		}
	}
	return list, max(i, to)
}

// moneyBefore returns the currencies that a word or sign before a piece may mean.
func (r *reader) moneyBefore(i int) (list []string, from int) {
	if i == 0 || r.pieces[i].ended || r.taken[i-1] {
		return nil, i
	}
	for from = max(0, i-2); from < i; from++ {
		if codes, to := r.money(from); to == i && codes != nil && !r.numberAt(max(0, from-1)) {
			return codes, from
		}
	}
	return nil, i
}

// currency returns the only one of some currencies that prices are in, or "".
func (r *reader) currency(codes []string) (code string) {
	for _, one := range codes {
		if slices.Contains(r.Currencies(), one) {
			if code != "" {
				return ""
			}
			code = one
		}
	}
	return code
}

// number reads the number at a piece.
func (r *reader) number(i int, money bool) (decimal string, ok bool) {
	p := &r.pieces[i]
	decimal, ok = r.Decimal(r.text[p.from:p.to], money)
	if before := &r.pieces[max(0, i-1)]; p.minus || !before.word() && before.minus {
		decimal = "-" + decimal
	}
	if ok {
		_, ok = unit.ParseDecimal(decimal)
	}
	return decimal, ok
}

// Decimal parses a number as people write it: 1,000.50 and 1.000,50 are the same, and digits
// may be of any script. A single separator before three digits separates thousands in money;
// otherwise it depends on the language.
func (t *Table) Decimal(raw string, money bool) (decimal string, ok bool) {
	raw = strings.Map(ascii, fold.Text(raw))
	const longest = 20
	if len(raw) > longest {
		return "", false
	}
	at := strings.LastIndexAny(raw, ".,")
	if at < 0 {
		return raw, true
	}
	whole, fraction, separator := raw[:at], raw[at+1:], raw[at]
	bare := strings.NewReplacer(".", "", ",", "").Replace(whole)
	switch {
	case strings.IndexByte(whole, separator) >= 0:
		return bare + fraction, thousands(raw, separator) // the same separator twice separates thousands
	case strings.ContainsAny(whole, ".,"):
		return bare + "." + fraction, thousands(whole, '.'+','-separator)
	case len(fraction) != 3 || len(whole) > 3 || whole == "0":
		return whole + "." + fraction, true
	case money || separator == ',' && !t.comma:
		return whole + fraction, true
	case (separator == '.') != t.comma:
		return whole + "." + fraction, true
	default:
		return "", false // 1.500 may be fifteen hundred, or one and a half
	}
}

// ascii converts a digit or separator of any script to ASCII, and drops separators that only
// group thousands.
func ascii(c rune) rune {
	switch {
	case c >= '0' && c <= '9', c == '.', c == ',':
		return c
	case c == '٫':
		return '.'
	case unicode.IsDigit(c): // each script has its ten digits in sequence
		for value := range rune(10) {
			if !unicode.IsDigit(c-value-1) || value == 9 {
				return '0' + value
			}
		}
	}
	return -1
}

// thousands reports whether a separator divides a number into groups of three digits.
func thousands(raw string, separator byte) bool {
	parts := strings.Split(raw, string(separator))
	for _, g := range parts[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(parts[0]) > 0 && len(parts[0]) <= 3
}
