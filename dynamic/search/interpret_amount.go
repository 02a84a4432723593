package search

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"souk/build/codes"
	"souk/build/document"
	"souk/build/unit"
	"souk/dynamic/search/grammar"
)

// An amount is a number with what stands behind or before it.
type amount struct {
	number   string
	currency string
	// thousands: it is written in them, as in 5k.
	thousands bool
	// end is the piece behind it.
	end int
}

// boundBehind understands an amount with its bound behind it, as in 50 EUR or less, 4 ports
// or more, payload 5 kg or more, or before its unit, as in 50 or less EUR and 5+ kg.
func (r *reading) boundBehind(i int) (next int) {
	a, ok := r.money(i)
	if !ok || r.pieces[i].Hyphen {
		return i
	}
	ends := r.ends(i)
	for _, b := range r.Behind {
		if a.currency != "" {
			per, to := r.priceUnitFrom(a.end)
			if !r.boundsAt(to, b.Words) {
				continue
			}
			if next = r.price(i, to+len(b.Words), a.currency, b.Means.Bounds(a.number)); next > i && per != "" {
				r.filter(a.end, to, document.FilterPriceUnit, "", per)
			}
			return next
		}
		number, ok := r.number(i, false)
		if !ok {
			continue
		}
		within := b.Means.Bounds(number)
		if from := i + 1 + len(b.Words); r.boundsAt(i+1, b.Words) {
			if code, to := r.currencyAt(from); code != "" && !r.pieces[from].Ended {
				return r.price(i, to, code, within)
			}
			if to := r.unitEnd(from); to > from {
				if next := r.attributeOf(i, from, to, to, within); next > i {
					return next
				}
			}
		}
		for _, end := range ends {
			if r.boundsAt(end, b.Words) {
				if next := r.attributeOf(i, i+1, end, end+len(b.Words), within); next > i {
					return next
				}
			}
			if name, to := r.attributeFrom(end, r.symbolOf(i, end)); name != "" && r.boundsAt(to, b.Words) {
				return r.amountOf(i, to+len(b.Words), name, r.symbolOf(i, end), within)
			}
		}
		if len(b.Words) > 1 && r.boundsAt(a.end, b.Words) { // a Phone 15 Max may be called so
			return r.plainPrice(i, a.end+len(b.Words), b.Means, a.number)
		}
	}
	return i
}

// boundsAt reports whether the pieces from i are these words of a bound, and bound what is before
// them. Those that are said before an amount, too, bound what is behind in 18 V max 2 kg and 18 V
// max weight 2 kg, but not where they stand behind that as well, as in 2 kg max 50 EUR max; in 2 kg
// or less 18 V they cannot. Nor does less, in 18 V or less than 2 kg.
func (r *reading) boundsAt(i int, words []string) bool {
	if !r.readsOn(i, words) {
		return false
	}
	if than := i + len(words); than+1 < len(r.pieces) && r.Than[r.pieces[than].Folded] && r.pieces[than+1].Number {
		return false
	}
	if !slices.ContainsFunc(r.Phrases[words[0]], func(p grammar.Phrase) bool { return slices.Equal(p.Words, words) }) {
		return true
	}
	for at := i + len(words); at < len(r.pieces) && !r.pieces[at].Ended && len(r.Phrases[r.pieces[at].Folded]) == 0; at++ {
		if r.pieces[at].Number {
			end, _ := r.quantityAt(at)
			return r.boundsAt(end, words)
		}
	}
	return true
}

// readsOn reports whether the pieces from i are these words, with no end of a sentence before
// them either.
func (r *reading) readsOn(i int, words []string) bool { return r.reads(i, words) && !r.pieces[i].Ended }

// bounded understands a bound: the phrase from i to before end, then an amount.
func (r *reading) bounded(i, end int, side grammar.Meaning) (next int) {
	if end < len(r.pieces) && r.pieces[end].Ended && r.typed[r.pieces[end-1].To] != '.' {
		return i // max. 50 is one phrase, max, 50 is not
	}
	if next := r.twoBounds(i, end, side); next > i {
		return next
	}
	if next := r.namedFirst(i, end, side); next > i {
		return next
	}
	a, ok := r.money(end)
	if ok && a.currency != "" {
		return r.price(i, a.end, a.currency, side.Bounds(a.number))
	}
	if number, ok := r.number(end, false); ok {
		if next := r.attribute(i, end+1, side.Bounds(number)); next > i {
			return next
		}
	}
	if !ok {
		return i
	}
	return r.plainPrice(i, a.end, side, a.number)
}

// plainPrice understands an amount without a unit as a price, as in bikes under 500: where
// all prices are in one currency, nothing of another kind may be meant, and no more than it
// is wanted, since over 18 and over 65 are ages more often. It is the pieces from i to before
// end.
func (r *reading) plainPrice(i, end int, side grammar.Meaning, amount string) (next int) {
	if code := r.onlyCurrency(); code != "" && side == grammar.AtMost && r.plain(i, end) {
		return r.price(i, end, code, side.Bounds(amount))
	}
	return i
}

// plain reports whether the pieces from i to before end stand alone: no word behind them may
// be a unit or what is counted, and the one before is of nobody who has an age.
func (r *reading) plain(i, end int) bool {
	if _, to := r.priceUnitFrom(end); to == end && end < len(r.pieces) && !r.pieces[end].Ended && (r.pieces[end].Glued || !r.index.Language.IsStop(r.pieces[end].Folded) && !r.Each[r.pieces[end].Folded]) {
		return false
	}
	return i == 0 || !r.Aged[r.pieces[i-1].Folded]
}

// onlyCurrency returns the currency of all prices of what may be shown; "" where they are in
// several, or there are none.
func (r *reading) onlyCurrency() (code string) {
	for at := range r.index.facets.List {
		one := &r.index.facets.List[at]
		if one.Filter != document.FilterPrice || !r.index.facets.Shown(one.First, one.End, r.visible) {
			continue
		}
		if code != "" {
			return ""
		}
		code = one.Name
	}
	return code
}

// number reads the number at a piece.
func (r *reading) number(i int, money bool) (decimal string, ok bool) {
	if i >= len(r.pieces) || !r.pieces[i].Number {
		return "", false
	}
	digits := strings.TrimLeft(r.pieces[i].Raw, grammar.Minuses)
	decimal, ok = r.Decimal(digits, money)
	if digits != r.pieces[i].Raw {
		decimal = "-" + decimal
	}
	if ok {
		_, ok = unit.ParseDecimal(decimal)
	}
	return decimal, ok
}

// money reads a number at a piece with a currency before or behind it, if it has one.
func (r *reading) money(i int) (a amount, ok bool) {
	if code, end := r.currencyAt(i); code != "" {
		a.currency, i = code, end
	}
	if a.number, ok = r.number(i, true); !ok {
		return a, false
	}
	a.end = i + 1
	if p := r.pieces; a.end < len(p) && p[a.end].Glued && p[a.end].Folded == "k" {
		a.number, a.thousands = thousandfold(a.number), true
		a.end++
	}
	if a.currency == "" && a.end < len(r.pieces) && !r.pieces[a.end].Ended {
		a.currency, a.end = r.currencyAt(a.end)
		if a.end < len(r.pieces) && a.currency == "GBP" && r.pieces[a.end].Folded == "sterling" {
			a.end++
		}
	}
	return a, true
}

// thousandfold returns a decimal number times a thousand.
func thousandfold(number string) string {
	decimal, ok := unit.ParseDecimal(number)
	if !ok {
		return number
	}
	product, _ := unit.Decimal(decimal.Mul(decimal, big.NewRat(1000, 1))) // exact, as the number is
	return product
}

// currencyAt returns the currency that is named from a piece on, and where that ends: the
// only one of those that it may mean in which a listing that may be shown has a price; ""
// for none.
func (r *reading) currencyAt(i int) (code string, end int) {
	list, end := r.moneyAt(i)
	for _, one := range list {
		of := r.index.facets.Named(document.FilterPrice, one)
		if len(of) == 0 || !r.index.facets.Shown(of[0].First, of[0].End, r.visible) {
			continue
		}
		if code != "" {
			return "", i
		}
		code = one
	}
	if code == "" {
		return "", i
	}
	return code, end
}

// moneyAt returns the currencies that may be meant from a piece on, and where their name ends:
// a sign, a word or a code, a sign with letters before it, as C$, or a word behind whose it is,
// as Swiss francs. Codes of currencies begin with that of their country.
func (r *reading) moneyAt(i int) (list []string, end int) {
	if i >= len(r.pieces) || r.pieces[i].Number {
		return nil, i
	}
	p := &r.pieces[i]
	if i+1 < len(r.pieces) && !r.pieces[i+1].Ended {
		next := &r.pieces[i+1]
		if list = grammar.Currencies[p.Folded+next.Folded]; list != nil && next.Glued {
			return list, i + 2
		}
		if nation := cmp.Or(nations()[p.Folded], r.countries[p.Folded]); nation != "" {
			for _, code := range grammar.Currencies[next.Folded] {
				if strings.HasPrefix(code, nation) {
					return []string{code}, i + 2
				}
			}
		}
	}
	if list = grammar.Currencies[p.Folded]; list != nil {
		return list, i + 1
	}
	if codes.Currency(p.Raw) {
		return []string{p.Raw}, i + 1
	}
	return nil, i
}

// A bound is what a text says of a price in one place, the pieces from one to before
// another.
type bound struct {
	from, end int
	grammar.Bounds
}

// price understands what is said of a price, in one currency in a text.
func (r *reading) price(i, end int, code string, within grammar.Bounds) (next int) {
	if len(r.prices) > 0 && code != r.currency {
		return i
	}
	told := i
	if i = r.around(i); i < told && i > 0 && r.Adverbs[r.pieces[i-1].Folded] != "" {
		if value := r.priceUnit(r.Adverbs[r.pieces[i-1].Folded]); value != "" { // hourly rate
			r.filter(i-1, i, document.FilterPriceUnit, "", value)
		}
	}
	if from := r.denied(i); from < i {
		opposite, ok := within.Opposite()
		if !ok {
			return r.leaveOut(from, end)
		}
		i, within = r.around(from), opposite
	}
	r.currency = code
	r.prices = append(r.prices, bound{i, end, within})
	from, to := r.pieces[i].From, r.pieces[end-1].To
	blank(r.rest[from:to])
	blank(r.names[from:to])
	if value, next := r.priceUnitFrom(end); value != "" {
		r.filter(end, next, document.FilterPriceUnit, "", value)
		return next
	}
	return end
}

// around returns where the words begin that stand before a bound and say no more.
func (r *reading) around(i int) int {
	for i > 0 && r.AroundAmounts[r.pieces[i-1].Folded] && !r.pieces[i].Ended && r.free(i-1) {
		i--
	}
	return i
}

// tellPrice tells of the one filter by price that all bounds make together. What no
// price keeps to, or only one of several bounds, is no filter: it stays in the text.
func (r *reading) tellPrice() {
	var all grammar.Bounds
	either := false
	for n, b := range r.prices {
		if b.Least != "" && (all.Least == "" || ordered(all.Least, b.Least)) {
			all.Least = b.Least
		}
		if b.Most != "" && (all.Most == "" || ordered(b.Most, all.Most)) {
			all.Most = b.Most
		}
		between := r.between(n)
		either = either || len(between) == 1 && r.Alternatives[between[0].Folded]
	}
	if either || all.Least != "" && all.Most != "" && !ordered(all.Least, all.Most) {
		for _, b := range r.prices {
			from, to := r.pieces[b.from].From, r.pieces[b.end-1].To
			copy(r.rest[from:to], r.typed[from:to])
			copy(r.names[from:to], r.typed[from:to])
		}
		return
	}
	for n := 0; n < len(r.prices); {
		first := n
		for n++; n < len(r.prices) && !slices.ContainsFunc(r.between(n), func(p grammar.Piece) bool { return !r.BothBounds[p.Folded] }); {
			n++
		}
		r.filter(r.prices[first].from, r.prices[n-1].end, document.FilterPrice, r.currency, all.String())
	}
}

// between returns the pieces between what is said of a price and what was said before.
func (r *reading) between(n int) []grammar.Piece {
	if n == 0 {
		return nil
	}
	return r.pieces[r.prices[n-1].end:r.prices[n].from]
}

// free reports whether a piece is still in the text.
func (r *reading) free(i int) bool { return r.rest[r.pieces[i].From] != ' ' }
